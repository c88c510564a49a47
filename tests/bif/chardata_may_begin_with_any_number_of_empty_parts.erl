%% The first character of text stands behind as many empty lists and binaries, as deep in lists, as somebody likes.
%% without stress: with a collection at each step long lists take too long
-module(chardata_may_begin_with_any_number_of_empty_parts).
-export([main/0]).

main() ->
    Empty = lists:duplicate(300000, []),
    show(unicode_util:cp(Empty)),
    show(unicode_util:cp([<<>> || _ <- Empty])),
    show(unicode_util:cp([[<<>>] || _ <- Empty] ++ "ab")),
    show(unicode_util:gc([Empty, Empty | "ab"])),
    show(unicode_util:gc(lists:foldl(fun(_, Text) -> [[], Text] end, "x", Empty))),
    show(hd(unicode_util:cp(lists:foldl(fun(_, Text) -> [Text, []] end, "x", Empty)))),
    show(string:is_empty(Empty)).

show(Term) -> io:format("~0p~n", [Term]).

%% expect: []
%% expect: []
%% expect: "ab"
%% expect: "ab"
%% expect: "x"
%% expect: 120
%% expect: true
