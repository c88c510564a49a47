//! Conversions between Rust and terms: every type there and back, refusals, depth, and values that are hostile.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use erlet::value::fragment;
use erlet::vm::Vm;
use erlet::{
    Atom, BigInt, Bitstring, Bytes, Charlist, Error, FromTerm, IntoTerm, Map, TermReader, Value, Values,
};
use proptest::prelude::*;

fn machine() -> Vm {
    Vm::builder().threads(0).build().expect("a machine")
}

/// Makes a term of one value and reads it as another type.
fn through<T: IntoTerm, U: FromTerm>(vm: &Vm, value: T) -> Result<U, Error> {
    let rt = vm.runtime();
    let made = fragment(rt, &rt.account, |maker| value.into_term(maker))?;
    U::from_term(made.term(), &TermReader::new(rt))
}

/// What a value is in Erlang's words.
fn written<T: IntoTerm>(vm: &Vm, value: T) -> String {
    through::<T, Value>(vm, value).expect("any term is a value").to_string()
}

fn same<T: IntoTerm + FromTerm + Clone + PartialEq + std::fmt::Debug>(vm: &Vm, value: T) {
    assert_eq!(through::<T, T>(vm, value.clone()).expect("a round trip"), value);
}

#[test]
fn rust_types_are_the_terms_the_table_says() {
    let vm = machine();
    assert_eq!(written(&vm, -5_i8), "-5");
    assert_eq!(written(&vm, u64::MAX), "18446744073709551615");
    assert_eq!(written(&vm, i128::MIN), "-170141183460469231731687303715884105728");
    assert_eq!(written(&vm, 1.0), "1.0");
    assert_eq!(written(&vm, true), "true");
    assert_eq!(written(&vm, 'a'), "97");
    assert_eq!(written(&vm, "text"), "<<\"text\">>");
    assert_eq!(written(&vm, Charlist::from("text")), "\"text\"");
    assert_eq!(written(&vm, Atom::new("an atom")), "'an atom'");
    assert_eq!(written(&vm, Bytes::from(vec![1, 2])), "<<1,2>>");
    assert_eq!(written(&vm, vec![1, 2]), "[1,2]");
    assert_eq!(written(&vm, [[0; 2]; 2]), "[[0,0],[0,0]]");
    assert_eq!(written(&vm, (1, "a", None::<i32>)), "{1,<<\"a\">>,undefined}");
    assert_eq!(written(&vm, Some(3)), "3");
    assert_eq!(written(&vm, Ok::<_, String>(1)), "{ok,1}");
    assert_eq!(written(&vm, Err::<i32, _>("no")), "{error,<<\"no\">>}");
    assert_eq!(written(&vm, BTreeMap::from([("a", 1), ("b", 2)])), "#{<<\"a\">> => 1,<<\"b\">> => 2}");
    assert_eq!(written(&vm, ()), "ok");
    assert_eq!(written(&vm, &vec![Some(&1_u8)][..]), "[1]");
}

#[test]
fn types_come_back_as_they_went() {
    let vm = machine();
    same(&vm, (i8::MIN, i16::MIN, i32::MIN, i64::MIN, i128::MIN));
    same(&vm, (u8::MAX, u16::MAX, u32::MAX, u64::MAX, u128::MAX, usize::MAX, isize::MIN));
    same(&vm, ((1_i64 << 60) - 1, 1_i64 << 60, -(1_i64 << 60), -(1_i64 << 60) - 1));
    same(&vm, "1606938044258990275541962092341162602522202993782792835301376".parse::<BigInt>().unwrap());
    same(&vm, (0.0, 1.5_f32, f64::MAX, f64::MIN_POSITIVE, 5e-324));
    same(&vm, (true, 'é', String::from("größe"), Charlist::from("größe"), Atom::new("größe")));
    same(&vm, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    same(&vm, vec![vec![1_u8; 3]; 3]);
    same(&vm, [Some(1), None]);
    same(&vm, Ok::<Vec<i32>, Atom>(vec![]));
    same(&vm, Err::<Vec<i32>, Atom>(Atom::new("enoent")));
    same(&vm, HashMap::from([(1, vec!["a".to_owned()]), (2, vec![])]));
    same(&vm, (0..100).map(|key| (key, key * key)).collect::<BTreeMap<i32, i32>>());
    same(&vm, HashSet::from([1, 2, 3]));
    same(&vm, BTreeSet::from([1, 2, 3]));
    same(&vm, Bytes::from(vec![7; 64]));
    same(&vm, Bytes::from(vec![7; 65]));
    same(&vm, Bytes::from(vec![7; 10_000]).slice(5, 9000));
    same(&vm, Box::new(5));
    assert_eq!(through::<_, f64>(&vm, 5).expect("an integer is a number"), 5.0);
    through::<_, ()>(&vm, vec![1]).expect("anything is nothing");
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let vm = machine();
    let refused = |error: Error| match error {
        Error::Conversion(conversion) => conversion.to_string(),
        other => panic!("{other}"),
    };
    let of = |result: Result<i8, Error>| refused(result.expect_err("out of range"));
    assert_eq!(of(through(&vm, 128)), "expected an integer of type i8, found 128");
    assert_eq!(of(through(&vm, 1.0)), "expected an integer of type i8, found 1.0");
    let nested =
        through::<_, Vec<(i32, HashMap<Atom, bool>)>>(&vm, vec![(1, HashMap::from([(Atom::new("k"), 1)]))]);
    assert_eq!(refused(nested.unwrap_err()), "expected true or false, found 1 at [0]{2}[value of k]");
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = refused(through::<_, f64>(&vm, vec![float]).expect_err("no float"));
        assert!(error.starts_with("expected a finite float"), "{error}");
        refused(through::<_, Value>(&vm, Value::Float(float)).expect_err("no float"));
    }
    refused(through::<_, f32>(&vm, 1e300).expect_err("out of range"));
    refused(through::<_, String>(&vm, Bytes::from(vec![0xff])).expect_err("no UTF-8"));
    refused(through::<_, String>(&vm, Charlist::from("text")).expect_err("strings are explicit"));
    refused(through::<_, [i32; 2]>(&vm, [1, 2, 3]).expect_err("another length"));
    refused(through::<_, (i32, i32)>(&vm, (1, 2, 3)).expect_err("another size"));
    refused(through::<_, Vec<i32>>(&vm, Value::Improper([1.into(), 2.into()].into())).expect_err("improper"));
    assert!(matches!(through::<_, Value>(&vm, Atom::new(&"a".repeat(256))), Err(Error::Limit(_))));
}

#[test]
fn large_bytes_are_shared_and_not_copied() {
    let vm = machine();
    let bytes = Bytes::from(vec![1; 100_000]);
    let back: Bytes = through(&vm, bytes.clone()).expect("bytes");
    assert_eq!(back.as_ptr(), bytes.as_ptr());
    let part: Bytes = through(&vm, bytes.slice(10, 1000)).expect("bytes");
    assert_eq!(part.as_ptr(), bytes[10..].as_ptr());
    drop((bytes, vm));
    assert_eq!(part, vec![1; 1000][..]);
}

#[test]
fn names_of_one_machine_mean_nothing_to_another() {
    let (one, other) = (machine(), machine());
    let init: Value = through(&one, Value::atom("x")).expect("an atom");
    assert_eq!(init, "x");
    let rt = one.runtime();
    let pid = {
        let made = fragment(rt, &rt.account, |_| Ok(erlet::Term::pid(erlet::term::Pid::new(3, 0))));
        erlet::Pid::from_term(made.expect("a pid").term(), &TermReader::new(rt)).expect("a pid")
    };
    same(&one, pid);
    assert!(matches!(through::<_, Value>(&other, pid), Err(Error::OtherVm)));
    assert!(matches!(through::<_, Value>(&other, vec![Value::from(pid)]), Err(Error::OtherVm)));
}

/// A million tuples inside each other, with a list, an improper list and a map now and then.
fn deep(depth: usize) -> Value {
    (0..depth).fold(Value::NIL, |inner, level| match level % 4 {
        0 => Value::Tuple([inner, Value::from(1)].into()),
        1 => Value::List([inner].into()),
        2 => Value::Improper([inner, Value::from(2)].into()),
        _ => Value::map([(Value::from(1), inner)]),
    })
}

#[test]
fn a_value_may_be_a_million_deep() {
    let vm = machine();
    let value = deep(1_000_000);
    let back: Value = through(&vm, &value).expect("a value");
    let copy = back.clone();
    assert!(copy == value && copy.cmp(&value).is_eq());
    let mut hasher = std::hash::DefaultHasher::new();
    std::hash::Hash::hash(&copy, &mut hasher);
    assert!(format!("{copy:?}").len() > 4_000_000);
}

#[test]
fn printed_as_erlang_prints() {
    // As `io:format("~p")` of OTP 25 prints these.
    let value = Value::tuple([
        Value::charlist("a\"b"),
        Value::list([1, 2]),
        Value::binary([0, 255]),
        Value::Bits(Bitstring::new(&[0b1010_0000], 3).expect("three bits")),
        Value::Improper([1.into(), 2.into(), Value::atom("A")].into()),
        Value::map([(Value::atom("k"), Value::from(1.0e22))]),
        Value::NIL,
        Value::tuple(Vec::<Value>::new()),
        Value::from(""),
    ]);
    assert_eq!(value.to_string(), "{\"a\\\"b\",[1,2],<<0,255>>,<<5:3>>,[1,2|'A'],#{k => 1.0e22},[],{},<<>>}");
}

#[test]
fn values_are_ordered_as_keys() {
    // The order of `lists:sort` but for numbers: integers before floats, as keys of maps are ordered.
    let sorted = vec![
        Value::from(-(1_i128 << 70)),
        Value::from(1),
        Value::from(2),
        Value::from(1_i128 << 70),
        Value::from(1.5),
        Value::atom("a"),
        Value::atom("b"),
        Value::tuple([3]),
        Value::tuple([1, 2]),
        Value::map([(1, 2)]),
        Value::NIL,
        Value::list([1]),
        Value::Improper([1.into(), Value::binary("x")].into()),
        Value::list([2]),
        Value::binary(""),
        Value::binary("a"),
    ];
    let mut shuffled = sorted.clone();
    shuffled.reverse();
    shuffled.sort();
    assert_eq!(shuffled, sorted);
}

#[test]
fn a_map_keeps_the_last_of_equal_keys() {
    let mut map: Map =
        [(1, 1), (2, 2), (1, 3)].map(|(k, v)| (Value::from(k), Value::from(v))).into_iter().collect();
    assert_eq!(map.get(&1.into()), Some(&3.into()));
    assert_eq!((map.insert(0.into(), 9.into()), map.len()), (None, 3));
    assert_eq!(Value::Map(map).to_string(), "#{0 => 9,1 => 3,2 => 2}");
    assert_eq!(Values::from(vec![1.into()]).into_vec(), [Value::from(1)]);
}

/// Any value without names of a machine.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<i128>().prop_map(Value::from),
        prop::num::f64::NORMAL.prop_map(Value::from),
        "[a-zé ]{0,6}".prop_map(|text| Value::atom(text.as_str())),
        prop::collection::vec(any::<u8>(), 0..100).prop_map(Value::binary),
        (prop::collection::vec(any::<u8>(), 1..70), 1_usize..8).prop_map(|(bytes, bits)| {
            Value::Bits(Bitstring::new(&bytes, 8 * bytes.len() - bits).expect("as many bits"))
        }),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::list),
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::tuple),
            prop::collection::vec((inner.clone(), inner.clone()), 0..40).prop_map(Value::map),
            (prop::collection::vec(inner, 1..4), any::<i64>()).prop_map(|(mut parts, tail)| {
                parts.push(Value::from(tail));
                Value::Improper(parts.into())
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_comes_back(value in any_value()) {
        let vm = machine();
        let back: Value = through(&vm, &value).expect("a value");
        prop_assert_eq!(&back, &value);
        prop_assert_eq!(back.clone(), value);
    }
}

#[test]
#[cfg(feature = "compiler")]
fn text_is_read_as_a_term() {
    let read = |text: &str| text.parse::<Value>().map(|value| value.to_string());
    for text in [
        "{ok,[1,2]}",
        "[a|b]",
        "[1,2|c]",
        "#{a => 1,\"k\" => [2.5]}",
        "<<1,2>>",
        "<<5:3>>",
        "\"text\"",
        "'an atom'",
    ] {
        assert_eq!(read(text).as_deref(), Ok(text));
    }
    for (text, expected) in [
        ("{ok, [1, 2]}.", "{ok,[1,2]}"),
        (" 16#ff % hex", "255"),
        ("-36893488147419103232", "-36893488147419103232"),
        ("$.", "46"),
        ("[1|[2,3]]", "[1,2,3]"),
        ("[1|[2|x]]", "[1,2|x]"),
        ("1.0e1", "10.0"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
    }
    let twice: Value = "{{a,\"bc\"},{a,\"bc\"}}".parse().expect("a term");
    assert_eq!(twice.to_string(), "{{a,\"bc\"},{a,\"bc\"}}");
    for text in ["", "1. 2", "1. 2.", "f(1)", "X", "{ok,", "fun lists:map/2", "<0.1.0>", "1 2", "a.b"] {
        assert!(read(text).is_err(), "{text}: {:?}", read(text));
    }
    assert_eq!("{ok,\n f()}".parse::<Value>().expect_err("a call").line, 2);
    // Nested deeper than the stack is long would be refused or read, but never end the program.
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    drop(deep.parse::<Value>());
}

#[test]
fn errors_are_errors_of_the_standard_library() {
    fn is_error<E: std::error::Error + Send + Sync + 'static>(_: &E) {}
    fn fails(vm: &Vm) -> Result<i64, Box<dyn std::error::Error + Send + Sync>> {
        Ok(vm.call::<i64>("erlang", "binary_to_integer", ("seven",))?)
    }
    let vm = machine();
    let error = fails(&vm).expect_err("seven is no number");
    assert!(error.downcast_ref::<Error>().is_some_and(|error| error.exception().is_some()));
    let error = Error::from(std::io::Error::other("full"));
    is_error(&error);
    assert_eq!(std::error::Error::source(&error).map(ToString::to_string).as_deref(), Some("full"));
    let Err(Error::Exception(exception)) = vm.call::<i64>("erlang", "binary_to_integer", ("seven",)) else {
        panic!("seven is no number")
    };
    is_error(&*exception);
    let conversion = erlet::Conversion::new("a pid", "42");
    is_error(&conversion);
    assert_eq!(Error::from(conversion).to_string(), "expected a pid, found 42");
    is_error(&erlet::Diagnostics::default());
}

#[test]
fn values_are_matched_and_converted() {
    let vm = machine();
    let value: Value = vm.call("maps", "find", (1, HashMap::from([(1, "one")]))).expect("a call");
    assert_eq!(value.tagged("ok").and_then(|rest| rest[0].as_str()), Some("one"));
    assert_eq!(value.tagged("error"), None);
    assert_eq!(vm.convert::<Option<i64>>(Value::atom("undefined")).expect("nothing"), None);
    let (tag, text): (Atom, String) = vm.convert(&value).expect("a pair");
    assert_eq!((tag.as_str(), text.as_str()), ("ok", "one"));
    assert!(matches!(vm.convert::<i64>("text"), Err(Error::Conversion(_))));
    let other: Value = machine().call("erlang", "self", ()).expect("a call");
    assert!(matches!(vm.convert::<Value>(other), Err(Error::OtherVm)));
}
