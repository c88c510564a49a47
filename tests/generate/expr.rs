//! Expressions of a wanted type: most of what is made works, so that programs get somewhere; what is wrong is put in on purpose.

use super::{Kind, Node, Random};

/// What an expression is meant to give. A hint: some give something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ty {
    Int,
    Float,
    Atom,
    Bool,
    List,
    Ints,
    Str,
    Bin,
    Bits,
    Tuple,
    Map,
    /// A fun of one argument.
    Fun,
    Record,
    Any,
}

impl Ty {
    /// Whether values may be funs or have some in them.
    pub fn holds_funs(self) -> bool {
        matches!(self, Ty::Any | Ty::Fun | Ty::List | Ty::Tuple | Ty::Map | Ty::Record)
    }
}

pub const TYPES: [Ty; 13] = [
    Ty::Int,
    Ty::Float,
    Ty::Atom,
    Ty::Bool,
    Ty::List,
    Ty::Ints,
    Ty::Str,
    Ty::Bin,
    Ty::Bits,
    Ty::Tuple,
    Ty::Map,
    Ty::Fun,
    Ty::Record,
];

/// A function that may be called.
#[derive(Clone)]
pub struct Signature {
    pub name: String,
    pub params: Vec<Ty>,
    pub result: Ty,
}

/// The state of making one module.
pub struct Gen<'r> {
    pub random: &'r mut Random,
    fresh: usize,
    /// What is in scope.
    pub vars: Vec<(String, Ty)>,
    pub functions: Vec<Signature>,
    /// Whether processes and tables may be made: not inside comprehensions, which would make many.
    pub effects: bool,
}

impl<'r> Gen<'r> {
    pub fn new(random: &'r mut Random) -> Gen<'r> {
        Gen { random, fresh: 0, vars: Vec::new(), functions: Vec::new(), effects: true }
    }

    pub fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("V{}", self.fresh)
    }

    pub fn ty(&mut self) -> Ty {
        TYPES[self.random.below(TYPES.len())]
    }

    /// Something made with the variables bound inside forgotten again.
    pub fn scoped<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let depth = self.vars.len();
        let made = make(self);
        self.vars.truncate(depth);
        made
    }

    pub fn x(&mut self, template: &str, nodes: impl IntoIterator<Item = Node>) -> Node {
        Node::of(Kind::Expr, template, nodes)
    }

    /// An expression of a type.
    pub fn expr(&mut self, ty: Ty, depth: usize) -> Node {
        let ty = match ty {
            Ty::Any => self.ty(),
            ty if self.random.chance(3) => {
                let _ = ty;
                self.ty()
            }
            ty => ty,
        };
        if depth == 0 || self.random.chance(12) {
            return self.leaf(ty);
        }
        match self.random.below(100) {
            0..=31 => self.control(ty, depth - 1),
            32..=52 => self.bif(ty, depth - 1),
            _ => self.typed(ty, depth - 1),
        }
    }

    /// Several.
    pub fn exprs(&mut self, types: &[Ty], depth: usize) -> Vec<Node> {
        types.iter().map(|ty| self.expr(*ty, depth)).collect()
    }

    /// A variable of a type, if there is one.
    pub fn variable(&mut self, ty: Ty) -> Option<Node> {
        let of: Vec<usize> =
            (0..self.vars.len()).filter(|n| ty == Ty::Any || self.vars[*n].1 == ty).collect();
        let chosen = *of.get(self.random.below(of.len()))?;
        Some(Node::text(Kind::Expr, self.vars[chosen].0.clone()))
    }

    fn leaf(&mut self, ty: Ty) -> Node {
        if self.random.chance(65)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        let text = self.literal(ty);
        Node::text(Kind::Expr, text)
    }

    /// Text of a constant.
    pub fn literal(&mut self, ty: Ty) -> String {
        let r = &mut self.random;
        match ty {
            Ty::Int => match r.below(10) {
                0..=5 => format!("{}", r.below(20) as i64 - 5),
                6 => format!("{}", r.below(100_000) as i64 - 50_000),
                7 => (r.pick(&[
                    "576460752303423487",
                    "576460752303423488",
                    "-576460752303423488",
                    "-576460752303423489",
                ]))
                .to_string(),
                8 => (r.pick(&[
                    "1152921504606846975",
                    "-1152921504606846977",
                    "9223372036854775807",
                    "-9223372036854775808",
                    "18446744073709551616",
                    "16#FFFFFFFFFFFFFFFF",
                ]))
                .to_string(),
                _ => (r.pick(&[
                    "16#123456789ABCDEF0123456789",
                    "-16#123456789ABCDEF0123456788",
                    "-340282366920938463463374607431768211456",
                    "-18446744073709551617",
                    "$a",
                    "1_000",
                ]))
                .to_string(),
            },
            Ty::Float => (r.pick(&[
                "1.0",
                "2.5",
                "-0.25",
                "3.0e10",
                "1.0e-7",
                "1.5e300",
                "0.1",
                "123456.789",
                "1.0e22",
                "4.0",
                "-7.0",
            ]))
            .to_string(),
            Ty::Atom => {
                (r.pick(&["a", "b", "ok", "error", "undefined", "'X y'", "normal", "abc"])).to_string()
            }
            Ty::Bool => (r.pick(&["true", "false"])).to_string(),
            Ty::List => (r.pick(&[
                "[]",
                "[a]",
                "[a, 1]",
                "[1, 2.0, b]",
                "[{a, 1}, {b, 2}]",
                "[[1], [], [2, 3]]",
                "[c, b, a, b]",
                "[{1, x}, {1.0, y}]",
            ]))
            .to_string(),
            Ty::Ints => (r.pick(&[
                "[]",
                "[1]",
                "[3, 1, 2]",
                "[5, 5, 0, -1]",
                "[100, 200]",
                "[1, 2, 3, 4, 5, 6]",
                "lists:seq(1, 9)",
            ]))
            .to_string(),
            Ty::Str => (r.pick(&[
                "\"\"",
                "\"ab\"",
                "\"hello world\"",
                "\"12\"",
                "\"x=1, y\"",
                "\"1.5\"",
                "\"\\x{e5}\\x{400}\"",
            ]))
            .to_string(),
            Ty::Bin => (r.pick(&[
                "<<>>",
                "<<1, 2, 3>>",
                "<<\"abc\">>",
                "<<\"hello world\">>",
                "<<255, 0, 128>>",
                "<<\"\\x{e5}\\x{400}\"/utf8>>",
                // (OTP computes segments of more than 256 bits at run time, and so takes keys of maps made of them later.)
                "<<0:256, 0:256, 0:8>>",
                "<<1:64, 2:64>>",
                "<<-2:64, -3:64>>",
            ]))
            .to_string(),
            Ty::Bits => (r.pick(&[
                "<<1:3>>",
                "<<5:7, 1:2>>",
                "<<255, 3:4>>",
                "<<>>",
                "<<1:1>>",
                "<<16#ABCDEF:20>>",
                "<<-5:61>>",
                "<<1, 2>>",
            ]))
            .to_string(),
            Ty::Tuple => {
                (r.pick(&["{}", "{a}", "{a, 1}", "{ok, b, 2.0}", "{1, {2, 3}}", "{[], \"s\", <<>>}"]))
                    .to_string()
            }
            Ty::Map => (r.pick(&[
                "#{}",
                "#{a => 1}",
                "#{a => 1, b => 2}",
                "#{1 => x, 1.0 => y}",
                "#{\"k\" => v, {t} => []}",
            ]))
            .to_string(),
            Ty::Fun => {
                let body = r.pick(&["X", "{X, X}", "[X]", "X + 1", "is_atom(X)", "X > 2"]);
                match r.below(4) {
                    0 => (r.pick(&[
                        "fun erlang:abs/1",
                        "fun lists:reverse/1",
                        "fun erlang:is_list/1",
                        "fun support:id/1",
                    ]))
                    .to_string(),
                    _ => {
                        let v = self.fresh();
                        format!("fun({v}) -> {} end", body.replace('X', &v))
                    }
                }
            }
            Ty::Record => (r.pick(&["#r{}", "#r{a = 1}", "#r{a = x, c = [1]}", "#r{_ = 0}"])).to_string(),
            Ty::Any => {
                let ty = self.ty();
                self.literal(ty)
            }
        }
    }

    /// An expression in the syntax of its type.
    fn typed(&mut self, ty: Ty, depth: usize) -> Node {
        match ty {
            Ty::Int => self.integer(depth),
            Ty::Float => self.float(depth),
            Ty::Atom => {
                let x = self.expr(Ty::Any, depth);
                self.x("element(2, {x, @, y})", [x])
            }
            Ty::Bool => self.boolean(depth),
            Ty::List => self.list(depth),
            Ty::Ints => self.integers(depth),
            Ty::Str => {
                let [a, b] = [self.expr(Ty::Str, depth), self.expr(Ty::Str, depth)];
                self.x("(@ ++ @)", [a, b])
            }
            Ty::Bin | Ty::Bits => self.bits(ty, depth),
            Ty::Tuple => {
                let n = self.random.below(5);
                let items = (0..n).map(|_| self.expr(Ty::Any, depth)).collect();
                Node::many(Kind::Expr, "{", items, ", ", "}", 0)
            }
            Ty::Map => self.map(depth),
            Ty::Fun => self.fun(depth),
            Ty::Record => self.record(depth),
            Ty::Any => self.expr(Ty::Any, depth),
        }
    }

    fn integer(&mut self, depth: usize) -> Node {
        let a = self.expr(Ty::Int, depth);
        match self.random.below(14) {
            0..=5 => {
                let op = self.random.pick(&["+", "-", "*", "+", "-", "*"]);
                let b = self.expr(Ty::Int, depth);
                self.x(&format!("(@ {op} @)"), [a, b])
            }
            6..=7 => {
                let op = self.random.pick(&["div", "rem", "band", "bor", "bxor"]);
                let b = self.expr(Ty::Int, depth);
                self.x(&format!("(@ {op} @)"), [a, b])
            }
            8 => {
                let op = self.random.pick(&["bsl", "bsr"]);
                let by = match self.random.below(3) {
                    // About the widths of what numbers are made of.
                    0 => self.random.pick(&[31, 32, 33, 58, 59, 60, 61, 63, 64, 65, 127, 128, 200, -64]),
                    _ => self.random.below(90) as i64 - 8,
                };
                let by = if self.random.chance(30) { format!("support:id({by})") } else { by.to_string() };
                let template =
                    self.random.pick(&["(@ OP BY)", "(@ OP BY)", "((@ bor 16#123456789ABCDE) OP BY)"]);
                self.x(&template.replace("OP", op).replace("BY", &by), [a])
            }
            9 => {
                let op = self.random.pick(&["-", "bnot", "+"]);
                self.x(&format!("({op} @)"), [a])
            }
            10 => {
                let by = self.random.pick(&["1", "-1", "2", "100", "1.0", "36893488147419103232"]);
                let op = self.random.pick(&["+", "-", "*"]);
                self.x(&format!("(@ {op} {by})"), [a])
            }
            11 => {
                let b = self.expr(Ty::Int, depth);
                let op = self.random.pick(&["bsl", "bsr"]);
                let template = self.random.pick(&[
                    "(@ OP (support:int(@) rem 150))",
                    // By more than half a word, of what is wider.
                    "((16#123456789ABCDE bor support:int(@)) bsr (32 + (support:int(@) band 15)))",
                    "((-16#123456789ABCDE bxor support:int(@)) bsr (32 + (support:int(@) band 15)))",
                ]);
                self.x(&template.replace("OP", op), [a, b])
            }
            12 => {
                let b = self.expr(Ty::Int, depth);
                self.negative(a, b)
            }
            _ => {
                let [b, c] = [self.expr(Ty::Int, depth), self.expr(Ty::Int, depth)];
                self.x("(@ * @ + @)", [a, b, c])
            }
        }
    }

    /// What is negative for certain: divided, or read out of a field about as wide as a word, or of a width that only the program knows.
    fn negative(&mut self, a: Node, b: Node) -> Node {
        if self.random.chance(40) {
            let op = self.random.pick(&["rem", "rem", "div"]);
            let by = self.random.pick(&["7", "(1 + (support:int(@) band 31))", "(-1 - support:int(@))"]);
            let nodes = if by.contains('@') { vec![a, b] } else { vec![a] };
            return self.x(&format!("((-1 - support:int(@)) {op} {by})"), nodes);
        }
        let width =
            if self.random.chance(60) { 57 + self.random.below(9) } else { 2 + self.random.below(70) };
        let endian = self.random.pick(&["", "", "-big", "-little"]);
        let name = self.fresh();
        let field = format!("/signed{endian}");
        if self.random.chance(50) {
            let text = format!(
                "case <<(-1 - support:int(@)):{width}{field}, 5:3>> of <<{name}:{width}{field}, _/bits>> -> {name} end"
            );
            return self.x(&text, [a]);
        }
        let size = self.fresh();
        let text = format!(
            "begin {size} = support:id({width}), \
             case <<(-1 - support:int(@)):{width}{field}, 5:3>> of <<{name}:{size}{field}, _/bits>> -> {name} end end"
        );
        self.x(&text, [a])
    }

    fn float(&mut self, depth: usize) -> Node {
        let a = self.expr(Ty::Float, depth);
        let ty = self.random.pick(&[Ty::Float, Ty::Int]);
        let b = self.expr(ty, depth);
        let op = self.random.pick(&["+", "-", "*", "/", "/"]);
        if self.random.chance(50) {
            self.x(&format!("(@ {op} @)"), [a, b])
        } else {
            self.x(&format!("(@ {op} @)"), [b, a])
        }
    }

    fn boolean(&mut self, depth: usize) -> Node {
        match self.random.below(9) {
            8 => {
                // What is longer and begins like another.
                let bits = self.expr(Ty::Bits, depth);
                let op = self.random.pick(&["==", "=:=", "<", ">", "=<", ">="]);
                let b = self.fresh();
                let longer = self.random.pick(&[
                    "<<B/bits, 0:1>> OP B",
                    "B OP <<B/bits, 5:3>>",
                    "{<<B/bits, 0>>} OP {B}",
                ]);
                let body = longer.replace("OP", op).replace('B', &b);
                self.x(&format!("((fun({b}) -> {body} end)(@))"), [bits])
            }
            7 => {
                // Tuples and maps of the same size, and what is like them.
                let [a, b] = [self.expr(Ty::Int, depth), self.expr(Ty::Int, depth)];
                let op = self.random.pick(&["==", "<", ">", "=<", ">="]);
                let pair = self.random.pick(&[
                    "({@} OP #{@ => x})",
                    "(#{@ => x} OP {@})",
                    "(#{} OP {@, @})",
                    "({a, @} OP #{a => 1, b => @})",
                    "([{@, b}] OP [#{@ => b}])",
                    // Keys of maps: integers come before floats.
                    "(#{@ => x} OP #{(@ * 1.0) => x})",
                    "(#{0.5 => x, (@ * 1.0) => y} OP #{@ => y, 0.5 => x})",
                    "(lists:sort([#{@ => 1}, {@}, #{}, {}, {z}]) OP [{}, {z}])",
                ]);
                self.x(&pair.replace("OP", op), [a, b])
            }
            6 => {
                // Integers of more than a word.
                let [a, b] = [self.expr(Ty::Int, depth), self.expr(Ty::Int, depth)];
                let op = self.random.pick(&["==", "/=", "=:=", "<", ">", "=<", ">="]);
                let far = self.random.pick(&["- 16#1FFFFFFFFFFFFFFFF", "bsl 66", "+ 16#1FFFFFFFFFFFFFFFF"]);
                self.x(&format!("((@ {far}) {op} (@ {far}))"), [a, b])
            }
            0..=2 => {
                let ty = self.ty();
                let other = if self.random.chance(70) { ty } else { self.ty() };
                let [a, b] = [self.expr(ty, depth), self.expr(other, depth)];
                let op = self.random.pick(&["==", "/=", "=:=", "=/=", "<", ">", "=<", ">="]);
                // The order of funs is nowhere said, and depends on what the compiler makes of them.
                let template = if ty.holds_funs() && op.contains(['<', '>']) {
                    "(@ OP support:san(@))"
                } else {
                    "(@ OP @)"
                };
                self.x(&template.replace("OP", op), [a, b])
            }
            3..=4 => {
                let [a, b] = [self.expr(Ty::Bool, depth), self.expr(Ty::Bool, depth)];
                let op = self.random.pick(&["andalso", "orelse", "and", "or", "xor"]);
                self.x(&format!("(@ {op} @)"), [a, b])
            }
            _ => {
                let a = self.expr(Ty::Bool, depth);
                self.x("(not @)", [a])
            }
        }
    }

    fn list(&mut self, depth: usize) -> Node {
        match self.random.below(8) {
            0..=2 => {
                let n = self.random.below(4);
                let items = (0..n).map(|_| self.expr(Ty::Any, depth)).collect();
                Node::many(Kind::Expr, "[", items, ", ", "]", 0)
            }
            3 => {
                let ty = if self.random.chance(85) { Ty::List } else { Ty::Any };
                let [a, b] = [self.expr(Ty::Any, depth), self.expr(ty, depth)];
                self.x("[@ | @]", [a, b])
            }
            4 => {
                let op = self.random.pick(&["++", "--"]);
                let [a, b] = [self.expr(Ty::List, depth), self.expr(Ty::List, depth)];
                self.x(&format!("(@ {op} @)"), [a, b])
            }
            _ => self.list_comprehension(Ty::Any, depth),
        }
    }

    fn integers(&mut self, depth: usize) -> Node {
        match self.random.below(4) {
            0 => {
                let n = self.random.below(5);
                let items = (0..n).map(|_| self.expr(Ty::Int, depth)).collect();
                Node::many(Kind::Expr, "[", items, ", ", "]", 0)
            }
            1 => {
                let [a, b] = [self.expr(Ty::Int, depth), self.expr(Ty::Ints, depth)];
                self.x("[@ | @]", [a, b])
            }
            _ => self.list_comprehension(Ty::Int, depth),
        }
    }

    fn map(&mut self, depth: usize) -> Node {
        let key = |g: &mut Self| match g.random.below(4) {
            0 => g.expr(Ty::Any, depth.min(1)),
            _ => Node::text(Kind::Expr, g.random.pick(&["a", "b", "c", "1", "\"k\""])),
        };
        let n = self.random.below(4);
        let exact = self.random.below(4) > 0;
        if exact {
            let pairs = (0..n)
                .map(|_| {
                    let [k, v] = [key(self), self.expr(Ty::Any, depth)];
                    Node::of(Kind::Other, "@ => @", [k, v])
                })
                .collect();
            return Node::many(Kind::Expr, "#{", pairs, ", ", "}", 0);
        }
        let base = self.expr(Ty::Map, depth);
        let pairs = (0..n.max(1))
            .map(|_| {
                let op = self.random.pick(&["=>", ":="]);
                let [k, v] = [key(self), self.expr(Ty::Any, depth)];
                Node::of(Kind::Other, &format!("@ {op} @"), [k, v])
            })
            .collect();
        let update = Node::many(Kind::Other, "#{", pairs, ", ", "}", 1);
        if self.random.chance(25) {
            // It never fails.
            let [a, b] = [self.expr(Ty::Any, depth.min(1)), self.expr(Ty::Any, depth)];
            return self.x("(#{a => @, b => 1})#{a := @}", [a, b]);
        }
        // Without a use OTP drops updates of maps, and with them their exceptions.
        Node::of(Kind::Expr, "support:id((@)@)", [base, update])
    }

    fn record(&mut self, depth: usize) -> Node {
        let field = self.random.pick(&["a", "b", "c"]);
        let v = self.expr(Ty::Any, depth);
        if self.random.chance(40) {
            return self.x(&format!("#r{{{field} = @}}"), [v]);
        }
        let base = self.expr(Ty::Record, depth);
        self.x(&format!("(@)#r{{{field} = @}}"), [base, v])
    }

    fn fun(&mut self, depth: usize) -> Node {
        let n = 1 + self.random.below(2);
        let ty = self.ty();
        let clauses = (0..n)
            .map(|_| {
                self.scoped(|g| {
                    let head = g.pattern(ty, 2);
                    let guard = g.when();
                    let body = g.body(Ty::Any, depth);
                    Node::of(Kind::Other, "(@)@ -> @", [head, guard, body])
                })
            })
            .collect();
        Node::many(Kind::Expr, "fun", clauses, "; ", " end", 1)
    }
}
