%% A test's title may be the first element of a larger tuple; tests begin with an empty dictionary; error_logger starts and stops without handlers.
-module(titles_stand_before_other_parts_of_tests).
-export([main/0, good/0]).

%% expect: [ok,ok,ok,ok,ok]
%% expect: [error,error,error]
%% expect: {ok,ok}
%% expect: {ok,true,[],ok,undefined}
main() ->
    Ran = fun() -> ok end,
    show([eunit:test(Test, [no_tty]) ||
             Test <- [{"title", timeout, 5, Ran}, {<<"title">>, timeout, 5, Ran}, {"title", 10, Ran}, {"title", ?MODULE, good},
                      {"title", setup, fun() -> 1 end, fun(1) -> {"inner", inorder, [Ran]} end}]]),
    show([eunit:test(Test, [no_tty]) || Test <- [fun() -> error(bad) end, {"no test", there, is, none}, [Ran, fun() -> exit(bad) end, Ran]]]),
    show({eunit:test(fun() -> [] = get() end, [no_tty]), eunit:test({setup, fun() -> [] = get() end, fun(_) -> fun() -> [] = get() end end}, [no_tty])}),
    show({error_logger:start(), is_pid(whereis(error_logger)), gen_event:which_handlers(error_logger), error_logger:stop(), whereis(error_logger)}).

good() -> ok.

show(X) -> io:format("~0p~n", [X]).
