%% The server of the tables of `dets`: it has their files, and alone changes their rows.
%%
%% A file is a line that says what it is, and records: the size and the checksum of a term, and the term in the external format. The first term
%% is the head, `{Type, Keypos}`; the others are changes, in order. What a crash left behind the last whole record is cut off when the
%% file is opened again. A file that says more than its rows do is written anew when it is closed.
-module(erlet_dets_server).
-behaviour(gen_server).

-export([head/1, rows/1, names/0]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2, terminate/2]).

-define(MAGIC, <<"erlet table 1\n">>).

%% Names and the tables of their rows, for those that read.
-define(REGISTER, erlet_dets_tables).

%% Changes that a file may have beyond its rows before it is written anew.
-define(SPARE_CHANGES, 1000).

%% fd is `none` for a table of memory, which is written when it is closed.
-record(table, {rows, fd = none, file, type, keypos, access, ram_file, auto_save, owner, users = #{}, changes = 0}).

-spec head(file:name()) -> {ok, set | bag | duplicate_bag, pos_integer()} | {error, term()}.
head(File) ->
    case file:read_file(File) of
        {ok, Bytes} ->
            case records(Bytes) of
                {ok, [{Type, Keypos} | _], _} -> {ok, Type, Keypos};
                _ -> {error, {not_a_dets_file, File}}
            end;
        {error, Reason} -> {error, {file_error, File, Reason}}
    end.

-spec rows(term()) -> {ok, ets:tid()} | error.
rows(Name) ->
    try ets:lookup_element(?REGISTER, Name, 2) of
        Rows -> {ok, Rows}
    catch error:badarg -> error
    end.

-spec names() -> [term()].
names() ->
    try [Name || {Name, _} <- ets:tab2list(?REGISTER)]
    catch error:badarg -> []
    end.

init([]) ->
    process_flag(trap_exit, true),
    ets:new(?REGISTER, [named_table, protected]),
    {ok, #{}}.

handle_call({open, Name, File, Options, Which}, {User, _}, Opened) ->
    Tables = without_dead(Name, Opened),
    case Tables of
        #{Name := Table} ->
            case fits(Table, File, Options) of
                true -> {reply, {ok, Name}, Tables#{Name := used(Table, User)}};
                false -> {reply, {error, incompatible_arguments}, Tables}
            end;
        #{} ->
            case opened(File, Options, Which) of
                {ok, Table} ->
                    ets:insert(?REGISTER, {Name, Table#table.rows}),
                    {reply, {ok, Name}, Tables#{Name => used(Table#table{owner = User}, User)}};
                Error -> {reply, Error, Tables}
            end
    end;
handle_call({close, Name}, {User, _}, Tables) ->
    case Tables of
        #{Name := #table{users = #{User := {1, Monitor}}} = Table} ->
            demonitor(Monitor, [flush]),
            {Answer, Left} = left(Name, User, Table, Tables),
            {reply, {left, Answer}, Left};
        #{Name := #table{users = #{User := {Times, Monitor}} = Users} = Table} ->
            {reply, ok, Tables#{Name := Table#table{users = Users#{User := {Times - 1, Monitor}}}}};
        #{} -> {reply, {error, not_owner}, Tables}
    end;
handle_call({setting, Name, Item}, _, Tables) ->
    case Tables of
        #{Name := Table} -> {reply, setting(Item, Table), Tables};
        #{} -> {reply, undefined, Tables}
    end;
handle_call({change, Name, Change}, _, Tables) ->
    case Tables of
        #{Name := #table{access = read, file = File}} when Change =/= sync -> {reply, {error, {access_mode, File}}, Tables};
        #{Name := Table} ->
            {Answer, Changed} = changed(Change, Table),
            {reply, Answer, Tables#{Name := Changed}};
        #{} -> {reply, badarg, Tables}
    end.

handle_cast(_, Tables) -> {noreply, Tables}.

%% Who has tables open and ends has closed them.
handle_info({'DOWN', _, process, User, _}, Tables) ->
    Close =
        fun(Name, #table{users = #{User := _}} = Table, Left) -> element(2, left(Name, User, Table, Left));
           (_, _, Left) -> Left
        end,
    {noreply, maps:fold(Close, Tables, Tables)};
handle_info(_, Tables) -> {noreply, Tables}.

terminate(_, Tables) -> maps:foreach(fun(_, Table) -> closed(Table) end, Tables).

%%% Opening and closing

%% Those who ended a moment ago may be news that has not come yet.
without_dead(Name, Tables) ->
    case Tables of
        #{Name := #table{users = Users}} ->
            lists:foldl(fun(User, #{Name := Table} = Left) -> element(2, left(Name, User, Table, Left)) end, Tables,
                        [User || User <- maps:keys(Users), not is_process_alive(User)]);
        #{} -> Tables
    end.

used(#table{users = Users} = Table, User) ->
    Use =
        case Users of
            #{User := {Times, Monitor}} -> {Times + 1, Monitor};
            #{} -> {1, monitor(process, User)}
        end,
    Table#table{users = Users#{User => Use}}.

left(Name, User, #table{users = Users} = Table, Tables) ->
    case maps:remove(User, Users) of
        None when map_size(None) =:= 0 ->
            ets:delete(?REGISTER, Name),
            {closed(Table), maps:remove(Name, Tables)};
        Others -> {ok, Tables#{Name := Table#table{users = Others}}}
    end.

fits(#table{file = File, type = Type, keypos = Keypos, access = Access, ram_file = InMemory}, File, Options) ->
    Own = [{type, Type}, {keypos, Keypos}, {access, Access}, {ram_file, InMemory}],
    lists:all(fun({Item, Value}) -> proplists:get_value(Item, Options, Value) =:= Value end, Own);
fits(_, _, _) -> false.

opened(File, Options, Which) ->
    Item = fun(Name, Default) -> proplists:get_value(Name, Options, Default) end,
    Table = #table{file = File, type = Item(type, set), keypos = Item(keypos, 1), access = Item(access, read_write),
                   ram_file = Item(ram_file, false), auto_save = Item(auto_save, 180000)},
    case file:read_file(File) of
        {ok, <<>>} when Which =:= new -> made(Table);
        {ok, Bytes} -> restored(records(Bytes), byte_size(Bytes), Table);
        {error, enoent} when Which =:= new, Table#table.access =:= read_write -> made(Table);
        {error, Reason} -> {error, {file_error, File, Reason}}
    end.

made(#table{ram_file = true} = Table) -> {ok, with_rows([], Table)};
made(#table{file = File, type = Type, keypos = Keypos} = Table) ->
    case file:write_file(File, [?MAGIC, record({Type, Keypos})]) of
        ok -> for_changes(with_rows([], Table));
        {error, Reason} -> {error, {file_error, File, Reason}}
    end.

restored({ok, [{Type, Keypos} | Changes], Size}, Whole, #table{type = Type, keypos = Keypos, file = File} = Table) ->
    Size =:= Whole orelse Table#table.access =:= read orelse cut(File, Size),
    for_changes((with_rows(Changes, Table))#table{changes = length(Changes)});
restored({ok, [{Type, _} | _], _}, _, #table{type = Type, file = File}) -> {error, {keypos_mismatch, File}};
restored({ok, _, _}, _, #table{file = File}) -> {error, {type_mismatch, File}};
restored(error, _, #table{file = File}) -> {error, {not_a_dets_file, File}}.

with_rows(Changes, #table{type = Type, keypos = Keypos} = Table) ->
    Rows = ets:new(rows, [Type, protected, {keypos, Keypos}]),
    lists:foreach(fun(Change) -> done(Change, Rows) end, Changes),
    Table#table{rows = Rows}.

cut(File, Size) ->
    {ok, Fd} = file:open(File, [raw, read, write, binary]),
    {ok, Size} = file:position(Fd, Size),
    ok = file:truncate(Fd),
    file:close(Fd).

for_changes(#table{access = Access, ram_file = InMemory} = Table) when Access =:= read; InMemory -> {ok, Table};
for_changes(#table{file = File, rows = Rows} = Table) ->
    case file:open(File, [raw, append, binary]) of
        {ok, Fd} -> {ok, Table#table{fd = Fd}};
        {error, Reason} ->
            ets:delete(Rows),
            {error, {file_error, File, Reason}}
    end.

closed(#table{fd = Fd, access = Access, changes = Changes, rows = Rows} = Table) ->
    Fd =:= none orelse file:close(Fd),
    IsOld = Access =:= read_write andalso (Fd =:= none orelse Changes > ets:info(Rows, size) + ?SPARE_CHANGES),
    Answer = case IsOld of true -> written(Table); false -> ok end,
    ets:delete(Rows),
    Answer.

%% The file anew, with the rows alone, put in the place of the old one when it is whole.
written(#table{file = File, type = Type, keypos = Keypos, rows = Rows}) ->
    New = File ++ ".TMP",
    case file:write_file(New, [?MAGIC, record({Type, Keypos}), record({insert, ets:tab2list(Rows)})], [sync]) of
        ok -> file:rename(New, File);
        {error, Reason} -> {error, {file_error, File, Reason}}
    end.

setting(filename, Table) -> Table#table.file;
setting(access, Table) -> Table#table.access;
setting(ram_file, Table) -> Table#table.ram_file;
setting(auto_save, Table) -> Table#table.auto_save;
setting(owner, Table) -> Table#table.owner;
setting(users, Table) -> [User || {User, {Times, _}} <- maps:to_list(Table#table.users), _ <- lists:seq(1, Times)].

%%% Changes: what is answered, and the change as it is kept

changed(sync, #table{access = read} = Table) -> {ok, Table};
changed(sync, #table{fd = none} = Table) -> {written(Table), Table};
changed(sync, #table{fd = Fd} = Table) -> {file:sync(Fd), Table};
changed({insert_new, Objects}, #table{rows = Rows} = Table) ->
    try ets:insert_new(Rows, Objects) of
        true -> kept(true, {insert, Objects}, Table);
        false -> {false, Table}
    catch error:badarg -> {badarg, Table}
    end;
changed({select_delete, Spec}, #table{rows = Rows} = Table) ->
    try ets:select_delete(Rows, Spec) of
        0 -> {0, Table};
        Number -> kept(Number, {select_delete, Spec}, Table)
    catch error:badarg -> {badarg, Table}
    end;
changed({update_counter, Key, Increment}, #table{rows = Rows} = Table) ->
    try ets:update_counter(Rows, Key, Increment) of
        Result -> kept(Result, {insert, ets:lookup(Rows, Key)}, Table)
    catch error:badarg -> {badarg, Table}
    end;
changed(Change, #table{rows = Rows} = Table) ->
    try done(Change, Rows) of
        _ -> kept(ok, Change, Table)
    catch error:badarg -> {badarg, Table}
    end.

done({insert, Objects}, Rows) -> ets:insert(Rows, Objects);
done({delete, Key}, Rows) -> ets:delete(Rows, Key);
done({delete_object, Object}, Rows) -> ets:delete_object(Rows, Object);
done(delete_all_objects, Rows) -> ets:delete_all_objects(Rows);
done({select_delete, Spec}, Rows) -> ets:select_delete(Rows, Spec);
done({replace, Objects}, Rows) ->
    lists:all(fun(Object) -> is_tuple(Object) andalso tuple_size(Object) >= ets:info(Rows, keypos) end, Objects) orelse error(badarg),
    ets:delete_all_objects(Rows),
    ets:insert(Rows, Objects).

kept(Answer, _, #table{fd = none} = Table) -> {Answer, Table};
kept(Answer, Change, #table{fd = Fd, file = File, changes = Changes} = Table) ->
    case file:write(Fd, record(Change)) of
        ok -> {Answer, Table#table{changes = Changes + 1}};
        {error, Reason} -> {{error, {file_error, File, Reason}}, Table}
    end.

%%% Records

record(Term) ->
    Bytes = term_to_binary(Term),
    [<<(byte_size(Bytes)):32, (erlang:crc32(Bytes)):32>>, Bytes].

%% The terms of a file, and the size of the part that they take.
records(<<"erlet table 1\n", Bytes/binary>>) ->
    case records(Bytes, [], byte_size(?MAGIC)) of
        {[{_, _} | _], _} = {Terms, Size} -> {ok, Terms, Size};
        _ -> error
    end;
records(_) -> error.

records(<<Size:32, Sum:32, Bytes:Size/binary, Rest/binary>>, Terms, Whole) ->
    try
        Sum = erlang:crc32(Bytes),
        binary_to_term(Bytes)
    of
        Term -> records(Rest, [Term | Terms], Whole + 8 + Size)
    catch
        error:_ -> {lists:reverse(Terms), Whole}
    end;
records(_, Terms, Whole) -> {lists:reverse(Terms), Whole}.
