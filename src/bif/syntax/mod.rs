//! Natives of modules `erlet_forms` and `erlet_compiler`, for programs that handle programs: text to tokens to forms to code.
//!
//! They are the compiler's own parts. In a machine without the compiler `absent.rs` stands in their place.

mod compiler;
mod parse;
mod scan;
mod terms;

pub use compiler::{compile, forms_of_file, from_bytes, to_bytes};
pub use parse::parse_tokens;
pub use scan::scan_string;
pub use terms::parse_terms;
