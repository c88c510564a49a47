%% A receive passes what its first tests refuse and nothing else, whatever the terms are.
-module(a_search_of_the_mailbox_finds_terms_of_every_kind).
-export([main/0]).

main() ->
    Ref = make_ref(),
    Other = make_ref(),
    Big = 1 bsl 80,
    Values = [one, 1, 1.0, 1.5e300, Big, -Big, "text", [], {}, {one}, {one, two}, <<"bytes">>, <<0:800>>, #{a => 1},
              self(), Ref, Other, fun erlang:abs/1, 2, 2.0],
    %% Each value as it is, as the only element, behind a tag, and in a larger tuple with the same tag.
    [begin self() ! V, self() ! {V}, self() ! {tag, V}, self() ! {tag, V, V} end || V <- Values],
    Found = [found(V) || V <- lists:reverse(Values)],
    show(length([ok || ok <- Found])),
    show(process_info(self(), message_queue_len)),
    %% Guards and several clauses are not part of the search's tests.
    [self() ! {n, N} || N <- lists:seq(1, 50)],
    show([receive {n, N} when N rem 10 =:= 0 -> N end || _ <- [1, 2, 3]]),
    show([receive {n, 7} -> seven; {n, 8} -> eight end || _ <- [1, 2]]),
    show(receive {n, Last} when Last > 45 -> Last end),
    %% The same register names the message and an element of it.
    [self() ! {pair, K, -K} || K <- [1, 2, 3]],
    show(pair(3)),
    show(pair(1)),
    show(twice(0)).

found(V) ->
    Bare = receive V -> ok after 0 -> bare end,
    Single = receive {V} -> ok after 0 -> single end,
    Larger = receive {tag, V, V} -> ok after 0 -> larger end,
    Tagged = receive {tag, V} -> ok after 0 -> tagged end,
    case {Bare, Single, Larger, Tagged} of
        {ok, ok, ok, ok} -> ok;
        Missing -> show({V, Missing})
    end.

pair(K) -> receive {pair, K, X} -> X end.

%% A message that comes while the search stands at the end.
twice(N) ->
    Me = self(),
    spawn(fun() -> [Me ! {noise, I} || I <- lists:seq(1, 2000)], Me ! {wanted, N} end),
    receive {wanted, N} -> element(2, process_info(self(), message_queue_len)) end.

show(X) -> io:format("~p~n", [X]).

%% expect: 20
%% expect: {message_queue_len,0}
%% expect: [10,20,30]
%% expect: [seven,eight]
%% expect: 46
%% expect: -3
%% expect: -1
%% expect: 2045
