%% code:add_path/1 and its kin: what they answer, the order of the path, and that modules are found there.
%% never on OTP: it finds compiled modules there, not sources
%% (OTP's answers; its path has folders of its own, so that only differences are looked at.)
%% expect: [true,[a]]
%% expect: [true,[b,a]]
%% expect: [true,[a,b]]
%% expect: [true,[a,b]]
%% expect: [ok,ok,[b,a]]
%% expect: [{error,bad_directory},{error,bad_directory},ok,[b,a]]
%% expect: [true,false,false,[b]]
%% expect: {found,1}
%% expect: {found,true}
%% expect: [function_clause,function_clause,function_clause,function_clause,function_clause]
%% expect: [{error,bad_directory},{error,bad_directory},true,[]]
%% expect: {undef,not_loaded}
%% expect: [{error,bad_name},"app-1.2","priv","src",{error,bad_name},true,[]]
-module(modules_are_found_on_the_code_path).
-export([main/0]).

main() ->
    %% Several machines in one process run this at once: only the system knows a name that nobody has.
    Dir = string:trim(os:cmd("mktemp -d /tmp/erlet_path_XXXXXXXX")),
    try run(Dir) after file:del_dir_r(Dir) end.

run(Dir) ->
    [A, B, App] = [filename:join(Dir, Name) || Name <- ["a", "b", "app-1.2/ebin"]],
    [ok = filelib:ensure_path(D) || D <- [A, B, App]],
    Before = code:get_path(),
    Show = fun() -> [list_to_atom(filename:basename(F)) || F <- code:get_path(), lists:member(F, [A, B])] end,
    io:format("~w~n", [[code:add_path(A), Show()]]),
    io:format("~w~n", [[code:add_patha(B), Show()]]),
    io:format("~w~n", [[code:add_patha(A), Show()]]),
    io:format("~w~n", [[code:add_pathz(A ++ "/"), Show()]]),
    io:format("~w~n", [[code:add_pathsa([A, B]), code:add_paths([A]), Show()]]),
    Nowhere = filename:join(Dir, "nowhere"),
    io:format("~w~n", [[code:add_path(Nowhere), code:add_patha([a | b]), code:add_pathsz([Nowhere]), Show()]]),
    io:format("~w~n", [[code:del_path(A), code:del_path(A), code:del_path(nothing_of_this_name), Show()]]),
    %% What is there is found, and replaced as any other module.
    ok = file:write_file(filename:join(B, "on_the_code_path.erl"), "-module(on_the_code_path).\n-export([f/0]).\nf() -> 1.\n"),
    io:format("~w~n", [{found, on_the_code_path:f()}]),
    io:format("~w~n", [{found, code:where_is_file("on_the_code_path.erl") =:= filename:join(B, "on_the_code_path.erl")}]),
    Reason = fun(F) -> try F() catch error:R -> R end end,
    io:format("~w~n", [[Reason(F) || F <- [fun() -> code:add_path(7) end, fun() -> code:add_patha(foo) end,
                                           fun() -> code:del_path(7) end, fun() -> code:set_path(x) end,
                                           fun() -> code:add_paths(x) end]]]),
    io:format("~w~n", [[code:set_path([Nowhere]), code:set_path([1, 2]), code:set_path(Before), Show()]]),
    ok = file:write_file(filename:join(A, "not_on_the_code_path.erl"), "-module(not_on_the_code_path).\n"),
    Undef = try apply(not_on_the_code_path, module_info, []) catch error:E -> E end,
    io:format("~w~n", [{Undef, code:module_status(not_on_the_code_path)}]),
    true = code:add_pathz(App),
    Name = fun(X) when is_list(X) -> filename:basename(X); (X) -> X end,
    io:format("~0p~n", [[code:lib_dir(nothing_of_this_name), Name(code:lib_dir(app)), Name(code:priv_dir(app)),
                         Name(code:lib_dir(app, src)), code:replace_path(nothing_of_this_name, App), code:del_path(app), Show()]]).
