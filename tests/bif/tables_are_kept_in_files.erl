%% ets:tab2file/3, file2tab/2 and tabfile_info/1: what is kept, what is verified, and what is no such file.
-module(tables_are_kept_in_files).
-export([main/0]).

main() ->
    File = string:trim(os:cmd("mktemp -u /tmp/erlet_table_XXXXXXXX")),
    T = ets:new(kept, [named_table, public, bag, {keypos, 2}, compressed]),
    ets:insert(T, [{N, N rem 3} || N <- lists:seq(1, 10)]),
    show(ets:tab2file(T, File, [{extended_info, [object_count, md5sum]}, {sync, true}])),
    show(ets:file2tab(File)),
    ets:delete(T),
    show(ets:file2tab(File, [{verify, true}])),
    show([ets:info(kept, Item) || Item <- [type, protection, keypos, size, compressed, named_table]]),
    {ok, Info} = ets:tabfile_info(File),
    show([proplists:get_value(Item, Info) || Item <- [name, type, protection, named_table, keypos, size, version]]),
    show(ets:tab2file(no_such_table, File)),
    file:delete(File),
    show(element(1, element(2, ets:file2tab(File)))),
    show(element(1, element(2, ets:tabfile_info(File)))),
    show(try ets:tab2file(kept, File, [{extended_info, [other]}]) catch error:badarg -> badarg end).

show(X) -> io:format("~p~n", [X]).

%% expect: ok
%% expect: {error,cannot_create_table}
%% expect: {ok,kept}
%% expect: [bag,public,2,10,true,true]
%% expect: [kept,bag,public,true,2,10,{1,0}]
%% expect: {error,badtab}
%% expect: read_error
%% expect: read_error
%% expect: {error,{unknown_option,[{extended_info,[other]}]}}
