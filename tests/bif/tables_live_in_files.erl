%% dets: what is put into a table is in its file, for those that open it later.
-module(tables_live_in_files).
-export([main/0]).

main() ->
    File = string:trim(os:cmd("mktemp -u /tmp/erlet_dets_XXXXXXXX")),
    show(dets:open_file(words, [{file, File}, {type, bag}, {keypos, 2}])),
    show(dets:insert(words, [{1, a}, {2, b}, {3, a}])),
    show(dets:insert(words, {4, c})),
    show([lists:sort(dets:lookup(words, a)), dets:lookup(words, z), dets:member(words, b)]),
    show([dets:info(words, Item) || Item <- [type, keypos, size, no_keys]]),
    show([dets:delete(words, b), dets:delete_object(words, {3, a}), dets:insert_new(words, {9, c}), dets:insert_new(words, {9, d})]),
    show(lists:sort(dets:match(words, {'$1', '_'}))),
    show(dets:open_file(words, [{file, File}, {type, set}])),
    show(dets:close(words)),
    show([dets:info(words), lists:member(words, dets:all()), dets:is_dets_file(File)]),
    show(element(1, element(2, dets:open_file(other, [{file, File}, {type, set}])))),
    show(outcome(fun() -> dets:lookup(words, a) end)),
    {ok, Ref} = dets:open_file(File),
    show(lists:sort(dets:match_object(Ref, '_'))),
    show(lists:sort(dets:select(Ref, [{{'$1', c}, [], ['$1']}]))),
    show(dets:foldl(fun({N, _}, Sum) -> N + Sum end, 0, Ref)),
    show(lists:sort(dets:traverse(Ref, fun({N, _}) when N > 1 -> {continue, N}; (_) -> continue end))),
    show([dets:match_delete(Ref, {'_', c}), dets:sync(Ref), dets:info(Ref, size)]),
    show(dets:close(Ref)),
    counted(File),
    user_ends(File),
    file:delete(File).

counted(File) ->
    file:delete(File),
    {ok, t} = dets:open_file(t, [{file, File}]),
    {ok, t} = dets:open_file(t, [{file, File}]),
    show([dets:insert(t, {k, 1, 10}), dets:update_counter(t, k, 5), dets:update_counter(t, k, {3, -1})]),
    show(outcome(fun() -> dets:update_counter(t, none, 1) end)),
    E = ets:new(e, []),
    ets:insert(E, [{x, 1}, {y, 2}]),
    show([dets:close(t), dets:from_ets(t, E), lists:sort(ets:tab2list(dets:to_ets(t, ets:new(f, []))))]),
    show([dets:insert(t, [{z, 3}]), dets:delete_all_objects(t), dets:info(t, size), dets:close(t), dets:close(t)]).

user_ends(File) ->
    {Pid, Monitor} = spawn_monitor(fun() -> {ok, u} = dets:open_file(u, [{file, File}]), dets:insert(u, {left, behind}) end),
    receive {'DOWN', Monitor, process, Pid, normal} -> ok end,
    closed(u),
    {ok, u} = dets:open_file(u, [{file, File}, {access, read}]),
    show([dets:lookup(u, left), element(1, dets:insert(u, {a, b}))]),
    dets:close(u).

closed(Name) ->
    case dets:info(Name) of
        undefined -> ok;
        _ ->
            timer:sleep(5),
            closed(Name)
    end.

outcome(F) ->
    try F()
    catch error:badarg -> badarg
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: {ok,words}
%% expect: ok
%% expect: ok
%% expect: [[{1,a},{3,a}],[],true]
%% expect: [bag,2,4,3]
%% expect: [ok,ok,false,true]
%% expect: [[1],[4],"\t"]
%% expect: {error,incompatible_arguments}
%% expect: ok
%% expect: [undefined,false,true]
%% expect: type_mismatch
%% expect: badarg
%% expect: [{1,a},{4,c},{9,d}]
%% expect: [4]
%% expect: 14
%% expect: [4,9]
%% expect: [ok,ok,2]
%% expect: ok
%% expect: [ok,6,9]
%% expect: badarg
%% expect: [ok,ok,[{x,1},{y,2}]]
%% expect: [ok,ok,0,ok,{error,not_owner}]
%% expect: [[{left,behind}],error]
