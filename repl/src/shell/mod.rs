//! The interactive shell: `erlet`, `erlet shell`.
//!
//! **Two sides.** The terminal side is here: it reads what is typed ([`console`], [`editor`]), finds where statements end ([`text`]),
//! and compiles them ([`compile`]). The other side is Erlang (`stdlib/erlet_shell.erl`): a process for each shell, with the bindings,
//! the history and the commands, and an evaluator process that runs the code and owns what it makes. The Erlang side asks
//! this one through `erlet_host:call/2` ([`host`]); nothing here knows how a shell behaves, nothing there how a terminal does.
//!
//! **Threads.** The main thread serves the console. Another one runs the machine and ends the process when the machine has ended,
//! whatever the console is doing then. Signals have a third.

mod assistant;
mod colour;
mod compile;
mod complete;
mod console;
mod documents;
mod editor;
mod host;
mod interrupts;
mod records;
mod screen;
mod start;
mod terminal;
mod text;
mod tree;
mod values;

use std::convert::Infallible;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use erlet::host::Host;
use erlet::lang::verify::verify;
use erlet::{Error, Outcome, Vm};
use rustyline::ExternalPrinter;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use crate::command::{Run, Shell};
use crate::run::Program;
use crate::{UNUSABLE, complain, run, source};
use assistant::Knowledge;
use console::Console;
use editor::Editor;
use host::Terminal;
use screen::Screen;
use terminal::Settings;

/// What shells add to a signal's number to make a status of it.
const SIGNALLED: i32 = 128;

/// Opens a shell; comes back only if there can be none.
pub fn shell(options: &Shell) -> ExitCode {
    end(open(options, None))
}

/// Opens a shell with a program running.
pub fn with_program(options: &Run) -> ExitCode {
    let compiled = match source::compile(&options.file, &options.source) {
        Ok(compiled) => compiled,
        Err(code) => return ExitCode::from(code),
    };
    let Some(program) = Program::of(compiled.module, &options.args) else { return ExitCode::from(UNUSABLE) };
    let (module, function) = &program.entry;
    let parameters = if program.parameters.is_empty() { "" } else { "init:get_plain_arguments()" };
    let eval = vec![format!("spawn('{module}', {function}, [{parameters}]).")];
    let shell = Shell { source: options.source.clone(), machine: options.machine.clone(), eval };
    end(open(&shell, Some((program, &compiled.path, options.args.clone()))))
}

fn end(opened: Result<Infallible, String>) -> ExitCode {
    match opened {
        Ok(never) => match never {},
        Err(text) => {
            complain(&text);
            ExitCode::from(UNUSABLE)
        }
    }
}

fn open(options: &Shell, program: Option<(Program, &Path, Vec<String>)>) -> Result<Infallible, String> {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let settings = Arc::new(Settings::save());
    let (requests, asked) = channel();
    let start = start::statements(&options.eval)?;
    let terminal = Arc::new(Terminal::new(requests, start, options.source.clone(), is_terminal));
    let (editor, printer) = match is_terminal {
        true => {
            let knowledge = Arc::new(Knowledge::new(Arc::downgrade(&terminal)));
            let made = Editor::new(knowledge, terminal.colour(), Arc::clone(terminal.interrupts()));
            let (editor, printer) = made.map_err(|error| format!("cannot use the terminal: {error}"))?;
            (Some(editor), printer)
        }
        false => (None, None),
    };
    let (path, arguments) =
        program.as_ref().map_or((None, vec![]), |(_, path, args)| (Some(*path), args.clone()));
    let machine = run::Machine { path, arguments, sources: &options.source, options: &options.machine };
    let vm = build(&machine, &terminal, printer).map_err(|error| error.to_string())?;
    if let Some((program, ..)) = program {
        // Whatever its name is, as without a shell.
        let verified = verify(program.module).map_err(|error| error.to_string())?;
        vm.load(&verified).map_err(|error| error.to_string())?;
    }
    signals(&terminal, &vm, is_terminal, Arc::clone(&settings))
        .map_err(|error| format!("no signals: {error}"))?;
    std::thread::Builder::new()
        .name("shell".into())
        .spawn(move || {
            let status = status(vm.run("erlet_jobs", "start", &[]));
            settings.restore();
            run::exit(status)
        })
        .map_err(|error| format!("no thread for the machine: {error}"))?;
    Console::new(editor).serve(&asked);
    // Nobody asks any more: the machine is about to end the process.
    loop {
        std::thread::park();
    }
}

fn build(
    machine: &run::Machine<'_>,
    terminal: &Arc<Terminal>,
    printer: Option<Box<dyn ExternalPrinter + Send>>,
) -> Result<Vm, Error> {
    let host: Arc<dyn Host> = terminal.clone();
    let mut builder = machine.builder();
    if let Some(printer) = printer {
        let printer = Arc::new(Mutex::new(printer));
        let screen = || Box::new(Screen::new(Arc::clone(&printer), Arc::clone(terminal.is_muted())));
        builder = builder.stdout(screen()).stderr(screen());
    }
    let vm = builder.search_path("").host(host).build()?;
    terminal.serve(vm.downgrade());
    Ok(vm)
}

/// Ctrl-C and Ctrl-\ while nobody types, and what ends the command; without a terminal Ctrl-C does.
fn signals(
    terminal: &Arc<Terminal>,
    vm: &Vm,
    is_terminal: bool,
    settings: Arc<Settings>,
) -> Result<(), Error> {
    if !is_terminal {
        return run::end_on_interrupt(vm);
    }
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    let terminal = Arc::clone(terminal);
    std::thread::Builder::new().name("interrupt".into()).spawn(move || {
        for signal in signals.forever() {
            match signal {
                SIGINT => terminal.interrupt(),
                SIGQUIT => terminal.jobs(),
                _ => {
                    settings.restore();
                    run::exit(SIGNALLED + signal)
                }
            }
        }
    })?;
    Ok(())
}

/// The status that the command ends with.
fn status(ended: Result<Outcome, Error>) -> i32 {
    match ended {
        Ok(Outcome::Finished) => 0,
        Ok(Outcome::Halted(status)) => status,
        Ok(outcome) => {
            complain(&format!("the shell has ended: {outcome:?}"));
            1
        }
        Err(error) => {
            complain(&error.to_string());
            i32::from(UNUSABLE)
        }
    }
}
