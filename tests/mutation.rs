//! Mutated bytecode: programs are changed at random; what the verifier accepts must run without a crash.
//!
//! Each mutant runs on a machine of its own, driven for a limited number of slices, half of them under stress (a
//! collection at every safepoint, poisoned registers and spaces, tiny slices). A crash would end the test program
//! itself, so mutants run in a child of it; the parent tells which mutant it was.
//!
//! `ERLET_MUTANTS=FROM..TO cargo test --test mutation -- --nocapture` runs some of them in the foreground; with
//! `ERLET_SHOW=1` it shows their code.

use erlet::lang::bytecode::{AtomIx, FnIx, ImportIx, Label, LambdaIx, LitIx, Module, Operand, Reg};
use erlet::lang::{NoIncludes, Options, asm, compile, verify};
use erlet::vm::{Stress, Value, Vm};
use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Mutants in one run of the suite; `ERLET_MUTANTS` runs others.
const MUTANTS: u64 = 100_000;

/// Memory a mutant may take: many want all there is, and several run at a time.
const MEMORY: usize = 256 << 20;

/// Says which mutants to run; set in a child.
const VARIABLE: &str = "ERLET_MUTANTS";

/// What programs that are too heavy to be run often say of themselves.
const HEAVY: [&str; 2] = ["%% plain only:", "%% without stress:"];

/// Slices each function of a mutant gets.
const SLICES: usize = 12;

/// Times a function of a mutant is started.
const RUNS: usize = 5;

/// Numbers from a seed (a multiplicative generator is random enough to choose by).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66)
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    fn index(&mut self, rows: usize, old: u32) -> u32 {
        if rows == 0 { old } else { self.below(rows) as u32 }
    }
}

/// Changes one thing in the code of function `chosen`.
fn mutate(module: &mut Module, chosen: usize, random: &mut Random) {
    let rows = [module.atoms.len(), module.literals.len(), module.imports.len(), module.functions.len()];
    let lambdas = module.lambdas.len();
    let function = &mut module.functions[chosen];
    let code = &mut function.code;
    if code.is_empty() {
        return;
    }
    let (at, other) = (random.below(code.len()), random.below(code.len()));
    match random.below(9) {
        0 => code.swap(at, other),
        1 => code[at] = code[other].clone(),
        2 => drop(code.remove(at)),
        3 => code.insert(at, code[other].clone()),
        4 if function.arity > 0 => {
            let param = random.below(usize::from(function.arity)) as u8;
            match function.contexts.binary_search(&param) {
                Ok(at) => drop(function.contexts.remove(at)),
                Err(at) => function.contexts.insert(at, param),
            }
        }
        _ => {
            let mut count = 0;
            code[at].operands(&mut |_| count += 1);
            let target = random.below(count);
            let mut seen = 0;
            code[at].operands_mut(&mut |operand| {
                seen += 1;
                if seen != target + 1 {
                    return operand;
                }
                replaced(operand, random, rows, lambdas, function.labels)
            });
        }
    }
}

fn replaced(operand: Operand, random: &mut Random, rows: [usize; 4], lambdas: usize, labels: u32) -> Operand {
    let [atoms, literals, imports, functions] = rows;
    let register = match random.below(3) {
        0 => Reg::Y(random.below(3) as u16),
        _ => Reg::X(random.below(5) as u16),
    };
    match operand {
        Operand::Reg(_) => Operand::Reg(register),
        Operand::Read(_) | Operand::Int(_) | Operand::Atom(_) | Operand::Lit(_) if random.below(3) == 0 => {
            // Where only an atom may stand this is ignored.
            match random.below(4) {
                0 => Operand::Int(random.below(6) as i64 - 2),
                1 => Operand::Lit(LitIx(random.index(literals, 0))),
                _ => Operand::Read(register),
            }
        }
        Operand::Read(_) => Operand::Read(register),
        Operand::Int(value) => Operand::Int(value.wrapping_add(random.below(5) as i64 - 2)),
        Operand::Atom(atom) => Operand::Atom(AtomIx(random.index(atoms, atom.0))),
        Operand::Lit(lit) => Operand::Lit(LitIx(random.index(literals, lit.0))),
        Operand::Label(label) => Operand::Label(Label(random.index(labels as usize, label.0))),
        Operand::Function(function) => Operand::Function(FnIx(random.index(functions, function.0))),
        Operand::Import(import) => Operand::Import(ImportIx(random.index(imports, import.0))),
        Operand::Lambda(lambda) => Operand::Lambda(LambdaIx(random.index(lambdas, lambda.0))),
        Operand::Number(number) => {
            Operand::Number(number.wrapping_add(random.below(7) as u32).wrapping_sub(3))
        }
        other => other,
    }
}

/// The programs to be mutated: one by hand, and the Erlang of the project that does nothing to files and the system.
fn programs() -> Vec<Module> {
    let mut programs = vec![by_hand()];
    for folder in ["stdlib", "examples", "tests/lang", "tests/bif", "tests/process"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "erl")) {
            let bytes = std::fs::read(path).expect("a listed file can be read");
            let text = String::from_utf8_lossy(&bytes);
            if HEAVY.iter().any(|mark| text.contains(mark)) {
                continue;
            }
            let compiled = compile(&path.to_string_lossy(), &bytes, &Options::default(), &mut NoIncludes);
            // Others are about what is refused.
            programs.extend(compiled.module.filter(is_harmless));
        }
    }
    programs
}

fn by_hand() -> Module {
    asm::parse(include_str!("mutation/everything.s")).expect("the program is good assembler text")
}

/// Whether a module calls nothing that has effects outside the machine. A mutant can call whatever the module imports.
fn is_harmless(module: &Module) -> bool {
    let outside = ["file", "os", "erlet_file", "filelib", "erlet_os", "erlet_io", "code", "init", "io"];
    let name = |atom: AtomIx| module.atoms[atom.index()].as_str();
    let mut calls = module.imports.iter().map(|import| (name(import.module), name(import.function)));
    calls.all(|(module, function)| {
        !outside.contains(&module) || (module == "io" && matches!(function, "format" | "nl" | "put_chars"))
    }) && !outside.contains(&name(module.name))
}

fn value(random: &mut Random) -> Value {
    match random.below(9) {
        0 => Value::Int(random.below(100) as i64 - 50),
        1 => Value::Int(i64::MAX),
        2 => Value::Float(2.5),
        3 => Value::atom("ok"),
        4 => Value::charlist("text"),
        5 => Value::binary([1, 2, 3, 255]),
        6 => Value::NIL,
        7 => Value::list([Value::Int(1), Value::atom("a"), Value::Float(0.0)]),
        _ => Value::tuple([Value::atom("error"), Value::list([3])]),
    }
}

/// Runs an accepted mutant: mostly the function that was changed.
fn run(verified: &verify::Verified, chosen: usize, random: &mut Random) {
    let stress = match random.below(2) {
        0 => Stress::default(),
        _ => Stress { collect_always: true, budget: Some(1 + random.below(30) as u32) },
    };
    let vm = Vm::builder()
        .seed(random.0)
        .stress(stress)
        .max_memory(MEMORY)
        .stdout(Box::new(std::io::sink()))
        .stderr(Box::new(std::io::sink()))
        .build()
        .expect("a machine without threads needs nothing of the system");
    if vm.load(verified).is_err() {
        return;
    }
    let module = verified.module();
    let name = |atom: AtomIx| module.atoms[atom.index()].as_str();
    let exported: Vec<_> = module.functions.iter().filter(|function| function.exported).collect();
    for round in 0..RUNS {
        let function =
            if round == 0 { exported[random.below(exported.len())] } else { &module.functions[chosen] };
        let args: Vec<Value> = (0..function.arity).map(|_| value(random)).collect();
        if vm.spawn(name(module.name), name(function.name), &args).is_err() {
            // An earlier one has halted the machine.
            return;
        }
        let _ = vm.poll(SLICES).expect("a seeded machine is driven");
    }
}

/// Runs mutants in this process; a line per accepted one says which is next.
fn run_mutants(mutants: Range<u64>, progress: &mut dyn Write) -> std::io::Result<u64> {
    let programs = programs();
    let mut accepted = 0;
    for mutant in mutants {
        let mut random = Random::new(mutant);
        let mut module = programs[random.below(programs.len())].clone();
        if module.functions.is_empty() {
            continue;
        }
        let chosen = random.below(module.functions.len());
        // So that it can be started.
        module.functions[chosen].exported = true;
        for _ in 0..1 + random.below(3) {
            mutate(&mut module, chosen, &mut random);
        }
        if let Ok(verified) = verify::verify(module) {
            accepted += 1;
            writeln!(progress, "mutant {mutant}")?;
            progress.flush()?;
            if std::env::var("ERLET_SHOW").is_ok() {
                writeln!(progress, "{}", asm::print(verified.module()))?;
            }
            run(&verified, chosen, &mut random);
        }
    }
    writeln!(progress, "accepted {accepted}")?;
    Ok(accepted)
}

#[test]
fn the_program_by_hand_runs() {
    let vm = Vm::builder().seed(1).build().expect("a machine without threads");
    vm.load_module(by_hand()).expect("it is a good program");
    let outcome = vm.run("everything", "main", &[]).expect("there is room for one process");
    assert_eq!(outcome, erlet::vm::Outcome::Finished);
}

/// Does nothing unless a parent, or a developer, asks for mutants.
#[test]
fn in_this_process() {
    let Ok(range) = std::env::var(VARIABLE) else { return };
    let bounds = range.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to) = bounds.expect("FROM..TO");
    run_mutants(from..to, &mut std::io::stderr()).expect("standard error takes a line");
}

/// A child that runs mutants.
fn child(mutants: Range<u64>) -> Child {
    Command::new(std::env::current_exe().expect("a test has a file"))
        .args(["--exact", "in_this_process", "--nocapture"])
        .env(VARIABLE, format!("{}..{}", mutants.start, mutants.end))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a test can start itself")
}

/// How many mutants the child accepted; it must end well.
fn outcome(mut child: Child) -> u64 {
    let mut said = String::new();
    let mut pipe = child.stderr.take().expect("it is piped");
    pipe.read_to_string(&mut said).expect("what it says is text");
    let status = child.wait().expect("it is our child");
    let last: Vec<&str> = said.lines().rev().take(12).collect();
    assert!(status.success(), "{status} at {last:#?}");
    let accepted = said.lines().last().and_then(|line| line.strip_prefix("accepted ")?.parse().ok());
    accepted.expect("the last line says how many were run")
}

#[test]
fn mutants_are_refused_or_run() {
    if std::env::var(VARIABLE).is_ok() {
        return;
    }
    let children = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(8)) as u64;
    let bound = |n: u64| MUTANTS * n / children;
    let running: Vec<Child> = (0..children).map(|n| child(bound(n)..bound(n + 1))).collect();
    // All pipes are read at once: a child whose pipe is full stands still.
    let readers: Vec<_> = running.into_iter().map(|child| std::thread::spawn(|| outcome(child))).collect();
    let accepted: u64 = readers.into_iter().map(|reader| reader.join().expect("the child ended well")).sum();
    assert!(accepted > MUTANTS / 50 && accepted < MUTANTS / 2, "{accepted} of {MUTANTS} accepted");
}
