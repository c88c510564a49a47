%% Match specifications written as funs: a parse transform that puts the specification in the place of `ets:fun2ms(fun(...) -> ... end)`.
%%
%% The pattern's variables become `'$1'`, `'$2'` and so on, those of the surroundings constants; guards and bodies are written as tuples
%% of the function and its arguments. Records are tuples by then.
-module(ms_transform).

-export([parse_transform/2, format_error/1]).

parse_transform(Forms, _) ->
    Records = maps:from_list([{Name, [field(Field) || Field <- Fields]} || {attribute, _, record, {Name, Fields}} <- Forms]),
    try [form(Form, Records) || Form <- Forms]
    catch
        throw:{refused, Anno, Reason} ->
            {error, [{file(Forms), [{erl_anno:location(Anno), ?MODULE, Reason}]}], []}
    end.

file([{attribute, _, file, {File, _}} | _]) -> File;
file([_ | Forms]) -> file(Forms);
file([]) -> "nofile".

format_error(head) -> "ets:fun2ms requires a fun with a single variable or tuple parameter";
format_error(no_fun) -> "ets:fun2ms requires a literal fun as its argument";
format_error({record, Name}) -> io_lib:format("record ~tw undefined", [Name]);
format_error({field, Name, Field}) -> io_lib:format("field ~tw undefined in record ~tw", [Field, Name]);
format_error({call, Function, Arity}) ->
    io_lib:format("a match specification cannot call ~ts/~w; it knows what guards know, `object()` and `bindings()`", [Function, Arity]);
format_error(match) -> "a match specification cannot bind variables in its body";
format_error({body, Kind}) -> io_lib:format("`~ts` cannot be said in a match specification", [Kind]).

field({typed_record_field, Field, _}) -> field(Field);
field({record_field, _, {atom, _, Name}}) -> {Name, {atom, erl_anno:new(0), undefined}};
field({record_field, _, {atom, _, Name}, Default}) -> {Name, Default}.

refuse(Anno, Reason) -> throw({refused, Anno, Reason}).

%%% Finding the calls

form({function, Anno, Name, Arity, Clauses}, Records) -> {function, Anno, Name, Arity, walk(Clauses, Records)};
form(Form, _) -> Form.

walk({call, Anno, {remote, _, {atom, _, ets}, {atom, _, fun2ms}}, [Arg]}, Records) ->
    case Arg of
        {'fun', _, {clauses, Clauses}} -> list(Anno, lists:flatmap(fun(Clause) -> specifications(Clause, Records) end, Clauses));
        _ -> refuse(Anno, no_fun)
    end;
walk(Node, Records) when is_tuple(Node) -> list_to_tuple(walk(tuple_to_list(Node), Records));
walk([Node | Nodes], Records) -> [walk(Node, Records) | walk(Nodes, Records)];
walk(Leaf, _) -> Leaf.

%%% A clause

%% One for each alternative of the guard. Names: what stands for each variable.
specifications({clause, Anno, [Pattern], Guard, Body}, Records) ->
    {Head, Names} = head(Pattern, Records),
    Values = fun(Exprs) -> list(Anno, [value(Expr, Names, Records) || Expr <- Exprs]) end,
    [{tuple, Anno, [Head, Values(Tests), Values(Body)]} || Tests <- case Guard of [] -> [[]]; _ -> Guard end];
specifications({clause, Anno, _, _, _}, _) -> refuse(Anno, head).

list(Anno, Terms) -> lists:foldr(fun(Term, Tail) -> {cons, Anno, Term, Tail} end, {nil, Anno}, Terms).

atom(Anno, Name) -> {atom, Anno, Name}.

%% A variable for all of the object is `'$_'` in what follows.
head({var, Anno, '_'}, _) -> {atom(Anno, '_'), #{}};
head({var, Anno, Name}, _) -> {atom(Anno, '$1'), #{Name => '$1'}};
head({match, _, {var, _, Name}, Pattern}, Records) -> named(Name, head(Pattern, Records));
head({match, _, Pattern, {var, _, Name}}, Records) -> named(Name, head(Pattern, Records));
head({tuple, _, _} = Pattern, Records) -> pattern(Pattern, #{}, Records);
head({record, _, _, _} = Pattern, Records) -> pattern(Pattern, #{}, Records);
head(Pattern, _) -> refuse(element(2, Pattern), head).

named('_', Head) -> Head;
named(Name, {Head, Names}) -> {Head, Names#{Name => '$_'}}.

pattern({var, Anno, '_'}, Names, _) -> {atom(Anno, '_'), Names};
pattern({var, Anno, Name}, Names, _) ->
    case Names of
        #{Name := Place} -> {atom(Anno, Place), Names};
        #{} ->
            Place = list_to_atom("$" ++ integer_to_list(length([P || P <- maps:values(Names), P =/= '$_']) + 1)),
            {atom(Anno, Place), Names#{Name => Place}}
    end;
pattern({record, Anno, Name, Given}, Names, Records) ->
    Any = lists:append([[Value || {record_field, _, {var, _, '_'}, Value} <- Given], [{var, Anno, '_'}]]),
    Elements = [given(Field, Given, hd(Any)) || {Field, _} <- fields(Anno, Name, Records)],
    pattern({tuple, Anno, [atom(Anno, Name) | Elements]}, Names, Records);
pattern(Node, Names, Records) when is_tuple(Node), is_atom(element(1, Node)) ->
    {Parts, Names1} = lists:mapfoldl(fun(Part, N) -> pattern(Part, N, Records) end, Names, tl(tl(tuple_to_list(Node)))),
    {list_to_tuple([element(1, Node), element(2, Node) | Parts]), Names1};
pattern(Nodes, Names, Records) when is_list(Nodes), Nodes =/= [], is_tuple(hd(Nodes)) ->
    lists:mapfoldl(fun(Node, N) -> pattern(Node, N, Records) end, Names, Nodes);
pattern(Leaf, Names, _) -> {Leaf, Names}.

fields(Anno, Name, Records) ->
    case Records of
        #{Name := Fields} -> Fields;
        #{} -> refuse(Anno, {record, Name})
    end.

given(Field, Given, Default) ->
    case [Value || {record_field, _, {atom, _, Name}, Value} <- Given, Name =:= Field] of
        [Value] -> Value;
        [] -> Default
    end.

place(Anno, Name, Field, Records) ->
    case [I || {I, {F, _}} <- lists:enumerate(2, fields(Anno, Name, Records)), F =:= Field] of
        [I] -> {integer, Anno, I};
        [] -> refuse(Anno, {field, Name, Field})
    end.

%%% Guards and bodies

call(Anno, Name, Args) -> {tuple, Anno, [atom(Anno, Name) | Args]}.

value({var, Anno, Name} = Var, Names, _) ->
    case Names of
        #{Name := Place} -> atom(Anno, Place);
        #{} -> call(Anno, const, [Var])
    end;
value({tuple, Anno, Elements}, Names, Records) ->
    {tuple, Anno, [{tuple, Anno, [value(Element, Names, Records) || Element <- Elements]}]};
value({cons, Anno, Head, Tail}, Names, Records) -> {cons, Anno, value(Head, Names, Records), value(Tail, Names, Records)};
value({map, Anno, Fields}, Names, Records) ->
    {map, Anno, [{map_field_assoc, A, value(K, Names, Records), value(V, Names, Records)} || {map_field_assoc, A, K, V} <- Fields]};
value({op, Anno, Op, A}, Names, Records) -> number(call(Anno, Op, [value(A, Names, Records)]));
value({op, Anno, Op, A, B}, Names, Records) -> call(Anno, Op, [value(A, Names, Records), value(B, Names, Records)]);
value({call, Anno, {remote, _, {atom, _, erlang}, Function}, Args}, Names, Records) ->
    value({call, Anno, Function, Args}, Names, Records);
value({call, Anno, {atom, _, object}, []}, _, _) -> atom(Anno, '$_');
value({call, Anno, {atom, _, bindings}, []}, _, _) -> atom(Anno, '$*');
value({call, Anno, {atom, _, is_record}, [Value, {atom, _, Name}]}, Names, Records) ->
    Size = {integer, Anno, length(fields(Anno, Name, Records)) + 1},
    call(Anno, is_record, [value(Value, Names, Records), atom(Anno, Name), Size]);
value({call, Anno, {atom, _, Function}, Args}, Names, Records) ->
    erl_internal:guard_bif(Function, length(Args)) orelse refuse(Anno, {call, io_lib:write_atom(Function), length(Args)}),
    call(Anno, Function, [value(Arg, Names, Records) || Arg <- Args]);
value({call, Anno, {remote, _, {atom, _, Module}, {atom, _, Function}}, Args}, _, _) ->
    refuse(Anno, {call, io_lib:format("~tw:~tw", [Module, Function]), length(Args)});
value({match, Anno, _, _}, _, _) -> refuse(Anno, match);
value({record, Anno, Name, Given}, Names, Records) ->
    %% `_ = Value` is for all fields that are not named.
    Any = [Value || {record_field, _, {var, _, '_'}, Value} <- Given],
    Elements = [given(Field, Given, hd(Any ++ [Default])) || {Field, Default} <- fields(Anno, Name, Records)],
    value({tuple, Anno, [atom(Anno, Name) | Elements]}, Names, Records);
value({record, Anno, Base, Name, Given}, Names, Records) ->
    Whole = value(Base, Names, Records),
    Element = fun(Field) ->
                      case given(Field, Given, none) of
                          none -> call(Anno, element, [place(Anno, Name, Field, Records), Whole]);
                          Value -> value(Value, Names, Records)
                      end
              end,
    {tuple, Anno, [{tuple, Anno, [atom(Anno, Name) | [Element(Field) || {Field, _} <- fields(Anno, Name, Records)]]}]};
value({record_field, Anno, Base, Name, {atom, _, Field}}, Names, Records) ->
    call(Anno, element, [place(Anno, Name, Field, Records), value(Base, Names, Records)]);
value({record_index, Anno, Name, {atom, _, Field}}, _, Records) -> place(Anno, Name, Field, Records);
value({Kind, _, _} = Literal, _, _) when Kind =:= atom; Kind =:= integer; Kind =:= float; Kind =:= char; Kind =:= string; Kind =:= bin -> Literal;
value({nil, _} = Nil, _, _) -> Nil;
value(Node, _, _) -> refuse(element(2, Node), {body, element(1, Node)}).

%% A sign in front of a number is a part of it.
number({tuple, Anno, [{atom, _, '-'}, {Kind, _, Value}]}) when Kind =:= integer; Kind =:= float -> {Kind, Anno, -Value};
number(Call) -> Call.
