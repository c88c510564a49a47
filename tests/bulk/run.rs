//! Runs the programs of this folder.

use erlet::lang::{NoIncludes, Options, compile, verify::verify};
use erlet::vm::{Builder, Outcome};

/// Runs `main/0` of a module of `tests/bulk`.
pub fn run(file: &str, source: &str, builder: Builder) -> Outcome {
    let vm = builder.stderr(Box::new(std::io::sink())).build().expect("a machine");
    let mut compilation = compile(file, source.as_bytes(), &Options::default(), &mut NoIncludes);
    let Some(module) = compilation.module else { panic!("{}", compilation.session.render(false)) };
    vm.load(&verify(module).expect("what is compiled is accepted")).expect("room for a module");
    vm.run(file.trim_end_matches(".erl"), "main", &[]).expect("room for a process")
}
