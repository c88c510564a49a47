//! Mechanics, on code written by hand.

use std::sync::Arc;

use super::run;
use crate::atom::{Atoms, HashKey};
use crate::code::{CodeServer, Mfa, Natives, load};
use crate::heap::{Account, BlockCache, Heap, Policy};
use crate::process::{Entry, Process, SliceEnd};
use crate::runtime::entropy::{Entropy, Rng};
use crate::runtime::output::Output;
use crate::runtime::{Config, Hooks, Runtime, WorkerCx};
use crate::term::{Pid, Term, View, Word};

/// A machine, a worker, and no scheduler.
struct Bench {
    rt: Arc<Runtime>,
    worker: WorkerCx,
    policy: Policy,
    /// Reductions of a slice.
    budget: i32,
    slices: u32,
}

fn bench(text: &str) -> Bench {
    bench_with(text, false)
}

fn bench_with(text: &str, stress: bool) -> Bench {
    let config = Config { workers: 0, seed: Some(1), ..Config::default() };
    let atoms = Atoms::new(HashKey::from_seed(1), 1 << 20);
    let code = CodeServer::new(Arc::new(Natives::new(crate::bif::names(&atoms).into_iter())));
    let code = if stress { code.under_stress() } else { code };
    let outputs = [sink(), sink()];
    let (rt, mut locals) =
        Runtime::new(config, atoms, code, Hooks::default(), Entropy::from_seed(1), outputs);
    let worker = WorkerCx::new(0, Rng::new(1), locals.remove(0), rt.counts.of_worker(0));
    let module = erlet_lang::asm::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let verified = erlet_lang::verify::verify(module).unwrap_or_else(|error| panic!("{error}"));
    load(&rt.code, &rt.atoms, &verified).expect("it fits");
    let policy = Policy { stress, ..Policy::default() };
    Bench { rt, worker, policy, budget: 4000, slices: 0 }
}

impl Bench {
    /// What `t:function(args)` returns or ends with, as text.
    fn call(&mut self, function: &str, args: &[i64]) -> String {
        let atom = |text: &str| self.rt.atoms.intern(text).expect("room");
        let mfa = Mfa { module: atom("t"), function: atom(function), arity: args.len() as u8 };
        let entry = Entry { module: mfa.module, function: mfa.function, arity: mfa.arity };
        let heap = Heap::new_in(&mut BlockCache::new(), Account::root(), self.policy, 0).expect("memory");
        let mut process = Process::new(Pid::new(1, 1), heap, entry);
        let words: Vec<Word> = args.iter().map(|value| Word::small(*value)).collect();
        process.save_x(&words, args.len() as u16);
        process.pc = self.rt.code.export(mfa).entry();
        loop {
            process.reductions = self.budget;
            self.slices += 1;
            match run(&mut self.worker, &mut process, &self.rt) {
                SliceEnd::Yield => {}
                SliceEnd::Exit(reason) if reason.report || reason.reason.root() != normal() => {
                    return format!("exit {}", self.text(reason.reason.root()));
                }
                SliceEnd::Exit(_) => return self.text(self.worker.x[0]),
                other => return format!("{other:?}"),
            }
        }
    }

    fn text(&self, word: Word) -> String {
        let mut out = String::new();
        // SAFETY: the process that owns it is still there.
        show(&mut out, &self.rt, unsafe { Term::from_word(word) });
        out
    }
}

fn normal() -> Word {
    Word::atom(crate::atom::known::NORMAL)
}

/// Terms as the tests write them.
fn show(out: &mut String, rt: &Runtime, term: Term<'_>) {
    use std::fmt::Write;
    match term.view() {
        View::Int(value) => write!(out, "{value}").expect("strings grow"),
        View::Big(_) => {
            let big = crate::bif::erlang::number_text::to_ibig(term).expect("an integer");
            write!(out, "{big}").expect("strings grow");
        }
        View::Float(value) => write!(out, "{value:?}").expect("strings grow"),
        View::Atom(atom) => out.push_str(rt.atoms.text(atom)),
        View::Nil => out.push_str("[]"),
        View::Cons(_) => {
            out.push('[');
            let mut cells = term.list();
            for (index, element) in cells.by_ref().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                show(out, rt, element);
            }
            if !cells.rest().is_nil() {
                out.push('|');
                show(out, rt, cells.rest());
            }
            out.push(']');
        }
        View::Tuple(elements) => {
            out.push('{');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                show(out, rt, *element);
            }
            out.push('}');
        }
        View::Bits(bits) => {
            write!(out, "<<{:?}:{}>>", bits.iter_bytes().collect::<Vec<u8>>(), bits.bit_length())
                .expect("strings grow");
        }
        View::Map(map) => {
            out.push_str("#{");
            for (index, (key, value)) in map.iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                show(out, rt, key);
                out.push_str("=>");
                show(out, rt, value);
            }
            out.push('}');
        }
        View::Fun(_) | View::ExternalFun(_) => out.push_str("fun"),
        View::Pid(_) | View::Port(_) | View::Ref(_) => out.push_str("id"),
    }
}

const FIB: &str = r#"
module t
file "t.erl"
function fib/1 exported
    is_lt L0, x0, 2
    return
L0:
    allocate words=1, live=1
    move x0, y0
    line "t.erl":3
    bif raise, live=1, erlang:'-'/2, [x0, 1], x0
    call t:fib/1
    swap x0, y0
    bif raise, live=1, erlang:'-'/2, [x0, 2], x0
    call t:fib/1
    bif raise, live=1, erlang:'+'/2, [y0, x0], x0
    deallocate words=1
    return
function loop/1 exported
    is_exact_eq L0, x0, 0
    return
L0:
    bif raise, live=1, erlang:'-'/2, [x0, 1], x0
    call_only loop/1
function rev/2 exported
    is_cons L0, x0
    get_list x0, x2, x0
    test_heap words=2, live=3
    put_list x2, x1, x1
    call_only rev/2
L0:
    is_nil L1, x0
    move x1, x0
    return
L1:
    line "t.erl":9
    function_clause
function up/2 exported
    is_exact_eq L0, x0, 0
    move x1, x0
    return
L0:
    test_heap words=2, live=2
    put_list x0, x1, x1
    bif raise, live=2, erlang:'-'/2, [x0, 1], x0
    call_only up/2
function reverse/1 exported
    allocate words=0, live=1
    move [], x1
    call up/2
    deallocate words=0
    move [], x1
    call_only rev/2
function clause/1 exported
    allocate words=0, live=1
    move 1, x1
    line "t.erl":20
    call rev/2
    deallocate words=0
    return
"#;

fn fib() -> String {
    FIB.replace("call t:fib/1", "call fib/1")
}

#[test]
fn calls_return_through_the_stack() {
    assert_eq!(bench(&fib()).call("fib", &[20]), "6765");
}

const SUMS: &str = r#"
module t
file "t.erl"
function id/1 exported
    return
function inc/1 exported
    allocate words=0, live=1
    line "t.erl":5
    bif raise, live=1, erlang:'+'/2, [x0, 1], x0
    call id/1
    deallocate words=0
    return
function dec/1 exported
    bif raise, live=1, erlang:'-'/2, [x0, 1], x0
    call_only id/1
function twice/1 exported
    allocate words=1, live=1
    move x0, y0
    call id/1
    bif raise, live=1, erlang:'+'/2, [y0, x0], x0
    deallocate words=1
    return
function bad/1 exported
    allocate words=0, live=1
    move a, x0
    line "t.erl":22
    bif raise, live=1, erlang:'-'/2, [1, x0], x0
    call id/1
    deallocate words=0
    return
"#;

#[test]
fn the_slow_path_of_a_super_instruction_is_its_parts() {
    let mut bench = bench(SUMS);
    assert_eq!(bench.call("inc", &[(1 << 60) - 1]), (1_u64 << 60).to_string());
    assert_eq!(bench.call("dec", &[-(1 << 60)]), (-(1_i64 << 60) - 1).to_string());
    assert_eq!(bench.call("twice", &[1 << 59]), (1_u64 << 60).to_string());
    assert_eq!(bench.call("inc", &[41]), "42");
    let text = bench.call("bad", &[0]);
    assert!(text.starts_with("exit {badarith,[{erlang,-,[1,a],"), "{text}");
    assert!(text.contains("{t,bad,1,[{file,[116,46,101,114,108]},{line,22}]}"), "{text}");
}

#[test]
fn a_loop_is_preempted() {
    let mut bench = bench(&fib());
    assert_eq!(bench.call("loop", &[10_000]), "0");
    assert_eq!(bench.slices, 3, "10,001 calls are two slices of 4,000 and a rest");
}

#[test]
fn lists_survive_collections() {
    let mut bench = bench(&fib());
    let text = bench.call("reverse", &[30_000]);
    assert!(text.starts_with("[30000,29999,") && text.ends_with(",2,1]"), "{}", &text[..40]);
}

#[test]
fn everything_survives_a_collection_at_every_safepoint_and_tiny_slices() {
    for budget in 1..=7 {
        let mut bench = bench_with(&fib(), true);
        bench.budget = budget;
        assert_eq!(bench.call("fib", &[12]), "144");
        assert_eq!(bench.call("reverse", &[5]), "[5,4,3,2,1]");
    }
}

#[test]
fn a_function_clause_error_shows_the_arguments() {
    let text = bench(&fib()).call("clause", &[7]);
    let frames = "[{t,rev,[7,1],[{file,[116,46,101,114,108]},{line,9}]},{t,clause,1,[{file,[116,46,101,114,108]},{line,20}]}]";
    assert_eq!(text, format!("exit {{function_clause,{frames}}}"));
}

fn sink() -> Output {
    Output::new(Box::new(std::io::sink()))
}
