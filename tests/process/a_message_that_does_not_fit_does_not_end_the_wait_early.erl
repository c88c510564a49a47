%% Non-matching messages neither end nor restart receive's time-out.
-module(a_message_that_does_not_fit_does_not_end_the_wait_early).
-export([main/0]).

main() ->
    Self = self(),
    Noise = spawn(fun() -> noise(Self) end),
    T0 = erlang:monotonic_time(millisecond),
    R = receive never -> never after 100 -> timeout end,
    Dt = erlang:monotonic_time(millisecond) - T0,
    exit(Noise, kill),
    show({R, Dt >= 100, Dt < 60000}).

noise(To) ->
    To ! noise,
    receive after 5 -> noise(To) end.

show(X) -> io:format("~p~n", [X]).

%% expect: {timeout,true,true}
