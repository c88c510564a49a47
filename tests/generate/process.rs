//! Processes and tables: protocols with one outcome, whatever the order in which things happen.

use super::expr::{Gen, Ty};
use super::{Kind, Node};

impl Gen<'_> {
    /// An expression that makes processes or tables.
    pub fn effect(&mut self, ty: Ty, depth: usize) -> Node {
        let n = self.fresh();
        match self.random.below(17) {
            0..=1 => self.receive_pair(ty, depth),
            2 => self.receive_many(ty, depth),
            3 => {
                let [x, y] = [self.expr(Ty::Any, depth), self.expr(Ty::Any, depth)];
                self.own(
                    &n,
                    "begin A~ = @, {P~, M~} = spawn_monitor(fun() -> receive {F~, X~} -> F~ ! {self(), {X~, @}} end end), P~ ! {self(), A~}, \
                     receive {P~, R~} -> demonitor(M~, [flush]), R~; {'DOWN', M~, _, _, R~} -> support:san(R~) end end",
                    [x, y],
                )
            }
            4..=5 => {
                let x = self.expr(Ty::Any, depth);
                self.own(
                    &n,
                    "begin {P~, M~} = spawn_monitor(fun() -> @ end), receive {'DOWN', M~, process, P~, R~} -> support:san(R~) end end",
                    [x],
                )
            }
            6 => {
                let x = self.expr(Ty::Any, depth);
                let end = self.random.pick(&["exit(@)", "@", "error(@)", "throw(@)"]);
                let template = "begin process_flag(trap_exit, true), P~ = spawn_link(fun() -> END end), \
                                receive {'EXIT', P~, R~} -> process_flag(trap_exit, false), support:san(R~) end end";
                self.own(&n, &template.replace("END", end), [x])
            }
            7 => {
                let [x, y] = [self.expr(Ty::Any, depth), self.expr(Ty::Any, depth.min(1))];
                let how = self.random.pick(&[
                    "begin R~ = make_ref(), self() ! {R~, @}, self() ! @, receive {R~, X~} -> X~ end end",
                    "begin self() ! {old, @}, receive {nothing, 7} -> a after 0 -> b end, R~ = make_ref(), self() ! {new, R~, @}, \
                     [receive {new, R~, X~} -> {1, X~}; {old, X~} -> {2, X~} end, receive {new, R~, Y~} -> {1, Y~}; {old, Y~} -> {2, Y~} end] end",
                    // What another clause takes is older than the reference, and was in the mailbox when that was made.
                    "begin Y~ = @, self() ! Y~, receive {nothing, 7} -> a after 0 -> b end, R~ = make_ref(), self() ! {R~, @}, \
                     receive {R~, X~} -> X~; Z~ -> {older, Z~, receive {R~, X~} -> X~ end} end end",
                    "begin self() ! {a, @}, receive {nothing, 7} -> a after 0 -> b end, R~ = make_ref(), self() ! {b, R~, @}, \
                     {receive {b, R~, X~} -> X~; {c, R~} -> c end, receive {a, Y~} -> Y~ end} end",
                    "begin self() ! [1, {x, @}], R~ = make_ref(), self() ! #{r => R~, v => @}, \
                     {receive #{r := R~, v := X~} -> X~; [_, {y, Y~}] -> Y~ end, receive [_, {x, Z~}] -> Z~ end} end",
                ]);
                self.own(&n, how, [x, y])
            }
            8 => {
                let [x, y, z] =
                    [self.expr(Ty::Any, depth), self.expr(Ty::Any, depth), self.expr(Ty::Any, depth)];
                self.own(
                    &n,
                    // (What is in the messages is made before there are others.)
                    "begin B~ = @, C~ = @, D~ = @, {S~, M~} = spawn_monitor(fun() -> (fun L~(S~) -> receive {add, X~} -> L~([X~ | S~]); {get, F~} -> F~ ! {self(), S~}, L~(S~); stop -> ok end end)([D~]) end), \
                     S~ ! {add, B~}, S~ ! {add, C~}, S~ ! {get, self()}, \
                     receive {S~, A~} -> S~ ! stop, receive {'DOWN', M~, _, _, R~} -> {A~, support:san(R~)} end; {'DOWN', M~, _, _, R~} -> support:san(R~) end end",
                    [x, y, z],
                )
            }
            9 => {
                let x = self.expr(Ty::Any, depth);
                let reason = self.random.pick(&["kill", "normal", "shutdown", "{bad, 1}"]);
                // Only what does nothing is waited for in time: a busy machine may be late with the rest.
                let time = if reason == "normal" { "30" } else { "infinity" };
                let template = "begin {P~, M~} = spawn_monitor(fun() -> receive never -> @ after TIME -> timely end end), exit(P~, REASON), \
                                receive {'DOWN', M~, _, _, R~} -> support:san(R~) end end";
                self.own(&n, &template.replace("REASON", reason).replace("TIME", time), [x])
            }
            10 => {
                let x = self.expr(ty, depth);
                let how = self.random.pick(&[
                    "begin P~ = spawn(fun() -> ok end), M~ = monitor(process, P~), receive {'DOWN', M~, _, _, _} -> ok end, \
                     {P~ ! {x, 1}, is_process_alive(P~), @} end",
                    "begin register(name_~, self()), try name_~ ! @, receive X~ -> {X~, whereis(name_~) =:= self()} end after unregister(name_~) end end",
                    "(catch nobody ! @)",
                    "begin erlang:send_after(0, self(), {t, @}), receive {t, X~} -> X~ end end",
                    "begin T~ = erlang:start_timer(1, self(), @), receive {timeout, T~, X~} -> X~ end end",
                    "receive {nothing, ~} -> a after 0 -> @ end",
                    "receive after 1 -> @ end",
                    "(catch link(list_to_pid(\"<0.5.8191>\"))) =:= @",
                    "receive after @ -> ok end",
                    "erlang:send(self(), @) =:= receive Z~ -> Z~ end",
                    "begin A~ = alias(), A~ ! @, receive B~ -> unalias(A~), B~ end end",
                ]);
                if how == "receive after @ -> ok end" {
                    let x = self.expr(Ty::Bool, depth);
                    return self.own(&n, how, [x]);
                }
                self.own(&n, &how.replace("{nothing, ~}", "{nothing, 7}"), [x])
            }
            11..=13 => self.table(&n, depth),
            16 => {
                let [x, y] = [self.expr(Ty::Any, depth), self.expr(Ty::Any, depth.min(1))];
                let how = self.random.pick(&[
                    // The failure shows a term that was built before the message came.
                    "begin T~ = {@, 1}, self() ! {m, @}, receive {m, Z~} -> {_} = T~ end end",
                    "begin T~ = [@ | b], self() ! {@, T~}, receive {Z~, [_ | b]} -> {Z~} = T~ end end",
                    "begin A~ = @, B~ = @, self() ! {A~, [B~, {A~, B~}], #{k => A~}}, \
                     receive {Z~, [Y~, {Z~, Y~} = X~], #{k := Z~} = M~} when is_map(M~) -> {X~, [M~ | Y~]} end end",
                    "begin A~ = @, self() ! {A~, [{A~, @}]}, \
                     receive {Z~, [W~]} when {Z~, 1} =:= W~ -> same; {Z~, [{_, Y~} = W~]} -> [Z~, W~ | Y~] end end",
                ]);
                self.own(&n, how, [x, y])
            }
            14 => {
                let x = self.expr(Ty::Any, depth);
                let name = self.signature_name();
                self.own(&n, &format!("begin {{P~, M~}} = spawn_monitor(?MODULE, {name}, [@]), receive {{'DOWN', M~, _, P~, R~}} -> support:san(R~) end end"), [x])
            }
            _ => {
                let [x, y] = [self.expr(Ty::List, depth), self.expr(Ty::Any, depth)];
                // What raises is evaluated before there are processes: what is left of those would be a matter of time.
                self.own(
                    &n,
                    "begin Me~ = self(), Es~ = support:list(@), Ps~ = [spawn_monitor(fun() -> Me~ ! {self(), {E~, @}} end) || E~ <- Es~], \
                     [receive {P~, V~} -> demonitor(M~, [flush]), V~; {'DOWN', M~, _, _, R~} -> support:san(R~) end || {P~, M~} <- Ps~] end",
                    [x, y],
                )
            }
        }
    }

    fn signature_name(&mut self) -> String {
        let n = self.random.below(self.functions.len());
        self.functions.get(n).map_or("none".to_string(), |f| f.name.clone())
    }

    /// Text in which `~` stands for a number of its own.
    fn own(&mut self, number: &str, template: &str, nodes: impl IntoIterator<Item = Node>) -> Node {
        Node::of(Kind::Expr, &template.replace('~', number), nodes)
    }

    fn receive_pair(&mut self, ty: Ty, depth: usize) -> Node {
        let mut binds = Vec::new();
        let (value, pattern) = self.pair(depth.min(3), &mut binds);
        let clause = self.scoped(|g| {
            g.vars.extend(binds);
            let guard = g.when();
            let body = g.body(ty, depth);
            Node::of(Kind::Other, "@@ -> @", [pattern, guard, body])
        });
        let mut clauses = vec![clause];
        if self.random.chance(40) {
            let other = self.clauses(Ty::Any, ty, depth);
            clauses.extend(other);
        }
        let after = self.expr(ty, depth.min(1));
        let clauses = Node::many(Kind::Other, "", clauses, ";\n    ", "", 1);
        let other = self.expr(Ty::Any, depth.min(1));
        match self.random.below(3) {
            0 => self.x("begin self() ! @, receive @ after 0 -> @ end end", [value, clauses, after]),
            1 => self.x(
                "begin self() ! @, self() ! @, receive @ after 0 -> @ end end",
                [other, value, clauses, after],
            ),
            _ => {
                let n = self.fresh();
                // The message may come before the wait or in it. Behind it there comes another one, rather than a time-out, which a busy
                // machine may miss; whether that one is there or not is the same to what follows, unless that looks at messages itself.
                let template = if looks_at_messages(&clauses) {
                    "begin Me~ = self(), A~ = alias(), R~ = make_ref(), P~ = spawn(fun() -> try Me~ ! @ after A~ ! {R~, last} end end), \
                     M~ = monitor(process, P~), receive {'DOWN', M~, _, _, _} -> unalias(A~) end, \
                     try receive @; {R~, last} -> @ end after receive {R~, last} -> ok after 0 -> ok end end end"
                } else {
                    "begin Me~ = self(), A~ = alias(), R~ = make_ref(), P~ = spawn(fun() -> try Me~ ! @ after A~ ! {R~, last} end end), \
                     try receive @; {R~, last} -> @ end after M~ = monitor(process, P~), receive {'DOWN', M~, _, _, _} -> unalias(A~) end, receive {R~, last} -> ok after 0 -> ok end end end"
                };
                self.own(&n, template, [value, clauses, after])
            }
        }
    }

    fn receive_many(&mut self, ty: Ty, depth: usize) -> Node {
        let n = 1 + self.random.below(3);
        let sends = (0..n)
            .map(|_| {
                let x = self.expr(Ty::Any, depth);
                Node::of(Kind::Other, "self() ! @", [x])
            })
            .collect();
        let sends = Node::many(Kind::Other, "", sends, ", ", "", 1);
        let clauses = self.clauses(Ty::Any, ty, depth);
        let clauses = Node::many(Kind::Other, "", clauses, "; ", "", 1);
        let after = self.expr(ty, depth.min(1));
        self.x("begin @, receive @ after 0 -> @ end end", [sends, clauses, after])
    }

    fn table(&mut self, n: &str, depth: usize) -> Node {
        let kind = self.random.pick(&["set", "ordered_set", "bag", "duplicate_bag"]);
        let [a, b, c] = [self.expr(Ty::Any, depth), self.expr(Ty::Any, depth), self.expr(Ty::Any, depth)];
        let what = self.random.pick(&[
            "ets:lookup(T~, @)",
            "lists:sort(ets:tab2list(T~))",
            "ets:member(T~, @)",
            "lists:sort(ets:match(T~, {'$1', '_'}))",
            "lists:sort(ets:select(T~, [{{'$1', '$2'}, [{is_atom, '$1'}], [{{'$2', '$1'}}]}]))",
            "lists:sort(ets:match_object(T~, {a, '_'}))",
            "ets:update_counter(T~, @, 1)",
            "(catch ets:update_counter(T~, c, {2, @}))",
            "ets:insert_new(T~, {@, 1})",
            "ets:update_element(T~, @, {2, z})",
            "ets:take(T~, @)",
            "ets:delete(T~, @)",
            "ets:lookup_element(T~, @, 2)",
            "ets:info(T~, size)",
            "ets:insert(T~, @)",
            "ets:select_delete(T~, [{{'$1', '_'}, [{'>', '$1', {const, @}}], [true]}])",
            "ets:foldl(fun(_, N~) -> N~ + 1 end, 0, T~)",
        ]);
        let nodes: Vec<Node> =
            if what.contains('@') { vec![a, b, c, self.expr(Ty::Any, depth)] } else { vec![a, b, c] };
        let template = format!(
            "begin T~ = ets:new(t, [{kind}, public]), ets:insert(T~, [{{@, @}}, {{c, 1}}, {{a, @}}]), {{{what}, lists:sort(ets:tab2list(T~)), ets:delete(T~)}} end"
        );
        self.own(n, &template, nodes)
    }
}

/// Whether code may receive: by itself, or in a function of the module.
fn looks_at_messages(code: &Node) -> bool {
    let mut text = String::new();
    code.write(&mut text);
    text.contains("receive")
        || text.as_bytes().windows(2).any(|pair| pair[0] == b'f' && pair[1].is_ascii_digit())
}
