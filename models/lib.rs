//! What is checked: global snapshot algorithms, the applications under them, and the vocabulary to
//! speak of both. Nothing here knows of a checker; `snapcheck` turns it into a state space.
//!
//! A file uses only what stands above it in this list.

pub mod topology;

pub mod renaming;

pub mod classes;

pub mod network;

pub mod setup;

pub mod claim;

pub mod promise;

pub mod proof;

pub mod application;

pub mod value;

pub mod any_application;

pub mod recording;

pub mod process;

pub mod packet;

pub mod sink;

pub mod process_state;

pub mod algorithms;

pub mod bugs;

pub mod applications;

pub mod coordinator;

pub mod bookkeeper;

pub mod host;
