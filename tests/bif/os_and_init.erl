%% os:getenv, putenv, os:type, timestamps, system_time.
-module(os_and_init).
-export([main/0]).

main() ->
    show(os:getenv("SURELY_NOT_SET_ANYWHERE")),
    show(os:getenv("SURELY_NOT_SET_ANYWHERE", "default")),
    show(os:putenv("ERLET_TEST_VAR", "value")),
    show(os:getenv("ERLET_TEST_VAR")),
    show(os:unsetenv("ERLET_TEST_VAR")),
    show(os:getenv("ERLET_TEST_VAR")),
    show(tuple_size(os:timestamp())),
    show(is_integer(os:system_time(millisecond))),
    show(element(1, os:type())),
    show(is_list(init:get_plain_arguments())).

show(X) -> io:format("~p~n", [X]).

%% expect: false
%% expect: "default"
%% expect: true
%% expect: "value"
%% expect: true
%% expect: false
%% expect: 3
%% expect: true
%% expect: unix
%% expect: true
