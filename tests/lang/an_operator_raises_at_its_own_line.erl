%% Where a stack trace says that expressions over several lines stand.
%% expect: append 48 badarg
%% expect: plus 53 badarith
%% expect: 'andalso' 60 {badarg,1}
%% expect: send 65 badarg
%% expect: map 70 {badmap,1}
%% expect: one_field 76 {badrecord,1}
%% expect: two_fields 79 {badrecord,1}
%% expect: access 85 {badrecord,1}
%% expect: list_generator 92 {bad_generator,1}
%% expect: bits_generator 98 {bad_generator,1}
%% expect: generator_operator 104 {bad_generator,2}
%% expect: filter 111 {bad_filter,2}
%% expect: time 117 timeout_value
-module(an_operator_raises_at_its_own_line).
-feature(maybe_expr, enable).
-export([main/0]).
-record(r, {a, b = 1, c}).

main() ->
    show(append, fun append/1),
    show(plus, fun plus/1),
    show('andalso', fun short/1),
    show(send, fun send/1),
    show(map, fun map/1),
    show(one_field, fun one_field/1),
    show(two_fields, fun two_fields/1),
    show(access, fun access/1),
    show(list_generator, fun list_generator/1),
    show(bits_generator, fun bits_generator/1),
    show(generator_operator, fun generator_operator/1),
    show(filter, fun filter/1),
    show(time, fun time/1).

show(Name, F) ->
    try F(id(1))
    catch
        _:Reason:Stack ->
            [Line | _] = [proplists:get_value(line, Info) || {?MODULE, _, _, Info} <- Stack],
            io:format("~w ~w ~w~n", [Name, Line, Reason])
    end.

id(X) -> X.

append(X) ->
    begin id(1),
        X end
    ++
        b.

plus(X) ->
    begin id(1), a end % a comment + with an operator
        +
        X.

short(X) ->
    (begin id(1),
        X end
     )
        andalso
        b.

send(X) ->
    X
        !
        b.

map(X) ->
    (X)
      #{
        a => 1}.

one_field(X) ->
    X
      #r{
        a = 1}.

two_fields(X) ->
    X
      #r{
        a = 1,
        b = 2}.

access(X) ->
    X
      #r.a.

list_generator(X) ->
    [Y ||
        Y <-
            begin id(1),
                X end].

bits_generator(X) ->
    << <<Y>> ||
        <<Y>> <=
            begin id(1),
                X end>>.

generator_operator(X) ->
    [Y ||
        Y <-
            X
            +
            1].

filter(X) ->
    [Y ||
        Y <- [1],
        id(X)
            +
            1].

time(X) ->
    receive
    after
        -
        X ->
            ok
    end.
