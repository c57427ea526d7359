//! Values in a JSON text with their places. A value is first kept as its text, which is a part of the
//! whole, so that its place is known when it turns out to be wrong.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::diagnostic::{Diagnostic, Place, Source};
use crate::instance::Field;

/// The text of a trace file.
#[derive(Clone, Copy)]
pub(super) struct Json<'s> {
    pub(super) source: &'s Arc<Source>,
}

impl<'s> Json<'s> {
    /// Where a part of the text stands.
    fn place_of(self, part: &'s str) -> Place {
        let start = part.as_ptr() as usize - self.source.text.as_ptr() as usize;
        Place { source: Arc::clone(self.source), span: start..start + part.len() }
    }

    /// Reads the whole text.
    pub(super) fn document<T: Deserialize<'s>>(self) -> Result<T, Diagnostic> {
        self.part(&self.source.text)
    }

    /// Reads a value that was kept as its text.
    pub(super) fn read<T: Deserialize<'s>>(self, raw: &'s RawValue) -> Result<T, Diagnostic> {
        self.part(raw.get())
    }

    /// Reads a value that was kept as its text, with its place.
    pub(super) fn field<T: Deserialize<'s>>(
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
            Diagnostic::at(&place, message, remedy(message))
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

fn remedy(message: &str) -> &'static str {
    if message.starts_with("unknown field") {
        "remove the field or correct its spelling"
    } else if message.starts_with("missing field") {
        "a trace file has format, version, instance, claim, verdict and steps; save it anew with \
         `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`"
    } else if message.starts_with("invalid type")
        || message.starts_with("invalid value")
        || message.starts_with("invalid length")
        || message.starts_with("unknown variant")
    {
        "give a value of the expected kind"
    } else {
        "correct the JSON at this place, or save the trace anew with \
         `snapcheck check INSTANCE --claim CLAIM --save-trace FILE`"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_within_a_part_point_into_the_whole() {
        let text = "{\n  \"ä\": [1,\n    true]\n}".to_owned();
        let source = Arc::new(Source { name: "a.json".to_owned(), text });
        let json = Json { source: &source };
        let parts: std::collections::BTreeMap<String, &RawValue> = json.document().unwrap();
        let error = json.read::<Vec<u8>>(parts["ä"]).unwrap_err();
        let place = error.place.unwrap();
        assert_eq!(place.line(), 3);
        assert!("true".contains(&source.text[place.span]));
    }
}
