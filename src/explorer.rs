//! Stateright's Explorer on a system, in the words of the design instead of Rust's.
//!
//! The Explorer only shows. Verdicts come from a check, which runs before it is served.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::io;
use std::net::{TcpListener, ToSocketAddrs};
use std::sync::Arc;

use stateright::{Expectation, Model, Path, Property};

use crate::claims::{self, newest};
use crate::models::claim::{Claim, Kind};
use crate::picture::{Setting, SpaceTime, svg};
use crate::system::System;

/// A state that shows itself in a few lines.
#[derive(Clone)]
pub struct Shown<S> {
    state: S,
    text: Arc<str>,
}

impl<S: PartialEq> PartialEq for Shown<S> {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

impl<S: Hash> Hash for Shown<S> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.state.hash(hasher);
    }
}

impl<S> fmt::Debug for Shown<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A system as the Explorer shows it: each claim a property.
struct Browsed<S> {
    system: Arc<S>,
    claims: Vec<Claim>,
}

impl<S: System> Browsed<S> {
    fn show(&self, state: S::State) -> Shown<S::State> {
        Shown { text: self.system.describe(&state).to_string().into(), state }
    }

    /// Stateright's properties are functions without captures, so that each claim needs its own.
    fn property<const CLAIM: usize>() -> Property<Self> {
        let claim = Claim::ALL[CLAIM];
        Property {
            name: claim.name(),
            expectation: match claim.kind() {
                Kind::Safety => Expectation::Always,
                Kind::Witness => Expectation::Sometimes,
            },
            condition: |model, shown| {
                claims::judge_state(Claim::ALL[CLAIM], &model.system.views(&shown.state))
            },
        }
    }

    fn all_properties() -> [Property<Self>; Claim::ALL.len()] {
        [
            Self::property::<0>(),
            Self::property::<1>(),
            Self::property::<2>(),
            Self::property::<3>(),
            Self::property::<4>(),
            Self::property::<5>(),
            Self::property::<6>(),
            Self::property::<7>(),
            Self::property::<8>(),
            Self::property::<9>(),
            Self::property::<10>(),
            Self::property::<11>(),
            Self::property::<12>(),
            Self::property::<13>(),
            Self::property::<14>(),
            Self::property::<15>(),
            Self::property::<16>(),
            Self::property::<17>(),
            Self::property::<18>(),
            Self::property::<19>(),
            Self::property::<20>(),
            Self::property::<21>(),
            Self::property::<22>(),
            Self::property::<23>(),
            Self::property::<24>(),
            Self::property::<25>(),
            Self::property::<26>(),
            Self::property::<27>(),
            Self::property::<28>(),
        ]
    }
}

impl<S: System> Model for Browsed<S> {
    type State = Shown<S::State>;
    type Action = S::Action;

    fn init_states(&self) -> Vec<Self::State> {
        self.system.init_states().into_iter().map(|state| self.show(state)).collect()
    }

    fn actions(&self, shown: &Self::State, actions: &mut Vec<Self::Action>) {
        self.system.actions(&shown.state, actions);
    }

    fn next_state(&self, shown: &Self::State, action: Self::Action) -> Option<Self::State> {
        Some(self.show(self.system.next_state(&shown.state, action)?))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        let asked = |property: &Property<Self>| {
            self.claims.iter().any(|claim| claim.name() == property.name)
        };
        Self::all_properties().into_iter().filter(asked).collect()
    }

    fn as_svg(&self, path: Path<Self::State, Self::Action>) -> Option<String> {
        let run: Vec<_> =
            path.into_vec().into_iter().map(|(shown, action)| (shown.state, action)).collect();
        let trace = self.system.trace(&run);
        Some(svg::draw(
            &SpaceTime::of(&trace, newest(&trace.last), self.system.topology()),
            "",
            Setting::File,
        ))
    }

    fn format_action(&self, action: &Self::Action) -> String {
        self.system.format_action(action)
    }

    fn format_step(&self, shown: &Self::State, action: Self::Action) -> Option<String> {
        let step = self.system.format_step(&shown.state, action.clone())?;
        let next = self.next_state(shown, action)?;
        Some(format!("{step}\n\n{}", next.text))
    }
}

/// Makes sure that `address` can be served; stateright would panic if not.
///
/// # Errors
/// If it cannot, for example because another program listens there.
pub fn probe(address: impl ToSocketAddrs) -> io::Result<()> {
    TcpListener::bind(address).map(drop)
}

/// Serves the Explorer until the process is ended.
///
/// # Errors
/// If `address` cannot be served.
pub fn serve<S: System>(system: Arc<S>, claims: Vec<Claim>, address: &str) -> io::Result<()> {
    probe(address)?;
    // Stateright would serve a folder `ui` of the working directory in place of its own pages.
    if std::path::Path::new("ui").exists() {
        std::env::set_current_dir(std::env::temp_dir())?;
    }
    Browsed { system, claims }.checker().serve(address);
    Ok(())
}
