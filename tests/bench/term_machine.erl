%% Terms: a small stack machine, a symbolic derivative, a balanced tree, and a cache in a table.
-module(term_machine).
-export([bench/0]).

bench() ->
    Loop = {{push, 0}, {load, n}, {jump_if_zero, 9}, {load, n}, add, {load, n}, {push, -1}, add, {store, n, 1}, halt},
    [{term_stack_machine, 7000, fun() -> 500500 = machine(Loop, 1, [], #{n => 1000}) end},
     {term_derive, 255, fun() -> true = size_of(derive(polynomial(7))) > 255 end},
     {term_tree, 2000, fun() -> 2000 = gb_sets:size(gb_sets:from_list([N * 7919 rem 4001 || N <- lists:seq(1, 2000)])) end},
     {term_cache, 2000, fun cache/0}].

machine(Code, Pc, Stack, Variables) ->
    case element(Pc, Code) of
        {push, Value} -> machine(Code, Pc + 1, [Value | Stack], Variables);
        {load, Name} -> machine(Code, Pc + 1, [maps:get(Name, Variables) | Stack], Variables);
        {store, Name, To} ->
            [Value | Rest] = Stack,
            machine(Code, To + 1, Rest, Variables#{Name := Value});
        {jump_if_zero, To} ->
            case Stack of
                [0 | Rest] -> machine(Code, To + 1, Rest, Variables);
                [_ | Rest] -> machine(Code, Pc + 1, Rest, Variables)
            end;
        add ->
            [A, B | Rest] = Stack,
            machine(Code, Pc + 1, [A + B | Rest], Variables);
        halt -> hd(Stack)
    end.

polynomial(0) -> x;
polynomial(N) -> {mul, polynomial(N - 1), {add, N, polynomial(N - 1)}}.

derive(x) -> 1;
derive(N) when is_integer(N) -> 0;
derive({add, A, B}) -> simplify({add, derive(A), derive(B)});
derive({mul, A, B}) -> simplify({add, simplify({mul, derive(A), B}), simplify({mul, A, derive(B)})}).

simplify({add, 0, A}) -> A;
simplify({add, A, 0}) -> A;
simplify({mul, 0, _}) -> 0;
simplify({mul, _, 0}) -> 0;
simplify({mul, 1, A}) -> A;
simplify({mul, A, 1}) -> A;
simplify(Expr) -> Expr.

size_of({_, A, B}) -> 1 + size_of(A) + size_of(B);
size_of(_) -> 1.

cache() ->
    Table = ets:new(cache, [set]),
    Sum = cached(Table, 2000, 0),
    ets:delete(Table),
    94050 = Sum.

cached(_, 0, Sum) -> Sum;
cached(Table, N, Sum) ->
    Key = {key, N rem 100},
    Value = case ets:lookup(Table, Key) of
                [{_, Found}] -> Found;
                [] -> ets:insert(Table, {Key, N rem 100}), 0
            end,
    cached(Table, N - 1, Sum + Value).
