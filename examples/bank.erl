%% A bank: one process per account, links between what belongs together, monitors for those who only watch.
%%
%%     erlet run examples/bank.erl
%%
%% Money moves between two accounts by messages, without locks: the source reserves the amount, the target
%% takes it, and if the target dies in between, the monitor's DOWN gives the money back.
-module(bank).
-export([main/1]).

main(_) ->
    process_flag(trap_exit, true),
    [Ann, Bea, Cy] = [open(Name, 100) || Name <- [ann, bea, cy]],
    report("at the start", [Ann, Bea, Cy]),
    io:format("ann pays bea 30: ~p~n", [transfer(Ann, Bea, 30)]),
    io:format("bea pays cy 500: ~p~n", [transfer(Bea, Cy, 500)]),
    report("after two transfers", [Ann, Bea, Cy]),

    %% Cy's account breaks. It is linked to us, and we trap exits: the crash is a message, not our end.
    exit(Cy, fire_in_the_vault),
    receive
        {'EXIT', Cy, Reason} -> io:format("cy's account is gone: ~p~n", [Reason])
    end,
    io:format("ann pays cy 10: ~p~n", [transfer(Ann, Cy, 10)]),
    report("and nothing is lost", [Ann, Bea]),

    %% A thousand small transfers at once, from as many processes. Some come when there is not enough; the sum stays.
    Self = self(),
    Payers = [spawn_link(fun() -> Self ! {paid, self(), transfer(A, B, 1)} end)
              || _ <- lists:seq(1, 500), {A, B} <- [{Ann, Bea}, {Bea, Ann}]],
    Results = [receive {paid, P, R} -> R end || P <- Payers],
    io:format("~w transfers tried, ~w in the bank~n", [length(Results), balance(Ann) + balance(Bea)]).

report(Title, Accounts) ->
    io:format("~s: ~w~n", [Title, [balance(A) || A <- Accounts]]).

%% --- an account

open(Owner, Balance) ->
    spawn_link(fun() -> account(Owner, Balance) end).

account(Owner, Balance) ->
    receive
        {withdraw, Amount, From, Ref} when Amount =< Balance ->
            From ! {Ref, ok},
            account(Owner, Balance - Amount);
        {withdraw, _, From, Ref} ->
            From ! {Ref, {error, {not_enough, Owner, Balance}}},
            account(Owner, Balance);
        {deposit, Amount, From, Ref} ->
            From ! {Ref, ok},
            account(Owner, Balance + Amount);
        {balance, From, Ref} ->
            From ! {Ref, Balance},
            account(Owner, Balance)
    end.

%% --- its customers

transfer(Source, Target, Amount) ->
    case call(Source, fun(From, Ref) -> {withdraw, Amount, From, Ref} end) of
        ok ->
            case call(Target, fun(From, Ref) -> {deposit, Amount, From, Ref} end) of
                ok -> ok;
                {down, Reason} ->
                    ok = call(Source, fun(From, Ref) -> {deposit, Amount, From, Ref} end),
                    {error, {no_such_account, Reason}}
            end;
        Refused -> Refused
    end.

balance(Account) ->
    call(Account, fun(From, Ref) -> {balance, From, Ref} end).

call(Account, Request) ->
    Ref = monitor(process, Account),
    Account ! Request(self(), Ref),
    receive
        {Ref, Answer} -> demonitor(Ref, [flush]), Answer;
        {'DOWN', Ref, process, _, Reason} -> {down, Reason}
    end.
