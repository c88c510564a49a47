%% io_lib:format with field width, precision, padding for ~w ~p ~s ~c ~b ~B ~x ~# ~+.
-module(format_integers_and_columns).
-export([main/0]).

main() ->
    F = fun(Fmt, Args) -> io:format("~s[~s]~n", [Fmt, try io_lib:format(Fmt, Args) catch _:R -> io_lib:format("~w", [R]) end]) end,
    [F(Fmt, [42]) || Fmt <- ["~w", "~5w", "~-5w", "~5..0w", "~.16b", "~8.2b", "~8.2.0b", "~.16B", "~.16#", "~.36+", "~b", "~B", "~10b", "~-10b|", "~2w", "~1w", "~.2b", "~.10#"]],
    [F(Fmt, [-255]) || Fmt <- ["~w", "~.16b", "~.16#", "~.2+", "~8.16.0b", "~b", "~.8B"]],
    [F(Fmt, [255, "0x"]) || Fmt <- ["~.16x", "~.16X", "~10.16x", "~.10x"]],
    [F(Fmt, [255, pre]) || Fmt <- ["~.16x", "~.16X"]],
    [F(Fmt, [$a]) || Fmt <- ["~c", "~3c", "~5.3c", "~-5.3c|", "~tc"]],
    [F(Fmt, ["abcdef"]) || Fmt <- ["~s", "~10s", "~-10s|", "~3s", "~.3s", "~10.3s", "~-10.3s|", "~10.3.*s", "~2s", "~p", "~w", "~20p"]],
    [F(Fmt, [atom]) || Fmt <- ["~s", "~10s", "~p", "~w", "~10w", "~-10w|", "~2w"]],
    [F(Fmt, [<<"bin">>]) || Fmt <- ["~s", "~p", "~w", "~.2s"]],
    F("~~ ~n", []),
    F("~i~w", [skipped, shown]),
    F("~*w", [5, 1]),
    F("~*.*.0b", [8, 2, 5]),
    F("~3n|", []),
    F("no args", []),
    F("a~nb", []),
    F("~5~|", []).

%% expect: ~w[42]
%% expect: ~5w[   42]
%% expect: ~-5w[42   ]
%% expect: ~5..0w[00042]
%% expect: ~.16b[2a]
%% expect: ~8.2b[  101010]
%% expect: ~8.2.0b[00101010]
%% expect: ~.16B[2A]
%% expect: ~.16#[16#2A]
%% expect: ~.36+[36#16]
%% expect: ~b[42]
%% expect: ~B[42]
%% expect: ~10b[        42]
%% expect: ~-10b|[42        |]
%% expect: ~2w[42]
%% expect: ~1w[*]
%% expect: ~.2b[101010]
%% expect: ~.10#[10#42]
%% expect: ~w[-255]
%% expect: ~.16b[-ff]
%% expect: ~.16#[-16#FF]
%% expect: ~.2+[-2#11111111]
%% expect: ~8.16.0b[00000-ff]
%% expect: ~b[-255]
%% expect: ~.8B[-377]
%% expect: ~.16x[0xff]
%% expect: ~.16X[0xFF]
%% expect: ~10.16x[      0xff]
%% expect: ~.10x[0x255]
%% expect: ~.16x[preff]
%% expect: ~.16X[preFF]
%% expect: ~c[a]
%% expect: ~3c[aaa]
%% expect: ~5.3c[  aaa]
%% expect: ~-5.3c|[aaa  |]
%% expect: ~tc[a]
%% expect: ~s[abcdef]
%% expect: ~10s[    abcdef]
%% expect: ~-10s|[abcdef    |]
%% expect: ~3s[abc]
%% expect: ~.3s[abc]
%% expect: ~10.3s[       abc]
%% expect: ~-10.3s|[abc       |]
%% expect: ~10.3.*s[badarg]
%% expect: ~2s[ab]
%% expect: ~p["abcdef"]
%% expect: ~w[[97,98,99,100,101,102]]
%% expect: ~20p["abcdef"]
%% expect: ~s[atom]
%% expect: ~10s[      atom]
%% expect: ~p[atom]
%% expect: ~w[atom]
%% expect: ~10w[      atom]
%% expect: ~-10w|[atom      |]
%% expect: ~2w[**]
%% expect: ~s[bin]
%% expect: ~p[<<"bin">>]
%% expect: ~w[<<98,105,110>>]
%% expect: ~.2s[bi]
%% expect: ~~ ~n[~ 
%% expect: ]
%% expect: ~i~w[shown]
%% expect: ~*w[    1]
%% expect: ~*.*.0b[00000101]
%% expect: ~3n|[
%% expect:
%% expect:
%% expect: |]
%% expect: no args[no args]
%% expect: a~nb[a
%% expect: b]
%% expect: ~5~|[~~~~~|]
