%% Tables: what is left to do over the natives (see NATIVES.md).
-module(ets).

%% What explains the errors raised here, as OTP has it.
-define(INFO, [{error_info, #{module => erl_stdlib_errors}}]).

-export([foldl/3, foldr/3, match/1, match/3, match_object/1, match_object/3, select_reverse/1, select_reverse/2, select_reverse/3,
         info/1, i/0, init_table/2, fun2ms/1, match_spec_compile/1, match_spec_run/2, is_compiled_ms/1,
         test_ms/2, repair_continuation/2, slot/2, tab2file/2, tab2file/3, file2tab/1, file2tab/2, tabfile_info/1,
         to_dets/2, from_dets/2, table/1, table/2, update_element/4, first_lookup/1, next_lookup/2, last_lookup/1, prev_lookup/2]).
-export_type([table/0, tid/0, match_pattern/0, match_spec/0]).

-opaque tid() :: reference().
-type table() :: atom() | tid().
-type match_pattern() :: atom() | tuple().
-type match_spec() :: [{match_pattern(), [term()], [term()]}].

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
    try backwards(Table, ets:select(Table, Spec))
    catch error:badarg:Stack -> fail(select_reverse, [Table, Spec], Stack)
    end.

backwards(Table, Found) ->
    case ets:info(Table, type) of
        ordered_set -> lists:reverse(Found);
        _ -> Found
    end.

select_reverse(Table, Spec, Limit) ->
    try
        All = ets:select(Table, Spec),
        true = is_integer(Limit) andalso Limit > 0 orelse error(badarg, [Table, Spec, Limit], ?INFO),
        portion(backwards(Table, All), Limit)
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

%%% Match specifications by themselves

match_spec_compile(Spec) ->
    try erlet_ets:run(Spec, []) of
        [] -> {compiled_match_spec, Spec}
    catch
        error:badarg -> error(badarg, [Spec], ?INFO)
    end.

is_compiled_ms({compiled_match_spec, _}) -> true;
is_compiled_ms(_) -> false.

match_spec_run(Objects, {compiled_match_spec, Spec} = Compiled) ->
    try erlet_ets:run(Spec, Objects)
    catch error:badarg -> error(badarg, [Objects, Compiled], ?INFO)
    end;
match_spec_run(Objects, Spec) -> error(badarg, [Objects, Spec], ?INFO).

test_ms(Object, Spec) when is_tuple(Object), tuple_size(Object) > 0 ->
    try erlet_ets:run(Spec, [Object]) of
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

tab2file(Table, File) -> tab2file(Table, File, []).

%% `{extended_info, [object_count | md5sum]}` keeps what `{verify, true}` of file2tab/2 compares; `{sync, true}` waits for the disk.
-spec tab2file(table(), file:name(), [{extended_info, [object_count | md5sum]} | {sync, boolean()}]) -> ok | {error, term()}.
tab2file(Table, File, Options) ->
    Unknown = [Option || Option <- Options, not is_save_option(Option)],
    Extended = proplists:get_value(extended_info, Options, []),
    case ets:info(Table, size) of
        _ when Unknown =/= [] -> {error, {unknown_option, Unknown}};
        undefined -> {error, badtab};
        _ ->
            Objects = ets:tab2list(Table),
            Settings = [{Item, ets:info(Table, Item)} || Item <- saved_items()],
            Info = Settings ++ [{size, length(Objects)}, {extended_info, Extended}, {version, {1, 0}}],
            Sum = [erlang:md5(term_to_binary(Objects)) || lists:member(md5sum, Extended)],
            file:write_file(File, term_to_binary({ets_table, Info, Objects, Sum}), [sync || {sync, true} <- Options])
    end.

is_save_option({sync, Sync}) -> is_boolean(Sync);
is_save_option({extended_info, Items}) -> is_list(Items) andalso Items -- [object_count, md5sum] =:= [];
is_save_option(_) -> false.

saved_items() -> [name, type, protection, named_table, keypos, compressed, read_concurrency, write_concurrency].

file2tab(File) -> file2tab(File, []).

-spec file2tab(file:name(), [{verify, boolean()}]) -> {ok, table()} | {error, term()}.
file2tab(File, Options) ->
    Verify = proplists:get_value(verify, Options, false),
    (is_list(Options) andalso is_boolean(Verify)) orelse error(badarg, [File, Options], ?INFO),
    case saved(File) of
        {ok, Info, Objects, Sum} ->
            case Verify andalso verified(Info, Objects, Sum) of
                {error, _} = Error -> Error;
                _ -> restored(Info, Objects)
            end;
        Error -> Error
    end.

saved(File) ->
    case file:read_file(File) of
        {ok, Binary} ->
            try
                {ets_table, Info, Objects, Sum} = binary_to_term(Binary),
                true = is_list(Objects) andalso lists:all(fun(Item) -> lists:keymember(Item, 1, Info) end, [size | saved_items()]),
                {ok, Info, Objects, Sum}
            catch error:_ -> {error, badfile}
            end;
        {error, Reason} -> {error, {read_error, {file_error, File, Reason}}}
    end.

verified(Info, Objects, Sum) ->
    case length(Objects) =:= proplists:get_value(size, Info) of
        false -> {error, invalid_object_count};
        true when Sum =:= [] -> ok;
        true ->
            case [erlang:md5(term_to_binary(Objects))] of
                Sum -> ok;
                _ -> {error, checksum_error}
            end
    end.

restored(Info, Objects) ->
    Item = fun(Name) -> proplists:get_value(Name, Info) end,
    Options =
        [Item(type), Item(protection)] ++ [{Name, Item(Name)} || Name <- [keypos, read_concurrency, write_concurrency]]
        ++ [Name || Name <- [named_table, compressed], Item(Name)],
    try ets:new(Item(name), Options) of
        Table ->
            true = ets:insert(Table, Objects),
            {ok, Table}
    catch error:badarg -> {error, cannot_create_table}
    end.

%% A table as the source of queries of the module `qlc`, for programs that have one.
-spec table(table()) -> term().
table(Table) -> table(Table, []).

-spec table(table(), [{n_objects, pos_integer() | default} | {traverse, first_next | last_prev | select | {select, ets:match_spec()}}]) ->
          term().
table(Table, Options) ->
    Number =
        case proplists:get_value(n_objects, Options, default) of
            default -> 100;
            Given when is_integer(Given), Given > 0 -> Given
        end,
    {Walk, Lookup} =
        case proplists:get_value(traverse, Options, select) of
            first_next -> {fun() -> keys(Table, ets:first(Table), fun ets:next/2) end, [looked_up(Table)]};
            last_prev -> {fun() -> keys(Table, ets:last(Table), fun ets:prev/2) end, [looked_up(Table)]};
            select -> {fun(Spec) -> portions(ets:select(Table, Spec, Number)) end, [looked_up(Table)]};
            {select, Spec} -> {fun() -> portions(ets:select(Table, Spec, Number)) end, []}
        end,
    Equality = case ets:info(Table, type) of ordered_set -> '=='; _ -> '=:=' end,
    qlc:table(Walk, [{pre_fun, fun(_) -> ets:safe_fixtable(Table, true) end},
                     {post_fun, fun() -> ets:safe_fixtable(Table, false) end},
                     {info_fun, fun(Item) -> query_info(Item, Table) end},
                     {format_fun, fun(What) -> query_shown(What, Table, Options) end},
                     {key_equality, Equality} | Lookup]).

keys(_, '$end_of_table', _) -> [];
keys(Table, Key, Step) -> ets:lookup(Table, Key) ++ fun() -> keys(Table, Step(Table, Key), Step) end.

portions('$end_of_table') -> [];
portions({Objects, Continuation}) -> Objects ++ fun() -> portions(ets:select(Continuation)) end.

looked_up(Table) -> {lookup_fun, fun(_, Keys) -> lists:flatmap(fun(Key) -> ets:lookup(Table, Key) end, Keys) end}.

query_info(is_unique_objects, Table) -> ets:info(Table, type) =/= duplicate_bag;
query_info(keypos, Table) -> ets:info(Table, keypos);
query_info(is_sorted_key, Table) -> ets:info(Table, type) =:= ordered_set;
query_info(num_of_objects, Table) -> ets:info(Table, size);
query_info(_, _) -> undefined.

query_shown({all, _, _}, Table, []) -> {ets, table, [Table]};
query_shown({all, _, _}, Table, Options) -> {ets, table, [Table, Options]};
query_shown({match_spec, Spec}, Table, Options) ->
    {ets, table, [Table, [{traverse, {select, Spec}} | lists:keydelete(traverse, 1, Options)]]};
query_shown({lookup, _, [Key], _, Shown}, Table, _) -> io_lib:format("ets:lookup(~w, ~w)", [Table, Shown(Key)]);
query_shown({lookup, _, Keys, _, Shown}, Table, _) ->
    io_lib:format("lists:flatmap(fun(V) -> ets:lookup(~w, V) end, ~w)", [Table, [Shown(Key) || Key <- Keys]]).

%% All objects into a table of `dets`, or out of one.
-spec to_dets(table(), dets:tab_name()) -> dets:tab_name().
to_dets(Table, Name) ->
    case dets:from_ets(Name, Table) of
        ok -> Name;
        {error, Reason} -> error(Reason, [Table, Name])
    end.

-spec from_dets(table(), dets:tab_name()) -> true.
from_dets(Table, Name) ->
    Table = dets:to_ets(Name, Table),
    true.

%% What such a file says of the table.
-spec tabfile_info(file:name()) -> {ok, [{atom(), term()}]} | {error, term()}.
tabfile_info(File) ->
    case saved(File) of
        {ok, Info, _, _} ->
            {ok, [Item || {Name, _} = Item <- Info, not lists:member(Name, [compressed, read_concurrency, write_concurrency])]};
        Error -> Error
    end.
