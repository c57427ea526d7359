//! Errors in what a user gave us: they name the place, underline it and say what to do about it.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

/// A text that a user wrote: a file, or the value of a command-line option.
#[derive(Debug, PartialEq, Eq)]
pub struct Source {
    /// Path of the file or name of the option.
    pub name: String,
    /// The text itself.
    pub text: String,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read, with `remedy`, or is no text.
    pub fn read(path: &Path, remedy: &str) -> Result<Arc<Self>, Diagnostic> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| {
            Diagnostic::general(format!("{name} cannot be read: {error}"), remedy)
        })?;
        String::from_utf8(bytes).map(|text| Arc::new(Self { name: name.clone(), text })).map_err(
            |error| {
                // The bytes up to the first bad one show where it stands.
                let valid = error.utf8_error().valid_up_to();
                let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
                let source = Arc::new(Self { name, text });
                let span = valid..valid + char::REPLACEMENT_CHARACTER.len_utf8();
                Diagnostic::at(
                    &Place { source, span },
                    "bytes that are not UTF-8",
                    "save the file as UTF-8",
                )
            },
        )
    }
}

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which text.
    pub source: Arc<Source>,
    /// Which bytes of it.
    pub span: Range<usize>,
}

impl Place {
    /// The whole of an option's value.
    #[must_use]
    pub fn option(name: &str, value: &str) -> Self {
        let source = Source { name: name.to_owned(), text: value.to_owned() };
        Self { span: 0..value.len(), source: Arc::new(source) }
    }

    /// A part of this place, given in bytes from the start of `value`, the text that was read from
    /// here; the whole place if the text does not stand here literally (escapes in a TOML string).
    #[must_use]
    pub fn within(&self, value: &str, part: Range<usize>) -> Self {
        let here = self.source.text.get(self.span.clone()).unwrap_or_default();
        match here.find(value) {
            Some(offset) => {
                let start = self.span.start + offset;
                let span = start + part.start..start + part.end;
                Self { source: Arc::clone(&self.source), span }
            }
            None => self.clone(),
        }
    }

    /// The line on which the place begins, from 1.
    #[must_use]
    pub fn line(&self) -> usize {
        let before = self.source.text.get(..self.span.start).unwrap_or(&self.source.text);
        before.matches('\n').count() + 1
    }
}

/// An error in a user's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub message: String,
    /// Where; nowhere in a text if, say, a file is missing.
    pub place: Option<Place>,
    /// What to do about it.
    pub remedy: String,
}

impl Diagnostic {
    /// An error at a place.
    pub fn at(place: &Place, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { message: message.into(), place: Some(place.clone()), remedy: remedy.into() }
    }

    /// An error about no text in particular.
    pub fn general(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, remedy: remedy.into() }
    }

    /// The error as a person reads it, over several lines.
    #[must_use]
    pub fn render(&self, styled: bool) -> String {
        let renderer = if styled { Renderer::styled() } else { Renderer::plain() };
        let title = Level::ERROR.primary_title(&self.message);
        let help = Level::HELP.message(&self.remedy);
        let group = match &self.place {
            Some(Place { source, span }) => {
                // An empty text has nothing to underline, so that a blank stands in for it.
                let text = if source.text.is_empty() { " " } else { &source.text };
                let start = span.start.min(text.len() - 1);
                let end = span.end.clamp(start, text.len());
                let mark = AnnotationKind::Primary.span(start..end);
                title
                    .element(Snippet::source(text).path(&source.name).annotation(mark))
                    .element(help)
            }
            None => Group::with_title(title).element(help),
        };
        renderer.render(&[group]).clone()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:{}: ", place.source.name, place.line())?;
        }
        write!(f, "{}; {}", self.message, self.remedy)
    }
}

impl std::error::Error for Diagnostic {}
