%% Constants of a module that is loaded, called and purged again and again, kept everywhere: in heaps, dictionaries,
%% mailboxes, tables, timers, on stacks. A fun of purged code is a bad fun.
%%
%% expect: 5 holders say ok
%% expect: table ok, stack ok, timer ok, message ok
%% expect: badfun
%% expect: true
-module(terms_of_purged_code_stay_what_they_are).
-export([main/0]).

main() ->
    Codes = list_to_tuple([code(N) || N <- [1, 2, 3]]),
    load(1, Codes),
    Table = ets:new(table, [public]),
    ets:insert(Table, {key, churned:constant()}),
    erlang:send_after(1, self(), {timer, churned:constant()}),
    self() ! {message, churned:constant()},
    Fun = churned:make(),
    ok = Fun(),
    Holders = [spawn(fun() -> put(constant, churned:constant()), hold(churned:constant()) end) || _ <- lists:seq(1, 5)],
    [Holder ! {kept, churned:constant()} || Holder <- Holders],
    on_stack(churned:constant(), Codes, Table, Fun, Holders).

on_stack(Constant, Codes, Table, Fun, Holders) ->
    [churn(N, Codes) || N <- lists:seq(2, 25)],
    Answers = [ask(Holder) || Holder <- Holders],
    io:format("~p holders say ~p~n", [length(Answers), hd(lists:usort(Answers))]),
    [{key, InTable}] = ets:lookup(Table, key),
    Timer = receive {timer, Sent} -> Sent end,
    Message = receive {message, Taken} -> Taken end,
    io:format("table ~p, stack ~p, timer ~p, message ~p~n",
              [expect(InTable), expect(Constant), expect(Timer), expect(Message)]),
    %% The third code has no fun that this one could be.
    load(3, Codes),
    code:purge(churned),
    try Fun() of
        Result -> io:format("~p~n", [Result])
    catch error:{badfun, Fun} -> io:format("badfun~n")
    end,
    io:format("~p~n", [code:soft_purge(churned)]).

churn(N, Codes) ->
    load(N rem 2 + 1, Codes),
    expect(churned:constant()),
    N = (churned:make(N))().

load(N, Codes) ->
    code:purge(churned),
    {module, churned} = code:load_binary(churned, "churned.beam", element(N, Codes)).

hold(Constant) ->
    receive
        {ask, From} ->
            Kept = receive {kept, Message} -> Message end,
            From ! {self(), [expect(Constant), expect(get(constant)), expect(Kept)]}
    end.

ask(Holder) ->
    Holder ! {ask, self()},
    receive {Holder, [ok, ok, ok]} -> ok end.

expect({constant, [1, 2, 3.5, "four", {five, <<"six">>}], <<"a binary of more than sixty-four bytes, which is shared and not copied">>,
        #{seven := [8, 9], ten := 12345678901234567890123456789}}) ->
    ok.

code(N) ->
    Text =
        "-module(churned). -export([constant/0, make/0, make/1]). "
        "constant() -> {constant, [1, 2, 3.5, \"four\", {five, <<\"six\">>}], "
        "<<\"a binary of more than sixty-four bytes, which is shared and not copied\">>, "
        "#{seven => [8, 9], ten => 12345678901234567890123456789}}. "
        "make(X) -> fun() -> X end. "
        ++ case N of
               3 -> "make() -> none. ";
               _ -> "make() -> fun() -> ok end. version() -> " ++ integer_to_list(N) ++ ". "
           end,
    {ok, Tokens, _} = erl_scan:string(Text),
    {ok, churned, Code} = compile:forms(forms(Tokens, []), [nowarn_unused_function]),
    Code.

forms([], []) -> [];
forms([{dot, _} = Dot | Tokens], Form) ->
    {ok, Parsed} = erl_parse:parse_form(lists:reverse([Dot | Form])),
    [Parsed | forms(Tokens, [])];
forms([Token | Tokens], Form) -> forms(Tokens, [Token | Form]).
