%% With eunit.hrl, functions whose names end in `_exported_` are exported as tests are. OTP 25 prints the same.
-module(functions_that_tests_call_from_outside_are_exported).
-export([main/0]).
-include_lib("eunit/include/eunit.hrl").

main() ->
    Exports = [Export || {Name, _} = Export <- module_info(exports), lists:suffix("_", atom_to_list(Name))],
    io:format("~p~n", [lists:sort(Exports)]).

numbers_exported_() -> [?_assertEqual(N, N) || N <- [1, 2]].

all_test_() -> {generator, ?MODULE, numbers_exported_}.

%% expect: [{all_test_,0},{numbers_exported_,0}]
