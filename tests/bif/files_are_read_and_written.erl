%% file:write_file, read_file, consult, delete and their error atoms.
-module(files_are_read_and_written).
-export([main/0]).

main() ->
    %% Several machines in one process run this at once: only the system knows a name that nobody has.
    Name = string:trim(os:cmd("mktemp -u /tmp/erlet_files_XXXXXXXX")),
    show(file:write_file(Name, ["text ", <<"binary\n">>])),
    show(file:read_file(Name)),
    show(file:write_file(Name, "{a, 1}.\n[b, \"c\"]. % comment\n")),
    show(file:consult(Name)),
    show(file:write_file(Name, "{a, 1")),
    show(element(1, file:consult(Name))),
    show(file:write_file(Name, <<"more">>, [append])),
    show(file:read_file(Name)),
    show(file:delete(Name)),
    show(file:read_file(Name)),
    show(file:delete(Name)),
    show(file:read_file("/no/such/dir/file")),
    show(file:read_file("/tmp")),
    show(file:consult("/no/such")),
    show(file:format_error(enoent)),
    show(filename:join(["a", "b", "c.erl"])),
    show([filename:basename("/a/b.erl"), filename:basename("/a/b.erl", ".erl"), filename:dirname("/a/b.erl"), filename:extension("b.tar.gz"), filename:rootname("a/b.erl"), filename:join("a", "/b"), filename:split("/a/b")]).

show(X) -> io:format("~p~n", [X]).

%% expect: ok
%% expect: {ok,<<"text binary\n">>}
%% expect: ok
%% expect: {ok,[{a,1},[b,"c"]]}
%% expect: ok
%% expect: error
%% expect: ok
%% expect: {ok,<<"{a, 1more">>}
%% expect: ok
%% expect: {error,enoent}
%% expect: {error,enoent}
%% expect: {error,enoent}
%% expect: {error,eisdir}
%% expect: {error,enoent}
%% expect: "no such file or directory"
%% expect: "a/b/c.erl"
%% expect: ["b.erl","b","/a",".gz","a/b","/b",["/","a","b"]]
