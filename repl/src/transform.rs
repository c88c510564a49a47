//! Parse transforms: their modules run in a machine of their own, which is given the forms and answers with others.
//!
//! The modules are looked for where the program's would be: in the folders of `--path`, and beside the file that is compiled.

use std::path::Path;

use erlet::Capabilities;
use erlet::lang::TransformError;
use erlet::lang::constants::Constants;
use erlet::vm::{Builder, Error, Outcome, Value, Vm};

use crate::command::SourceOptions;
use crate::source::{Folders, OnPath, folder_of};

/// Runs `module:parse_transform(Forms, Options)`.
///
/// # Errors
/// When there is no such module, or it fails.
pub fn run(
    module: &str,
    forms: &Constants,
    program: &Path,
    options: &SourceOptions,
) -> Result<Constants, TransformError> {
    let failed = |text: &str| TransformError::Failed(text.to_owned());
    let outcome = answer(module, forms, program, options).map_err(|error| failed(&error.to_string()))?;
    match outcome {
        Outcome::Answered(bytes) => match bytes.split_first() {
            Some((b'f', bytes)) => Constants::from_bytes(bytes).ok_or_else(|| failed("it gave no forms")),
            Some((b'u', _)) => Err(TransformError::Undefined),
            Some((_, text)) => Err(failed(&String::from_utf8_lossy(text))),
            None => Err(failed("it gave nothing")),
        },
        Outcome::Failed { reason, .. } => Err(failed(&reason)),
        _ => Err(failed("it did not come to an end")),
    }
}

fn answer(
    module: &str,
    forms: &Constants,
    program: &Path,
    options: &SourceOptions,
) -> Result<Outcome, Error> {
    let mut builder = Vm::builder().capabilities(Capabilities::all());
    if let Some(folders) = Folders::of_path(options) {
        builder = builder.source_before(Box::new(folders));
    }
    let builder = options.path.iter().fold(builder, Builder::search_path);
    let builder = builder.search_path(folder_of(program)).folder_source(Box::new(OnPath(options.clone())));
    let vm = builder.build()?;
    let arguments = [Value::atom(module), Value::binary(forms.to_bytes())];
    vm.run("erlet_transform", "answer", &arguments)
}
