%% Receiving for evaluators, whose clauses are data.
-module(prim_eval).

-export(['receive'/2]).

%% How long to wait before looking again, in milliseconds.
-define(PAUSE, 5).

%% The first message for which the fun gives something else than `nomatch` is taken, the others stay where they are. What the fun gives, or
%% `timeout`.
-spec 'receive'(fun((term()) -> nomatch | Taken), timeout()) -> Taken | timeout.
'receive'(Choose, infinity) -> wait(Choose, infinity);
'receive'(Choose, Time) when is_integer(Time), Time >= 0 -> wait(Choose, erlang:monotonic_time(millisecond) + Time);
'receive'(_, _) -> error(timeout_value).

wait(Choose, Deadline) ->
    {messages, Messages} = process_info(self(), messages),
    case chosen(Messages, Choose) of
        {Message, Taken} ->
            receive Message -> ok end,
            Taken;
        nomatch ->
            Left =
                case Deadline of
                    infinity -> ?PAUSE;
                    _ -> max(0, Deadline - erlang:monotonic_time(millisecond))
                end,
            case Left of
                0 -> timeout;
                _ ->
                    pause(min(Left, ?PAUSE)),
                    wait(Choose, Deadline)
            end
    end.

pause(Time) ->
    receive after Time -> ok end.

chosen([Message | Messages], Choose) ->
    case Choose(Message) of
        nomatch -> chosen(Messages, Choose);
        Taken -> {Message, Taken}
    end;
chosen([], _) -> nomatch.
