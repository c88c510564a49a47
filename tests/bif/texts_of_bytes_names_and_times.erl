%% Padding in base 64, times in RFC 3339, parts of file names, annotations, loops in graphs.
-module(texts_of_bytes_names_and_times).
-export([main/0]).

main() ->
    show([base64:mime_decode(Text) || Text <- ["b25l", "b24=", "b24==", "b2=4=", "b=2=4=", "bw= =", "bw=", "b!25l= ="]]),
    show([outcome(fun() -> calendar:rfc3339_to_system_time(Text) end)
          || Text <- ["9999-12-31T23:59:60Z", "0000-01-01T00:00:00+01:00", "1990-12-31T23:59:59", "1990-12-31T23:59:59Z"]]),
    show([outcome(fun() -> calendar:system_time_to_rfc3339(Time, [{offset, "Z"}]) end) || Time <- [-62167219201, -62167219200, 253402300799, 253402300800]]),
    show([calendar:rfc3339_to_system_time("1970-01-01T23:59:59." ++ Digits ++ "Z", [{unit, millisecond}]) || Digits <- ["999999", "4994", "4995", "0005"]]),
    show(calendar:system_time_to_rfc3339(1234567890123456789, [{unit, native}, {offset, "Z"}])),
    show([filename:join(A, B) || {A, B} <- [{"/a/.", ""}, {"/a/.", "b"}, {"./", ""}, {"", ""}, {"a/", ""}]]),
    show([filename:basename(Name, ".erl") || Name <- ["usr/foo.erl/", "usr/foo.erl", "foo.erl//", <<"a/b.erl/">>]]),
    os:putenv("HOME", "/home/me"),
    os:unsetenv("APPDATA"),
    show([filename:basedir(Kind, "app", #{os => Os, author => "me", version => "1"})
          || Os <- [darwin, windows], Kind <- [user_data, user_log, site_data]]),
    show([erl_anno:is_anno([{location, 1}, {file, <<"name">>}]), erl_anno:is_anno([{location, 1}, {file, name}])]),
    show([outcome(fun() -> erl_anno:set_generated(Value, 1) end) || Value <- [19, true, false]]),
    G = digraph:new(),
    [digraph:add_vertex(G, V) || V <- [a, b]],
    digraph:add_edge(G, a, a),
    show([length(digraph_utils:topsort(G)), digraph_utils:is_acyclic(G)]).

outcome(F) ->
    try F()
    catch error:_ -> error
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: [<<"one">>,<<"on">>,<<"on">>,<<"on">>,<<"on">>,<<"o">>,<<"o">>,<<"one">>]
%% expect: [error,error,error,662687999]
%% expect: [error,"0000-01-01T00:00:00Z","9999-12-31T23:59:59Z",error]
%% expect: [86400000,86399499,86399500,86399001]
%% expect: "2009-02-13T23:31:30.123Z"
%% expect: ["/a/.","/a/b",".",[],"a"]
%% expect: ["foo.erl","foo",[],<<"b.erl">>]
%% expect: ["/home/me/Library/Application Support/app/1","/home/me/Library/Logs/app/1",
%% expect:  ["/Library/Application Support/app/1"],
%% expect:  "/home/me/Local/me/app/1","/home/me/Local/me/app/1/Logs",[]]
%% expect: [true,false]
%% expect: [error,[{generated,true},{location,1}],1]
%% expect: [2,false]
