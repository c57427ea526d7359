//! Rendering: data in, text out; nothing here explores or prints.
