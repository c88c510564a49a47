//! The two children that run generated modules, and what they say.

use erlet::Capabilities;
use erlet::lang::{NoIncludes, Options, verify};
use erlet::vm::{Outcome, Stress, Value, Vm};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Set in a child of the test program: `plain` or `stress`.
const VARIABLE: &str = "ERLET_GENERATED_CHILD";

/// Modules that one machine runs before it is replaced: its atoms and its code would grow for ever.
const MACHINE: usize = 100;

/// How long a side may take for one module before it is ended and its next module started: a few calls of
/// `support:t/2` may each take up to their own limit, and a machine may be busy with other things.
const LIMIT: Duration = Duration::from_secs(60);

/// The answer of a side that took longer.
const TOO_LONG: &str = "** over the time limit\n";

/// Whether this is the child.
pub fn is_child() -> bool {
    std::env::var(VARIABLE).is_ok()
}

/// Whether an answer is that of a module that was compiled.
pub fn compiles(answer: &str) -> bool {
    !answer.starts_with("** compile:")
}

/// Whether an answer says that the module took too long.
pub fn is_too_long(answer: &str) -> bool {
    answer == TOO_LONG
}

/// A child that answers.
pub struct Side {
    command: Box<dyn Fn() -> Command + Send>,
    /// The child of OTP answers on its standard output; ours on standard error, since the harness writes to the other.
    on_stderr: bool,
    child: Option<Running>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    said: Receiver<Said>,
}

/// What a child says: an answer, or, at its end, what it said besides.
enum Said {
    Answer(String),
    End(String),
}

impl Side {
    /// Erlang/OTP, whose compiler optimises or not.
    pub fn otp(folder: &Path, optimise: bool) -> Side {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generate");
        let status = Command::new("erlc")
            .arg("-o")
            .arg(folder)
            .args([sources.join("oracle.erl"), sources.join("support.erl")])
            .status()
            .expect("erlc is where erl is");
        assert!(status.success(), "the oracle does not compile");
        let folder = folder.to_path_buf();
        let command = move || {
            let mut command = Command::new("erl");
            // One scheduler that does not spin: the other side wants the processors too.
            command.args(["+S", "1:1", "+SDio", "1", "+sbwt", "none", "-noshell"]);
            command.args(["-enable-feature", "maybe_expr", "-pa"]).arg(&folder);
            command
                .args(["-s", "oracle", if optimise { "start" } else { "plain" }])
                .current_dir(&folder)
                .stderr(Stdio::null());
            command
        };
        Side { command: Box::new(command), on_stderr: false, child: None }
    }

    /// erlet: a test program that answers by [`serve`], with a seeded fault switched on if it is one that has them.
    pub fn erlet(program: &Path, folder: &Path, stress: bool, fault: Option<usize>) -> Side {
        let (program, folder) = (program.to_path_buf(), folder.to_path_buf());
        let command = move || {
            let mut command = Command::new(&program);
            command.args(["--exact", "in_this_process", "--nocapture"]).current_dir(&folder);
            command.env(VARIABLE, if stress { "stress" } else { "plain" }).stdout(Stdio::null());
            if let Some(fault) = fault {
                command.env("ERLET_FAULT", fault.to_string());
            }
            command
        };
        Side { command: Box::new(command), on_stderr: true, child: None }
    }

    fn start(&mut self) -> Running {
        let mut command = (self.command)();
        command.stdin(Stdio::piped());
        if self.on_stderr {
            command.stderr(Stdio::piped())
        } else {
            command.stdout(Stdio::piped())
        };
        let mut child = command.spawn().expect("the child starts");
        let input = child.stdin.take().expect("it is piped");
        let output: Box<dyn Read + Send> = if self.on_stderr {
            Box::new(child.stderr.take().expect("it is piped"))
        } else {
            Box::new(child.stdout.take().expect("it is piped"))
        };
        let (sender, said) = channel();
        // Reading has no time limit, a channel has. The thread ends with the child.
        std::thread::spawn(move || {
            let (mut output, mut besides) = (BufReader::new(output), String::new());
            while let Some(answer) = answer(&mut output, &mut besides) {
                if sender.send(Said::Answer(answer)).is_err() {
                    return;
                }
            }
            let _ = sender.send(Said::End(besides));
        });
        Running { child, input, said }
    }

    /// The answers for files, in their order. A child that ends, or takes too long, is started again behind the file it ended at.
    pub fn answers(&mut self, files: &[PathBuf]) -> Vec<String> {
        let mut answers = Vec::new();
        while answers.len() < files.len() {
            let mut running = self.child.take().unwrap_or_else(|| self.start());
            let mut lines = String::new();
            for file in &files[answers.len()..] {
                lines.push_str(&format!("{}\n", file.display()));
            }
            // A child that is gone is seen when it is read from.
            let _ = running.input.write_all(lines.as_bytes()).and_then(|()| running.input.flush());
            while answers.len() < files.len() {
                match running.said.recv_timeout(LIMIT) {
                    Ok(Said::Answer(answer)) => answers.push(answer),
                    Ok(Said::End(besides)) => {
                        let status = running.child.wait().map_or("gone".to_string(), |s| s.to_string());
                        answers.push(format!("** crash: {status}\n{besides}"));
                        break;
                    }
                    Err(_) => {
                        let _ = running.child.kill();
                        let _ = running.child.wait();
                        answers.push(TOO_LONG.to_string());
                        break;
                    }
                }
                if answers.len() == files.len() {
                    self.child = Some(running);
                    return answers;
                }
            }
        }
        answers
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        if let Some(Running { mut child, input, .. }) = self.child.take() {
            drop(input);
            let _ = child.wait();
        }
    }
}

/// The next answer: behind `=== FILE BYTES`, so many bytes. What comes before such a line is kept in `said`.
fn answer(output: &mut dyn BufRead, said: &mut String) -> Option<String> {
    loop {
        let mut line = Vec::new();
        if output.read_until(b'\n', &mut line).ok()? == 0 {
            return None;
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        let length =
            line.strip_prefix("=== ").and_then(|rest| rest.trim().rsplit_once(' ')?.1.parse::<usize>().ok());
        match length {
            Some(length) => {
                let mut bytes = vec![0; length];
                output.read_exact(&mut bytes).ok()?;
                return Some(String::from_utf8_lossy(&bytes).into_owned());
            }
            None => said.push_str(&line),
        }
    }
}

/// In the child: answers until the input ends.
pub fn serve() {
    let Ok(mode) = std::env::var(VARIABLE) else { return };
    let (mut machine, mut runs) = (Machine::new(&mode), 0);
    for file in std::io::stdin().lock().lines() {
        let file = file.expect("names are text");
        if runs == MACHINE {
            (machine, runs) = (Machine::new(&mode), 0);
        }
        runs += 1;
        let answer = machine.run(&file);
        let mut out = std::io::stderr().lock();
        write!(out, "=== {file} {}\n{answer}", answer.len())
            .and_then(|()| out.flush())
            .expect("the parent reads");
    }
}

/// A machine with the support module.
struct Machine {
    vm: Vm,
    output: Captured,
}

impl Machine {
    fn new(mode: &str) -> Machine {
        let output = Captured::default();
        let mut builder = Vm::builder()
            .capabilities(Capabilities::all())
            .stdout(Box::new(output.clone()))
            .stderr(Box::new(std::io::sink()))
            .threads(1);
        if mode == "stress" {
            builder = builder.stress(Stress { collect_always: true, budget: Some(5) });
        }
        let vm = builder.build().expect("there is room for a machine");
        let support = include_bytes!("support.erl");
        let compilation = erlet::lang::compile("support.erl", support, &Options::default(), &mut NoIncludes);
        vm.load_module(compilation.module.expect("it compiles")).expect("it is loaded");
        Machine { vm, output }
    }

    fn run(&self, file: &str) -> String {
        let path = Path::new(file);
        let bytes = std::fs::read(path).expect("the parent wrote it");
        let mut compilation = erlet::lang::compile(file, &bytes, &Options::default(), &mut NoIncludes);
        let Some(module) = compilation.module else {
            return format!("** compile: {}\n", compilation.session.render(false));
        };
        let verified = match verify::verify(module) {
            Ok(verified) => verified,
            Err(error) => return format!("** refused by the verifier: {error}\n"),
        };
        if let Err(error) = self.vm.load(&verified) {
            return format!("** not loaded: {error}\n");
        }
        self.output.take();
        let name = path.file_stem().expect("a file has a name").to_string_lossy();
        match self.vm.run("support", "run", &[Value::atom(name)]) {
            Ok(Outcome::Finished) => self.output.take(),
            Ok(Outcome::Failed { reason, .. }) => format!("** died {reason}\n"),
            Ok(other) => format!("** ended {other:?}\n"),
            Err(error) => format!("** not started: {error}\n"),
        }
    }
}

/// A sink whose bytes can be read.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    fn take(&self) -> String {
        let bytes = std::mem::take(&mut *self.0.lock().expect("no writer panics"));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
