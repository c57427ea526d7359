//! Ctrl-C: the first has searches stop as if by a bound, so that what is known is told; the second ends the
//! program at once.

use std::process::exit;

use crate::engines::interrupt;

/// What a shell makes of a program that Ctrl-C ended.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Listens from now on.
pub(super) fn listen() {
    // If the system does not let us listen, Ctrl-C ends the program, as it would any other.
    let _ = ctrlc::set_handler(|| {
        if interrupt() {
            exit(ENDED_BY_INTERRUPT);
        }
    });
}
