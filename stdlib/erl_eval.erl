%% Evaluating expressions in the abstract format.
%%
%% A walk over the forms. Bindings are a map or an ordered list of pairs, as the caller gives them. What is called without a
%% module is left to the local handler, unless the language knows it; remote calls go to the other handler, if there is one.
-module(erl_eval).

-export([exprs/2, exprs/3, exprs/4, expr/2, expr/3, expr/4, expr/5, expr_list/2, expr_list/3, expr_list/4, new_bindings/0,
         bindings/1, binding/2, add_binding/3, del_binding/2, match_clause/4, partial_eval/1]).
-export_type([binding_struct/0, bindings/0]).

-type bindings() :: [{term(), term()}].
-type binding_struct() :: orddict:orddict() | map().
-type handler() :: none | {value, fun()} | {eval, fun()}.

%% The handlers; in a head that binds anew, the bindings its sizes and keys see.
-record(calls, {local = none, remote = none, outer = none}).

-spec exprs([erl_parse:abstract_expr()], binding_struct()) -> {value, term(), binding_struct()}.
exprs(Exprs, Bindings) -> exprs(Exprs, Bindings, none, none).

-spec exprs([erl_parse:abstract_expr()], binding_struct(), handler()) -> {value, term(), binding_struct()}.
exprs(Exprs, Bindings, Local) -> exprs(Exprs, Bindings, Local, none).

-spec exprs([erl_parse:abstract_expr()], binding_struct(), handler(), handler()) -> {value, term(), binding_struct()}.
exprs(Exprs, Bindings, Local, Remote) ->
    {Value, After} = body(Exprs, Bindings, #calls{local = Local, remote = Remote}),
    {value, Value, After}.

-spec expr(erl_parse:abstract_expr(), binding_struct()) -> {value, term(), binding_struct()}.
expr(Expr, Bindings) -> expr(Expr, Bindings, none, none, none).

-spec expr(erl_parse:abstract_expr(), binding_struct(), handler()) -> {value, term(), binding_struct()}.
expr(Expr, Bindings, Local) -> expr(Expr, Bindings, Local, none, none).

-spec expr(erl_parse:abstract_expr(), binding_struct(), handler(), handler()) -> {value, term(), binding_struct()}.
expr(Expr, Bindings, Local, Remote) -> expr(Expr, Bindings, Local, Remote, none).

-spec expr(erl_parse:abstract_expr(), binding_struct(), handler(), handler(), none | value) ->
          {value, term(), binding_struct()} | term().
expr(Expr, Bindings, Local, Remote, Wanted) when Wanted =:= none; Wanted =:= value ->
    {Value, After} = eval(Expr, Bindings, #calls{local = Local, remote = Remote}),
    case Wanted of
        none -> {value, Value, After};
        value -> Value
    end.

-spec expr_list([erl_parse:abstract_expr()], binding_struct()) -> {[term()], binding_struct()}.
expr_list(Exprs, Bindings) -> expr_list(Exprs, Bindings, none, none).

-spec expr_list([erl_parse:abstract_expr()], binding_struct(), handler()) -> {[term()], binding_struct()}.
expr_list(Exprs, Bindings, Local) -> expr_list(Exprs, Bindings, Local, none).

-spec expr_list([erl_parse:abstract_expr()], binding_struct(), handler(), handler()) -> {[term()], binding_struct()}.
expr_list(Exprs, Bindings, Local, Remote) -> parts(Exprs, Bindings, #calls{local = Local, remote = Remote}).

%%% Bindings

-spec new_bindings() -> binding_struct().
new_bindings() -> orddict:new().

-spec bindings(binding_struct()) -> bindings().
bindings(Bindings) when is_map(Bindings) -> maps:to_list(Bindings);
bindings(Bindings) -> orddict:to_list(Bindings).

-spec binding(term(), binding_struct()) -> {value, term()} | unbound.
binding(Name, Bindings) when is_map(Bindings) ->
    case Bindings of
        #{Name := Value} -> {value, Value};
        _ -> unbound
    end;
binding(Name, Bindings) ->
    case orddict:find(Name, Bindings) of
        {ok, Value} -> {value, Value};
        error -> unbound
    end.

-spec add_binding(term(), term(), binding_struct()) -> binding_struct().
add_binding(Name, Value, Bindings) when is_map(Bindings) -> Bindings#{Name => Value};
add_binding(Name, Value, Bindings) -> orddict:store(Name, Value, Bindings).

-spec del_binding(term(), binding_struct()) -> binding_struct().
del_binding(Name, Bindings) when is_map(Bindings) -> maps:remove(Name, Bindings);
del_binding(Name, Bindings) -> orddict:erase(Name, Bindings).

%% Bindings of parts that do not see each other: equal ones must agree.
merged(New, Old) ->
    lists:foldl(fun({Name, Value}, Bindings) ->
                    case binding(Name, Bindings) of
                        unbound -> add_binding(Name, Value, Bindings);
                        {value, Value} -> Bindings;
                        {value, _} -> error({badmatch, Value})
                    end
                end, Old, bindings(New)).

%%% Expressions

body([Expr], Bindings, Calls) -> eval(Expr, Bindings, Calls);
body([Expr | Exprs], Bindings, Calls) ->
    {_, After} = eval(Expr, Bindings, Calls),
    body(Exprs, After, Calls).

%% Each part sees what was bound before all of them.
parts(Exprs, Bindings, Calls) ->
    {Values, After} =
        lists:foldl(fun(Expr, {Values, Gathered}) ->
                        {Value, New} = eval(Expr, Bindings, Calls),
                        {[Value | Values], merged(New, Gathered)}
                    end, {[], Bindings}, Exprs),
    {lists:reverse(Values), After}.

eval({var, _, Name}, Bindings, _) ->
    case binding(Name, Bindings) of
        {value, Value} -> {Value, Bindings};
        unbound -> error({unbound_var, Name})
    end;
eval({Leaf, _, Value}, Bindings, _)
  when Leaf =:= char; Leaf =:= integer; Leaf =:= float; Leaf =:= atom; Leaf =:= string ->
    {Value, Bindings};
eval({nil, _}, Bindings, _) -> {[], Bindings};
eval({cons, _, Head, Tail}, Bindings, Calls) ->
    {[H, T], After} = parts([Head, Tail], Bindings, Calls),
    {[H | T], After};
eval({tuple, _, Elements}, Bindings, Calls) ->
    {Values, After} = parts(Elements, Bindings, Calls),
    {list_to_tuple(Values), After};
eval({map, _, Fields}, Bindings, Calls) ->
    {Given, After} = fields(Fields, Bindings, Calls),
    {updated(Given, #{}), After};
eval({map, _, Base, Fields}, Bindings, Calls) ->
    {Map, After} = eval(Base, Bindings, Calls),
    {Given, Bound} = fields(Fields, Bindings, Calls),
    is_map(Map) orelse error({badmap, Map}),
    {updated(Given, Map), merged(Bound, After)};
eval({bin, _, Segments}, Bindings, Calls) ->
    {value, Value, After} = eval_bits:expr_grp(Segments, Bindings, evaluator(Calls)),
    {Value, After};
eval({match, _, Pattern, Expr}, Bindings, Calls) ->
    {Value, After} = eval(Expr, Bindings, Calls),
    case match(Pattern, Value, After, Calls) of
        {match, Bound} -> {Value, Bound};
        nomatch -> error({badmatch, Value})
    end;
eval({op, _, Op, Left, Right}, Bindings, Calls) when Op =:= 'andalso'; Op =:= 'orelse' ->
    {Value, After} = eval(Left, Bindings, Calls),
    case {Op, Value} of
        {'andalso', true} -> {element(1, eval(Right, After, Calls)), After};
        {'andalso', false} -> {false, After};
        {'orelse', true} -> {true, After};
        {'orelse', false} -> {element(1, eval(Right, After, Calls)), After};
        _ -> error({badarg, Value})
    end;
eval({op, _, Op, Operand}, Bindings, Calls) ->
    {Value, After} = eval(Operand, Bindings, Calls),
    {erlang:Op(Value), After};
eval({op, _, Op, Left, Right}, Bindings, Calls) ->
    {[L, R], After} = parts([Left, Right], Bindings, Calls),
    {erlang:Op(L, R), After};
eval({'catch', _, Expr}, Bindings, Calls) ->
    try eval(Expr, Bindings, Calls)
    catch
        throw:Value -> {Value, Bindings};
        exit:Reason -> {{'EXIT', Reason}, Bindings};
        error:Reason:Stack -> {{'EXIT', {Reason, Stack}}, Bindings}
    end;
eval({block, _, Exprs}, Bindings, Calls) -> body(Exprs, Bindings, Calls);
eval({'if', _, Clauses}, Bindings, Calls) ->
    case chosen(Clauses, [], Bindings, Calls) of
        {Body, Bound} -> body(Body, Bound, Calls);
        nomatch -> error(if_clause)
    end;
eval({'case', _, Expr, Clauses}, Bindings, Calls) ->
    {Value, After} = eval(Expr, Bindings, Calls),
    case chosen(Clauses, [Value], After, Calls) of
        {Body, Bound} -> body(Body, Bound, Calls);
        nomatch -> error({case_clause, Value})
    end;
eval({'receive', _, Clauses}, Bindings, Calls) -> wait(Clauses, Bindings, infinity, [], Calls);
eval({'receive', _, Clauses, Time, Body}, Bindings, Calls) ->
    {Timeout, After} = eval(Time, Bindings, Calls),
    wait(Clauses, After, Timeout, Body, Calls);
eval({'try', _, Body, Clauses, Catches, Last}, Bindings, Calls) -> eval_try(Body, Clauses, Catches, Last, Bindings, Calls);
eval({lc, _, Body, Qualifiers}, Bindings, Calls) ->
    Add = fun(Bound, Found) -> [element(1, eval(Body, Bound, Calls)) | Found] end,
    {lists:reverse(comprehend(Qualifiers, Add, Bindings, [], Calls)), Bindings};
eval({bc, _, Body, Qualifiers}, Bindings, Calls) ->
    Add =
        fun(Bound, Found) ->
            {Bits, _} = eval(Body, Bound, Calls),
            <<Found/bitstring, Bits/bitstring>>
        end,
    {comprehend(Qualifiers, Add, Bindings, <<>>, Calls), Bindings};
eval({mc, _, {map_field_assoc, _, Key, Value}, Qualifiers}, Bindings, Calls) ->
    Add = fun(Bound, Found) -> Found#{element(1, eval(Key, Bound, Calls)) => element(1, eval(Value, Bound, Calls))} end,
    {comprehend(Qualifiers, Add, Bindings, #{}, Calls), Bindings};
eval({'fun', _, {function, Module, Name, Arity}}, Bindings, Calls) ->
    {[M, F, A], _} = parts([Module, Name, Arity], Bindings, Calls),
    {fun M:F/A, Bindings};
eval({'fun', Anno, {function, Name, Arity}}, Bindings, Calls) ->
    case erl_internal:bif(Name, Arity) of
        true -> {fun erlang:Name/Arity, Bindings};
        false ->
            Vars = [{var, Anno, list_to_atom("A" ++ integer_to_list(N))} || N <- lists:seq(1, Arity)],
            Clause = {clause, Anno, Vars, [], [{call, Anno, {atom, Anno, Name}, Vars}]},
            {make_fun(Arity, fun(Args) -> apply_clauses([Clause], Args, new_bindings(), Calls) end), Bindings}
    end;
eval({'fun', _, {clauses, [{clause, _, Patterns, _, _} | _] = Clauses}}, Bindings, Calls) ->
    {make_fun(length(Patterns), fun(Args) -> apply_clauses(Clauses, Args, Bindings, Calls) end), Bindings};
eval({named_fun, _, Name, [{clause, _, Patterns, _, _} | _] = Clauses}, Bindings, Calls) ->
    {named_fun(Name, length(Patterns), Clauses, Bindings, Calls), Bindings};
eval({call, _, {remote, _, Module, Name}, Args}, Bindings, Calls) ->
    {[M, F | Values], After} = parts([Module, Name | Args], Bindings, Calls),
    {remote(M, F, Values, Calls), After};
eval({call, _, {atom, _, Name}, Args}, Bindings, Calls) -> local(Name, Args, Bindings, Calls);
eval({call, _, Callee, Args}, Bindings, Calls) ->
    {[Fun | Values], After} = parts([Callee | Args], Bindings, Calls),
    {applied(Fun, Values, Calls), After};
eval({'maybe', _, Body}, Bindings, Calls) -> {eval_maybe(Body, Bindings, Calls, fun(Value) -> Value end), Bindings};
eval({'maybe', _, Body, {'else', _, Clauses}}, Bindings, Calls) ->
    Otherwise =
        fun(Value) ->
            case chosen(Clauses, [Value], Bindings, Calls) of
                {Exprs, Bound} -> element(1, body(Exprs, Bound, Calls));
                nomatch -> error({else_clause, Value})
            end
        end,
    {eval_maybe(Body, Bindings, Calls, Otherwise), Bindings};
eval({record, _, Name, _}, _, _) -> error({undef_record, Name});
eval({record, _, _, Name, _}, _, _) -> error({undef_record, Name});
eval({record_index, _, Name, _}, _, _) -> error({undef_record, Name});
eval({record_field, _, _, Name, _}, _, _) -> error({undef_record, Name});
eval({value, _, Value}, Bindings, _) -> {Value, Bindings};
eval(Expr, _, _) -> error({badarg, Expr}).

evaluator(Calls) ->
    fun(Expr, Bindings) ->
        {Value, After} = eval(Expr, Bindings, Calls),
        {value, Value, After}
    end.

%% The keys and values of all fields, before any of them is put in.
fields(Fields, Bindings, Calls) ->
    {Values, After} = parts(lists:append([[Key, Value] || {_, _, Key, Value} <- Fields]), Bindings, Calls),
    {kinds(Fields, Values), After}.

kinds([{Kind, _, _, _} | Fields], [Key, Value | Values]) -> [{Kind, Key, Value} | kinds(Fields, Values)];
kinds([], []) -> [].

updated(Fields, Map) ->
    lists:foldl(fun({map_field_assoc, Key, Value}, Sum) -> Sum#{Key => Value};
                   ({map_field_exact, Key, Value}, Sum) -> maps:update(Key, Value, Sum)
                end, Map, Fields).

eval_maybe([{maybe_match, _, Pattern, Expr} | Exprs], Bindings, Calls, Otherwise) ->
    {Value, After} = eval(Expr, Bindings, Calls),
    case match(Pattern, Value, After, Calls) of
        {match, _} when Exprs =:= [] -> Value;
        {match, Bound} -> eval_maybe(Exprs, Bound, Calls, Otherwise);
        nomatch -> Otherwise(Value)
    end;
eval_maybe([Expr], Bindings, Calls, _) -> element(1, eval(Expr, Bindings, Calls));
eval_maybe([Expr | Exprs], Bindings, Calls, Otherwise) ->
    {_, After} = eval(Expr, Bindings, Calls),
    eval_maybe(Exprs, After, Calls, Otherwise).

%%% Calls

%% `apply` is not for the handler: what it calls is.
remote(erlang, apply, [Module, Name, Args], Calls) when is_atom(Module), is_list(Args) -> remote(Module, Name, Args, Calls);
remote(erlang, apply, [Fun, Args], Calls) when is_list(Args) -> applied(Fun, Args, Calls);
remote(Module, Name, Args, #calls{remote = {value, Handler}}) -> handled(Handler, {Module, Name}, Args);
remote(Module, Name, Args, _) -> apply(Module, Name, Args).

handled(Handler, What, Args) when is_function(Handler, 3) -> Handler(erl_anno:new(0), What, Args);
handled(Handler, What, Args) -> Handler(What, Args).

%% Funs of this module need no handler.
applied(Fun, Args, Calls) when is_function(Fun) ->
    case Calls#calls.remote of
        {value, Handler} ->
            case erlang:fun_info(Fun, module) of
                {module, ?MODULE} -> called(Fun, Args);
                _ -> handled(Handler, Fun, Args)
            end;
        none -> called(Fun, Args)
    end;
applied(NoFun, _, _) -> error({badfun, NoFun}).

called(Fun, Args) when is_function(Fun, length(Args)) -> apply(Fun, Args);
called(Fun, Args) -> error({badarity, {Fun, Args}}).

local(Name, Args, Bindings, Calls) ->
    case erl_internal:bif(Name, length(Args)) of
        true ->
            {Values, After} = parts(Args, Bindings, Calls),
            {remote(erlang, Name, Values, Calls), After};
        false ->
            case Calls#calls.local of
                {value, Handler} ->
                    {Values, After} = parts(Args, Bindings, Calls),
                    {handled(Handler, Name, Values), After};
                {value, Handler, More} ->
                    {Values, After} = parts(Args, Bindings, Calls),
                    {apply(Handler, [Name, Values | More]), After};
                {eval, Handler, More} ->
                    {value, Value, After} = apply(Handler, [Name, Args, Bindings | More]),
                    {Value, After};
                {eval, Handler} when is_function(Handler, 4) ->
                    {value, Value, After} = Handler(erl_anno:new(0), Name, Args, Bindings),
                    {Value, After};
                {eval, Handler} ->
                    {value, Value, After} = Handler(Name, Args, Bindings),
                    {Value, After};
                none -> error(undef)
            end
    end.

apply_clauses(Clauses, Args, Bindings, Calls) ->
    case head_chosen(Clauses, Args, Bindings, Calls) of
        {Body, Bound} -> element(1, body(Body, Bound, Calls));
        nomatch -> no_clause(Args)
    end.

%% The frame that stands for a fun without a name.
no_clause(Args) ->
    {current_stacktrace, [_ | Stack]} = process_info(self(), current_stacktrace),
    erlang:raise(error, function_clause, [{?MODULE, '-inside-an-interpreted-fun-', Args, []} | Stack]).

named_fun(Name, Arity, Clauses, Bindings, Calls) ->
    make_fun(Arity, fun(Args) ->
                        Self = named_fun(Name, Arity, Clauses, Bindings, Calls),
                        apply_clauses(Clauses, Args, add_binding(Name, Self, Bindings), Calls)
                    end).

make_fun(Arity, F) ->
    case Arity of
        0 -> fun() -> F([]) end;
        1 -> fun(A) -> F([A]) end;
        2 -> fun(A, B) -> F([A, B]) end;
        3 -> fun(A, B, C) -> F([A, B, C]) end;
        4 -> fun(A, B, C, D) -> F([A, B, C, D]) end;
        5 -> fun(A, B, C, D, E) -> F([A, B, C, D, E]) end;
        6 -> fun(A, B, C, D, E, G) -> F([A, B, C, D, E, G]) end;
        7 -> fun(A, B, C, D, E, G, H) -> F([A, B, C, D, E, G, H]) end;
        8 -> fun(A, B, C, D, E, G, H, I) -> F([A, B, C, D, E, G, H, I]) end;
        9 -> fun(A, B, C, D, E, G, H, I, J) -> F([A, B, C, D, E, G, H, I, J]) end;
        10 -> fun(A, B, C, D, E, G, H, I, J, K) -> F([A, B, C, D, E, G, H, I, J, K]) end;
        11 -> fun(A, B, C, D, E, G, H, I, J, K, L) -> F([A, B, C, D, E, G, H, I, J, K, L]) end;
        12 -> fun(A, B, C, D, E, G, H, I, J, K, L, M) -> F([A, B, C, D, E, G, H, I, J, K, L, M]) end;
        13 -> fun(A, B, C, D, E, G, H, I, J, K, L, M, N) -> F([A, B, C, D, E, G, H, I, J, K, L, M, N]) end;
        14 -> fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O) -> F([A, B, C, D, E, G, H, I, J, K, L, M, N, O]) end;
        15 -> fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O, P) -> F([A, B, C, D, E, G, H, I, J, K, L, M, N, O, P]) end;
        16 -> fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q) -> F([A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q]) end;
        17 ->
            fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R) -> F([A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R]) end;
        18 ->
            fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R, S) ->
                F([A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R, S])
            end;
        19 ->
            fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R, S, T) ->
                F([A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R, S, T])
            end;
        20 ->
            fun(A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U) ->
                F([A, B, C, D, E, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U])
            end;
        _ -> error({argument_limit, {'fun', 0, Arity}})
    end.

%%% Clauses

-spec match_clause([tuple()], [term()], binding_struct(), handler()) -> {[term()], binding_struct()} | nomatch.
match_clause(Clauses, Values, Bindings, Local) -> chosen(Clauses, Values, Bindings, #calls{local = Local}).

chosen([], _, _, _) -> nomatch;
chosen([{clause, _, Patterns, Guard, Body} | Clauses], Values, Bindings, Calls) ->
    case match_all(Patterns, Values, Bindings, Calls) of
        {match, Bound} ->
            case guard(Guard, Bound, Calls) of
                true -> {Body, Bound};
                false -> chosen(Clauses, Values, Bindings, Calls)
            end;
        nomatch -> chosen(Clauses, Values, Bindings, Calls)
    end.

%% Variables in the head of a fun are new, whatever was bound.
head_chosen([], _, _, _) -> nomatch;
head_chosen([{clause, _, Patterns, Guard, Body} | Clauses], Values, Bindings, Calls) ->
    Free = lists:foldl(fun del_binding/2, Bindings, variables(Patterns, [])),
    case match_all(Patterns, Values, Free, Calls#calls{outer = Bindings}) of
        {match, Bound} ->
            case guard(Guard, Bound, Calls) of
                true -> {Body, Bound};
                false -> head_chosen(Clauses, Values, Bindings, Calls)
            end;
        nomatch -> head_chosen(Clauses, Values, Bindings, Calls)
    end.

variables({var, _, '_'}, Found) -> Found;
variables({var, _, Name}, Found) -> [Name | Found];
variables({op, _, Op, _, _}, Found) when Op =/= '++' -> Found;
variables({bin_element, _, Pattern, _, _}, Found) -> variables(Pattern, Found);
variables({map_field_exact, _, _, Pattern}, Found) -> variables(Pattern, Found);
variables(Node, Found) when is_tuple(Node) -> variables(tuple_to_list(Node), Found);
variables([Part | Parts], Found) -> variables(Parts, variables(Part, Found));
variables(_, Found) -> Found.

guard([], _, _) -> true;
guard(Alternatives, Bindings, Calls) ->
    lists:all(fun erl_lint:is_guard_test/1, lists:append(Alternatives)) orelse error(illegal_guard_expr),
    lists:any(fun(Tests) -> lists:all(fun(Test) -> passes(Test, Bindings, Calls) end, Tests) end, Alternatives).

passes(Test, Bindings, Calls) ->
    try eval(modern(Test), Bindings, Calls#calls{local = none, remote = none}) of
        {Value, _} -> Value =:= true
    catch
        error:{unbound_var, Name} -> error({unbound_var, Name});
        error:_ -> false
    end.

%% A test by its old name, `integer(X)`, as the one of today.
modern({call, Anno, {atom, Place, Name}, Args} = Test) ->
    case erl_internal:old_type_test(Name, length(Args)) of
        true -> {call, Anno, {atom, Place, list_to_atom("is_" ++ atom_to_list(Name))}, Args};
        false -> Test
    end;
modern(Test) -> Test.

%%% Patterns

match_all([], [], Bindings, _) -> {match, Bindings};
match_all([Pattern | Patterns], [Value | Values], Bindings, Calls) ->
    case match(Pattern, Value, Bindings, Calls) of
        {match, Bound} -> match_all(Patterns, Values, Bound, Calls);
        nomatch -> nomatch
    end;
match_all(_, _, _, _) -> nomatch.

match({var, _, '_'}, _, Bindings, _) -> {match, Bindings};
match({var, _, Name}, Value, Bindings, _) ->
    case binding(Name, Bindings) of
        unbound -> {match, add_binding(Name, Value, Bindings)};
        {value, Same} when Same =:= Value -> {match, Bindings};
        {value, _} -> nomatch
    end;
match({match, _, Left, Right}, Value, Bindings, Calls) ->
    case match(Left, Value, Bindings, Calls) of
        {match, Bound} -> match(Right, Value, Bound, Calls);
        nomatch -> nomatch
    end;
match({cons, _, Head, Tail}, [H | T], Bindings, Calls) ->
    case match(Head, H, Bindings, Calls) of
        {match, Bound} -> match(Tail, T, Bound, Calls);
        nomatch -> nomatch
    end;
match({cons, _, _, _}, _, _, _) -> nomatch;
match({nil, _}, Value, Bindings, _) -> same(Value =:= [], Bindings);
match({tuple, _, Patterns}, Value, Bindings, Calls) when is_tuple(Value), tuple_size(Value) =:= length(Patterns) ->
    match_all(Patterns, tuple_to_list(Value), Bindings, Calls);
match({tuple, _, _}, _, _, _) -> nomatch;
match({map, _, Fields}, Value, Bindings, Calls) when is_map(Value) -> match_fields(Fields, Value, Bindings, Calls);
match({map, _, _}, _, _, _) -> nomatch;
match({bin, _, Segments}, Value, Bindings, Calls) ->
    Match = fun(Pattern, Part, Bound) -> match(Pattern, Part, Bound, Calls) end,
    eval_bits:match_bits(Segments, Value, seen(Bindings, Calls), Bindings, Match, sizer(Calls));
match({op, _, '++', {nil, _}, Rest}, Value, Bindings, Calls) -> match(Rest, Value, Bindings, Calls);
match({op, _, '++', {cons, Anno, Head, Tail}, Rest}, Value, Bindings, Calls) ->
    match({cons, Anno, Head, {op, Anno, '++', Tail, Rest}}, Value, Bindings, Calls);
match({op, _, '++', {string, Anno, Text}, Rest}, Value, Bindings, Calls) ->
    match(lists:foldr(fun(C, Tail) -> {cons, Anno, {char, Anno, C}, Tail} end, Rest, Text), Value, Bindings, Calls);
match(Constant, Value, Bindings, Calls) ->
    is_constant(Constant) orelse error({illegal_pattern, Constant}),
    {Expected, _} = eval(Constant, new_bindings(), Calls),
    same(Expected =:= Value, Bindings).

%% Operators on constants as what they come to; all else as it is.
-spec partial_eval(erl_parse:abstract_expr()) -> erl_parse:abstract_expr().
partial_eval(Expr) ->
    try
        true = element(1, Expr) =:= op andalso is_constant(Expr),
        {Value, _} = eval(Expr, new_bindings(), #calls{}),
        erl_parse:abstract(Value, [{location, element(2, Expr)}])
    catch
        error:_ -> Expr
    end.

is_constant({op, _, _, Operand}) -> is_constant(Operand);
is_constant({op, _, _, Left, Right}) -> is_constant(Left) andalso is_constant(Right);
is_constant({Leaf, _, _}) ->
    lists:member(Leaf, [atom, integer, float, char, string, value]);
is_constant(_) -> false.

%% What sizes and keys in a pattern see.
seen(Bindings, #calls{outer = none}) -> Bindings;
seen(_, #calls{outer = Outer}) -> Outer.

%% A size that cannot be told is one that does not match.
sizer(Calls) ->
    fun(Expr, Bindings) ->
        erl_lint:is_guard_expr(Expr) orelse error(illegal_bitsize),
        try eval(Expr, Bindings, Calls#calls{outer = none}) of
            {Value, _} -> Value
        catch
            error:{unbound_var, Name} -> error({unbound_var, Name});
            error:_ -> none
        end
    end.

same(true, Bindings) -> {match, Bindings};
same(false, _) -> nomatch.

match_fields([], _, Bindings, _) -> {match, Bindings};
match_fields([{map_field_exact, _, Key, Pattern} | Fields], Map, Bindings, Calls) ->
    erl_lint:is_guard_expr(Key) orelse error(illegal_guard_expr),
    case key(Key, seen(Bindings, Calls), Calls) of
        {ok, K} when is_map_key(K, Map) ->
            #{K := Value} = Map,
            case match(Pattern, Value, Bindings, Calls) of
                {match, Bound} -> match_fields(Fields, Map, Bound, Calls);
                nomatch -> nomatch
            end;
        _ -> nomatch
    end.

key(Key, Bindings, Calls) ->
    try eval(Key, Bindings, Calls#calls{outer = none}) of
        {Value, _} -> {ok, Value}
    catch
        error:{unbound_var, Name} -> error({unbound_var, Name});
        error:_ -> none
    end.

%%% Comprehensions: Found grows by each round of all qualifiers.

comprehend([], Add, Bindings, Found, _) -> Add(Bindings, Found);
comprehend([{Kind, _, Pattern, Source} | Qualifiers], Add, Bindings, Found, Calls)
  when Kind =:= generate; Kind =:= generate_strict ->
    {List, _} = eval(Source, Bindings, Calls),
    Next =
        fun(Element, Sum) ->
            case fresh_match(Pattern, Element, Bindings, Calls) of
                {match, Bound} -> comprehend(Qualifiers, Add, Bound, Sum, Calls);
                nomatch when Kind =:= generate_strict -> error({badmatch, Element});
                nomatch -> Sum
            end
        end,
    over(List, List, Next, Found);
comprehend([{Kind, _, {bin, _, Segments}, Source} | Qualifiers], Add, Bindings, Found, Calls)
  when Kind =:= b_generate; Kind =:= b_generate_strict ->
    {Bits, _} = eval(Source, Bindings, Calls),
    is_bitstring(Bits) orelse error({bad_generator, Bits}),
    Next = fun(Bound, Sum) -> comprehend(Qualifiers, Add, Bound, Sum, Calls) end,
    over_bits(Segments, Bits, Bindings, Next, Found, Calls);
comprehend([{Kind, _, {map_field_exact, _, Key, Value}, Source} | Qualifiers], Add, Bindings, Found, Calls)
  when Kind =:= m_generate; Kind =:= m_generate_strict ->
    {Map, _} = eval(Source, Bindings, Calls),
    is_map(Map) orelse error({bad_generator, Map}),
    Pair = {tuple, 0, [Key, Value]},
    comprehend([{generate, 0, Pair, {value, 0, maps:to_list(Map)}} | Qualifiers], Add, Bindings, Found, Calls);
comprehend([Filter | Qualifiers], Add, Bindings, Found, Calls) ->
    case erl_lint:is_guard_test(Filter) of
        true ->
            case passes(Filter, Bindings, Calls) of
                true -> comprehend(Qualifiers, Add, Bindings, Found, Calls);
                false -> Found
            end;
        false -> filtered(Filter, Qualifiers, Add, Bindings, Found, Calls)
    end.

filtered(Filter, Qualifiers, Add, Bindings, Found, Calls) ->
    case eval(Filter, Bindings, Calls) of
        {true, Bound} -> comprehend(Qualifiers, Add, Bound, Found, Calls);
        {false, _} -> Found;
        {Other, _} -> error({bad_filter, Other})
    end.

over([Element | Rest], List, Next, Found) -> over(Rest, List, Next, Next(Element, Found));
over([], _, _, Found) -> Found;
over(_, List, _, _) -> error({bad_generator, List}).

%% The pattern of a generator binds anew.
fresh_match(Pattern, Value, Bindings, Calls) ->
    match(Pattern, Value, lists:foldl(fun del_binding/2, Bindings, variables(Pattern, [])), Calls#calls{outer = Bindings}).

over_bits(Segments, Bits, Bindings, Next, Found, Calls) ->
    Free = lists:foldl(fun del_binding/2, Bindings, variables(Segments, [])),
    Match = fun(Pattern, Part, Bound) -> match(Pattern, Part, Bound, Calls) end,
    case eval_bits:bin_gen(Segments, Bits, Bindings, Free, Match, sizer(Calls)) of
        {match, Rest, Bound} -> over_bits(Segments, Rest, Bindings, Next, Next(Bound, Found), Calls);
        {nomatch, Rest} -> over_bits(Segments, Rest, Bindings, Next, Found, Calls);
        done -> Found
    end.

%%% Exceptions and messages

eval_try(Body, Clauses, Catches, Last, Bindings, Calls) ->
    try
        try body(Body, Bindings, Calls) of
            {Value, Bound} when Clauses =:= [] -> {Value, Bound};
            {Value, Bound} ->
                case chosen(Clauses, [Value], Bound, Calls) of
                    {Exprs, Inner} -> body(Exprs, Inner, Calls);
                    nomatch -> error({try_clause, Value})
                end
        catch
            Class:Reason:Stack when Catches =/= [] ->
                case chosen(Catches, [{Class, Reason, Stack}], Bindings, Calls) of
                    {Exprs, Inner} -> body(Exprs, Inner, Calls);
                    nomatch -> erlang:raise(Class, Reason, Stack)
                end
        end
    after
        Last =:= [] orelse body(Last, Bindings, Calls)
    end.

%% The first message that a clause takes; the others stay where they are.
wait(Clauses, Bindings, Time, Body, Calls) ->
    case prim_eval:'receive'(fun(Message) -> chosen(Clauses, [Message], Bindings, Calls) end, Time) of
        {Exprs, Bound} -> body(Exprs, Bound, Calls);
        timeout -> body(Body, Bindings, Calls)
    end.
