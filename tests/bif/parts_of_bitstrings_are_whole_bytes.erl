%% Parts are taken of bitstrings too; what is less than a byte at the end is in none of them.
%% expect: <<252>>
%% expect: <<>>
%% expect: badarg
%% expect: <<1>>
%% expect: <<252>>
%% expect: yes
%% expect: <<252>>
%% expect: <<1>>
%% expect: badarg
%% expect: {<<>>,<<252,1,0:1>>}
%% expect: {<<252>>,<<1,0:1>>}
%% expect: {<<252,1>>,<<0:1>>}
%% expect: badarg
%% expect: 3
%% expect: [252,1]
%% expect: badarg
%% expect: badarg
-module(parts_of_bitstrings_are_whole_bytes).
-export([main/0]).

main() ->
    B = id(<<252, 1, 0:1>>),
    show(fun() -> binary_part(B, 0, 1) end),
    show(fun() -> binary_part(B, 2, 0) end),
    show(fun() -> binary_part(B, 2, 1) end),
    show(fun() -> binary_part(B, 2, -1) end),
    show(fun() -> binary_part(B, {0, 1}) end),
    show(fun() -> guard(B) end),
    show(fun() -> binary:part(B, 0, 1) end),
    show(fun() -> binary:part(B, {1, 1}) end),
    show(fun() -> binary:part(B, {1, 2}) end),
    show(fun() -> split_binary(B, 0) end),
    show(fun() -> split_binary(B, 1) end),
    show(fun() -> split_binary(B, 2) end),
    show(fun() -> split_binary(B, 3) end),
    show(fun() -> binary:referenced_byte_size(B) end),
    show(fun() -> binary_to_list(B, 1, 2) end),
    show(fun() -> binary_to_list(B, 1, 3) end),
    show(fun() -> binary:at(B, 0) end).

guard(B) when binary_part(B, 0, 1) =:= <<252>> -> yes;
guard(_) -> no.

show(F) ->
    io:format("~w~n", [try F() catch error:Reason -> Reason end]).

id(X) -> X.
