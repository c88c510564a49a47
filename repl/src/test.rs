//! `erlet test`: the EUnit tests of files.
//!
//! Each file is compiled; those with test functions run in one machine, in the order given, with `eunit:test/2`. The exit code
//! says whether all passed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use erlet::lang::bytecode::Module;
use erlet::lang::verify::{Verified, verify};
use erlet::vm::{Error, Outcome, Value};

use crate::command::Test;
use crate::run::Machine;
use crate::{FAILED, UNUSABLE, complain, source};

/// Runs the tests and says how they went.
pub fn test(options: &Test) -> ExitCode {
    let mut files = Vec::new();
    for path in &options.files {
        if !collect(path, &mut files) {
            complain(&format!("there is no file or folder {}", path.display()));
            return ExitCode::from(UNUSABLE);
        }
    }
    let mut modules = Vec::new();
    let mut worst = 0;
    for file in &files {
        match source::compile(file, &options.source) {
            Ok(compiled) => modules.push(compiled.module),
            Err(code) => worst = worst.max(code),
        }
    }
    if worst > 0 {
        return ExitCode::from(worst);
    }
    match run_all(&files, modules, options) {
        Ok(Outcome::Finished) => ExitCode::SUCCESS,
        Ok(Outcome::Halted(status)) => ExitCode::from(u8::try_from(status).unwrap_or(FAILED)),
        Ok(_) => ExitCode::from(FAILED),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(UNUSABLE)
        }
    }
}

/// The source files that a path stands for, sorted; false if there is nothing there.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> bool {
    if path.is_file() {
        files.push(path.to_path_buf());
        return true;
    }
    let mut folders = vec![path.to_path_buf()];
    let mut found = Vec::new();
    let mut readable = false;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        readable = true;
        for entry in entries.flatten().map(|entry| entry.path()) {
            let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            match entry.is_dir() {
                true if !hidden => folders.push(entry),
                false if entry.extension().is_some_and(|extension| extension == "erl") => found.push(entry),
                _ => {}
            }
        }
    }
    found.sort();
    files.extend(found);
    readable
}

fn run_all(files: &[PathBuf], modules: Vec<Module>, options: &Test) -> Result<Outcome, Error> {
    let names: Vec<Value> =
        modules.iter().filter(|module| has_tests(module)).map(|module| Value::atom(name(module))).collect();
    let verified: Result<Vec<Verified>, _> = modules.into_iter().map(verify).collect();
    let verified = verified.map_err(|error| std::io::Error::other(error.to_string()))?;
    let machine = Machine {
        path: files.first().map(PathBuf::as_path),
        arguments: Vec::new(),
        sources: &options.source,
        options: &options.machine,
    };
    let vm = machine.build(false)?;
    for module in &verified {
        vm.load(module)?;
    }
    let verbose = if options.verbose { vec![Value::atom("verbose")] } else { Vec::new() };
    vm.run("erlet_eunit", "main", &[Value::list(names), Value::list(verbose)])
}

fn name(module: &Module) -> String {
    module.atoms[module.name.0 as usize].clone()
}

/// Whether the module exports a test, or what makes tests.
fn has_tests(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        let name = &module.atoms[function.name.0 as usize];
        function.exported && function.arity == 0 && (name.ends_with("_test") || name.ends_with("_test_"))
    })
}
