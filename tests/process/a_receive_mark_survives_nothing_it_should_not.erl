%% An exception between making a reference and receiving does not hide older messages.
-module(a_receive_mark_survives_nothing_it_should_not).
-export([main/0]).

main() ->
    self() ! old,
    catch begin
        Ref = make_ref(),
        receive {Ref, x} -> ok after 0 -> throw(out) end
    end,
    show(receive old -> found after 50 -> lost end),
    self() ! older,
    R2 = monitor(process, self()),
    catch error(oops),
    show(receive older -> found after 50 -> lost end),
    demonitor(R2),
    self() ! m1,
    R3 = make_ref(),
    self() ! {R3, answer},
    show(receive {R3, A} -> A end),
    show(receive m1 -> m1 after 50 -> lost end).

show(X) -> io:format("~p~n", [X]).

%% expect: found
%% expect: found
%% expect: answer
%% expect: m1
