//! Control: everything that has clauses, bodies or calls in it.

use super::expr::{Gen, Ty};
use super::{Kind, Node};

impl Gen<'_> {
    /// An expression with control in it, that mostly gives the type.
    pub fn control(&mut self, ty: Ty, depth: usize) -> Node {
        match self.random.below(38) {
            0..=4 => self.case_of_pair(ty, depth),
            5..=7 => self.case_of_any(ty, depth),
            8 => self.if_expr(ty, depth),
            9..=13 => self.try_expr(ty, depth),
            14 => {
                let x = self.expr(ty, depth);
                let how = self.random.pick(&[
                    "(catch @)",
                    "(catch @)",
                    "(catch exit(@))",
                    "(catch throw(@))",
                    "(catch error(@))",
                ]);
                self.x(how, [x])
            }
            15..=18 => self.call(ty, depth),
            19..=20 => self.immediate_fun(ty, depth),
            21 => self.named_fun(depth),
            22..=24 => self.block(ty, depth),
            25 => self.maybe(ty, depth),
            26 => {
                let x = self.expr(ty, depth);
                self.x("support:id(@)", [x])
            }
            27 => self.raise(depth),
            28 => {
                let f = self.expr(Ty::Fun, depth);
                let x = self.expr(Ty::Any, depth);
                self.x("(@)(@)", [f, x])
            }
            29 => self.dynamic_apply(depth),
            30 => {
                let [k, v, x] = [self.expr(Ty::Atom, 0), self.expr(Ty::Any, depth), self.expr(ty, depth)];
                match self.random.below(3) {
                    0 => self.x("element(2, {put(@, @), @})", [k, v, x]),
                    1 => self
                        .x("case get(@) of undefined -> @; Other1 -> {@, Other1} end", [k, v, x])
                        .unique(self),
                    _ => self.x("element(2, {erase(@), @, @})", [k, v, x]),
                }
            }
            31 => self.filter_error(depth),
            32..=37 if self.effects => self.effect(ty, depth),
            _ => self.block(ty, depth),
        }
    }

    /// Expressions one after another; the variables they bind are seen by later ones only.
    pub fn body(&mut self, ty: Ty, depth: usize) -> Node {
        self.scoped(|g| {
            let mut items = Vec::new();
            for _ in 0..g.random.pick(&[0, 0, 0, 1, 1, 2]) {
                match g.random.below(5) {
                    0..=2 => {
                        let ty = g.ty();
                        let value = g.expr(ty, depth);
                        let name = g.bind(ty);
                        items.push(Node::of(Kind::Other, "@ = @", [name, value]));
                    }
                    3 => {
                        let mut binds = Vec::new();
                        let (value, pattern) = g.pair(depth, &mut binds);
                        g.vars.extend(binds);
                        items.push(Node::of(Kind::Other, "@ = @", [pattern, value]));
                    }
                    _ => {
                        let unused = g.expr(Ty::Any, depth);
                        items.push(Node::of(Kind::Expr, "support:id(@)", [unused]));
                    }
                }
            }
            items.push(g.expr(ty, depth));
            Node::many(Kind::Other, "", items, ",\n    ", "", 1)
        })
    }

    /// Clauses over values of a type.
    pub fn clauses(&mut self, ty: Ty, result: Ty, depth: usize) -> Vec<Node> {
        let n = 1 + self.random.below(3);
        (0..n).map(|_| self.clause(ty, result, depth)).collect()
    }

    fn clause(&mut self, ty: Ty, result: Ty, depth: usize) -> Node {
        self.scoped(|g| {
            let pattern = g.pattern(ty, 2);
            let guard = g.when();
            let body = g.body(result, depth);
            Node::of(Kind::Other, "@@ -> @", [pattern, guard, body])
        })
    }

    fn last_clause(&mut self, result: Ty, depth: usize) -> Node {
        let body = self.body(result, depth);
        Node::of(Kind::Other, "_ -> @", [body])
    }

    /// A clause for what was made, among others, and the value.
    fn fitting(&mut self, result: Ty, depth: usize) -> (Node, Vec<Node>) {
        let mut binds = Vec::new();
        let (value, pattern) = self.pair(depth.min(3), &mut binds);
        let fits = self.scoped(|g| {
            g.vars.extend(binds);
            let guard = g.when();
            let body = g.body(result, depth);
            Node::of(Kind::Other, "@@ -> @", [pattern, guard, body])
        });
        let mut clauses = vec![fits];
        if self.random.chance(35) {
            let ty = self.ty();
            let other = self.clause(ty, result, depth);
            clauses.insert(self.random.below(2), other);
        }
        if self.random.chance(70) {
            clauses.push(self.last_clause(result, depth));
        }
        (value, clauses)
    }

    fn case_of_pair(&mut self, ty: Ty, depth: usize) -> Node {
        let (value, clauses) = self.fitting(ty, depth);
        let value = if self.random.chance(50) { self.x("support:id(@)", [value]) } else { value };
        let clauses = Node::many(Kind::Other, "", clauses, ";\n    ", "", 1);
        self.x("case @ of @ end", [value, clauses])
    }

    fn case_of_any(&mut self, ty: Ty, depth: usize) -> Node {
        let subject = self.ty();
        let value = self.expr(subject, depth);
        let mut clauses = self.clauses(subject, ty, depth);
        if self.random.chance(25) {
            // A selection by constants.
            let n = 3 + self.random.below(4);
            clauses = (0..n)
                .map(|_| {
                    let constant =
                        self.literal(if matches!(subject, Ty::Int | Ty::Atom) { subject } else { Ty::Atom });
                    let body = self.expr(ty, depth.min(1));
                    Node::of(Kind::Other, &format!("{constant} -> @"), [body])
                })
                .collect();
        } else if self.random.chance(14) {
            return self.case_of_constant_lists(ty, depth);
        } else if self.random.chance(12) {
            // By arity.
            clauses = (0..4)
                .map(|n| {
                    let items = (0..n)
                        .map(|_| self.random.pick(&["_", "a", "1"]).to_string())
                        .collect::<Vec<_>>()
                        .join(", ");
                    let body = self.expr(ty, depth.min(1));
                    Node::of(Kind::Other, &format!("{{{items}}} -> @"), [body])
                })
                .collect();
        }
        if self.random.chance(75) {
            clauses.push(self.last_clause(ty, depth));
        }
        let clauses = Node::many(Kind::Other, "", clauses, ";\n    ", "", 1);
        self.x("case @ of @ end", [value, clauses])
    }

    /// Constant lists with the same beginnings, among cells, of which one is often looked at first.
    fn case_of_constant_lists(&mut self, ty: Ty, depth: usize) -> Node {
        const LISTS: [&str; 7] =
            ["[a, 1]", "[a, b]", "[a]", "[1, 2.0, b]", "[1, 2.0, c]", "[c, b, a, b]", "[c, b]"];
        const CELLS: [&str; 4] =
            ["[X | _] when X =:= a", "[X, _] when X =:= c", "[_ | X] when X =:= [2]", "[[X] | _]"];
        // Strings are constants in patterns, lists of other things are cells of them.
        const STRINGS: [&str; 7] = ["\"ab\"", "\"ac\"", "\"a\"", "\"abc\"", "\"abd\"", "\"cbab\"", "\"cb\""];
        let at = self.random.below(LISTS.len());
        let cell = self.random.below(5);
        let lists = if cell < 3 { STRINGS } else { LISTS };
        let value = lists[at];
        let own = self.random.below(5);
        let mut clauses: Vec<Node> = (0..5)
            .map(|at| {
                let x = self.fresh();
                let text = match at {
                    // (Where neither is, there is another list.)
                    0 if self.random.chance(50) => self.random.pick(&CELLS),
                    at if at == cell => self.random.pick(&CELLS),
                    at if at == own => value,
                    _ => self.random.pick(&lists),
                };
                let body = self.expr(ty, depth.min(1));
                Node::of(Kind::Other, &format!("{} -> {{{at}, @}}", text.replace('X', &x)), [body])
            })
            .collect();
        clauses.push(self.last_clause(ty, depth));
        let clauses = Node::many(Kind::Other, "", clauses, ";\n    ", "", 1);
        self.x(&format!("case support:id({value}) of @ end"), [clauses])
    }

    fn if_expr(&mut self, ty: Ty, depth: usize) -> Node {
        let n = 1 + self.random.below(2);
        let mut clauses: Vec<Node> = (0..n)
            .map(|_| {
                let test = self.test(2);
                let body = self.body(ty, depth);
                Node::of(Kind::Other, "@ -> @", [test, body])
            })
            .collect();
        if self.random.chance(75) {
            let body = self.body(ty, depth);
            clauses.push(Node::of(Kind::Other, "true -> @", [body]));
        }
        Node::many(Kind::Expr, "if ", clauses, "; ", " end", 1)
    }

    fn try_expr(&mut self, ty: Ty, depth: usize) -> Node {
        let (body, of) = if self.random.chance(35) {
            let (value, clauses) = self.fitting(ty, depth);
            (value, Node::many(Kind::Other, " of ", clauses, "; ", "", 1))
        } else {
            let body = if self.random.chance(12) { self.raise(depth) } else { self.body(ty, depth) };
            (body, Node::text(Kind::Other, ""))
        };
        let after = if self.random.chance(25) {
            let x = self.expr(Ty::Any, depth.min(1));
            Node::of(Kind::Other, " after @", [x])
        } else {
            Node::text(Kind::Other, "")
        };
        let n = self.random.below(3);
        let mut handlers: Vec<Node> = (0..n).map(|_| self.handler(ty, depth)).collect();
        if self.random.chance(60)
            || (handlers.is_empty() && matches!(after.parts.as_slice(), [super::Part::Text(_)]))
        {
            handlers.push(self.last_handler(ty, depth));
        }
        if handlers.is_empty() {
            return self.x("try @@@ end", [body, of, after]);
        }
        let handlers = Node::many(Kind::Other, " catch ", handlers, ";\n    ", "", 1);
        self.x("try @@@@ end", [body, of, handlers, after])
    }

    fn handler(&mut self, ty: Ty, depth: usize) -> Node {
        self.scoped(|g| {
            let class = g.random.pick(&["error:", "throw:", "exit:", "_:", ""]);
            let pattern = match g.random.below(3) {
                0 => {
                    let inner = g.pattern(Ty::Any, 1);
                    let tag = g.random.pick(&[
                        "badmatch",
                        "case_clause",
                        "badkey",
                        "badmap",
                        "try_clause",
                        "badarity",
                    ]);
                    Node::of(Kind::Pattern, &format!("{{{tag}, @}}"), [inner])
                }
                1 => Node::text(
                    Kind::Pattern,
                    g.random.pick(&["badarith", "badarg", "function_clause", "undef"]),
                ),
                // Simple patterns only: anything larger would have to be in parentheses.
                _ => g.bind(Ty::Any),
            };
            let guard = g.when();
            let body = g.body(ty, depth);
            Node::of(Kind::Other, &format!("{class}@@ -> @"), [pattern, guard, body])
        })
    }

    fn last_handler(&mut self, ty: Ty, depth: usize) -> Node {
        let [c, r, s] = [self.fresh(), self.fresh(), self.fresh()];
        match self.random.below(6) {
            0..=1 => Node::text(Kind::Other, format!("{c}:{r}:{s} -> {{{c}, {r}, support:frames({s})}}")),
            2 => Node::text(Kind::Other, format!("{c}:{r}:{s} -> erlang:raise({c}, {{again, {r}}}, {s})")),
            3 => Node::text(Kind::Other, format!("{c}:{r}:{s} -> erlang:raise({c}, {r}, {s})")),
            4 => self.scoped(|g| {
                g.vars.push((c.clone(), Ty::Atom));
                g.vars.push((r.clone(), Ty::Any));
                let x = g.body(ty, depth);
                Node::of(Kind::Other, &format!("{c}:{r} -> @"), [x])
            }),
            _ => self.scoped(|g| {
                g.vars.push((r.clone(), Ty::Any));
                let x = g.expr(ty, depth);
                Node::of(Kind::Other, &format!("_:{r}:{s} -> {{@, support:frames({s})}}"), [x])
            }),
        }
    }

    fn raise(&mut self, depth: usize) -> Node {
        let x = self.expr(Ty::Any, depth);
        let how = self.random.pick(&[
            "throw(@)",
            "error(@)",
            "exit(@)",
            "erlang:raise(error, @, [])",
            "erlang:raise(exit, @, [{m, f, 1, []}])",
            "erlang:raise(bad, @, [])",
            "error({badmatch, @})",
        ]);
        self.x(how, [x])
    }

    /// A generator or a filter that is none.
    fn filter_error(&mut self, depth: usize) -> Node {
        let x = self.expr(Ty::Any, depth);
        let v = self.fresh();
        match self.random.below(4) {
            0 => self.x(&format!("[{v} || {v} <- @]"), [x]),
            1 => self.x(&format!("[{v} || {v} <- [1, 2], support:id(@)]"), [x]),
            2 => self.x(&format!("[{v} || <<{v}>> <= @]"), [x]),
            _ => self.x(&format!("<< <<{v}>> || {v} <- @ >>"), [x]),
        }
    }

    fn call(&mut self, ty: Ty, depth: usize) -> Node {
        let of: Vec<usize> = (0..self.functions.len()).filter(|f| self.functions[*f].result == ty).collect();
        let chosen = if of.is_empty() || self.random.chance(20) {
            self.random.below(self.functions.len())
        } else {
            of[self.random.below(of.len())]
        };
        let Some(signature) = self.functions.get(chosen).cloned() else {
            return self.block(ty, depth);
        };
        let args = self.exprs(&signature.params, depth);
        let how = self.random.below(8);
        let args = Node::many(Kind::Other, "", args, ", ", "", signature.params.len());
        let (name, arity) = (&signature.name, signature.params.len());
        let template = match how {
            0 => format!("?MODULE:{name}(@)"),
            1 => format!("(fun {name}/{arity})(@)"),
            2 => format!("apply(?MODULE, {name}, [@])"),
            3 => format!("(support:id(?MODULE)):{name}(@)"),
            4 => format!("(fun ?MODULE:{name}/{arity})(@)"),
            _ => format!("{name}(@)"),
        };
        self.x(&template, [args])
    }

    fn dynamic_apply(&mut self, depth: usize) -> Node {
        let [x, y] = [self.expr(Ty::List, depth), self.expr(Ty::Any, depth)];
        let name = self.random.pick(&["reverse", "nope", "sort", "last", "length"]);
        // (Where a native fails that was called by a name computed at run time, OTP 25 names the line of what comes next, if that is a
        // call or an operator: here it is a call on the same line.)
        let how = self.random.pick(&[
            "support:id(lists:(support:id(NAME))(@))",
            "support:id((support:id(lists)):NAME(@))",
            "support:id((support:id(erlang)):(support:id(NAME))(@))",
            "support:id(apply(lists, NAME, [@]))",
            "support:id(apply(lists, NAME, @))",
            "(fun lists:NAME/1)(@)",
            "lists:NAME(@)",
        ]);
        if self.random.chance(50)
            && let Some(module) = self.variable(Ty::Any)
            && let Some(argument) = self.variable(Ty::Any)
        {
            return self.x("@:f(@)", [module, argument]);
        }
        if self.random.chance(20) {
            return self.x("(support:id(@)):f(@)", [y, x]);
        }
        self.x(&how.replace("NAME", name), [x])
    }

    fn immediate_fun(&mut self, ty: Ty, depth: usize) -> Node {
        let arg = self.ty();
        let x = self.expr(arg, depth);
        if self.random.chance(25) {
            // What is captured is reached through the fun alone, after other things were built.
            let [c, f, a, d] = [self.fresh(), self.fresh(), self.fresh(), self.fresh()];
            let [y, z] = [self.expr(Ty::Any, depth.min(1)), self.expr(Ty::Any, depth.min(1))];
            let template = format!(
                "begin {f} = begin {c} = {{@, [support:id(@)]}}, fun({a}) -> {{{a}, {c}}} end end, \
                 {d} = [lists:reverse(lists:seq(1, 30)), support:id({f}), @], {{support:id({f}(1)), {d}}} end"
            );
            return self.x(&template, [x, y, z]);
        }
        let clauses = (0..1 + self.random.below(2))
            .map(|_| {
                self.scoped(|g| {
                    let pattern = g.pattern(arg, 2);
                    let guard = g.when();
                    let body = g.body(ty, depth);
                    Node::of(Kind::Other, "(@)@ -> @", [pattern, guard, body])
                })
            })
            .collect();
        let fun = Node::many(Kind::Expr, "fun", clauses, "; ", " end", 1);
        if self.random.chance(30) {
            let name = self.fresh();
            return self.x(&format!("begin {name} = @, {name}(@) end"), [fun, x]);
        }
        self.x("(@)(@)", [fun, x])
    }

    fn named_fun(&mut self, depth: usize) -> Node {
        let [f, n, a] = [self.fresh(), self.fresh(), self.fresh()];
        let start = self.expr(Ty::Any, depth);
        let rounds = self.random.below(6);
        let step = self.scoped(|g| {
            g.vars.push((n.clone(), Ty::Int));
            g.vars.push((a.clone(), Ty::Any));
            let effects = std::mem::replace(&mut g.effects, false);
            let step = g.expr(Ty::Any, depth.min(2));
            g.effects = effects;
            step
        });
        let tail =
            if self.random.chance(50) { format!("{f}({n} - 1, @)") } else { format!("[{f}({n} - 1, @)]") };
        let template =
            format!("(fun {f}(0, {a}) -> {a}; {f}({n}, {a}) when {n} > 0 -> {tail} end)({rounds}, @)");
        self.x(&template, [step, start])
    }

    fn block(&mut self, ty: Ty, depth: usize) -> Node {
        let body = self.body(ty, depth);
        self.x("begin @ end", [body])
    }

    fn maybe(&mut self, ty: Ty, depth: usize) -> Node {
        let (items, last) = self.scoped(|g| {
            let mut items = Vec::new();
            for _ in 0..1 + g.random.below(2) {
                let mut binds = Vec::new();
                let (value, pattern) = g.pair(depth.min(2), &mut binds);
                if g.random.chance(70) {
                    g.vars.extend(binds);
                    items.push(Node::of(Kind::Other, "@ ?= @", [pattern, value]));
                } else {
                    items.push(value);
                }
            }
            (items, g.expr(ty, depth))
        });
        let items = Node::many(Kind::Other, "", items, ", ", "", 1);
        if self.random.chance(50) {
            return self.x("maybe @, @ end", [items, last]);
        }
        let mut clauses = self.clauses(Ty::Any, ty, depth);
        if self.random.chance(60) {
            clauses.push(self.last_clause(ty, depth));
        }
        let clauses = Node::many(Kind::Other, "", clauses, "; ", "", 1);
        self.x("maybe @, @ else @ end", [items, last, clauses])
    }

    /// `[... || ...]`
    pub fn list_comprehension(&mut self, ty: Ty, depth: usize) -> Node {
        let effects = std::mem::replace(&mut self.effects, false);
        let made = self.scoped(|g| {
            let qualifiers = g.qualifiers(depth);
            let template = g.expr(ty, depth);
            Node::of(Kind::Expr, "[@ || @]", [template, qualifiers])
        });
        self.effects = effects;
        made
    }

    /// Generators and filters; what they bind is in scope afterwards.
    pub fn qualifiers(&mut self, depth: usize) -> Node {
        let mut items = Vec::new();
        for at in 0..1 + self.random.below(2) {
            let depth = if at == 0 { depth } else { depth.min(1) };
            if self.random.chance(60) {
                let ty = self.random.pick(&[Ty::List, Ty::Ints]);
                let list = self.expr(ty, depth);
                let list = if self.random.chance(85) { self.x("support:list(@)", [list]) } else { list };
                let pattern = self.pattern(if ty == Ty::Ints { Ty::Int } else { Ty::Any }, 1);
                items.push(Node::of(Kind::Other, "@ <- @", [pattern, list]));
            } else {
                let source = self.expr(Ty::Bits, depth);
                let [a, b] = [self.fresh(), self.fresh()];
                let n = 1 + self.random.below(12);
                let (text, binds) = match self.random.below(5) {
                    0 => (format!("<<{a}:{n}>>"), vec![(a, Ty::Int)]),
                    1 => (format!("<<{a}:2, {b}:{n}/signed-little>>"), vec![(a, Ty::Int), (b, Ty::Int)]),
                    2 => (format!("<<{a}:3/bits, 1:1>>"), vec![(a, Ty::Bits)]),
                    3 => (format!("<<{a}, {b}:{a}/bits>>"), vec![(a, Ty::Int), (b, Ty::Bits)]),
                    _ => (format!("<<{a}/utf8>>"), vec![(a, Ty::Int)]),
                };
                self.vars.extend(binds);
                items.push(Node::of(Kind::Other, &format!("{text} <= @"), [source]));
            }
            if self.random.chance(30) {
                let filter =
                    if self.random.chance(70) { self.test(1) } else { self.expr(Ty::Bool, depth.min(1)) };
                let mut text = String::new();
                filter.write(&mut text);
                // Guards since OTP 26, so that what they give is no bad filter any more.
                let newer = ["min(", "max("].iter().any(|name| text.contains(name));
                items.push(if newer { self.x("support:id(@)", [filter]) } else { filter });
            }
        }
        Node::many(Kind::Other, "", items, ", ", "", 1)
    }
}

impl Node {
    /// With names of its own for the variables that a template spelt out.
    fn unique(mut self, gen_: &mut Gen<'_>) -> Node {
        let number = gen_.fresh();
        for part in &mut self.parts {
            if let super::Part::Text(text) = part {
                *text = text.replace("Other1", &format!("Other{number}"));
            }
        }
        self
    }
}
