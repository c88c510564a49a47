%% Dates and times of the Gregorian calendar.
%%
%% Days are counted from the first of January of the year 0, seconds from that midnight; both go by the rules of today for all times.
-module(calendar).

-export([date_to_gregorian_days/1, date_to_gregorian_days/3, datetime_to_gregorian_seconds/1, gregorian_days_to_date/1,
         gregorian_seconds_to_datetime/1, day_of_the_week/1, day_of_the_week/3, is_leap_year/1, last_day_of_the_month/2,
         iso_week_number/0, iso_week_number/1, local_time/0, universal_time/0, local_time_to_universal_time/1, local_time_to_universal_time/2,
         local_time_to_universal_time_dst/1, universal_time_to_local_time/1, now_to_datetime/1, now_to_local_time/1,
         now_to_universal_time/1, seconds_to_daystime/1, seconds_to_time/1, time_to_seconds/1, time_difference/2,
         valid_date/1, valid_date/3, system_time_to_local_time/2, system_time_to_universal_time/2,
         system_time_to_rfc3339/1, system_time_to_rfc3339/2, rfc3339_to_system_time/1, rfc3339_to_system_time/2]).
-export_type([date/0, time/0, datetime/0]).

-type date() :: {Year :: non_neg_integer(), Month :: 1..12, Day :: 1..31}.
-type time() :: {Hour :: 0..23, Minute :: 0..59, Second :: 0..59}.
-type datetime() :: {date(), time()}.

-define(SECONDS_PER_DAY, 86400).

%% Days and seconds from the year 0 to 1970.
-define(EPOCH_DAYS, 719528).
-define(EPOCH_SECONDS, 62167219200).

%% Days in 400 years, the period of the calendar; in 100 years without a leap year at the end; and in 4 years with one.
-define(DAYS_400, 146097).
-define(DAYS_100, 36524).
-define(DAYS_4, 1461).

%%% Days

date_to_gregorian_days({Year, Month, Day}) -> date_to_gregorian_days(Year, Month, Day).

%% By years that begin in March, so that the leap day is the last of its year and months have a regular pattern.
-spec date_to_gregorian_days(non_neg_integer(), 1..12, 1..31) -> non_neg_integer().
date_to_gregorian_days(Year, Month, Day) when is_integer(Day), Day > 0 ->
    Last = last_day_of_the_month(Year, Month),
    if Day =< Last -> ok end,
    {Y, M} =
        case Month > 2 of
            true -> {Year, Month - 3};
            false -> {Year - 1, Month + 9}
        end,
    %% 60 days are before the first of March of the year 0.
    60 + Y * 365 + floor_div(Y, 4) - floor_div(Y, 100) + floor_div(Y, 400) + (153 * M + 2) div 5 + Day - 1.

%% Only the year -1 can be negative here.
floor_div(N, By) when N >= 0 -> N div By;
floor_div(_, _) -> -1.

-spec gregorian_days_to_date(non_neg_integer()) -> calendar:date().
gregorian_days_to_date(Days) when is_integer(Days), Days >= 60 ->
    Since = Days - 60,
    Cycle = Since div ?DAYS_400,
    InCycle = Since rem ?DAYS_400,
    YearInCycle = (InCycle - InCycle div (?DAYS_4 - 1) + InCycle div ?DAYS_100 - InCycle div (?DAYS_400 - 1)) div 365,
    DayInYear = InCycle - (365 * YearInCycle + YearInCycle div 4 - YearInCycle div 100),
    M = (5 * DayInYear + 2) div 153,
    Day = DayInYear - (153 * M + 2) div 5 + 1,
    Year = Cycle * 400 + YearInCycle,
    case M < 10 of
        true -> {Year, M + 3, Day};
        false -> {Year + 1, M - 9, Day}
    end;
gregorian_days_to_date(Days) when is_integer(Days), Days >= 31 -> {0, 2, Days - 30};
gregorian_days_to_date(Days) when is_integer(Days), Days >= 0 -> {0, 1, Days + 1}.

day_of_the_week({Year, Month, Day}) -> day_of_the_week(Year, Month, Day).

%% 1 is Monday.
day_of_the_week(Year, Month, Day) -> (date_to_gregorian_days(Year, Month, Day) + 5) rem 7 + 1.

is_leap_year(Year) when is_integer(Year), Year >= 0 -> Year rem 4 =:= 0 andalso (Year rem 100 =/= 0 orelse Year rem 400 =:= 0).

last_day_of_the_month(Year, Month) when is_integer(Year), Year >= 0 -> last_day_of_the_month1(Year, Month).

last_day_of_the_month1(Year, 2) ->
    case is_leap_year(Year) of
        true -> 29;
        false -> 28
    end;
last_day_of_the_month1(_, Month) when is_integer(Month), Month >= 1, Month =< 12 ->
    element(Month, {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}).

valid_date({Year, Month, Day}) -> valid_date(Year, Month, Day).

valid_date(Year, Month, Day) when is_integer(Year), is_integer(Month), is_integer(Day) ->
    Year >= 0 andalso Month >= 1 andalso Month =< 12 andalso Day >= 1 andalso Day =< last_day_of_the_month(Year, Month).

iso_week_number() ->
    {Date, _} = local_time(),
    iso_week_number(Date).

%% `{Year, Week}`: weeks begin on Monday and belong to the year that has most of their days.
iso_week_number({Year, _, _} = Date) ->
    Days = date_to_gregorian_days(Date),
    First = iso_week_1(Year),
    Next = iso_week_1(Year + 1),
    if
        Days < First -> {Year - 1, (Days - iso_week_1(Year - 1)) div 7 + 1};
        Days >= Next -> {Year + 1, 1};
        true -> {Year, (Days - First) div 7 + 1}
    end.

%% The Monday of the first week: the one with the fourth of January.
iso_week_1(Year) -> date_to_gregorian_days(Year, 1, 4) - day_of_the_week(Year, 1, 4) + 1.

%%% Seconds

datetime_to_gregorian_seconds({Date, Time}) -> date_to_gregorian_days(Date) * ?SECONDS_PER_DAY + time_to_seconds(Time).

gregorian_seconds_to_datetime(Seconds) when Seconds >= 0 ->
    {gregorian_days_to_date(Seconds div ?SECONDS_PER_DAY), seconds_to_time(Seconds rem ?SECONDS_PER_DAY)}.

time_to_seconds({H, M, S}) when is_integer(H), is_integer(M), is_integer(S) -> H * 3600 + M * 60 + S.

seconds_to_time(Seconds) when Seconds >= 0, Seconds < ?SECONDS_PER_DAY ->
    {Seconds div 3600, Seconds rem 3600 div 60, Seconds rem 60}.

%% Days may be negative, the time of day never is.
seconds_to_daystime(Seconds) ->
    Days = Seconds div ?SECONDS_PER_DAY,
    case Seconds rem ?SECONDS_PER_DAY of
        Rest when Rest < 0 -> {Days - 1, seconds_to_time(Rest + ?SECONDS_PER_DAY)};
        Rest -> {Days, seconds_to_time(Rest)}
    end.

time_difference({{_, _, _}, {_, _, _}} = From, {{_, _, _}, {_, _, _}} = To) ->
    seconds_to_daystime(datetime_to_gregorian_seconds(To) - datetime_to_gregorian_seconds(From)).

%%% Now, and time zones

local_time() -> erlang:localtime().

universal_time() -> erlang:universaltime().

local_time_to_universal_time(DateTime) -> erlang:localtime_to_universaltime(DateTime).

local_time_to_universal_time(DateTime, IsDst) -> erlang:localtime_to_universaltime(DateTime, IsDst).

%% The times a local time may stand for: none or two where the clock is changed.
local_time_to_universal_time_dst(DateTime) ->
    Standard = erlang:localtime_to_universaltime(DateTime, false),
    Summer = erlang:localtime_to_universaltime(DateTime, true),
    lists:usort([Time || Time <- [Summer, Standard], universal_time_to_local_time(Time) =:= DateTime]).

universal_time_to_local_time(DateTime) -> erlang:universaltime_to_localtime(DateTime).

now_to_datetime({Mega, Seconds, _}) -> from_epoch(Mega * 1000000 + Seconds).

now_to_universal_time(Now) -> now_to_datetime(Now).

now_to_local_time({_, _, _} = Now) -> universal_time_to_local_time(now_to_universal_time(Now)).

from_epoch(Seconds) -> gregorian_seconds_to_datetime(Seconds + ?EPOCH_SECONDS).

system_time_to_universal_time(Time, Unit) -> from_epoch(erlang:convert_time_unit(Time, Unit, second)).

system_time_to_local_time(Time, Unit) -> universal_time_to_local_time(system_time_to_universal_time(Time, Unit)).

%%% RFC 3339: 2026-11-29T17:24:08.5Z

system_time_to_rfc3339(Time) -> system_time_to_rfc3339(Time, []).

%% Options: `unit` (second, ...; native units are shown as milliseconds), `offset` ("Z", "+01:00" or units), `time_designator` ($T).
system_time_to_rfc3339(Time, Options) ->
    Offset = proplists:get_value(offset, Options, ""),
    case proplists:get_value(unit, Options, second) of
        native -> rfc3339(milliseconds(Time), millisecond, milliseconds(Offset), Options);
        Unit -> rfc3339(Time, Unit, Offset, Options)
    end.

milliseconds(Native) when is_integer(Native) -> erlang:convert_time_unit(Native, native, millisecond);
milliseconds(Text) -> Text.

%% Years have four digits.
-define(FIRST_SECOND, -?EPOCH_SECONDS).
-define(LAST_SECOND, 253402300799).

%% As in OTP, a time before the epoch with a fraction is cut towards the epoch, and its fraction has no sign.
rfc3339(Time, Unit, Wanted, Options) ->
    Factor = erlang:convert_time_unit(1, second, Unit),
    {Offset, Suffix} = offset(Wanted, Time, Unit),
    Local = Time + Offset * Factor,
    Seconds = Local div Factor,
    (Seconds >= ?FIRST_SECOND andalso Seconds =< ?LAST_SECOND) orelse error({badarg, [Time, Options]}),
    {{Y, Mo, D}, {H, Mi, S}} = from_epoch(Seconds),
    Fraction =
        case Factor of
            1 -> "";
            _ -> [$. | digits(abs(Local rem Factor), length(integer_to_list(Factor)) - 1)]
        end,
    Designator = proplists:get_value(time_designator, Options, $T),
    lists:append([digits(Y, 4), "-", two(Mo), "-", two(D), [Designator], two(H), ":", two(Mi), ":", two(S), Fraction, Suffix]).

%% At least so many digits.
digits(N, Digits) -> string:right(integer_to_list(N), max(Digits, length(integer_to_list(N))), $0).

two(N) -> digits(N, 2).

%% In seconds, and as text.
offset([Z], _, _) when Z =:= $Z; Z =:= $z -> {0, [Z]};
offset(Units, _, Unit) when is_integer(Units) ->
    Seconds = erlang:convert_time_unit(Units, Unit, second),
    {Seconds, offset_text(Seconds)};
offset("", Time, Unit) ->
    Universal = from_epoch(erlang:convert_time_unit(Time, Unit, second)),
    Local = universal_time_to_local_time(Universal),
    Difference = datetime_to_gregorian_seconds(Local) - datetime_to_gregorian_seconds(Universal),
    {Difference, offset_text(Difference)};
offset([Sign, H1, H2 | Minutes] = Text, _, _) ->
    Seconds = list_to_integer([H1, H2]) * 3600 + case Minutes of [$:, M1, M2] -> list_to_integer([M1, M2]) * 60; [] -> 0 end,
    case Sign of
        $+ -> {Seconds, Text};
        $- -> {-Seconds, Text}
    end.

offset_text(Seconds) when Seconds < 0 -> [$- | hours_and_minutes(-Seconds)];
offset_text(Seconds) -> [$+ | hours_and_minutes(Seconds)].

hours_and_minutes(Seconds) -> two(Seconds div 3600) ++ ":" ++ two(Seconds rem 3600 div 60).

rfc3339_to_system_time(Text) -> rfc3339_to_system_time(Text, []).

rfc3339_to_system_time(Text, Options) ->
    Unit = proplists:get_value(unit, Options, second),
    [Y1, Y2, Y3, Y4, $-, Mo1, Mo2, $-, D1, D2, Designator, H1, H2, $:, Mi1, Mi2, $:, S1, S2 | Rest] = Text,
    true = lists:member(Designator, "Tt "),
    N = fun erlang:list_to_integer/1,
    DateTime = {{N([Y1, Y2, Y3, Y4]), N([Mo1, Mo2]), N([D1, D2])}, {N([H1, H2]), N([Mi1, Mi2]), N([S1, S2])}},
    {Digits, Zone} =
        case Rest of
            [$. | Fraction] -> lists:splitwith(fun(C) -> C >= $0 andalso C =< $9 end, Fraction);
            _ -> {"", Rest}
        end,
    Offset =
        case Zone of
            [Z] when Z =:= $Z; Z =:= $z -> 0;
            [_ | _] -> element(1, offset(Zone, 0, second))
        end,
    Seconds = datetime_to_gregorian_seconds(DateTime) - ?EPOCH_SECONDS - Offset,
    (Seconds >= ?FIRST_SECOND andalso Seconds =< ?LAST_SECOND) orelse error({badarg, [Text, Options]}),
    Factor = erlang:convert_time_unit(1, second, Unit),
    %% Whole seconds are those that have passed; what other units cannot show is rounded.
    Part =
        case Digits of
            _ when Digits =:= ""; Factor =:= 1 -> 0;
            _ ->
                Whole = N([$1 | lists:duplicate(length(Digits), $0)]),
                (2 * N(Digits) * Factor + Whole) div (2 * Whole)
        end,
    Seconds * Factor + Part.
