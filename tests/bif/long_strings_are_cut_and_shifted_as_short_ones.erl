%% without stress: collecting a list of 60,000 elements at every step takes minutes
%% Strings longer than what is looked at in one go.
-module(long_strings_are_cut_and_shifted_as_short_ones).
-export([main/0]).

main() ->
    Long = binary_to_list(binary:copy(<<"ab,">>, 20000)),
    io:format("~w~n", [{length(string:tokens(Long, ",")), erlang:phash2(string:to_upper(Long)), length(Long)}]),
    io:format("~w~n", [string:to_lower(string:to_upper(Long)) =:= Long]).

%% expect: {20000,43557908,60000}
%% expect: true
