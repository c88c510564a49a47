//! Functions that an embedder offers to the programs it runs.

mod embedding;

use std::sync::Arc;

use erlet::vm::{Host, Value, Vm};

/// Adds, gives back, and knows nothing else.
struct Functions;

impl Host for Functions {
    fn call(&self, function: &str, args: &[Value]) -> Value {
        match (function, args) {
            ("add", [Value::Int(a), Value::Int(b)]) => Value::Int(a + b),
            ("echo", [value]) => value.clone(),
            _ => Value::atom("undefined"),
        }
    }
}

/// The reason that the program's first process ends with.
fn reason(vm: &Vm, body: &str) -> String {
    let source = format!(
        "-module(caller).\n-export([main/0]).\nmain() -> exit({body}).\n\
         badarg(F) -> try F() catch error:badarg -> badarg end.\n"
    );
    embedding::reason(vm, &source)
}

#[test]
fn a_program_calls_what_the_embedder_offers() {
    let vm = Vm::builder().host(Arc::new(Functions)).build().expect("a machine");
    let body = "{erlet_host:call(add, [1, 2]), erlet_host:call(echo, [{a, 1.5, <<1, 2>>, [x, [], {}]}]), \
                erlet_host:call(nothing, []), badarg(fun() -> erlet_host:call(echo, x) end), \
                erlet_host:call(echo, [self()]) =:= self()}";
    assert_eq!(reason(&vm, body), "{3,{a,1.5,<<1,2>>,[x,[],{}]},undefined,badarg,true}");
}

#[test]
fn where_nothing_is_offered_nothing_can_be_called() {
    let vm = Vm::builder().build().expect("a machine");
    assert_eq!(reason(&vm, "try erlet_host:call(add, [1, 2]) catch error:Reason -> Reason end"), "notsup");
}
