%% The target of a symbolic link is kept as it was given; names are safe if no link leads out.
-module(a_symbolic_link_says_what_was_given).
-export([main/0]).

main() ->
    Dir = string:trim(os:cmd("mktemp -d /tmp/erlet_links_XXXXXXXX")),
    ok = filelib:ensure_path(filename:join(Dir, "a")),
    try links(Dir)
    after
        file:del_dir_r(Dir)
    end.

links(Dir) ->
    ok = file:make_symlink("a/b/c", filename:join(Dir, "link")),
    ok = file:make_symlink("..", filename:join([Dir, "a", "b"])),
    ok = file:make_symlink("../..", filename:join([Dir, "a", "out"])),
    ok = file:make_symlink("x", filename:join(Dir, "y")),
    ok = file:make_symlink("y", filename:join(Dir, "x")),
    show([file:read_link(filename:join(Dir, Name)) || Name <- ["link", "a/b", "x"]]),
    show([filelib:safe_relative_path(Name, Dir) || Name <- ["link/file", <<"link/file">>, "a/out/file", "x", "a/..", "a/../b", "../b", "/b"]]),
    show(filelib:find_file("nothing", Dir)),
    ok = file:write_file(filename:join(Dir, "m.erl"), "text"),
    {ok, Found} = filelib:find_source("m.beam", Dir),
    show(filename:basename(Found)),
    show(filelib:ensure_path(filename:join([Dir, "m.erl", "sub", "deeper"]))),
    [ok = file:write_file(filename:join(Dir, Name), "") || Name <- ["w-", "wA", "w]", "w{z}", "w,b"]],
    show([filelib:wildcard(Pattern, Dir) || Pattern <- ["w[][A-C-]", "w[-]", "w\\{*", "w[a\\-z]", "w{\\,b,A}"]]),
    show(try filelib:wildcard("{a,b", Dir) catch error:Reason -> Reason end).

show(X) -> io:format("~p~n", [X]).

%% expect: [{ok,"a/b/c"},{ok,".."},{ok,"y"}]
%% expect: ["c/file",<<"c/file">>,unsafe,unsafe,[],"b",unsafe,unsafe]
%% expect: {error,not_found}
%% expect: "m.erl"
%% expect: {error,enotdir}
%% expect: [["w-","wA","w]"],["w-"],["w{z}"],["w-"],["w,b","wA"]]
%% expect: {badpattern,missing_delimiter}
