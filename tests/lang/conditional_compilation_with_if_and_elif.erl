%% -if, -elif, -else with defined/1 and arithmetic.
-module(conditional_compilation_with_if_and_elif).
-export([main/0]).

-define(LEVEL, 3).
-if(?LEVEL > 5).
-define(SIZE, huge).
-elif(?LEVEL > 2).
-define(SIZE, medium).
-else.
-define(SIZE, small).
-endif.
-if(defined(LEVEL) andalso not defined(NOPE)).
-define(DEF, yes).
-endif.
-if(?OTP_RELEASE >= 21).
-define(MODERN, true).
-else.
-define(MODERN, false).
-endif.
-ifdef(NOPE).
-if(this is skipped).
-endif.
-error("never reached").
-else.
-endif.

main() -> show([?SIZE, ?DEF, ?MODERN]).

show(X) -> io:format("~p~n", [X]).

%% expect: [medium,yes,true]
