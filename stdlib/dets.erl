%% Tables in files.
%%
%% The rows of an open table are kept in a table in memory, which everybody may read; the server of all tables
%% (erlet_dets_server) changes it, and writes each change to the file before it answers. The format of files is erlet's own.
-module(dets).

-export([all/0, close/1, delete/2, delete_all_objects/1, delete_object/2, first/1, foldl/3, foldr/3, from_ets/2, info/1, info/2,
         init_table/2, init_table/3, insert/2, insert_new/2, is_dets_file/1, lookup/2, match/1, match/2, match/3, match_delete/2,
         match_object/1, match_object/2, match_object/3, member/2, next/2, open_file/1, open_file/2, pid2name/1, repair_continuation/2,
         safe_fixtable/2, select/1, select/2, select/3, select_delete/2, slot/2, sync/1, to_ets/2, traverse/2, update_counter/3]).
-export_type([tab_name/0]).

-type tab_name() :: term().
-type failure() :: {error, term()}.

-define(SERVER, {dets, erlet_dets_server}).

%%% Opening and closing

-spec open_file(file:name()) -> {ok, reference()} | failure().
open_file(File) when not is_list(File), not is_atom(File) -> error(badarg, [File]);
open_file(File) ->
    case erlet_dets_server:head(File) of
        {ok, Type, Keypos} -> ask({open, make_ref(), filename:flatten(File), [{type, Type}, {keypos, Keypos}], existing});
        Error -> Error
    end.

-spec open_file(tab_name(), [tuple()]) -> {ok, tab_name()} | failure().
open_file(Name, Options) when is_list(Options) ->
    try true = lists:all(fun is_option/1, Options)
    catch error:_ -> error(badarg, [Name, Options])
    end,
    Default = case is_atom(Name) orelse is_list(Name) of true -> Name; false -> none end,
    case proplists:get_value(file, Options, Default) of
        none -> error(badarg, [Name, Options]);
        File -> ask({open, Name, filename:flatten(File), Options, new})
    end;
open_file(Name, Options) -> error(badarg, [Name, Options]).

is_option({access, Access}) -> Access =:= read orelse Access =:= read_write;
is_option({auto_save, Time}) -> Time =:= infinity orelse is_integer(Time) andalso Time >= 0;
is_option({file, File}) -> is_list(File) orelse is_atom(File);
is_option({keypos, Keypos}) -> is_integer(Keypos) andalso Keypos > 0;
is_option({ram_file, InMemory}) -> is_boolean(InMemory);
is_option({repair, Repair}) -> is_boolean(Repair) orelse Repair =:= force;
is_option({type, Type}) -> lists:member(Type, [set, bag, duplicate_bag]);
is_option({Slots, Number}) when Slots =:= estimated_no_objects; Slots =:= min_no_slots; Slots =:= max_no_slots ->
    Number =:= default orelse is_integer(Number) andalso Number >= 0;
is_option({Item, _}) when Item =:= version; Item =:= delayed_write -> true;
is_option(_) -> false.

-spec close(tab_name()) -> ok | failure().
close(Name) ->
    Rows = erlet_dets_server:rows(Name),
    case ask({close, Name}) of
        {left, Answer} ->
            released(Rows),
            Answer;
        Answer -> Answer
    end.

%% Who closes a table holds it no more.
released({ok, Rows}) ->
    case ets:info(Rows, safe_fixed) of
        {_, Fixers} -> [ets:safe_fixtable(Rows, false) || {Pid, Times} <- Fixers, Pid =:= self(), _ <- lists:seq(1, Times)];
        _ -> []
    end;
released(error) -> [].

-spec sync(tab_name()) -> ok | failure().
sync(Name) -> change(Name, sync, sync, [Name]).

-spec all() -> [tab_name()].
all() -> erlet_dets_server:names().

-spec pid2name(pid()) -> undefined.
pid2name(Pid) when is_pid(Pid) -> undefined.

-spec is_dets_file(file:name()) -> boolean() | failure().
is_dets_file(File) ->
    case erlet_dets_server:head(File) of
        {ok, _, _} -> true;
        {error, {not_a_dets_file, _}} -> false;
        Error -> Error
    end.

ask(Request) -> erlet_system:call(?SERVER, Request).

%% What changes the table; badarg if it is not open, or if the change is at fault.
change(Name, Change, Function, Args) ->
    case ask({change, Name, Change}) of
        badarg -> badarg(Function, Args);
        Answer -> Answer
    end.

%% The rows of an open table.
rows(Name, Function, Args) ->
    case erlet_dets_server:rows(Name) of
        {ok, Rows} -> Rows;
        error -> badarg(Function, Args)
    end.

%% What is read from them; what the table of the rows refuses is the caller's fault.
read(Name, Function, Args, Read) ->
    Rows = rows(Name, Function, Args),
    try Read(Rows)
    catch error:badarg -> badarg(Function, Args)
    end.

%% An error of the function that was called.
badarg(Function, Args) ->
    {current_stacktrace, [_ | Stack]} = process_info(self(), current_stacktrace),
    Callers = lists:dropwhile(fun({Module, _, _, _}) -> Module =:= ?MODULE end, Stack),
    erlang:raise(error, badarg, [{?MODULE, Function, Args, []} | Callers]).

%%% Changes

-spec insert(tab_name(), tuple() | [tuple()]) -> ok | failure().
insert(Name, Objects) -> change(Name, {insert, objects(Objects)}, insert, [Name, Objects]).

-spec insert_new(tab_name(), tuple() | [tuple()]) -> boolean() | failure().
insert_new(Name, Objects) -> change(Name, {insert_new, objects(Objects)}, insert_new, [Name, Objects]).

objects(Objects) when is_list(Objects) -> Objects;
objects(Object) -> [Object].

-spec delete(tab_name(), term()) -> ok | failure().
delete(Name, Key) -> change(Name, {delete, Key}, delete, [Name, Key]).

-spec delete_object(tab_name(), tuple()) -> ok | failure().
delete_object(Name, Object) -> change(Name, {delete_object, Object}, delete_object, [Name, Object]).

-spec delete_all_objects(tab_name()) -> ok | failure().
delete_all_objects(Name) -> change(Name, delete_all_objects, delete_all_objects, [Name]).

-spec match_delete(tab_name(), ets:match_pattern()) -> ok | failure().
match_delete(Name, Pattern) ->
    case select_delete(Name, [{Pattern, [], [true]}]) of
        Number when is_integer(Number) -> ok;
        Error -> Error
    end.

-spec select_delete(tab_name(), ets:match_spec()) -> non_neg_integer() | failure().
select_delete(Name, Spec) -> change(Name, {select_delete, Spec}, select_delete, [Name, Spec]).

-spec update_counter(tab_name(), term(), integer() | {pos_integer(), integer()}) -> integer().
update_counter(Name, Key, Increment) -> change(Name, {update_counter, Key, Increment}, update_counter, [Name, Key, Increment]).

-spec from_ets(tab_name(), ets:table()) -> ok | failure().
from_ets(Name, Table) -> change(Name, {replace, ets:tab2list(Table)}, from_ets, [Name, Table]).

%% Filled anew by a fun called with `read` until it answers `end_of_input`, and with `close` at the end.
-spec init_table(tab_name(), fun()) -> ok | failure().
init_table(Name, F) -> init_table(Name, F, []).

-spec init_table(tab_name(), fun(), [tuple()]) -> ok | failure().
init_table(Name, F, Options) when is_function(F, 1), is_list(Options) ->
    case proplists:get_value(format, Options, term) of
        term -> ok;
        _ -> error(badarg, [Name, F, Options])
    end,
    case gathered(F, []) of
        {ok, Objects} -> change(Name, {replace, Objects}, init_table, [Name, F, Options]);
        Other -> {error, {init_fun, Other}}
    end;
init_table(Name, F, Options) -> error(badarg, [Name, F, Options]).

gathered(F, Found) ->
    case F(read) of
        end_of_input -> {ok, lists:append(lists:reverse(Found))};
        {Objects, Next} when is_list(Objects), is_function(Next, 1) -> gathered(Next, [Objects | Found]);
        Other -> Other
    end.

%%% Reading

-spec lookup(tab_name(), term()) -> [tuple()].
lookup(Name, Key) -> read(Name, lookup, [Name, Key], fun(Rows) -> ets:lookup(Rows, Key) end).

-spec member(tab_name(), term()) -> boolean().
member(Name, Key) -> read(Name, member, [Name, Key], fun(Rows) -> ets:member(Rows, Key) end).

-spec first(tab_name()) -> term() | '$end_of_table'.
first(Name) -> read(Name, first, [Name], fun(Rows) -> ets:first(Rows) end).

-spec next(tab_name(), term()) -> term() | '$end_of_table'.
next(Name, Key) -> read(Name, next, [Name, Key], fun(Rows) -> ets:next(Rows, Key) end).

-spec slot(tab_name(), non_neg_integer()) -> [tuple()] | '$end_of_table'.
slot(Name, Slot) ->
    try ets:slot(rows(Name, slot, [Name, Slot]), Slot)
    catch error:badarg -> '$end_of_table'
    end.

-spec match(tab_name(), ets:match_pattern()) -> [[term()]].
match(Name, Pattern) -> read(Name, match, [Name, Pattern], fun(Rows) -> ets:match(Rows, Pattern) end).

-spec match(tab_name(), ets:match_pattern(), pos_integer() | default) -> {[[term()]], term()} | '$end_of_table'.
match(Name, Pattern, Number) -> read(Name, match, [Name, Pattern, Number], fun(Rows) -> ets:match(Rows, Pattern, portion(Number)) end).

-spec match(term()) -> {[[term()]], term()} | '$end_of_table'.
match(Continuation) -> ets:match(Continuation).

-spec match_object(tab_name(), ets:match_pattern()) -> [tuple()].
match_object(Name, Pattern) -> read(Name, match_object, [Name, Pattern], fun(Rows) -> ets:match_object(Rows, Pattern) end).

-spec match_object(tab_name(), ets:match_pattern(), pos_integer() | default) -> {[tuple()], term()} | '$end_of_table'.
match_object(Name, Pattern, Number) -> read(Name, match_object, [Name, Pattern, Number], fun(Rows) -> ets:match_object(Rows, Pattern, portion(Number)) end).

-spec match_object(term()) -> {[tuple()], term()} | '$end_of_table'.
match_object(Continuation) -> ets:match_object(Continuation).

-spec select(tab_name(), ets:match_spec()) -> [term()].
select(Name, Spec) -> read(Name, select, [Name, Spec], fun(Rows) -> ets:select(Rows, Spec) end).

-spec select(tab_name(), ets:match_spec(), pos_integer() | default) -> {[term()], term()} | '$end_of_table'.
select(Name, Spec, Number) -> read(Name, select, [Name, Spec, Number], fun(Rows) -> ets:select(Rows, Spec, portion(Number)) end).

-spec select(term()) -> {[term()], term()} | '$end_of_table'.
select(Continuation) -> ets:select(Continuation).

%% Rows of a portion if the caller does not care.
portion(default) -> 100;
portion(Number) -> Number.

repair_continuation(Continuation, Spec) -> ets:repair_continuation(Continuation, Spec).

-spec safe_fixtable(tab_name(), boolean()) -> ok.
safe_fixtable(Name, Fix) ->
    true = read(Name, safe_fixtable, [Name, Fix], fun(Rows) -> ets:safe_fixtable(Rows, Fix) end),
    ok.

-spec foldl(fun((tuple(), Acc) -> Acc), Acc, tab_name()) -> Acc.
foldl(F, Acc, Name) -> ets:foldl(F, Acc, rows(Name, foldl, [F, Acc, Name])).

-spec foldr(fun((tuple(), Acc) -> Acc), Acc, tab_name()) -> Acc.
foldr(F, Acc, Name) -> ets:foldr(F, Acc, rows(Name, foldr, [F, Acc, Name])).

-spec to_ets(tab_name(), ets:table()) -> ets:table().
to_ets(Name, Table) ->
    true = ets:insert(Table, ets:tab2list(rows(Name, to_ets, [Name, Table]))),
    Table.

%% F says what to keep, and whether to go on.
-spec traverse(tab_name(), fun((tuple()) -> continue | {continue, Value} | {done, Value})) -> [Value] | term().
traverse(Name, F) when is_function(F, 1) -> traversed(ets:tab2list(rows(Name, traverse, [Name, F])), F, []).

traversed([], _, Kept) -> Kept;
traversed([Object | Objects], F, Kept) ->
    case F(Object) of
        continue -> traversed(Objects, F, Kept);
        {continue, Value} -> traversed(Objects, F, [Value | Kept]);
        {done, Value} -> [Value | Kept];
        Other -> Other
    end.

%%% Information

-spec info(tab_name()) -> [{atom(), term()}] | undefined.
info(Name) ->
    case info(Name, type) of
        undefined -> undefined;
        _ -> [{Item, info(Name, Item)} || Item <- [type, keypos, size, file_size, filename]]
    end.

-spec info(tab_name(), atom()) -> term() | undefined.
info(Name, Item) ->
    case erlet_dets_server:rows(Name) of
        {ok, Rows} -> item(Item, Name, Rows);
        error -> undefined
    end.

item(Item, _, Rows) when Item =:= size; Item =:= no_objects -> ets:info(Rows, size);
item(Item, _, Rows)
  when Item =:= type; Item =:= keypos; Item =:= fixed; Item =:= safe_fixed; Item =:= safe_fixed_monotonic_time ->
    ets:info(Rows, Item);
item(no_keys, _, Rows) ->
    Position = ets:info(Rows, keypos),
    length(lists:usort([element(Position, Object) || Object <- ets:tab2list(Rows)]));
item(memory, Name, _) -> filelib:file_size(setting(Name, filename));
item(file_size, Name, _) -> filelib:file_size(setting(Name, filename));
item(Item, Name, _) when Item =:= filename; Item =:= access; Item =:= ram_file; Item =:= auto_save; Item =:= owner; Item =:= users -> setting(Name, Item);
item(_, _, _) -> undefined.

setting(Name, Item) -> ask({setting, Name, Item}).
