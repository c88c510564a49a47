%% A file that was written before `maybe` was a reserved word names functions, types, records and atoms so.
-module(maybe_may_be_a_name).
-export([main/0, maybe/1]).
-export_type([maybe/1]).
-record(maybe, {else = else}).
-type maybe(T) :: {ok, T} | else.

-spec maybe(T) -> maybe(T).
maybe(else) -> else;
maybe(X) -> {ok, X}.

maybe() -> fun maybe/1.

main() ->
    show([maybe, else, maybe]),
    show({maybe(else), maybe(1), (maybe())(2), ?MODULE:maybe(3)}),
    show({maybe, #maybe{}}),
    show(#{maybe => #{else => 1}}),
    X = maybe,
    show(case X of maybe -> yes; else -> no end).

show(X) -> io:format("~w~n", [X]).

%% expect: ['maybe','else','maybe']
%% expect: {'else',{ok,1},{ok,2},{ok,3}}
%% expect: {'maybe',{'maybe','else'}}
%% expect: #{'maybe' => #{'else' => 1}}
%% expect: yes
