%% Log events as text, in the form Erlang systems have always had:
%%
%%     =ERROR REPORT==== 29-Nov-2026::17:24:08.015619 ===
%%     what happened
-module(erlet_log).

-export([format/1, around_time/1, report_format/1]).

-spec format(map()) -> unicode:chardata().
format(#{meta := Meta} = Event) ->
    {Head, Tail} = around_time(Event),
    [Head, time(maps:get(time, Meta)), Tail].

%% What stands before the time, and what after it.
-spec around_time(map()) -> {unicode:chardata(), unicode:chardata()}.
around_time(#{level := Level, msg := Message, meta := Meta}) ->
    Title = maps:get(title, maps:get(logger_formatter, Meta, #{}), title(Level, Meta)),
    {[$=, Title, "==== "], [" ===\n", text(Message, Meta), $\n]}.

%% Events that stand for those of error_logger are called as it calls them.
title(Level, #{error_logger := #{tag := Tag}}) ->
    case Tag of
        _ when Tag =:= info_report; Tag =:= info_msg; Tag =:= info -> "INFO REPORT";
        _ when Tag =:= error_report; Tag =:= error_msg; Tag =:= error -> "ERROR REPORT";
        _ -> title(Level, #{})
    end;
title(Level, _) -> [string:uppercase(atom_to_list(Level)), " REPORT"].

%% Local time with microseconds.
time(Microseconds) ->
    {{Y, M, D}, {H, Min, S}} = calendar:system_time_to_local_time(Microseconds, microsecond),
    Month = element(M, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}),
    io_lib:format("~2w-~s-~4w::~2..0w:~2..0w:~2..0w.~6..0w", [D, Month, Y, H, Min, S, Microseconds rem 1000000]).

text({string, Text}, _) -> Text;
text({report, Report}, #{report_cb := Callback}) when is_function(Callback, 2) ->
    case called(fun() -> Callback(Report, #{depth => unlimited, chars_limit => unlimited, single_line => false}) end) of
        {ok, Said} ->
            try unicode:characters_to_list(Said) of
                Text when is_list(Text) -> Text;
                _ -> bad_callback("2 ERROR: ~tp; Returned: ~tp", [Report, Said])
            catch error:badarg -> bad_callback("2 ERROR: ~tp; Returned: ~tp", [Report, Said])
            end;
        Crash -> bad_callback("2 CRASH: ~tp; Reason: ~tp", [Report, Crash])
    end;
text({report, Report}, #{report_cb := Callback}) when is_function(Callback, 1) ->
    case called(fun() -> Callback(Report) end) of
        {ok, {Format, Args}} when is_list(Format), is_list(Args) -> formatted(Format, Args);
        {ok, Other} -> bad_callback("1 ERROR: ~tp; Returned: ~tp", [Report, Other]);
        Crash -> bad_callback("1 CRASH: ~tp; Reason: ~tp", [Report, Crash])
    end;
text({report, Report}, _) ->
    {Format, Args} = report_format(Report),
    formatted(Format, Args);
text({Format, Args}, _) -> formatted(Format, Args).

%% A log call must not crash its caller, whatever the caller gave it.
formatted(Format, Args) ->
    try io_lib:format(Format, Args)
    catch error:_ ->
            try io_lib:format("FORMAT ERROR: ~tp - ~tp", [Format, Args])
            catch error:_ ->
                    %% Something in it cannot be written: an integer of millions of digits.
                    io_lib:format("FORMAT ERROR: ~tP", [Format, 20])
            end
    end.

%% What a callback answers, or what it raises and where, as far as it is its own affair.
called(Callback) ->
    try Callback() of
        Answer -> {ok, Answer}
    catch
        Class:Reason:Stack ->
            {Class, Reason, lists:takewhile(fun({Module, _, _, _}) -> Module =/= ?MODULE end, Stack)}
    end.

bad_callback(Format, Args) -> io_lib:format("REPORT_CB/" ++ Format, Args).

%% A report as `    key: value` lines.
-spec report_format(term()) -> {string(), [term()]}.
report_format(Report) when is_map(Report) -> report_format(maps:to_list(Report));
report_format(Report) when is_list(Report) ->
    try lists:flatten(Report) of
        [] -> {"~tp", [[]]};
        Flat ->
            case io_lib:printable_unicode_list(Flat) of
                true -> {"~ts", [Flat]};
                false ->
                    Lines = [line(Item) || Item <- Report],
                    {lists:append(lists:join("\n", [Format || {Format, _} <- Lines])), lists:append([Args || {_, Args} <- Lines])}
            end
    catch error:_ -> {"~tp", [Report]}
    end;
report_format(Report) -> {"~tp", [Report]}.

%% Only what stands behind a key is text without quotes.
line({Key, Value}) -> {"    ~tp: " ++ control(Value), [Key, Value]};
line(Item) -> {"    ~tp", [Item]}.

control(Term) ->
    case is_list(Term) andalso Term =/= [] andalso io_lib:printable_unicode_list(Term) of
        true -> "~ts";
        false -> "~tp"
    end.
