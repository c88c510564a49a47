%% module_info(attributes): `vsn` is the hash where the source names none; module_info(compile) is a list of pairs.
-module(a_module_without_a_version_has_its_hash).
-author("me").
-export([main/0]).

main() ->
    [{vsn, [Version]}, {author, "me"}] = ?MODULE:module_info(attributes),
    <<Hash:128>> = ?MODULE:module_info(md5),
    show(Version =:= Hash),
    show(Version > 1 bsl 64),
    Compile = module_info(compile),
    show(is_list(proplists:get_value(version, Compile))),
    show(is_list(proplists:get_value(options, Compile))),
    show([Key || {Key, _} <- ?MODULE:module_info()]).

show(X) -> io:format("~p~n", [X]).

%% expect: true
%% expect: true
%% expect: true
%% expect: true
%% expect: [module,exports,attributes,compile,md5]
