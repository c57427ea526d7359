//! The application `bank`: processes hold units of money and transfer them, one at a time, along any
//! of their outputs, while they have one and may still transfer. What they hold and what is under way
//! is always the same in sum. Chandy & Lamport 1985, section 2.1, is the case of a single token.

use crate::application::{ActionWords, Application, Sends, Traits};
use crate::renaming::{Renamed, Renaming};
use crate::topology::{ChannelId, ProcessId, Topology};

/// The local state: what a process holds, and how often it may still transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Account {
    /// Units held.
    pub balance: u16,
    /// Transfers left.
    pub transfers: u16,
}

impl Renamed for Account {}

/// A message: one unit of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit;

impl Renamed for Unit {}

/// Transfers one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transfer {
    /// Along which channel.
    pub channel: ChannelId,
}

impl Renamed for Transfer {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { channel: self.channel.renamed(renaming) }
    }
}

/// Accounts for every process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// Per process, its account at the start.
    pub accounts: Vec<Account>,
    /// Per process, where it may transfer to.
    outputs: Vec<Vec<ChannelId>>,
}

impl Bank {
    /// A bank with these accounts, one for each process of the topology.
    #[must_use]
    pub fn new(topology: &Topology, accounts: Vec<Account>) -> Self {
        assert_eq!(accounts.len(), topology.process_count(), "there is an account per process");
        let outputs = topology.processes().map(|p| topology.outputs(p).to_vec()).collect();
        Self { accounts, outputs }
    }
}

impl Application for Bank {
    type State = Account;
    type Message = Unit;
    type Action = Transfer;

    fn traits(&self) -> Traits {
        Traits { conserves: true, ..Traits::default() }
    }

    fn start(&self, process: ProcessId) -> Account {
        self.accounts[process.index()]
    }

    fn enabled(&self, process: ProcessId, state: &Account) -> Vec<Transfer> {
        if state.balance == 0 || state.transfers == 0 {
            return Vec::new();
        }
        self.outputs[process.index()].iter().map(|&channel| Transfer { channel }).collect()
    }

    fn act(&self, _: ProcessId, state: &mut Account, action: &Transfer, sends: &mut Sends<Unit>) {
        state.balance -= 1;
        state.transfers -= 1;
        sends.push((action.channel, Unit));
    }

    fn receive(
        &self,
        _: ProcessId,
        state: &mut Account,
        _: ChannelId,
        Unit: &Unit,
        _: &mut Sends<Unit>,
    ) {
        state.balance += 1;
    }

    /// Each process may transfer only so often.
    fn always_ends(&self) -> bool {
        true
    }

    /// It may receive the money for it.
    fn may_send(&self, _: ProcessId, state: &Account, _: ChannelId) -> bool {
        state.transfers > 0
    }

    /// Interchanged processes must have the same at the start; the order of outputs is of no account.
    fn is_symmetric(&self, renaming: &Renaming) -> bool {
        renaming.permuted(self.accounts.iter().copied()) == self.accounts
    }

    fn amount_held(&self, state: &Account) -> u64 {
        u64::from(state.balance)
    }

    fn amount_carried(&self, Unit: &Unit) -> u64 {
        1
    }

    fn describe_state(&self, _: ProcessId, state: &Account) -> String {
        format!("balance {}", state.balance)
    }

    fn describe_message(&self, Unit: &Unit) -> String {
        "1 unit".to_owned()
    }

    fn describe_action(&self, _: ProcessId, action: &Transfer) -> ActionWords {
        ActionWords::Send { channel: action.channel, message: self.describe_message(&Unit) }
    }
}
