//! `erlet bench`: the benchmarks of a file, timed by the library's driver in a machine of its own.

use std::path::Path;
use std::process::ExitCode;

use erlet::vm::Value;

use crate::command::Bench;
use crate::run::{Machine, Program};
use crate::{UNUSABLE, complain, source};

/// Measures the benchmarks of each file in turn, up to the first that fails.
pub fn bench(options: &Bench) -> ExitCode {
    for file in &options.files {
        let code = measure(file, options);
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    ExitCode::SUCCESS
}

fn measure(file: &Path, options: &Bench) -> ExitCode {
    let compiled = match source::compile(file, &options.source) {
        Ok(compiled) => compiled,
        Err(code) => return ExitCode::from(code),
    };
    let module = &compiled.module;
    let name = module.atoms[module.name.0 as usize].clone();
    if !source::exports(module, "bench", 0) {
        complain(&format!("the module {name} does not export bench/0"));
        return ExitCode::from(UNUSABLE);
    }
    let parameters =
        vec![Value::atom(name), Value::charlist(&options.only), Value::Int(i64::from(options.time))];
    let program = Program { module: compiled.module, entry: ("erlet_bench".into(), "run"), parameters };
    let machine = Machine {
        path: Some(file),
        arguments: Vec::new(),
        sources: &options.source,
        options: &options.machine,
    };
    program.run(&machine, None)
}
