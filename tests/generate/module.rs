//! A whole module: a record, functions of which each may call those before it, and calls with results to compare.

use super::expr::{Gen, Signature, Ty};
use super::{Kind, Node, Random};

/// Calls of each function.
const CALLS: usize = 4;

/// Nesting of expressions.
const DEPTH: usize = 4;

const HEAD: &str = "-module(THIS_MODULE).
-feature(maybe_expr, enable).
-compile([export_all, nowarn_export_all, nowarn_unused_vars]).
-record(r, {a, b = 1, c = []}).

";

/// A module of its own.
pub fn module(random: &mut Random) -> Node {
    let mut g = Gen::new(random);
    let mut functions = Vec::new();
    for n in 0..3 + g.random.below(4) {
        let (function, signature) = function(&mut g, n);
        functions.push(function);
        g.functions.push(signature);
    }
    let calls = calls(&mut g);
    let functions = Node::many(Kind::Other, "", functions, "\n\n", "\n\n", 0);
    let calls = Node::many(Kind::Other, "", calls, ",\n     ", "", 0);
    Node::of(Kind::Other, &format!("{HEAD}@main() ->\n    [@].\n"), [functions, calls])
}

fn function(g: &mut Gen<'_>, number: usize) -> (Node, Signature) {
    let name = format!("f{number}");
    let arity = 1 + g.random.below(3);
    let params: Vec<Ty> = (0..arity).map(|_| g.ty()).collect();
    let result = g.ty();
    // Some are small enough to need no frame.
    let depth = g.random.pick(&[1, 1, 2, 3, DEPTH, DEPTH]);
    let n = 1 + g.random.below(3);
    let mut clauses: Vec<Node> = (0..n)
        .map(|_| {
            g.scoped(|g| {
                let heads = params.iter().map(|ty| g.pattern(*ty, 2)).collect();
                let heads = Node::many(Kind::Other, "", heads, ", ", "", arity);
                let guard = g.when();
                let body = g.body(result, depth);
                Node::of(Kind::Other, &format!("{name}(@)@ ->\n    @"), [heads, guard, body])
            })
        })
        .collect();
    clauses.push(g.scoped(|g| {
        let heads = params.iter().map(|ty| g.bind(*ty)).collect();
        let heads = Node::many(Kind::Other, "", heads, ", ", "", arity);
        let body = g.body(result, depth);
        Node::of(Kind::Other, &format!("{name}(@) ->\n    @"), [heads, body])
    }));
    (Node::many(Kind::Other, "", clauses, ";\n", ".", 1), Signature { name, params, result })
}

fn calls(g: &mut Gen<'_>) -> Vec<Node> {
    let signatures = g.functions.clone();
    let mut calls = Vec::new();
    for signature in &signatures {
        for _ in 0..CALLS {
            let args: Vec<String> = signature
                .params
                .iter()
                .map(|ty| {
                    let ty = if g.random.chance(15) { Ty::Any } else { *ty };
                    format!("support:id({})", g.literal(ty))
                })
                .collect();
            let number = calls.len();
            let text = format!("support:t({number}, fun() -> {}({}) end)", signature.name, args.join(", "));
            calls.push(Node::text(Kind::Other, text));
        }
    }
    calls
}
