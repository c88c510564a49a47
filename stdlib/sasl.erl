%% The application `sasl`: what erlet has of it is the alarm handler.
-module(sasl).
-behaviour(application).
-behaviour(supervisor).

-export([start/2, stop/1, init/1]).

start(_, []) -> supervisor:start_link({local, sasl_sup}, ?MODULE, []).

stop(_) -> ok.

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 4, period => 3600}, [#{id => alarm_handler, start => {alarm_handler, start_link, []}, modules => dynamic}]}}.
