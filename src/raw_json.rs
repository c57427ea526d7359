//! Values in a JSON text with their places. A value is first kept as its text, which is a part of the
//! whole, so that its place is known when it turns out to be wrong.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::instance::Field;

/// A JSON text that a user gave.
#[derive(Clone, Copy)]
pub(crate) struct Json<'s> {
    /// The text.
    pub(crate) source: &'s Arc<Source>,
    /// What to do about an error, given what serde says of it.
    pub(crate) remedy: fn(&str) -> &'static str,
}

impl<'s> Json<'s> {
    /// Where a part of the text stands.
    pub(crate) fn place_of(self, part: &'s str) -> Place {
        let start = part.as_ptr() as usize - self.source.text.as_ptr() as usize;
        Place { source: Arc::clone(self.source), span: start..start + part.len() }
    }

    /// Reads the whole text.
    pub(crate) fn document<T: Deserialize<'s>>(self) -> Result<T, Diagnostic> {
        self.part(&self.source.text)
    }

    /// Reads a value that was kept as its text.
    pub(crate) fn read<T: Deserialize<'s>>(self, raw: &'s RawValue) -> Result<T, Diagnostic> {
        self.part(raw.get())
    }

    /// Reads a value that was kept as its text, with its place.
    pub(crate) fn field<T: Deserialize<'s>>(
        self,
        raw: &'s RawValue,
    ) -> Result<Field<T>, Diagnostic> {
        Ok(Field { value: self.read(raw)?, place: self.place_of(raw.get()) })
    }

    fn part<T: Deserialize<'s>>(self, part: &'s str) -> Result<T, Diagnostic> {
        serde_json::from_str(part).map_err(|error| {
            let start = self.place_of(part).span.start;
            let at = start + offset(part, error.line(), error.column());
            let place = Place { source: Arc::clone(self.source), span: at..at + 1 };
            let message = error.to_string();
            // The place is shown; "at line 1 column 2" would be counted from the part.
            let message = message.split(" at line ").next().unwrap_or_default();
            Diagnostic::at(&place, message, (self.remedy)(message))
        })
    }
}

/// The byte before the one at which serde stopped, which belongs to what is wrong.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let lines = text.split_inclusive('\n').take(line.saturating_sub(1));
    let before: usize = lines.map(str::len).sum();
    let wrong = (before + column.saturating_sub(1)).min(text.len());
    (0..=wrong).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_within_a_part_point_into_the_whole() {
        let text = "{\n  \"ä\": [1,\n    true]\n}".to_owned();
        let source = Arc::new(Source { name: "a.json".to_owned(), text });
        let json = Json { source: &source, remedy: |_| "" };
        let parts: std::collections::BTreeMap<String, &RawValue> = json.document().unwrap();
        let error = json.read::<Vec<u8>>(parts["ä"]).unwrap_err();
        let place = error.place.unwrap();
        assert_eq!(place.line(), 3);
        assert!("true".contains(&source.text[place.span]));
    }
}
