//! How channels work, as it is written in instance files, on the command line and in trace files: `fifo`,
//! `unordered`, `lossy(1)`, `duplicating(1)`.

use super::MAX_SCRIPT_STEPS;
use super::draft::Field;
use crate::diagnostic::{Diagnostic, Place};
use crate::models::network::Network;

/// The network that a user named.
///
/// # Errors
/// If there is none of that name, or its bound makes no sense.
pub fn find_network(field: &Field) -> Result<Network, Diagnostic> {
    let text = field.value.trim();
    let (name, bound) = match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, bound)) => (name.trim_end(), Some(bound)),
        None => (text, None),
    };
    let with_bound: fn(u16) -> Network = match (name, bound) {
        ("fifo", None) => return Ok(Network::Fifo),
        ("unordered", None) => return Ok(Network::Unordered),
        ("lossy", _) => Network::Lossy,
        ("duplicating", _) => Network::Duplicating,
        _ => {
            return Err(Diagnostic::at(
                &field.place,
                format!("unknown network `{text}`"),
                "write fifo, unordered, lossy(1) or duplicating(1); with more than 1 for more faults",
            ));
        }
    };
    let Some(bound) = bound else {
        return Err(Diagnostic::at(
            &field.place,
            format!("`{name}` does not say how often at most"),
            format!("write {name}(1) or more"),
        ));
    };
    let most = bound.trim().parse().ok().filter(|most| (1..=MAX_SCRIPT_STEPS).contains(most));
    most.map(with_bound).ok_or_else(|| {
        let start = field.value.find(bound).unwrap_or(0);
        let place: Place = field.place.within(&field.value, start..start + bound.len());
        Diagnostic::at(
            &place,
            format!("{name} channels cannot have `{bound}` faults"),
            format!("choose a number from 1 to {MAX_SCRIPT_STEPS}; without any, write fifo"),
        )
    })
}

/// A network as it is written.
#[must_use]
pub fn write_network(network: Network) -> String {
    match network {
        Network::Fifo | Network::Unordered => network.name().to_owned(),
        Network::Lossy(most) | Network::Duplicating(most) => format!("{}({most})", network.name()),
    }
}

/// What a network does, in a few words; empty if nothing.
pub(super) fn words(network: Network) -> String {
    match network {
        Network::Fifo => String::new(),
        Network::Unordered => "channels out of order".to_owned(),
        Network::Lossy(most) => format!("at most {most} lost in channels"),
        Network::Duplicating(most) => format!("at most {most} doubled in channels"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let networks =
            [Network::Fifo, Network::Unordered, Network::Lossy(1), Network::Duplicating(12)];
        for network in networks {
            let field = Field::option("--network", &write_network(network));
            assert_eq!(find_network(&field).ok(), Some(network));
        }
        for wrong in ["", "FIFO", "lossy", "lossy()", "lossy(0)", "lossy(-1)", "fifo(1)", "lossy(1"]
        {
            assert!(find_network(&Field::option("--network", wrong)).is_err(), "{wrong}");
        }
    }
}
