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

/// A loop over the bits of its first argument, with a value of the last round as its second.
fn walk(g: &mut Gen<'_>, name: String) -> (Node, Signature) {
    let effects = std::mem::replace(&mut g.effects, false);
    let mut clauses = Vec::new();
    if g.random.chance(25) {
        // It is read before it is matched.
        let size = 1 + g.random.below(16);
        clauses.push(Node::text(
            Kind::Other,
            format!("{name}(B, A) when is_atom(A); bit_size(B) > 9 ->\n    S = bit_size(B), case B of <<V:{size}, R/bits>> when S > 20 -> {name}(R, [V, S | A]); _ -> {{B, A}} end"),
        ));
    }
    for _ in 0..1 + g.random.below(2) {
        clauses.push(g.scoped(|g| {
            let [value, rest, whole] = [g.fresh(), g.fresh(), g.fresh()];
            let size = g.random.pick(&["8", "8", "16/little", "3", "1", "4/signed", "8/bits", "32/float"]);
            let (tail, alias) =
                (g.random.pick(&["binary", "bits", "bits"]), g.random.pick(&["", "", " = WHOLE"]));
            let seen = g.bind(Ty::Any);
            g.vars.push((value.clone(), if size.ends_with("bits") { Ty::Bits } else { Ty::Int }));
            if !alias.is_empty() {
                g.vars.push((whole.clone(), Ty::Bits));
            }
            let guard = g.when();
            let next = g.expr(Ty::Any, 1);
            let head = format!(
                "{name}(<<{value}:{size}, {rest}/{tail}>>{}, @)@ ->\n    ",
                alias.replace("WHOLE", &whole)
            );
            let how = g.random.pick(&["NAME(REST, @)", "NAME(REST, @)", "[@ | NAME(REST, x)]", "{REST, @}"]);
            Node::of(
                Kind::Other,
                &format!("{head}{}", how.replace("NAME", &name).replace("REST", &rest)),
                [seen, guard, next],
            )
        }));
    }
    let last = g.random.pick(&[
        "NAME(<<>>, A) ->\n    A;\nNAME(B, A) ->\n    {B, A}",
        "NAME(<<_/binary>>, A) ->\n    A;\nNAME(_, A) ->\n    [A]",
        "NAME(B, A) ->\n    {B, A}",
        "NAME(<<>>, A) ->\n    A",
    ]);
    clauses.push(Node::text(Kind::Other, last.replace("NAME", &name)));
    g.effects = effects;
    let signature = Signature { name, params: vec![Ty::Bits, Ty::Any], result: Ty::Any };
    (Node::many(Kind::Other, "", clauses, ";\n", ".", 1), signature)
}

fn function(g: &mut Gen<'_>, number: usize) -> (Node, Signature) {
    let name = format!("f{number}");
    if g.random.chance(20) {
        return walk(g, name);
    }
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
    // Some have no clause for what fits none of those.
    if g.random.chance(85) {
        clauses.push(g.scoped(|g| {
            let heads = params.iter().map(|ty| g.bind(*ty)).collect();
            let heads = Node::many(Kind::Other, "", heads, ", ", "", arity);
            let body = g.body(result, depth);
            Node::of(Kind::Other, &format!("{name}(@) ->\n    @"), [heads, body])
        }));
    }
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
