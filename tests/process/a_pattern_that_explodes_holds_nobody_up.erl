%% A match that tries everything ends at its limit, and processes beside it go on.
%% plain only: virtual time stands still while a process runs, and millions of steps are too many for stress
-module(a_pattern_that_explodes_holds_nobody_up).
-export([main/0]).

main() ->
    Subject = lists:duplicate(40, $a) ++ "!",
    show(re:run(Subject, "(a+)+$")),
    show(re:run(Subject, "(a+)+$", [report_errors])),
    show(re:run(Subject, "(a+)+$", [report_errors, {match_limit, 1000}])),
    show(re:run(Subject, "(*LIMIT_MATCH=1000)(a+)+$", [report_errors])),
    show(re:run("aaab", "(a+)+$", [{match_limit, 1000}])),
    Self = self(),
    Matcher = spawn(fun() -> forever(Subject) end),
    Ticker = spawn_link(fun() -> tick(Self, 20) end),
    receive {Ticker, done} -> show(ticked) end,
    Monitor = monitor(process, Matcher),
    exit(Matcher, kill),
    receive {'DOWN', Monitor, process, Matcher, Reason} -> show(Reason) end,
    Long = binary:copy(<<"ab">>, 200000),
    {match, [{0, N}]} = re:run(Long, "(?:a|b)*+", [{match_limit, 100000000}]),
    show(N),
    {match, Found} = re:run(Long, "b", [global]),
    show(length(Found)),
    show(re:run(binary:copy(<<"(">>, 3000), "^(\\((?1)?\\)?)*$", [{capture, none}])),
    show(element(1, re:compile(lists:duplicate(700, $() ++ lists:duplicate(700, $))))),
    show(element(1, re:compile(lists:duplicate(100000, $()))).

forever(Subject) ->
    re:run(Subject, "(a+)+$"),
    forever(Subject).

tick(To, 0) -> To ! {self(), done};
tick(To, N) -> receive after 1 -> tick(To, N - 1) end.

show(X) -> io:format("~0p~n", [X]).

%% expect: nomatch
%% expect: {error,match_limit}
%% expect: {error,match_limit}
%% expect: {error,match_limit}
%% expect: nomatch
%% expect: ticked
%% expect: killed
%% expect: 400000
%% expect: 200000
%% expect: match
%% expect: ok
%% expect: error
