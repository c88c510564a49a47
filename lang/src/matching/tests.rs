//! Snapshots of decision graphs: the source above, the nodes in the order they are reached below.

use std::fmt::Write;

use super::{Graph, Node, NodeId, Part, Shapes, compile};
use crate::core::{Const, Module, Op, Value, Var};
use crate::{Interner, NoIncludes, Options, Session, parse_file};

/// The graph of the clauses of the first function.
fn check_graph(source: &str) -> String {
    let mut session = Session::new();
    let options = Options::default();
    let text = format!("-module(m).\n-export([f/1, f/2, f/3]).\n{source}");
    let file = parse_file(&mut session, "m.erl", text.as_bytes(), &options.parse, &mut NoIncludes);
    let core = crate::lower::lower(&mut session, &file, &options);
    let core = core.unwrap_or_else(|| panic!("{}", session.render(false)));
    let Module { functions, mut literals, .. } = core;
    let function = &functions[0];
    let Op::Case(case) = &function.body.steps[0].op else { panic!("a function is a case") };
    let mut next_var = function.vars;
    let graph = compile(&case.subjects, &case.clauses, &Shapes::default(), &mut literals, &mut next_var);
    format!("{}\n----\n{}", source.trim(), print(&graph, &session.names))
}

/// Nodes by depth first, numbered as they are met.
fn print(graph: &Graph<'_>, names: &Interner) -> String {
    let mut numbers: Vec<NodeId> = Vec::new();
    let mut out = String::new();
    let mut waiting = vec![graph.root];
    let mut order = Vec::new();
    while let Some(id) = waiting.pop() {
        if numbers.contains(&id) {
            continue;
        }
        numbers.push(id);
        order.push(id);
        let mut next = Vec::new();
        graph.node(id).each_next(|to| next.push(to));
        waiting.extend(next.into_iter().rev());
    }
    let at = |id: &NodeId| numbers.iter().position(|known| known == id).unwrap_or(usize::MAX);
    let constant = |constant: &Const| match constant {
        Const::Atom(name) => names.text(*name).to_owned(),
        Const::Int(value) => value.to_string(),
        Const::Nil => "[]".to_owned(),
        Const::Lit(id) => format!("#{}", id.0),
    };
    let value = |value: &Value| match value {
        Value::Var(Var(n)) => format!("V{n}"),
        Value::Const(known) => constant(known),
    };
    let vars = |vars: &[Var]| vars.iter().map(|var| format!("V{}", var.0)).collect::<Vec<_>>().join(" ");
    for id in &order {
        let text = match graph.node(*id) {
            Node::Fail => "fail".to_owned(),
            Node::Leaf { clause, bindings, otherwise } => {
                let bound: Vec<String> =
                    bindings.iter().map(|(var, bound)| format!("V{}={}", var.0, value(bound))).collect();
                format!("clause {clause} [{}] else {}", bound.join(" "), at(otherwise))
            }
            Node::Parts { value: of, part, vars: parts, next } => {
                let part = if *part == Part::Cell { "cell" } else { "elements" };
                format!("{part} of {} to {} then {}", value(of), vars(parts), at(next))
            }
            Node::IsCons { value: of, yes, no } => format!("cons {} ? {} : {}", value(of), at(yes), at(no)),
            Node::IsNil { value: of, yes, no } => format!("nil {} ? {} : {}", value(of), at(yes), at(no)),
            Node::IsMap { value: of, yes, no } => format!("map {} ? {} : {}", value(of), at(yes), at(no)),
            Node::Equal { value: of, other, yes, no } => {
                format!("{} =:= {} ? {} : {}", value(of), value(other), at(yes), at(no))
            }
            Node::Select { value: of, cases, no } => {
                let cases: Vec<String> =
                    cases.iter().map(|(case, to)| format!("{}->{}", constant(case), at(to))).collect();
                format!("select {} {} : {}", value(of), cases.join(" "), at(no))
            }
            Node::Arity { value: of, cases, no } => {
                let cases: Vec<String> = cases.iter().map(|(n, to)| format!("{n}->{}", at(to))).collect();
                format!("arity {} {} : {}", value(of), cases.join(" "), at(no))
            }
            Node::Keys { map, keys, yes, no, .. } => {
                let dsts: Vec<Var> = keys.iter().map(|(_, dst)| *dst).collect();
                format!("keys {} to {} ? {} : {}", value(map), vars(&dsts), at(yes), at(no))
            }
            Node::Start { value: of, context, yes, no } => {
                format!("start {} as V{} ? {} : {}", value(of), context.0, at(yes), at(no))
            }
            Node::Take { context, segment, dst, yes, no, .. } => {
                let dst = dst.map_or("_".to_owned(), |dst| format!("V{}", dst.0));
                format!("take {:?} of {} to {dst} ? {} : {}", segment.kind, value(context), at(yes), at(no))
            }
            Node::Exactly { context, yes, no, .. } => {
                format!("bits of {} ? {} : {}", value(context), at(yes), at(no))
            }
            Node::AtEnd { context, yes, no } => {
                format!("end of {} ? {} : {}", value(context), at(yes), at(no))
            }
            Node::Save { saved, next } => format!("save {} then {}", saved.len(), at(next)),
            Node::Restore { saved, next } => format!("restore {} then {}", saved.len(), at(next)),
        };
        let _ = writeln!(out, "{}: {text}", at(id));
    }
    out
}

macro_rules! snapshots {
    ($($name:ident $source:literal;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(check_graph($source));
        }
    )*};
}

snapshots! {
    a_column_that_most_rows_test_comes_first "f(_, a) -> 1;\nf(b, c) -> 2;\nf(_, d) -> 3.";
    rows_that_do_not_care_go_everywhere "f(a, x) -> 1;\nf(_, y) -> 2;\nf(b, _) -> 3.";
    equal_states_share_a_node "f({a, X}, [_ | _]) -> X;\nf({b, X}, [_ | _]) -> X;\nf(_, []) -> nil;\nf(_, Y) -> Y.";
    a_guard_leads_on_to_the_other_clauses "f(X) when X > 1 -> big;\nf(1) -> one;\nf(_) -> small.";
    different_strings_are_taken_apart "f(\"abc\") -> 1;\nf(\"abd\") -> 2;\nf([]) -> 3.";
    one_string_is_compared_as_a_whole "f(\"abc\") -> 1;\nf(_) -> 2.";
    maps_are_grouped_by_their_keys "f(#{k := a}) -> 1;\nf(#{k := b}) -> 2;\nf(#{l := X}) -> X;\nf(#{}) -> 3.";
    contexts_go_back_to_where_they_were "f(<<1, X:16>>) -> X;\nf(<<2, R/binary>>) -> R;\nf(<<_:4, R/bits>>) -> R.";
    an_alias_of_two_structures "f({a, X} = {_, b}) -> X;\nf({Y, Y}) -> Y.";
}
