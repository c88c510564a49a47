//! Types that serialize, to values and back (feature `serde`).
#![cfg(feature = "serde")]

use std::collections::BTreeMap;

use erlet::Value;
use erlet::serde::{from_value, to_value};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Everything {
    flag: bool,
    small: u8,
    big: i128,
    float: f64,
    letter: char,
    text: String,
    maybe: Option<i32>,
    nothing: Option<i32>,
    unit: (),
    pair: (i32, String),
    list: Vec<Shape>,
    map: BTreeMap<String, u64>,
    wrapped: Wrapped,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Wrapped(u32);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Point,
    Circle(f64),
    Line(i32, i32),
    Box { width: u32, height: u32 },
}

fn everything() -> Everything {
    Everything {
        flag: true,
        small: 255,
        big: i128::MIN,
        float: 1.5,
        letter: 'é',
        text: "größe".to_owned(),
        maybe: Some(-1),
        nothing: None,
        unit: (),
        pair: (1, "x".to_owned()),
        list: vec![Shape::Point, Shape::Circle(2.0), Shape::Line(1, 2), Shape::Box { width: 3, height: 4 }],
        map: BTreeMap::from([("a".to_owned(), u64::MAX)]),
        wrapped: Wrapped(9),
    }
}

#[test]
fn structs_are_maps_and_enums_are_tagged() {
    let value = to_value(&everything()).expect("it serializes");
    assert_eq!(
        value.get("list").expect("a field").to_string(),
        "['Point',{'Circle',2.0},{'Line',1,2},{'Box',#{height => 4,width => 3}}]"
    );
    assert_eq!(value.get("nothing").expect("a field").to_string(), "undefined");
    assert_eq!(value.get("map").expect("a field").to_string(), "#{<<\"a\">> => 18446744073709551615}");
    assert_eq!(from_value::<Everything>(&value).expect("it comes back"), everything());
}

#[test]
fn names_may_be_binaries() {
    let value = Value::map([(Value::from("width"), Value::from(1)), (Value::atom("height"), Value::from(2))]);
    let value = Value::tuple([Value::from("Box"), value]);
    assert_eq!(from_value::<Shape>(&value).expect("a box"), Shape::Box { width: 1, height: 2 });
}

#[test]
fn what_is_something_else_is_refused() {
    for value in [
        Value::from(1),
        Value::atom("Other"),
        Value::tuple([Value::atom("Line"), 1.into()]),
        Value::tuple([Value::atom("Point"), 1.into()]),
        Value::tuple([Value::atom("Circle"), Value::from("x")]),
        Value::NIL,
    ] {
        from_value::<Shape>(&value).expect_err("no shape");
    }
    assert!(from_value::<u8>(&Value::from(256)).is_err());
    assert!(from_value::<(i32, i32)>(&Value::list([1, 2, 3])).is_err());
    assert!(from_value::<String>(&Value::atom("text")).is_err());
}

/// Recurses as deep as it is let.
#[derive(Deserialize, Debug)]
struct Nested(#[allow(dead_code, reason = "only its depth matters")] Vec<Nested>);

#[test]
fn depth_is_bounded() {
    let deep = |depth| (0..depth).fold(Value::NIL, |inner, _| Value::list([inner]));
    from_value::<Nested>(&deep(30)).expect("not deep");
    from_value::<Nested>(&deep(1_000_000)).expect_err("too deep");
}

#[derive(Deserialize)]
struct Verdict {
    accepted: bool,
}

#[test]
fn what_is_wrong_is_told_with_the_value() {
    let verdict = |accepted| Value::map([(Value::atom("accepted"), accepted)]);
    assert!(from_value::<Verdict>(&verdict(Value::from(true))).unwrap().accepted);
    let Err(error) = from_value::<Verdict>(&verdict(Value::atom("perhaps"))) else { panic!("it is no bool") };
    let text = error.to_string();
    assert!(text.contains("#{accepted => perhaps}") && text.contains("expected a boolean"), "{text}");
}

/// An error says in which field of which part it is.
#[test]
fn errors_have_a_path() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read from values that are wrong")]
    enum Line {
        Note(String),
        Item(String, u8),
        Sum { cents: u64 },
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read from values that are wrong")]
    struct Order {
        id: u64,
        lines: Vec<Line>,
        to: Option<(String, std::collections::BTreeMap<String, bool>)>,
    }
    let path = |text: &str| {
        let value: Value = text.parse().expect("a term");
        match erlet::serde::from_value::<Vec<Order>>(&value) {
            Err(erlet::Error::Conversion(wrong)) => wrong.path,
            other => panic!("{other:?}"),
        }
    };
    for (text, expected) in [
        ("a", ""),
        ("[#{id => x, lines => []}]", "[0].id"),
        ("[#{id => 1, lines => []}, 7]", "[1]"),
        ("[#{id => 1, lines => [{'Note', 1}]}]", "[0].lines[0]{2}"),
        ("[#{id => 1, lines => [{'Note', <<>>}, {'Item', <<>>, 256}]}]", "[0].lines[1]{3}"),
        ("[#{id => 1, lines => [{'Sum', #{cents => -1}}]}]", "[0].lines[0]{2}.cents"),
        ("[#{id => 1, lines => [{'Sum', #{}}]}]", "[0].lines[0]{2}"),
        ("[#{id => 1, lines => [], to => {<<>>, #{<<\"k\">> => 1}}}]", "[0].to{2}.<<\"k\">>"),
        ("[#{id => 1, lines => [], to => {<<>>, #{}, 1}}]", "[0].to"),
    ] {
        assert_eq!(path(text), expected, "{text}");
    }
}
