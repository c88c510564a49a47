//! Limits and capabilities, as an embedder sets them: hostile programs end as they should, in bounded time and memory, and
//! their neighbours go on.

#[path = "../examples/sandbox.rs"]
#[allow(dead_code, reason = "the example's own main")]
mod sandbox;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use erlet::lang::{NoIncludes, Options, compile};
use erlet::{Builder, Capabilities, Limits, Outcome, Vm};

/// How `main/0` of this module ends.
fn end_of(builder: Builder, body: &str) -> String {
    let source = format!("-module(tried).\n-export([main/0]).\n{body}\n");
    let mut compilation = compile("tried.erl", source.as_bytes(), &Options::default(), &mut NoIncludes);
    let Some(module) = compilation.module.take() else { panic!("{}", compilation.session.render(false)) };
    let vm = builder.build().expect("a machine");
    vm.load_module(module).expect("room for a module");
    match vm.run("tried", "main", ()).expect("room for a process") {
        Outcome::Failed { reason, .. } => reason,
        outcome => format!("{outcome:?}"),
    }
}

fn quiet() -> Builder {
    Vm::builder().threads(2).stderr(Box::new(std::io::sink()))
}

/// These take all that there is of processors and memory.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Far more than a program takes here, and far less than one without a limit would.
const LONGEST: Duration = Duration::from_secs(60);

/// What the machine may hold of memory that its limits do not count: code, stacks of threads, free blocks.
const BESIDES: usize = 160 << 20;

#[test]
fn hostile_programs_end_with_their_reason_in_bounded_time_and_memory() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut wrong = Vec::new();
    for script in sandbox::SCRIPTS {
        let before = resident();
        match sandbox::check(script) {
            Ok((_, time)) if time > LONGEST => wrong.push(format!("{} took {time:?}", script.name)),
            Ok(_) => {}
            Err(error) => wrong.push(error),
        }
        let more = resident().saturating_sub(before);
        if more > BESIDES {
            wrong.push(format!("{}: {} MiB more are resident", script.name, more >> 20));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn neighbours_go_on_beside_all_hostile_programs_at_once() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let latency =
        sandbox::beside_a_neighbour(Duration::from_secs(2), sandbox::all_at_once).expect("they end");
    // What the operating system adds on a busy machine is not ours; without preemption it would be seconds.
    assert!(latency.p99 < 200_000, "{latency:?}");
}

#[test]
fn machines_without_threads_have_limits_too() {
    for builder in [Vm::builder().threads(0), Vm::builder().seed(1)] {
        let builder = builder.stderr(Box::new(std::io::sink())).limits(Limits::new().reductions(1_000_000));
        let body =
            "main() -> re:run(lists:duplicate(100, $a) ++ \"b\", \"^(([a-z])+.)+[A-Z]([a-z])+$\"), main().";
        assert_eq!(end_of(builder, body), "{limit,reductions}");
    }
    let limits = || Limits::new().wall_time(Duration::from_millis(50));
    for builder in [Vm::builder().threads(0), Vm::builder().seed(1)] {
        let builder = builder.stderr(Box::new(std::io::sink())).limits(limits());
        assert_eq!(end_of(builder, "main() -> receive never -> ok end."), "{limit,wall_time}");
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn who_passed_which_limit_is_reported() {
    let lines = Lines::default();
    let builder = Vm::builder().stderr(Box::new(lines.clone())).limits(Limits::new().atoms(5));
    let body = "main() -> [list_to_atom(\"new_\" ++ integer_to_list(N)) || N <- lists:seq(1, 100)].";
    assert_eq!(end_of(builder, body), "{limit,atoms}");
    let text = String::from_utf8(lines.0.lock().expect("nobody panics").clone()).expect("text");
    for part in ["limit of atoms reached", "Limit:              5", "In use:             6"] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn rights_are_by_directory() {
    let root = std::env::temp_dir().join(format!("erlet-limits-{}", std::process::id()));
    std::fs::create_dir_all(root.join("in")).expect("a directory");
    std::fs::write(root.join("secret"), "x").expect("a file");
    let rights = || Capabilities::none().write(root.join("in"));
    let shown = root.display();
    let body = format!(
        "main() -> In = \"{shown}/in/\", exit([file:write_file(In ++ \"a\", \"1\"), file:read_file(In ++ \"a\"), \
         file:read_file(In ++ \"../secret\"), file:make_symlink(\"{shown}/secret\", In ++ \"link\"), \
         file:make_link(\"{shown}/secret\", In ++ \"link\"), file:rename(\"{shown}/secret\", In ++ \"b\"), \
         file:make_symlink(\"a\", In ++ \"link\"), file:read_file(In ++ \"link\"), \
         element(1, file:consult(In ++ \"none\")), file:read_file(In ++ \"none\")])."
    );
    let denied = "{error,eacces}";
    assert_eq!(
        end_of(quiet().capabilities(rights()), &body),
        format!(
            "[ok,{{ok,<<\"1\">>}},{denied},{denied},{denied},{denied},ok,{{ok,<<\"1\">>}},error,{{error,enoent}}]"
        )
    );
    // What a process gives to those it spawns it can only narrow.
    let body = format!(
        "main() -> {{P, R}} = spawn_opt(fun() -> exit([file:read_file(\"{shown}/in/a\"), file:delete(\"{shown}/in/a\"), \
         file:read_file(\"{shown}/secret\"), try halt() catch error:E -> E end]) end, \
         [monitor, {{capabilities, [{{read, \"{shown}\"}}, halt]}}]), receive {{'DOWN', R, process, P, Why}} -> exit(Why) end."
    );
    assert_eq!(
        end_of(quiet().capabilities(rights()), &body),
        format!("[{{ok,<<\"1\">>}},{denied},{denied},eacces]")
    );
    std::fs::remove_dir_all(root).expect("the directory is ours");
}

#[test]
fn a_flood_of_small_messages_ends_who_gets_them() {
    let limits = Limits::new().memory(16 << 20);
    let body = "main() -> Me = self(), P = spawn(fun() -> receive never -> ok end end), \
                spawn_link(fun() -> flood(P, 10000000), Me ! done end), R = monitor(process, P), \
                receive {'DOWN', R, process, P, Why} -> exit(Why) end. \
                flood(_, 0) -> ok; flood(P, N) -> P ! {a, small, message}, flood(P, N - 1).";
    assert_eq!(end_of(quiet().limits(limits), body), "{limit,memory}");
}

/// Resident bytes of this process.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).map_or(0, |pages| pages * 4096)
}
