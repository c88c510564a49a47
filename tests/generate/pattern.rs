//! Patterns, guards, and values made together with patterns that fit them.

use super::expr::{Gen, Ty};
use super::{Kind, Node};

const TESTS: [&str; 14] = [
    "is_integer",
    "is_float",
    "is_number",
    "is_atom",
    "is_list",
    "is_tuple",
    "is_binary",
    "is_bitstring",
    "is_map",
    "is_boolean",
    "is_function",
    "is_pid",
    "is_reference",
    "is_port",
];

/// Whether a test of a guard looks like one that gives a boolean: no variable or constant alone.
fn is_boolean(test: &Node) -> bool {
    let mut text = String::new();
    test.write(&mut text);
    text.contains("is_") || text.contains(['=', '<', '>'])
}

impl Gen<'_> {
    fn p(&mut self, template: &str, nodes: impl IntoIterator<Item = Node>) -> Node {
        Node::of(Kind::Pattern, template, nodes)
    }

    /// A new variable that is bound from here on.
    pub fn bind(&mut self, ty: Ty) -> Node {
        let name = self.fresh();
        self.vars.push((name.clone(), ty));
        Node::text(Kind::Pattern, name)
    }

    /// A pattern for values of a type; its variables are in scope afterwards.
    pub fn pattern(&mut self, ty: Ty, depth: usize) -> Node {
        let ty = if ty == Ty::Any || self.random.chance(8) { self.ty() } else { ty };
        match self.random.below(10) {
            0..=2 => return self.bind(ty),
            3 => return Node::text(Kind::Pattern, "_"),
            4 if self.random.chance(30) => {
                // A variable of the outside or of this pattern.
                if let Some(mut variable) = self.variable(Ty::Any) {
                    variable.kind = Kind::Pattern;
                    return variable;
                }
            }
            5 if depth > 0 => {
                let inner = self.pattern(ty, depth - 1);
                let whole = self.bind(ty);
                return if self.random.chance(50) {
                    self.p("@ = @", [inner, whole])
                } else {
                    self.p("@ = @", [whole, inner])
                };
            }
            _ => {}
        }
        if depth == 0 {
            return self.constant_pattern(ty);
        }
        match ty {
            Ty::List | Ty::Ints => match self.random.below(3) {
                0 => {
                    let n = self.random.below(4);
                    let items = (0..n).map(|_| self.pattern(Ty::Any, depth - 1)).collect();
                    Node::many(Kind::Pattern, "[", items, ", ", "]", 0)
                }
                _ => {
                    let element = if ty == Ty::Ints { Ty::Int } else { Ty::Any };
                    let [head, tail] = [self.pattern(element, depth - 1), self.pattern(ty, depth - 1)];
                    self.p("[@ | @]", [head, tail])
                }
            },
            Ty::Tuple => {
                let n = self.random.below(4);
                let mut items: Vec<Node> = (0..n).map(|_| self.pattern(Ty::Any, depth - 1)).collect();
                if self.random.chance(40) {
                    let tag = self.random.pick(&["a", "ok", "error", "b"]);
                    items.insert(0, Node::text(Kind::Pattern, tag));
                }
                Node::many(Kind::Pattern, "{", items, ", ", "}", 0)
            }
            Ty::Map => {
                let n = self.random.below(3);
                let items = (0..n)
                    .map(|_| {
                        let key = self.random.pick(&["a", "b", "1", "\"k\"", "{t}"]);
                        let value = if self.random.chance(20) {
                            Node::text(Kind::Pattern, "_")
                        } else {
                            self.pattern(Ty::Any, depth - 1)
                        };
                        Node::of(Kind::Other, &format!("{key} := @"), [value])
                    })
                    .collect();
                Node::many(Kind::Pattern, "#{", items, ", ", "}", 0)
            }
            Ty::Record => {
                let field = self.random.pick(&["a", "b", "c"]);
                let value = self.pattern(Ty::Any, depth - 1);
                self.p(&format!("#r{{{field} = @}}"), [value])
            }
            Ty::Str => {
                let rest = self.bind(Ty::Str);
                let start = self.random.pick(&["\"a\"", "\"h\"", "[$h, $e]", "\"1\""]);
                self.p(&format!("{start} ++ @"), [rest])
            }
            Ty::Bin | Ty::Bits => self.any_bits_pattern(ty),
            other => self.constant_pattern(other),
        }
    }

    fn constant_pattern(&mut self, ty: Ty) -> Node {
        if matches!(ty, Ty::Map | Ty::Fun | Ty::Ints | Ty::Record) {
            return self.bind(ty);
        }
        let mut text = self.literal(ty);
        while text == "0.0" {
            text = self.literal(ty);
        }
        Node::text(Kind::Pattern, text)
    }

    /// A guard with ` when ` before it, or nothing.
    pub fn when(&mut self) -> Node {
        if !self.random.chance(35) {
            return Node::text(Kind::Other, "");
        }
        let n = 1 + self.random.below(2);
        let separator = if self.random.chance(70) { ", " } else { "; " };
        let tests = (0..n).map(|_| self.test(2)).collect();
        let guard = Node::many(Kind::Other, "", tests, separator, "", 1);
        Node::of(Kind::Other, " when @", [guard])
    }

    /// A test of a guard.
    pub fn test(&mut self, depth: usize) -> Node {
        let g = |template: &str, nodes: Vec<Node>| Node::of(Kind::Guard, template, nodes);
        match self.random.below(14) {
            0..=3 => {
                let op = self.random.pick(&["==", "/=", "=:=", "=/=", "<", ">", "=<", ">="]);
                let ty = self.random.pick(&[Ty::Any, Ty::Int, Ty::Int, Ty::Float, Ty::Atom]);
                let left = self.guard_expr(ty, depth);
                let right = if op.contains(['<', '>']) {
                    // (Not two funs: their order is nowhere said.)
                    if matches!(ty, Ty::Int | Ty::Float) && self.random.chance(50) {
                        let x = self.guard_expr(ty, depth);
                        Node::of(Kind::Expr, "(@ + 0)", [x])
                    } else {
                        let ty =
                            self.random.pick(&[Ty::Int, Ty::Float, Ty::Atom, Ty::List, Ty::Tuple, Ty::Bin]);
                        Node::text(Kind::Expr, self.literal(ty))
                    }
                } else {
                    self.guard_expr(ty, depth)
                };
                let sides = vec![left, right];
                g(&format!("@ {op} @"), sides)
            }
            4..=7 => {
                let test = self.random.pick(&TESTS);
                let x = self.guard_expr(Ty::Any, depth);
                g(&format!("{test}(@)"), vec![x])
            }
            8 => {
                let how = self.random.pick(&[
                    "is_function(@, 1)",
                    "is_record(@, r)",
                    "is_map_key(a, @)",
                    "is_function(@, 2)",
                ]);
                // OTP does not evaluate what cannot be a tuple, and so does not see it fail.
                let depth = if how.starts_with("is_record") { 0 } else { depth };
                let x = self.guard_expr(Ty::Any, depth);
                g(how, vec![x])
            }
            9 if depth > 0 => {
                let x = self.test(depth - 1);
                g("not (@)", vec![x])
            }
            10..=12 if depth > 0 => {
                let op = self.random.pick(&["andalso", "orelse", "and", "or", "xor"]);
                let sides = [self.test(depth - 1), self.test(depth - 1)];
                // OTP takes `X or true` for true although X is no boolean, where it knows of what type X is.
                let sides = sides.map(|side| match op {
                    "and" | "or" | "xor" if !is_boolean(&side) => g("(@) == true", vec![side]),
                    _ => side,
                });
                g(&format!("(@) {op} (@)"), sides.into())
            }
            _ => {
                let x = self.guard_expr(Ty::Bool, depth);
                g("@", vec![x])
            }
        }
    }

    /// An expression that may stand in a guard.
    pub fn guard_expr(&mut self, ty: Ty, depth: usize) -> Node {
        if depth == 0 || self.random.chance(40) {
            if self.random.chance(80)
                && let Some(variable) = self.variable(ty).or_else(|| self.variable(Ty::Any))
            {
                return variable;
            }
            let ty = if matches!(ty, Ty::Fun | Ty::Record | Ty::Ints | Ty::Any) { Ty::Int } else { ty };
            let text = self.literal(ty);
            return Node::text(Kind::Expr, text);
        }
        const CALLS: [(&str, &[Ty]); 30] = [
            ("length(@)", &[Ty::List]),
            ("hd(@)", &[Ty::List]),
            ("tl(@)", &[Ty::List]),
            ("tuple_size(@)", &[Ty::Tuple]),
            ("element(1, @)", &[Ty::Tuple]),
            ("element(@, @)", &[Ty::Int, Ty::Tuple]),
            ("map_size(@)", &[Ty::Map]),
            ("map_get(a, @)", &[Ty::Map]),
            ("byte_size(@)", &[Ty::Bin]),
            ("bit_size(@)", &[Ty::Bits]),
            ("abs(@)", &[Ty::Int]),
            ("(@ + @)", &[Ty::Int, Ty::Int]),
            ("(@ - 1)", &[Ty::Int]),
            ("(@ * @)", &[Ty::Int, Ty::Int]),
            ("(@ rem 3)", &[Ty::Int]),
            ("(@ div @)", &[Ty::Int, Ty::Int]),
            ("(@ / @)", &[Ty::Int, Ty::Float]),
            ("(@ band @)", &[Ty::Int, Ty::Int]),
            ("(@ bsl 3)", &[Ty::Int]),
            ("(- @)", &[Ty::Int]),
            ("(bnot @)", &[Ty::Int]),
            ("round(@)", &[Ty::Float]),
            ("float(@)", &[Ty::Int]),
            ("{@, @}", &[Ty::Any, Ty::Any]),
            ("[@ | @]", &[Ty::Any, Ty::List]),
            ("<<(@):8, 1:3>>", &[Ty::Int]),
            ("<<(@)/binary, (@)/float>>", &[Ty::Bin, Ty::Float]),
            ("#{a => @}", &[Ty::Any]),
            ("(@)#{a => @}", &[Ty::Map, Ty::Any]),
            ("(@)#{a := @}", &[Ty::Map, Ty::Any]),
        ];
        let (template, types) = CALLS[self.random.below(CALLS.len())];
        let args: Vec<Node> = types.iter().map(|ty| self.guard_expr(*ty, depth - 1)).collect();
        Node::of(Kind::Expr, template, args)
    }

    /// A value and a pattern that mostly fits it; the pattern's variables are bound only by the pattern: the caller
    /// makes the value first in the text and in time, and so this makes all values before it binds.
    pub fn pair(&mut self, depth: usize, binds: &mut Vec<(String, Ty)>) -> (Node, Node) {
        let wrong = self.random.chance(8);
        if depth == 0 || self.random.chance(20) {
            let ty = self.ty();
            let value = self.expr(ty, depth.min(1));
            return match self.random.below(6) {
                0 => (value, Node::text(Kind::Pattern, "_")),
                1 if !matches!(ty, Ty::Map | Ty::Fun | Ty::Record | Ty::Ints) => {
                    let text = self.literal(ty);
                    let other = if wrong { self.literal(ty) } else { text.clone() };
                    (Node::text(Kind::Expr, text), Node::text(Kind::Pattern, other))
                }
                _ => {
                    let name = self.fresh();
                    binds.push((name.clone(), ty));
                    (value, Node::text(Kind::Pattern, name))
                }
            };
        }
        match self.random.below(6) {
            0 => {
                let n = self.random.below(4);
                let (values, mut patterns): (Vec<Node>, Vec<Node>) =
                    (0..n).map(|_| self.pair(depth - 1, binds)).unzip();
                if wrong {
                    patterns.push(Node::text(Kind::Pattern, "[]"));
                }
                (
                    Node::many(Kind::Expr, "{", values, ", ", "}", 0),
                    Node::many(Kind::Pattern, "{", patterns, ", ", "}", 0),
                )
            }
            1 => {
                let [(v, p), (w, q)] = [self.pair(depth - 1, binds), self.pair(depth - 1, binds)];
                (self.x("[@, @]", [v, w]), self.p("[@ | [@]]", [p, q]))
            }
            2 => {
                let (v, p) = self.pair(depth - 1, binds);
                let rest = self.expr(Ty::List, depth - 1);
                let name = self.fresh();
                binds.push((name.clone(), Ty::List));
                (self.x("[@ | @]", [v, rest]), self.p(&format!("[@ | {name}]"), [p]))
            }
            3 => {
                let key = self.random.pick(&["a", "b", "{x, 1}", "7", "1.5", "<<\"k\">>"]);
                let (v, p) = self.pair(depth - 1, binds);
                let base = self.expr(Ty::Map, depth - 1);
                // (A use, for the sake of what `map` of expressions says.)
                let value = self.x(&format!("support:id((@)#{{{key} => @}})"), [base, v]);
                (value, self.p(&format!("#{{{key} := @}}"), [p]))
            }
            _ => self.bits_pair(depth - 1, wrong, binds),
        }
    }
}
