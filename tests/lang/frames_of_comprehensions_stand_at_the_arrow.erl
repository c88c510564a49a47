%% A comprehension's walk is called, and calls itself, where the arrow of its generator stands; one of bits is called where the whole begins.
%% What is wrong with a source stands where the source does, and a default of a record where the record does.
-module(frames_of_comprehensions_stand_at_the_arrow).
-export([main/0]).

-record(r, {a = here(default)}).

main() ->
    show(fun lists/1),
    show(fun nested/1),
    show(fun filters/1),
    show(fun of_bits/1),
    show(fun nested_bits/1),
    show(fun in_front/1),
    show(fun over_a_block/1),
    show(fun records/1),
    show(fun no_list/1).

show(F) ->
    try F([1, 2])
    catch error:Reason:Stack -> io:format("~p ~w~n", [Reason, frames(Stack)])
    end.

here(What) ->
    try error(What)
    catch error:What:Stack -> io:format("~p ~w~n", [What, frames(Stack)])
    end,
    What.

frames(Stack) ->
    [{F, proplists:get_value(line, Info)} || {?MODULE, F, _, Info} <- Stack, F =/= here, F =/= show, F =/= main].

id(X) -> X.

lists(L) ->
    {[here(X) ||
        X
            <-
                id(L)]}.

nested(L) ->
    {[
        here({X, Y})
     ||
        X
            <- L,
        Y
            <- [X]
    ]}.

filters(L) ->
    {[X ||
        X
            <- L,
        X > 1,
        id(
          here(X)) > 1,
        id(x)]}.

of_bits(L) ->
    {<<
      <<(here(X))>>
       ||
        X
            <- L
    >>}.

nested_bits(L) ->
    {<<
      <<(here(X + Y))>>
       ||
        X
            <- L,
        <<Y>>
            <= <<X, 3>>
    >>}.

in_front(L) ->
    [here(X) ||
        X
            <- L]
        ++
        [here(Y) ||
            Y
                <- L].

over_a_block(_) ->
    {[here(X) ||
        X
            <- begin
                   id(1),
                   [2]
               end]}.

records(_) ->
    id(
      #r{}),
    here(end_of_records).

no_list(_) ->
    {[X ||
        X
            <-
                id(
                  a)]}.

%% expect: 1 [{'-lists/1-lc$^0/1-0-',36},{lists,38}]
%% expect: 2 [{'-lists/1-lc$^0/1-0-',36},{'-lists/1-lc$^0/1-0-',38},{lists,38}]
%% expect: {1,1} [{'-nested/1-lc$^1/1-1-',43},{nested,46}]
%% expect: {2,2} [{'-nested/1-lc$^1/1-1-',43},{'-nested/1-lc$^1/1-1-',48},{nested,46}]
%% expect: 2 [{'-filters/1-lc$^0/1-0-',57},{filters,54}]
%% expect: {bad_filter,x} [{'-filters/1-lc$^0/1-0-',58},{filters,54}]
%% expect: 1 [{'-of_bits/1-lbc$^0/2-0-',62},{of_bits,61}]
%% expect: 2 [{'-of_bits/1-lbc$^0/2-0-',62},{of_bits,61}]
%% expect: 2 [{'-nested_bits/1-lbc$^1/2-1-',70},{'-nested_bits/1-lbc$^0/2-0-',69},{nested_bits,69}]
%% expect: 4 [{'-nested_bits/1-lbc$^1/2-1-',70},{'-nested_bits/1-lbc$^0/2-0-',69},{nested_bits,69}]
%% expect: 4 [{'-nested_bits/1-lbc$^1/2-1-',70},{'-nested_bits/1-lbc$^0/2-0-',69},{nested_bits,69}]
%% expect: 5 [{'-nested_bits/1-lbc$^1/2-1-',70},{'-nested_bits/1-lbc$^0/2-0-',69},{nested_bits,69}]
%% expect: 1 [{'-in_front/1-lc$^0/1-0-',83},{in_front,85}]
%% expect: 2 [{'-in_front/1-lc$^0/1-0-',83},{'-in_front/1-lc$^0/1-0-',85},{in_front,85}]
%% expect: 1 [{'-in_front/1-lc$^1/1-1-',79}]
%% expect: 2 [{'-in_front/1-lc$^1/1-1-',79},{'-in_front/1-lc$^1/1-1-',81}]
%% expect: 2 [{'-over_a_block/1-lc$^0/1-0-',88},{over_a_block,90}]
%% expect: default [{records,97}]
%% expect: end_of_records []
%% expect: {bad_generator,a} [{'-no_list/1-lc$^0/1-0-',104},{no_list,103}]
