%% The size of a segment is an expression over what was matched before it.
-module(a_size_may_come_from_an_earlier_segment).
-export([main/0]).

main() ->
    show(f(<<3, "abcdef">>)),
    show(f(<<9, "abc">>)),
    show(g(<<2, 1, "abcdefgh">>)),
    show(h(2, <<1, 2, 3, 4, 5>>)),
    show(h(6, <<1, 2, 3, 4, 5>>)).

f(<<N, S:N/binary, R/binary>>) -> {S, R};
f(_) -> short.

g(<<A, B, S:(A + B * 2)/binary, R/binary>>) -> {S, R}.

h(Skip, Bin) ->
    case Bin of
        <<_:Skip/binary, X, _/binary>> -> X;
        _ -> none
    end.

show(X) -> io:format("~p~n", [X]).

%% expect: {<<"abc">>,<<"def">>}
%% expect: short
%% expect: {<<"abcd">>,<<"efgh">>}
%% expect: 3
%% expect: none
