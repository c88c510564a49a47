//! What a host is told when something is wrong, or refused: exceptions in OTP's words, arguments of host functions, names of the library.

use std::time::Duration;

use erlet::{Class, Error, Exception, Value, Vm};

/// Two calls, and how they are shown below others.
const CALLS: &str = r#"{m,f,1,[{file,"m.erl"},{line,7}]},{m,'G',0,[{file,"m.erl"},{line,12}]}"#;
const BELOW: &str = "\n  in call from m:f/1 (m.erl, line 7)\n  in call from m:'G'/0 (m.erl, line 12)";
const ALONE: &str = "\n  in function  m:f/1 (m.erl, line 7)\n  in call from m:'G'/0 (m.erl, line 12)";

/// Class, reason, what is above [`CALLS`] in the stack, and what `erl_error:format_exception/3` of Erlang/OTP 25 says before it comes to them.
const EXCEPTIONS: &[(Class, &str, &str, &str)] = &[
    (Class::Error, r#"{badmatch,{a,"text"}}"#, "", "no match of right hand side value {a,\"text\"}"),
    (
        Class::Error,
        "badarith",
        "{erlang,'/',[1,0],[]},",
        "an error occurred when evaluating an arithmetic expression\n  in operator  '/'/2\n     called as 1 / 0",
    ),
    (
        Class::Error,
        "badarith",
        "{erlang,'-',[a],[]},",
        "an error occurred when evaluating an arithmetic expression\n  in operator  -/1\n     called as - a",
    ),
    (Class::Error, "{case_clause,[1,2]}", "", "no case clause matching [1,2]"),
    (Class::Error, "if_clause", "", "no true branch found when evaluating an if expression"),
    (Class::Error, "{try_clause,ok}", "", "no try clause matching ok"),
    (
        Class::Error,
        "{badkey,k}",
        "{erlang,map_get,[k,#{}],[]},",
        "bad key: k\n  in function  map_get/2\n     called as map_get(k,#{})",
    ),
    (Class::Error, "{badmap,x}", "", "bad map: x"),
    (Class::Error, "{badfun,7}", "", "bad function 7"),
    (
        Class::Error,
        "badarg",
        "{erlang,hd,[[]],[]},",
        "bad argument\n  in function  hd/1\n     called as hd([])",
    ),
    (Class::Error, "{badarg,x}", "", "bad argument: x"),
    (Class::Error, "system_limit", "", "a system limit has been reached"),
    (Class::Error, "timeout_value", "", "bad receive timeout value"),
    (Class::Error, "{bad_filter,1}", "", "bad filter 1"),
    (Class::Error, "{bad_generator,x}", "", "bad generator x"),
    (Class::Error, "{unbound,'X'}", "", "variable 'X' is unbound"),
    (Class::Error, "noproc", "", "no such process or port"),
    (Class::Error, "function_clause", "", "function_clause"),
    (Class::Error, "{my,reason}", "", "{my,reason}"),
    (Class::Error, "{nocatch,x}", "", "{nocatch,x}"),
    (Class::Exit, "normal", "", "normal"),
    (Class::Exit, "badarg", "", "badarg"),
    (Class::Exit, "{shutdown,x}", "", "{shutdown,x}"),
    (Class::Exit, "calling_self", "", "the current process attempted to call itself"),
    (Class::Throw, "ball", "", "ball"),
    (Class::Throw, "{badmatch,1}", "", "{badmatch,1}"),
];

/// The same where the first call belongs to the explanation.
const AT_THE_DOOR: &[(&str, &str, &str)] = &[
    ("undef", "{nomod,'No',[1,two],[]},", "undefined function nomod:'No'/2"),
    ("undef", "{erlang,hd,2,[]},", "undefined function erlang:hd/2"),
    (
        "function_clause",
        r#"{m,h,[1,"x"],[{file,"m.erl"},{line,3}]},"#,
        "no function clause matching m:h(1,\"x\") (m.erl, line 3)",
    ),
];

#[test]
fn exceptions_are_told_in_the_words_of_otp() {
    let vm = Vm::builder().threads(0).build().unwrap();
    let check = |class: Class, reason: &str, above: &str, expected: String| {
        let stack = format!("[{above}{CALLS}]");
        let (reason, stack): (Value, Value) = (reason.parse().unwrap(), stack.parse().unwrap());
        let exception = Exception::new(class, reason.clone(), &stack);
        assert_eq!(exception.to_string(), expected);
        // The library's own words for programs are the same.
        let class = Value::atom(class.name());
        let text: Value = vm.call("erl_error", "format_exception", (class, reason, stack)).unwrap();
        let text: String = vm.call("unicode", "characters_to_binary", (text,)).unwrap();
        assert_eq!(text, expected);
    };
    for (class, reason, above, text) in EXCEPTIONS {
        let calls = if above.is_empty() { ALONE } else { BELOW };
        check(*class, reason, above, format!("exception {}: {text}{calls}", class.name()));
    }
    for (reason, above, text) in AT_THE_DOOR {
        check(Class::Error, reason, above, format!("exception error: {text}{ALONE}"));
    }
    let bare = Exception::new(Class::Error, Value::atom("my"), &Value::NIL);
    assert_eq!(bare.to_string(), "exception error: my");
}

fn host_machine() -> Vm {
    let vm = Vm::builder().threads(0).build().unwrap();
    vm.module("img")
        .function("name", |_: i64, text: String| text)
        .blocking("load", |text: String| text)
        .function("sum", |numbers: Vec<(i64, i64)>| numbers.len())
        .install()
        .unwrap();
    vm
}

#[test]
fn a_host_function_tells_which_argument_is_wrong_and_why() {
    let vm = host_machine();
    let raised = |function: &str, args: Vec<Value>| match vm.call::<Value>("img", function, args) {
        Err(Error::Exception(exception)) => *exception,
        other => panic!("{other:?}"),
    };
    let exception = raised("name", vec![Value::from(1), Value::charlist("text")]);
    assert_eq!((exception.class, exception.reason.as_atom()), (Class::Error, Some("badarg")));
    let frame = &exception.stack[0];
    assert_eq!((frame.module.as_str(), frame.function.as_str(), frame.arity), ("img", "name", 2));
    assert_eq!(frame.arguments, Some(vec![Value::from(1), Value::charlist("text")]));
    let [(2, why)] = &frame.faults[..] else { panic!("{:?}", frame.faults) };
    assert!(why.starts_with("expected ") && why.ends_with("found \"text\""), "{why}");
    let shown = format!(
        "exception error: bad argument\n  in function  img:name/2\n     called as img:name(1,\"text\")\n     *** argument 2: {why}"
    );
    assert_eq!(exception.to_string(), shown);

    // The first one that is wrong is told.
    assert_eq!(raised("name", vec![Value::NIL, Value::NIL]).stack[0].faults[0].0, 1);
    let later = raised("load", vec![Value::from(7)]);
    assert_eq!((later.stack[0].function.as_str(), later.stack[0].faults[0].0), ("load", 1));
    let deep = raised("sum", vec!["[{1,2},{3,x}]".parse().unwrap()]);
    assert!(deep.to_string().contains("found x at [1]{2}"), "{deep}");
}

#[test]
fn programs_and_reports_see_it_as_they_see_it_of_natives() {
    let vm = host_machine();
    let source = "
        shown() -> try img:name(1, two) catch C:R:S -> {S, unicode:characters_to_binary(erl_error:format_exception(C, R, [hd(S)]))} end.
        report() ->
            Pid = proc_lib:spawn(fun() -> img:name(1, two) end),
            R = monitor(process, Pid),
            receive {'DOWN', R, _, _, {badarg, [{img, name, [1, two], Info} | _]}} -> proplists:get_value(error_info, Info) end.
        ";
    vm.load_source("sees.erl", source).unwrap();
    let (stack, shown): (Value, String) = vm.call("sees", "shown", ()).unwrap();
    let why = &Exception::new(Class::Error, Value::atom("badarg"), &stack).stack[0].faults[0].1;
    let expected = format!(
        "exception error: bad argument\n  in function  img:name/2\n     called as img:name(1,two)\n     *** argument 2: {why}"
    );
    assert_eq!(shown, expected);
    let info: Value = vm.call("sees", "report", ()).unwrap();
    let Value::Map(info) = info else { panic!("{info}") };
    assert_eq!(info.get(&Value::atom("module")), Some(&Value::atom("erlet_argument")));
}

#[test]
fn modules_of_the_library_are_not_replaced() {
    let vm = Vm::builder().threads(0).build().unwrap();
    let text = "reverse(_) -> replaced.";
    // Loaded or not, of natives or not.
    for name in ["lists", "erlang", "queue", "maps"] {
        let refused = vm.load_source(format!("{name}.erl"), text).unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("cannot load: {name} is a module of the standard library, which is not replaced")
        );
        assert!(matches!(vm.unload(name), Err(Error::Load(_))), "{name}");
        assert!(matches!(vm.module(name).function("f", || 1).install(), Err(Error::Load(_))), "{name}");
    }
    let compiled = vm.compile("lists.erl", text).unwrap();
    assert!(matches!(vm.load_bytecode(&compiled), Err(Error::Load(_))));
    let reversed: Vec<i64> = vm.call("lists", "reverse", (vec![1, 2],)).unwrap();
    assert_eq!(reversed, [2, 1]);
    // Nor by scripts that may load code, also past module `code`.
    let options = erlet::ProcessOptions::new();
    let vm = Vm::builder().threads(0).capabilities(erlet::Capabilities::none().code(true)).build().unwrap();
    assert_eq!(vm.call::<Vec<i64>>("lists", "reverse", (vec![1, 2],)).unwrap(), [2, 1]);
    for module in ["code", "erlet_code"] {
        let code = erlet::Bytes::copy_from(&compiled);
        let args = (erlet::Atom::new("lists"), erlet::Charlist("lists.erl".into()), code);
        let answer: Value = vm.call_with(&options, module, "load_binary", args).unwrap();
        assert_eq!(answer.to_string(), "{error,sticky_directory}", "{module}");
    }
}

#[test]
fn what_is_unloaded_is_undefined_and_can_be_loaded_again() {
    for threads in [0, 1] {
        let vm = Vm::builder().threads(threads).build().unwrap();
        assert!(!vm.unload("plugin").unwrap());
        for version in 0..4 {
            let text = format!("version() -> {version}. waits() -> receive never -> ok end.");
            vm.load_source("plugin.erl", text).unwrap();
            assert_eq!(vm.call::<i64>("plugin", "version", ()).unwrap(), version);
            let waiting = vm.spawn("plugin", "waits", ()).unwrap();
            assert!(vm.unload("plugin").unwrap());
            assert!(!vm.is_alive(waiting));
            let gone = vm.call::<i64>("plugin", "version", ()).unwrap_err();
            assert_eq!(gone.to_string(), "exception error: undefined function plugin:version/0");
        }
    }
}

#[test]
fn a_mailbox_ends_with_more_messages_than_it_may_have() {
    for threads in [0, 1] {
        let vm = Vm::builder().threads(threads).build().unwrap();
        let mailbox = vm.mailbox().unwrap();
        mailbox.limit(100);
        let monitor = vm.monitor(mailbox.pid()).unwrap();
        let send = |n: i64| vm.send(mailbox.pid(), n).unwrap();
        // As many as it may have, and as often as they are read.
        for round in 0..5 {
            (0..100).for_each(|n| send(round * 100 + n));
            for n in 0..100 {
                assert_eq!(mailbox.recv::<i64>().unwrap(), round * 100 + n);
            }
        }
        (0..101).for_each(send);
        assert_eq!(monitor.wait().unwrap().to_string(), "{limit,mailbox_messages}");
        // What had come is still there, then the reason.
        let mut left = 0;
        let end = loop {
            match mailbox.recv::<i64>() {
                Ok(n) => {
                    assert_eq!(n, left);
                    left += 1;
                }
                Err(error) => break error,
            }
        };
        assert!(left <= 101);
        assert_eq!(end.to_string(), "the process ended with reason {limit,mailbox_messages}");
    }
}

/// The only thread is in a function that takes longer than the report is waited for.
#[test]
fn a_shutdown_that_nobody_could_look_at_is_not_clean() {
    let vm = Vm::builder().threads(1).build().unwrap();
    vm.module("slow")
        .function("sleep", || std::thread::sleep(Duration::from_millis(2500)))
        .install()
        .unwrap();
    vm.spawn("slow", "sleep", ()).unwrap();
    std::thread::sleep(Duration::from_millis(50));
    let report = vm.shutdown(Duration::from_millis(10)).unwrap();
    assert!(report.unseen && report.remaining.is_empty() && !report.is_clean(), "{report:?}");
}
