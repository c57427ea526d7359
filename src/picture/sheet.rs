//! What SVG pictures have in common: the frame, the style, text that cannot break out of it.

use std::fmt::Write;

/// Light and dark by the viewer's preference. The classes carry the meaning; a page that holds pictures
/// uses its colours too.
pub const STYLE: &str = "\
:root{--ink:#1b1b1b;--paper:#ffffff;--faint:#6f6f6f;--blue:#0072b2;--orange:#b07800;--alarm:#c44601;--cut:#009e73}\
@media (prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16181d;--faint:#8d939c;--blue:#56b4e9;\
--orange:#e69f00;--alarm:#ff8552;--cut:#2fd1a5}}\
svg text{font:13px system-ui,sans-serif;fill:var(--ink)}.small{font-size:11px;fill:var(--faint)}\
.paper{fill:var(--paper)}.line{stroke:var(--faint);stroke-width:1.5}\
.message{stroke:var(--blue);stroke-width:2}.control{stroke:var(--faint);stroke-width:1.5;stroke-dasharray:5 3}\
.forward{stroke:var(--orange);stroke-width:3.5}.backward{stroke:var(--alarm);stroke-width:4;stroke-dasharray:10 3}\
.cut{stroke:var(--cut);stroke-width:3;fill:none;stroke-linejoin:round}.record{fill:var(--cut)}\
.dot{fill:var(--ink)}.open{fill:var(--paper);stroke:var(--faint);stroke-width:1.5}\
.blocked{fill:var(--faint);opacity:.28}.failover{stroke:var(--alarm);stroke-width:6;opacity:.7}\
.alarm{fill:var(--alarm);font-weight:700}.state{fill:var(--orange);font-weight:700}.halo{stroke:var(--paper);\
stroke-width:4;paint-order:stroke}\
.band{fill:none}.node{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}\
.edge{stroke:var(--faint);stroke-width:1.5;fill:none}.grid{stroke:var(--faint);opacity:.35}\
.sound{fill:var(--blue)}.unsound{fill:var(--alarm)}";

/// Where a picture stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting<'p> {
    /// In a file of its own: it brings its style and shows its caption.
    File,
    /// In a page that holds [`STYLE`] and shows the caption; the name tells it from other pictures there.
    Page(&'p str),
}

/// The height of the caption's line, which a picture in a page has not.
const CAPTION: usize = 30;

/// A picture in the making.
pub(super) struct Sheet<'p> {
    text: String,
    setting: Setting<'p>,
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// How wide a text is at most, in letters of the usual size.
pub(super) fn width_of(text: &str) -> usize {
    text.chars().count() * 7
}

impl<'p> Sheet<'p> {
    /// A sheet of this size, wider if its caption needs it.
    pub(super) fn new(
        (width, height): (usize, usize),
        caption: &str,
        setting: Setting<'p>,
        definitions: &str,
    ) -> Self {
        let mut sheet = Self { text: String::new(), setting };
        let (width, top, style) = match setting {
            Setting::File => {
                (width.max(width_of(caption) + 24), 0, format!("<style>{STYLE}</style>"))
            }
            Setting::Page(_) => (width, CAPTION, String::new()),
        };
        let below = height - top;
        sheet.add(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top} {width} {below}\" \
             width=\"{width}\" height=\"{below}\" role=\"img\">"
        ));
        sheet.add(format_args!("<title>{}</title>{style}", escaped(caption)));
        if !definitions.is_empty() {
            sheet.add(format_args!("<defs>{definitions}</defs>"));
        }
        sheet.add(format_args!("<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"));
        if setting == Setting::File {
            sheet.label((12, 22), "", "start", caption);
        }
        sheet
    }

    /// An identifier that no other picture of the page has.
    pub(super) fn id(setting: Setting<'_>, name: &str) -> String {
        match setting {
            Setting::File => name.to_owned(),
            Setting::Page(picture) => format!("{picture}-{name}"),
        }
    }

    /// Where the sheet stands.
    pub(super) fn setting(&self) -> Setting<'p> {
        self.setting
    }

    pub(super) fn add(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.text, "{element}").expect("writing to a string cannot fail");
    }

    pub(super) fn label(&mut self, (x, y): (usize, usize), class: &str, anchor: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" class=\"{class}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    /// The finished picture.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}
