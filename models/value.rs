//! Data behind a pointer, of a type that only its owner knows: what lets a checker be compiled once for all
//! algorithms and applications.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::application::Data;
use crate::renaming::{Renamed, Renaming};

/// A value of some type. Values are compared only with values of the same type.
#[derive(Clone)]
pub struct Value(Arc<dyn Held>);

/// What can be done with a value whose type is not known.
trait Held: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn compare(&self, other: &Value) -> Ordering;
    fn equals(&self, other: &Value) -> bool;
    fn feed(&self, hasher: &mut dyn Hasher);
    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    fn renamed_value(&self, renaming: &Renaming) -> Value;
}

impl<T: Data + Renamed> Held for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn compare(&self, other: &Value) -> Ordering {
        self.cmp(other.get())
    }

    fn equals(&self, other: &Value) -> bool {
        self == other.get()
    }

    fn feed(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn debug(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt(f)
    }

    fn renamed_value(&self, renaming: &Renaming) -> Value {
        Value::new(self.renamed(renaming))
    }
}

impl Value {
    /// Puts a value behind a pointer.
    #[must_use]
    pub fn new<T: Data + Renamed>(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// The value.
    ///
    /// # Panics
    /// If it is not of type `T`.
    #[must_use]
    pub fn get<T: Data>(&self) -> &T {
        let value = self.0.as_any().downcast_ref();
        value.expect("a value comes back to the algorithm or application that made it")
    }

    /// Changes the value; what shares it keeps it as it was.
    ///
    /// # Panics
    /// If it is not of type `T`.
    pub fn change<T: Data + Renamed, R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        let mut changed = self.get::<T>().clone();
        let result = change(&mut changed);
        if changed != *self.get::<T>() {
            *self = Self::new(changed);
        }
        result
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.equals(other)
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(other)
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.feed(hasher);
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.debug(f)
    }
}

impl Renamed for Value {
    fn renamed(&self, renaming: &Renaming) -> Self {
        self.0.renamed_value(renaming)
    }
}

/// A control message, whatever the algorithm.
#[derive(Clone)]
pub struct Control {
    value: Value,
    display: fn(&Value, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl Control {
    /// Puts a control message behind a pointer.
    #[must_use]
    pub fn new<C: Data + Renamed + fmt::Display>(control: C) -> Self {
        Self {
            value: Value::new(control),
            display: |value, f| fmt::Display::fmt(value.get::<C>(), f),
        }
    }

    /// The control message.
    ///
    /// # Panics
    /// If it is not of type `C`.
    #[must_use]
    pub fn get<C: Data>(&self) -> &C {
        self.value.get()
    }
}

impl PartialEq for Control {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Control {}

impl PartialOrd for Control {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Control {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.cmp(&other.value)
    }
}

impl Hash for Control {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.value.hash(hasher);
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.display)(&self.value, f)
    }
}

impl Renamed for Control {
    fn renamed(&self, renaming: &Renaming) -> Self {
        Self { value: self.value.renamed(renaming), ..*self }
    }
}
