//! `erlet run`: a program in a virtual machine of its own, and what its end means to the shell.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use erlet::lang::bytecode::Module;
use erlet::lang::verify::{Verified, verify};
use erlet::{Builder, Capabilities, Error, Outcome, Value, Vm};

use crate::command::{MachineOptions, Run, SourceOptions};
use crate::output::StandardOutput;
use crate::source::{self, Folders, OnPath};
use crate::{FAILED, INTERRUPTED, UNUSABLE, complain, statistics};

/// What a program may be entered by, best first, and whether it takes the arguments.
const ENTRIES: [(&str, u8); 3] = [("main", 1), ("main", 0), ("start", 0)];

/// How long an interrupted program may take to end before the command ends without it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Compiles the file and runs it.
pub fn run(options: &Run) -> ExitCode {
    let started = Instant::now();
    let compiled = match source::compile(&options.file, &options.source) {
        Ok(compiled) => compiled,
        Err(code) => return ExitCode::from(code),
    };
    let Some(program) = Program::of(compiled.module, &options.args) else {
        return ExitCode::from(UNUSABLE);
    };
    let machine = Machine {
        path: Some(&compiled.path),
        arguments: options.args.clone(),
        sources: &options.source,
        options: &options.machine,
    };
    program.run(&machine, options.stats.then_some(started))
}

/// A compiled program, and which function it is entered by.
pub struct Program {
    pub module: Module,
    pub entry: (String, &'static str),
    pub parameters: Vec<Value>,
}

/// The machine a program gets.
pub struct Machine<'a> {
    /// The file the program came from, if any.
    pub path: Option<&'a Path>,
    /// What `init:get_plain_arguments/0` gives.
    pub arguments: Vec<String>,
    pub sources: &'a SourceOptions,
    pub options: &'a MachineOptions,
}

impl Program {
    /// The module with the best of its entries. `None` if it has none, which has been said.
    pub fn of(module: Module, args: &[String]) -> Option<Program> {
        let name = module.atoms[module.name.0 as usize].clone();
        let Some(&(function, arity)) =
            ENTRIES.iter().find(|(name, arity)| source::exports(&module, name, *arity))
        else {
            complain(&format!("the module {name} exports none of main/1, main/0 and start/0"));
            eprintln!(
                "  help: add `-export([main/1]).` for a function that takes the arguments as a list of strings"
            );
            return None;
        };
        let parameters = if arity == 1 { vec![Value::strings(args)] } else { Vec::new() };
        Some(Program { module, entry: (name, function), parameters })
    }

    /// Runs it, and says at the end what has been done `since`, if that is asked.
    pub fn run(self, machine: &Machine<'_>, since: Option<Instant>) -> ExitCode {
        let Program { module, entry: (name, function), parameters } = self;
        let verified = match verify(module) {
            Ok(verified) => verified,
            Err(error) => {
                complain(&format!("the code of {name} cannot be loaded: {error}"));
                return ExitCode::from(UNUSABLE);
            }
        };
        let ran = machine.build(since.is_some()).and_then(|vm| {
            vm.load(&verified)?;
            end_on_interrupt(&vm)?;
            let outcome = vm.run(&name, function, &parameters)?;
            Ok((outcome, since.map(|since| statistics::table(&vm.statistics(), since.elapsed()))))
        });
        match ran {
            Ok((outcome, table)) => {
                eprint!("{}", table.unwrap_or_default());
                end(outcome)
            }
            Err(error) => {
                complain(&error.to_string());
                ExitCode::from(UNUSABLE)
            }
        }
    }
}

impl Machine<'_> {
    /// The machine, not yet running anything; `measured` if its collections are to be timed.
    pub fn build(&self, measured: bool) -> Result<Vm, Error> {
        let builder = self.builder();
        if measured { builder.measure_collections() } else { builder }.build()
    }

    /// The machine to be built: where its modules come from, and how it runs.
    pub fn builder(&self) -> Builder {
        let mut builder = Vm::builder()
            .capabilities(Capabilities::all())
            .arguments(self.arguments.clone())
            .stdout(Box::new(StandardOutput))
            .folder_source(Box::new(OnPath(self.sources.clone())));
        if let Some(folders) = Folders::of_path(self.sources) {
            builder = builder.source_before(Box::new(folders));
        }
        // They come before the library, and are on the path for whoever looks for files.
        builder = self.sources.path.iter().fold(builder, Builder::search_path);
        if let Some(path) = self.path {
            builder = builder.search_path(source::folder_of(path));
        }
        // Where `compile:file/1` leaves what it makes; the same as the folder of a program that is named without one.
        builder = builder.search_path("");
        if let Some(schedulers) = self.options.schedulers {
            builder = builder.threads(usize::from(schedulers));
        }
        if let Some(seed) = self.options.seed {
            builder = builder.seed(seed);
        }
        builder
    }
}

/// Ctrl-C halts the machine, so that what was printed is written; if it does not end soon, it is left behind.
pub fn end_on_interrupt(vm: &Vm) -> Result<(), Error> {
    let mut signals = signal_hook::iterator::Signals::new([signal_hook::consts::SIGINT])?;
    let vm = vm.downgrade();
    std::thread::Builder::new().name("interrupt".into()).spawn(move || {
        if signals.forever().next().is_some() {
            if let Some(vm) = vm.upgrade() {
                vm.halt(INTERRUPTED);
            }
            std::thread::sleep(PATIENCE);
            exit(INTERRUPTED);
        }
    })?;
    Ok(())
}

/// The exit code of a program that ended, with a word about it where nothing was said yet.
fn end(outcome: Outcome) -> ExitCode {
    match outcome {
        Outcome::Finished => ExitCode::SUCCESS,
        Outcome::Failed { reason, reported } => {
            if !reported {
                complain(&format!("the program ended by an uncaught exception: {reason}"));
            }
            ExitCode::from(FAILED)
        }
        Outcome::Halted(status) => exit(status),
        Outcome::Stuck => {
            complain("the program waits for ever: every process waits for a message that nobody can send");
            ExitCode::from(FAILED)
        }
        _ => {
            complain("the machine was stopped");
            ExitCode::from(FAILED)
        }
    }
}

/// Ends with a status as the operating system takes it, which `ExitCode` cannot hold.
#[allow(clippy::disallowed_methods, reason = "this is the binary, and everything is written")]
pub fn exit(status: i32) -> ! {
    std::process::exit(status)
}

/// The code of a module as a machine has loaded it.
pub fn loaded_code(module: Module) -> Result<String, String> {
    let verified: Verified = verify(module).map_err(|error| error.to_string())?;
    let vm = Vm::builder().threads(0).build().map_err(|error| error.to_string())?;
    vm.load(&verified).map_err(|error| error.to_string())?;
    vm.disassemble(&verified.module().atoms[verified.module().name.0 as usize])
        .ok_or_else(|| "not loaded".to_string())
}
