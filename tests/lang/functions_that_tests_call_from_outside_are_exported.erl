%% eunit's parse transform exports functions whose names end in `_exported_`, as it does tests. OTP 25 prints the same.
-module(functions_that_tests_call_from_outside_are_exported).
-export([main/0]).
-compile({parse_transform, eunit_autoexport}).

main() ->
    io:format("~p~n", [[Name || Name <- [numbers_exported_, all_test_, one_test, exported], erlang:function_exported(?MODULE, Name, 0)]]),
    io:format("~p~n", [{numbers_exported_(), all_test_(), one_test(), exported()}]).

numbers_exported_() -> 1.

all_test_() -> 2.

one_test() -> 3.

exported() -> 4.

%% expect: [numbers_exported_,all_test_,one_test]
%% expect: {1,2,3,4}
