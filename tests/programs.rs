//! The Erlang programs under `tests/` and `examples/` on erlet: plainly, under stress, and under seeds.
//!
//! Each program runs in a virtual machine of its own, many machines after one another (and some at once) in this process.
//! Stress collects at every safepoint and cuts slices to 1 to 7 reductions. A seed decides every choice of the
//! scheduler; a failure under a seed is replayed by `erlet run --seed N FILE`.
//!
//! `ERLET_PROGRAM=name` runs only the programs whose name contains `name`.

mod corpus;

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use corpus::{End, Program};
use erlet::Capabilities;
use erlet::lang::verify::{Verified, verify};
use erlet::lang::{Code, NoIncludes, Options, ParseOptions};
use erlet::vm::{Builder, Outcome, Stress, Value, Vm};

/// Seeds that every program runs under.
const SEEDS: u64 = 20;

/// A program that runs longer is at fault: each takes well below a second plainly.
const LIMIT: Duration = Duration::from_secs(120);

/// Status of a program that was stopped because of [`LIMIT`].
const TOO_LONG: i32 = 254;

#[test]
fn programs_run_plainly() {
    check("plain", |_| vec![("plain".to_string(), Vm::builder().capabilities(Capabilities::all()))]);
}

#[test]
fn programs_run_under_stress() {
    check("stress", |program| {
        let slice = 1 + (program.name.len() % 7) as u32;
        let stressed = || {
            Vm::builder()
                .capabilities(Capabilities::all())
                .stress(Stress { collect_always: true, budget: Some(slice) })
        };
        vec![
            (format!("stress, slices of {slice}"), stressed()),
            ("stress, seed 1".to_string(), stressed().seed(1)),
        ]
    });
}

#[test]
fn programs_run_under_seeds() {
    check("seed", |_| {
        (1..=SEEDS)
            .map(|seed| (format!("seed {seed}"), Vm::builder().capabilities(Capabilities::all()).seed(seed)))
            .collect()
    });
}

/// The same seed gives the same run: output, and end.
#[test]
fn a_seed_gives_the_same_run_twice() {
    for name in ["chat", "bank", "life", "io_requests_of_many_processes_stay_whole", "make_ref_is_unique"] {
        let program = corpus::programs(&["tests/process", "examples"]).into_iter().find(|p| p.name == name);
        let program = program.expect("the program is there");
        let Ok(Compiled::Yes(verified)) = compile(&program) else { continue };
        let runs: Vec<String> = (0..3)
            .map(|_| run(&program, &verified, Vm::builder().capabilities(Capabilities::all()).seed(42)))
            .collect();
        assert!(runs.iter().all(|r| *r == runs[0]), "{name} differs between runs of one seed");
    }
}

/// Runs every program in the modes that `modes` gives, on two threads, and fails with all that is wrong.
fn check(kind: &str, modes: impl Fn(&Program) -> Vec<(String, Builder)> + Sync) {
    let wanted = std::env::var("ERLET_PROGRAM").unwrap_or_default();
    let mut all = corpus::programs(&["tests/lang", "tests/bif", "tests/process", "examples"]);
    let too_heavy = |p: &Program| (kind != "plain" && p.plain_only) || (kind == "stress" && p.without_stress);
    all.retain(|p| p.name.contains(&wanted) && !too_heavy(p));
    let next = AtomicUsize::new(0);
    let offences = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(program) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(offence) = judge(program, &modes) {
                        let path = program.path.strip_prefix(corpus::root()).unwrap_or(&program.path);
                        let text = format!("{}: {offence}", path.display());
                        offences.lock().expect("no thread panics with it").push(text);
                    }
                }
            });
        }
    });
    let mut offences = offences.into_inner().expect("all threads have ended");
    offences.sort();
    assert!(
        offences.is_empty(),
        "{} of {} programs ({kind}):\n{}",
        offences.len(),
        all.len(),
        offences.join("\n")
    );
}

fn judge(program: &Program, modes: impl Fn(&Program) -> Vec<(String, Builder)>) -> Result<(), String> {
    let verified = match compile(program)? {
        Compiled::Yes(verified) => verified,
        Compiled::Refused => return Ok(()),
    };
    for (mode, builder) in modes(program) {
        let actual = run(program, &verified, builder);
        if !program.accepts(&actual) {
            return Err(format!("({mode}) {}", program.difference(&actual)));
        }
    }
    Ok(())
}

enum Compiled {
    Yes(Box<Verified>),
    /// As it should be.
    Refused,
}

/// Compiles a program, or says why that went otherwise than it should.
fn compile(program: &Program) -> Result<Compiled, String> {
    let parse = ParseOptions { allow_hashbang: true, ..ParseOptions::default() };
    let options = Options { parse, ..Options::default() };
    let path = program.path.to_string_lossy();
    let mut compilation = erlet::lang::compile(&path, program.source.as_bytes(), &options, &mut NoIncludes);
    let unsupported =
        compilation.session.diagnostics.iter().any(|d| d.is_error() && d.code == Code::NotSupported);
    let text = compilation.session.render(false);
    match (compilation.module, &program.end) {
        (Some(_), End::Refused(_)) => Err("it compiles, but should be refused".to_string()),
        (None, End::Refused(part)) if text.contains(part.as_str()) => Ok(Compiled::Refused),
        (None, End::Refused(part)) => Err(format!("the diagnostics do not mention {part:?}:\n{text}")),
        (None, _) if program.unsupported && unsupported => Ok(Compiled::Refused),
        (None, _) => Err(format!("does not compile:\n{text}")),
        (Some(module), _) => verify(module)
            .map(|v| Compiled::Yes(Box::new(v)))
            .map_err(|e| format!("is refused by the verifier: {e}")),
    }
}

/// The output of a run, with a line about its end unless it ended normally.
fn run(program: &Program, verified: &Verified, builder: Builder) -> String {
    let output = Captured::default();
    let quiet = Captured::default();
    let input = std::io::Cursor::new(program.stdin.clone());
    let builder = builder.stdin(Box::new(input)).stdout(Box::new(output.clone())).stderr(Box::new(quiet));
    let vm = match builder.arguments(program.args.clone()).build() {
        Ok(vm) => vm,
        Err(error) => return format!("** no machine: {error}\n"),
    };
    if let Err(error) = vm.load(verified) {
        return format!("** not loaded: {error}\n");
    }
    let module = verified.module();
    let takes_args = module
        .functions
        .iter()
        .any(|f| f.exported && f.arity == 1 && module.atoms[f.name.0 as usize] == "main");
    let args = if takes_args { vec![Value::strings(&program.args)] } else { Vec::new() };
    let outcome = with_limit(&vm, || vm.run(&program.name, "main", &args));
    let end = match outcome {
        Ok(Outcome::Finished) => String::new(),
        Ok(Outcome::Failed { reason, .. }) => ended(&program.end, &reason),
        Ok(Outcome::Halted(TOO_LONG)) => "** timeout\n".to_string(),
        Ok(other) => format!("** {other:?}\n"),
        Err(error) => format!("** not started: {error}\n"),
    };
    let text = output.text();
    let separator = if text.is_empty() || text.ends_with('\n') || end.is_empty() { "" } else { "\n" };
    format!("{text}{separator}{end}")
}

/// Runs `work`, and halts the machine if that takes too long.
fn with_limit<T>(vm: &Vm, work: impl FnOnce() -> T) -> T {
    let done = (Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let guard = done.0.lock().expect("nobody panics with it");
            let (guard, _) = done
                .1
                .wait_timeout_while(guard, LIMIT, |finished| !*finished)
                .expect("nobody panics with it");
            if !*guard {
                vm.halt(TOO_LONG);
            }
        });
        let result = work();
        *done.0.lock().expect("nobody panics with it") = true;
        done.1.notify_all();
        result
    })
}

/// The line about an uncaught exception. An error's reason comes as `{Reason, Stack}`: the stack is not compared.
fn ended(expected: &End, reason: &str) -> String {
    match expected {
        End::Error(error) if reason.starts_with(&format!("{{{error},[")) => format!("** error: {error}\n"),
        End::Exit(exit) if reason == exit => format!("** exit: {exit}\n"),
        _ => format!("** failed: {reason}\n"),
    }
}

/// A sink whose bytes can be read while and after they are written.
#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl Captured {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("no writer panics")).into_owned()
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
