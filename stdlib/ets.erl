%% Tables: what is left to do over the natives (see NATIVES.md).
-module(ets).

%% What explains the errors raised here, as OTP has it.
-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

-export([foldl/3, foldr/3, match/1, match/3, match_object/1, match_object/3, select_reverse/1, select_reverse/2, select_reverse/3,
         info/1, i/0, init_table/2, fun2ms/1, match_spec_compile/1, match_spec_run/2, is_compiled_ms/1,
         test_ms/2, repair_continuation/2, slot/2, tab2file/2, file2tab/1, update_element/4, first_lookup/1, next_lookup/2,
         last_lookup/1, prev_lookup/2]).
-export_type([table/0, tid/0]).

-opaque tid() :: reference().
-type table() :: atom() | tid().

%%% Folding: the table is fixed meanwhile, so that a walk sees every object that is there from beginning to end

-spec foldl(fun((tuple(), Acc) -> Acc), Acc, ets:table()) -> Acc.
foldl(F, Acc, Table) ->
    ets:safe_fixtable(Table, true),
    try forwards(F, Acc, ets:first(Table), Table)
    after ets:safe_fixtable(Table, false)
    end.

forwards(_, Acc, '$end_of_table', _) -> Acc;
forwards(F, Acc, Key, Table) -> forwards(F, lists:foldl(F, Acc, ets:lookup(Table, Key)), ets:next(Table, Key), Table).

-spec foldr(fun((tuple(), Acc) -> Acc), Acc, ets:table()) -> Acc.
foldr(F, Acc, Table) ->
    ets:safe_fixtable(Table, true),
    try backwards(F, Acc, ets:last(Table), Table)
    after ets:safe_fixtable(Table, false)
    end.

backwards(_, Acc, '$end_of_table', _) -> Acc;
backwards(F, Acc, Key, Table) -> backwards(F, lists:foldr(F, Acc, ets:lookup(Table, Key)), ets:prev(Table, Key), Table).

%%% Matching in portions, by select

match(Table, Pattern, Limit) ->
    try ets:select(Table, [{Pattern, [], ['$$']}], Limit)
    catch error:badarg:Stack -> fail(match, [Table, Pattern, Limit], Stack)
    end.

match(Continuation) ->
    try ets:select(Continuation)
    catch error:badarg:Stack -> fail(match, [Continuation], Stack)
    end.

%% A native's error as that of the function that called it.
fail(Function, Args, [{?MODULE, _, _, Info} | Callers]) ->
    Outside = lists:dropwhile(fun({Module, _, _, _}) -> Module =:= ?MODULE end, Callers),
    erlang:raise(error, badarg, [{?MODULE, Function, Args, [Item || {error_info, _} = Item <- Info]} | Outside]).

match_object(Table, Pattern, Limit) ->
    try ets:select(Table, [{Pattern, [], ['$_']}], Limit)
    catch error:badarg:Stack -> fail(match_object, [Table, Pattern, Limit], Stack)
    end.

match_object(Continuation) ->
    try ets:select(Continuation)
    catch error:badarg:Stack -> fail(match_object, [Continuation], Stack)
    end.

%% Backwards through an ordered table; others have no order to reverse.
select_reverse(Table, Spec) ->
    try lists:reverse(ets:select(Table, Spec))
    catch error:badarg:Stack -> fail(select_reverse, [Table, Spec], Stack)
    end.

select_reverse(Table, Spec, Limit) ->
    try
        All = ets:select(Table, Spec),
        true = is_integer(Limit) andalso Limit > 0 orelse error(badarg, [Table, Spec, Limit], ?INFO),
        portion(lists:reverse(All), Limit)
    catch error:badarg:Stack -> fail(select_reverse, [Table, Spec, Limit], Stack)
    end.

select_reverse('$end_of_table') -> '$end_of_table';
select_reverse({select_reverse, Rest, Limit}) -> portion(Rest, Limit);
select_reverse(Continuation) -> error(badarg, [Continuation], ?INFO).

portion([], _) -> '$end_of_table';
portion(Rest, Limit) when length(Rest) =< Limit -> {Rest, '$end_of_table'};
portion(All, Limit) ->
    {Portion, Rest} = lists:split(Limit, All),
    {Portion, {select_reverse, Rest, Limit}}.

repair_continuation('$end_of_table' = Continuation, _) -> Continuation;
repair_continuation(Continuation, _) when is_tuple(Continuation) -> Continuation.

%%% Match specifications by themselves: run on a table made for the purpose

match_spec_compile(Spec) ->
    Table = ets:new(ets, [set, private]),
    try ets:select(Table, Spec) of
        _ -> {compiled_match_spec, Spec}
    catch
        error:badarg -> error(badarg, [Spec], ?INFO)
    after
        ets:delete(Table)
    end.

is_compiled_ms({compiled_match_spec, _}) -> true;
is_compiled_ms(_) -> false.

match_spec_run(Objects, {compiled_match_spec, Spec}) ->
    lists:flatmap(fun(Object) -> run_spec(Object, Spec) end, Objects);
match_spec_run(Objects, Spec) -> error(badarg, [Objects, Spec], ?INFO).

run_spec(Object, Spec) ->
    Table = ets:new(ets, [set, private]),
    try
        true = ets:insert(Table, Object),
        ets:select(Table, Spec)
    after ets:delete(Table)
    end.

test_ms(Object, Spec) when is_tuple(Object), tuple_size(Object) > 0 ->
    try run_spec(Object, Spec) of
        [Result] -> {ok, Result};
        [] -> {ok, false}
    catch error:badarg -> {error, [{error, "bad match specification"}]}
    end;
test_ms(Object, Spec) ->
    try match_spec_compile(Spec) of
        _ -> error(badarg, [Object, Spec], ?INFO)
    catch
        error:badarg -> {error, [{error, "bad match specification"}]}
    end.

%% Only a compiler can turn a fun into a match specification.
-spec fun2ms(fun()) -> no_return().
fun2ms(F) when is_function(F, 1) -> error(badarg, [F]).

%%% Information and conversion

-spec info(ets:table()) -> [{atom(), term()}] | undefined.
info(Table) ->
    case ets:info(Table, size) of
        undefined -> undefined;
        Size ->
            [{id, ets:info(Table, id)}, {decentralized_counters, false}, {read_concurrency, ets:info(Table, read_concurrency)},
             {write_concurrency, ets:info(Table, write_concurrency)}, {compressed, false}, {memory, ets:info(Table, memory)},
             {owner, ets:info(Table, owner)}, {heir, ets:info(Table, heir)}, {name, ets:info(Table, name)}, {size, Size},
             {node, node()}, {named_table, ets:info(Table, named_table)}, {type, ets:info(Table, type)},
             {keypos, ets:info(Table, keypos)}, {protection, ets:info(Table, protection)}]
    end.

i() ->
    lists:foreach(fun(Table) ->
                          io:format("~-20w ~-14w ~8w objects ~10w words ~w~n",
                                    [ets:info(Table, name), ets:info(Table, type), ets:info(Table, size),
                                     ets:info(Table, memory), ets:info(Table, owner)])
                  end, ets:all()).

%% Filled by a fun called with `read` until it answers `end_of_input`.
init_table(Table, F) ->
    ets:delete_all_objects(Table),
    fill(Table, F).

fill(Table, F) ->
    case F(read) of
        end_of_input -> true;
        {Objects, F1} when is_list(Objects), is_function(F1, 1) ->
            ets:insert(Table, Objects),
            fill(Table, F1)
    end.

%% The objects with the Nth key, counted from 0.
slot(Table, N) ->
    try ets:first(Table) of
        Key when is_integer(N), N >= 0 -> slot(Table, N, Key);
        _ -> error(badarg, [Table, N], ?INFO)
    catch
        error:badarg:Stack -> fail(slot, [Table, N], Stack)
    end.

slot(_, 0, '$end_of_table') -> '$end_of_table';
slot(_, _, '$end_of_table') -> error(badarg);
slot(Table, 0, Key) -> ets:lookup(Table, Key);
slot(Table, N, Key) -> slot(Table, N - 1, ets:next(Table, Key)).

%% Keys with their objects.
first_lookup(Table) -> with_objects(Table, ets:first(Table)).
next_lookup(Table, Key) -> with_objects(Table, ets:next(Table, Key)).
last_lookup(Table) -> with_objects(Table, ets:last(Table)).
prev_lookup(Table, Key) -> with_objects(Table, ets:prev(Table, Key)).

with_objects(_, '$end_of_table') -> '$end_of_table';
with_objects(Table, Key) -> {Key, ets:lookup(Table, Key)}.

%% With an object to start from if there is none with the key.
update_element(Table, Key, Elements, Default) ->
    ets:insert_new(Table, setelement(ets:info(Table, keypos), Default, Key)),
    ets:update_element(Table, Key, Elements).

%%% Files: the name, options and objects of a table as an external term

tab2file(Table, File) ->
    case ets:info(Table, size) of
        undefined -> {error, badtab};
        _ ->
            Options = [ets:info(Table, type), ets:info(Table, protection), {keypos, ets:info(Table, keypos)} |
                       [named_table || ets:info(Table, named_table)]],
            file:write_file(File, term_to_binary({ets, ets:info(Table, name), Options, ets:tab2list(Table)}))
    end.

file2tab(File) ->
    case file:read_file(File) of
        {ok, Binary} ->
            try
                {ets, Name, Options, Objects} = binary_to_term(Binary),
                Table = ets:new(Name, Options),
                true = ets:insert(Table, Objects),
                {ok, Table}
            catch error:_ -> {error, {badfile, File}}
            end;
        Error -> Error
    end.
