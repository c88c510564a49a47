//! The smallest program that runs Erlang: `cargo run --example embed_hello`.

use erlet::Vm;

fn main() -> Result<(), erlet::Error> {
    let vm = Vm::builder().build()?;
    vm.load_source(
        "greeter.erl",
        r#"
        -module(greeter).
        -export([greet/1]).
        greet(Name) -> <<"Hello, ", Name/binary, "!">>.
        "#,
    )?;
    let text: String = vm.call("greeter", "greet", ("world",))?;
    println!("{text}");
    Ok(())
}

#[test]
fn it_runs() {
    main().expect("no error");
}
