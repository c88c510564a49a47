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
    Title = maps:get(title, maps:get(logger_formatter, Meta, #{}), title(Level)),
    {[$=, Title, "==== "], [" ===\n", text(Message, Meta), $\n]}.

title(Level) -> [string:uppercase(atom_to_list(Level)), " REPORT"].

%% Local time with microseconds.
time(Microseconds) ->
    {{Y, M, D}, {H, Min, S}} = calendar:system_time_to_local_time(Microseconds, microsecond),
    Month = element(M, {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}),
    io_lib:format("~2w-~s-~4w::~2..0w:~2..0w:~2..0w.~6..0w", [D, Month, Y, H, Min, S, Microseconds rem 1000000]).

text({string, Text}, _) -> Text;
text({report, Report}, #{report_cb := Callback}) when is_function(Callback, 2) ->
    Callback(Report, #{depth => unlimited, chars_limit => unlimited, single_line => false});
text({report, Report}, #{report_cb := Callback}) when is_function(Callback, 1) ->
    {Format, Args} = Callback(Report),
    formatted(Format, Args);
text({report, Report}, _) ->
    {Format, Args} = report_format(Report),
    formatted(Format, Args);
text({Format, Args}, _) -> formatted(Format, Args).

%% A log call must not crash its caller.
formatted(Format, Args) ->
    try io_lib:format(Format, Args)
    catch error:_ -> io_lib:format("FORMAT ERROR: ~tp - ~tp", [Format, Args])
    end.

%% A report as `    key: value` lines.
-spec report_format(term()) -> {string(), [term()]}.
report_format(Report) when is_map(Report) -> report_format(maps:to_list(Report));
report_format([_ | _] = Report) ->
    Lines = [line(Item) || Item <- Report],
    {lists:append(lists:join("~n", [Format || {Format, _} <- Lines])), lists:append([Args || {_, Args} <- Lines])};
report_format(Report) -> {"~tp", [Report]}.

line({Key, Value}) -> {"    " ++ control(Key) ++ ": " ++ control(Value), [Key, Value]};
line(Item) -> {"    " ++ control(Item), [Item]}.

control(Term) ->
    case is_list(Term) andalso Term =/= [] andalso io_lib:printable_unicode_list(Term) of
        true -> "~ts";
        false -> "~tp"
    end.
