%% Applications whose modules are part of the library start like others, so that programs may build upon them.
-module(applications_of_the_library_start).
-export([main/0]).

main() ->
    logger:set_primary_config(level, none),
    ok = application:load({application, mine, [{vsn, "1"}, {applications, [kernel, stdlib, crypto, sasl, compiler, eunit]}]}),
%% expect: {ok,[crypto,sasl,compiler,eunit,mine]}
    show(application:ensure_all_started(mine)),
%% expect: [mine,eunit,compiler,sasl,crypto,stdlib,kernel]
    show([Name || {Name, _, _} <- application:which_applications()]),
%% expect: [{ok,"CRYPTO"},{ok,[kernel,stdlib]},{ok,{sasl,[]}},{ok,"ERTS  CXC 138 10"}]
    show([application:get_key(App, Key) ||
             {App, Key} <- [{crypto, description}, {crypto, applications}, {sasl, mod}, {stdlib, description}]]),
%% expect: {ok,crypto}
    show(application:get_application(crypto)),
    alarms(),
    stopped().

%% The alarm handler of sasl, and one in its place.
alarms() ->
    alarm_handler:set_alarm({disk, full}),
    alarm_handler:set_alarm({{memory, 1}, low}),
%% expect: [{{memory,1},low},{disk,full}]
    show(alarm_handler:get_alarms()),
    alarm_handler:clear_alarm(disk),
    alarm_handler:clear_alarm(nothing),
%% expect: [{{memory,1},low}]
    show(alarm_handler:get_alarms()),
%% expect: {error,bad_query}
    show(gen_event:call(alarm_handler, alarm_handler, other)),
%% expect: [alarm_handler]
    show(gen_event:which_handlers(alarm_handler)),
%% expect: ok
    show(alarm_handler:delete_alarm_handler(alarm_handler)),
%% expect: {error,bad_module}
    show(alarm_handler:get_alarms()).

stopped() ->
%% expect: [ok,{error,{not_started,sasl}},undefined]
    show([application:stop(sasl), application:stop(sasl), whereis(alarm_handler)]),
    [ok = application:stop(App) || App <- [mine, eunit, compiler, crypto]],
    ok = application:unload(mine).

show(Term) -> io:format("~0p~n", [Term]).
