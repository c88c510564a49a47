%% float_to_list/1,2, list_to_float/1, the binary forms.
-module(floats_convert_to_text_and_back).
-export([main/0]).

main() ->
    show([float_to_list(X) || X <- [0.1, 1.0, -1.5, 1.0e100, 0.0, -0.0, 1.7976931348623157e308, 5.0e-324]]),
    show([float_to_list(X, [{decimals, D}]) || {X, D} <- [{0.145, 1}, {123.215, 2}, {1.0, 0}, {2.5, 0}, {1.005, 2}, {-1.5, 3}, {1.0e15, 2}, {0.0, 3}, {99.999, 2}, {12.25, 10}]]),
    show([float_to_list(X, [{decimals, D}, compact]) || {X, D} <- [{1.5, 5}, {2.0, 3}, {0.1, 10}, {100.0, 4}]]),
    show([float_to_list(X, [{scientific, D}]) || {X, D} <- [{123.456, 2}, {0.00123, 5}, {1.0, 0}, {-5.5e-10, 3}, {0.0, 1}]]),
    show([float_to_list(X, [short]) || X <- [0.1, 1.0, 1.0e22, 1.0e-5, 123456.789, 5.0e-324, 0.3, 1.0e15, 1.0e16, 123456789012345680.0]]),
    show([float_to_binary(1.5), float_to_binary(1.5, [short]), float_to_binary(1.25, [{decimals, 1}])]),
    show([list_to_float(S) || S <- ["1.0", "-1.5e3", "1.5E-3", "+2.5", "0.1", "1.0e+2"]]),
    show([attempt(fun() -> list_to_float(id(S)) end) || S <- ["1", "1.", ".5", "1e5", "", "a", " 1.0", "1.0 ", "1.0e400", "1.0e", 1.0]]),
    show(binary_to_float(<<"3.25">>)),
    show([attempt(fun() -> binary_to_float(id(S)) end) || S <- [<<"1">>, <<>>, "1.0"]]),
    show([attempt(fun() -> float_to_list(id(X)) end) || X <- [1, a]]),
    show(attempt(fun() -> float_to_list(1.0, [{decimals, id(-1)}]) end)),
    show(attempt(fun() -> float_to_list(1.0, id(nonsense)) end)).

show(X) -> io:format("~p~n", [X]).

attempt(F) -> try F() catch Class:Reason -> {Class, Reason} end.

id(X) -> X.

%% expect: ["1.00000000000000005551e-01","1.00000000000000000000e+00",
%% expect:  "-1.50000000000000000000e+00","1.00000000000000001590e+100",
%% expect:  "0.00000000000000000000e+00","-0.00000000000000000000e+00",
%% expect:  "1.79769313486231570815e+308","4.94065645841246544177e-324"]
%% expect: ["0.1","123.22","1","3","1.00","-1.500","1000000000000000.00","0.000",
%% expect:  "100.00","12.2500000000"]
%% expect: ["1.5","2.0","0.1","100.0"]
%% expect: ["1.23e+02","1.23000e-03","1e+00","-5.500e-10","0.0e+00"]
%% expect: ["0.1","1.0","1.0e22","1.0e-5","123456.789","5.0e-324","0.3","1.0e15",
%% expect:  "1.0e16","1.2345678901234568e17"]
%% expect: [<<"1.50000000000000000000e+00">>,<<"1.5">>,<<"1.3">>]
%% expect: [1.0,-1.5e3,0.0015,2.5,0.1,100.0]
%% expect: [{error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg},
%% expect:  {error,badarg}]
%% expect: 3.25
%% expect: [{error,badarg},{error,badarg},{error,badarg}]
%% expect: [{error,badarg},{error,badarg}]
%% expect: {error,badarg}
%% expect: {error,badarg}
