%% Any bitstring may be repeated no times; an improper list makes no array.
%% expect: <<>>
%% expect: <<1,2>>
%% expect: <<1,2,1,2>>
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: <<>>
%% expect: <<>>
%% expect: <<>>
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: <<>>
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,copy}
%% expect: {badarg,other}
%% expect: {badarg,other}
-module(copying_a_bitstring_no_times_is_no_error).
-export([main/0]).

main() ->
    [show(fun() -> binary:copy(B, N) end) || B <- [<<1, 2>>, <<>>, <<1, 1:1>>, ok], N <- [0, 1, 2, -1, x]],
    show(fun() -> array:from_list([a, b | c]) end),
    show(fun() -> array:from_list(x) end).

show(F) ->
    Result = try F() catch error:Reason:Stack -> {Reason, name(element(2, hd(Stack)))} end,
    io:format("~w~n", [Result]).

%% (What an array calls inside is its own affair.)
name(copy) -> copy;
name(length) -> length;
name(_) -> other.
