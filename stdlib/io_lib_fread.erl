%% Formatted reading: `~d`, `~f`, `~s` and friends taken out of text.
%%
%% `fread/2` reads from a string. `fread/3` is called by an I/O server with whatever input there is, again and again: it
%% gathers a line, tries it, and either is done or asks for more. How many characters have been read is counted all the
%% way, since `~l` returns that number.
-module(io_lib_fread).

-export([fread/2, fread/3]).

-define(IS_SPACE(C), (C =:= $\s orelse C =:= $\t orelse C =:= $\r orelse C =:= $\n)).

%%% From a string

-spec fread(string(), string()) ->
          {ok, [io_lib:fread_item()], string()} | {more, string(), non_neg_integer(), [io_lib:fread_item()]}
              | {error, {fread, atom()}}.
fread(Format, Input) -> fread(Format, Input, 0, []).

%% fread(Format, Input, Count, Items): Input may be eof, Items are in reverse.
fread([$~ | Format] = Whole, Input, Count, Items) ->
    {Suppress, Format1} =
        case Format of
            [$* | F] -> {true, F};
            _ -> {false, Format}
        end,
    {Width, Format2} = width(Format1, none),
    {Unicode, [Control | Format3]} =
        case Format2 of
            [$t | F2] -> {true, F2};
            [] -> {false, [none]};
            _ -> {false, Format2}
        end,
    if
        Control =:= $l -> fread(Format3, Input, Count, keep(Suppress, Count, Items));
        Input =:= [] -> {more, Whole, Count, Items};
        Input =:= eof -> end_of_input(Count, Items);
        true ->
            case item(Control, Width, Unicode, Input) of
                {value, Value, N, Rest} -> fread(Format3, Rest, Count + N, keep(Suppress, Value, Items));
                {skip, N, Rest} -> fread(Format3, Rest, Count + N, Items);
                {error, What} -> {error, {fread, What}}
            end
    end;
fread([C | Format], Input, Count, Items) when ?IS_SPACE(C) ->
    {N, Rest} = skip_space(Input, 0),
    fread(Format, Rest, Count + N, Items);
fread([C | Format], [C | Input], Count, Items) -> fread(Format, Input, Count + 1, Items);
fread([_ | _], [_ | _], _, _) -> {error, {fread, input}};
fread([_ | _] = Format, [], Count, Items) -> {more, Format, Count, Items};
fread([_ | _], eof, Count, Items) -> end_of_input(Count, Items);
fread([], Input, _, Items) -> {ok, lists:reverse(Items), Input}.

%% Only an end before anything was read is no error.
end_of_input(0, []) -> eof;
end_of_input(_, _) -> {error, {fread, input}}.

keep(true, _, Items) -> Items;
keep(false, Value, Items) -> [Value | Items].

width([C | Format], none) when C >= $0, C =< $9 -> width(Format, C - $0);
width([C | Format], N) when C >= $0, C =< $9 -> width(Format, N * 10 + C - $0);
width(Format, N) -> {N, Format}.

%%% One item

item($d, Width, false, Input) -> number(Width, Input, fun integer_text/1, fun list_to_integer/1, integer);
item($f, Width, false, Input) -> number(Width, Input, fun float_text/1, fun list_to_float/1, float);
item($u, Base, false, Input) when Base =:= none; Base >= 2, Base =< 36 ->
    Base1 =
        case Base of
            none -> 10;
            _ -> Base
        end,
    {Digits, N, Rest} = digits(Input, Base1),
    converted(Digits, fun(Text) -> list_to_integer(Text, Base1) end, N, Rest, unsigned);
item($-, _, false, Input) ->
    case Input of
        [$- | Rest] -> {value, -1, 1, Rest};
        [$+ | Rest] -> {value, 1, 1, Rest};
        _ -> {value, 1, 0, Input}
    end;
item($#, none, false, Input) -> based(Input);
item($#, Width, false, Input) ->
    case take(Width, Input, false, []) of
        {ok, Text, Rest} ->
            %% Here the number cannot be negative.
            case {trim(Text), based(Text)} of
                {[C | _], {value, Value, Width, []}} when C =/= $- -> {value, Value, Width, Rest};
                _ -> {error, based}
            end;
        error -> {error, based}
    end;
item($s, Width, Unicode, Input) -> word(Width, Unicode, Input, fun(Text) -> Text end, string);
item($a, none, Unicode, Input) -> word(none, Unicode, Input, fun list_to_atom/1, atom);
item($a, Width, false, Input) -> word(Width, false, Input, fun list_to_atom/1, atom);
item($c, none, Unicode, Input) -> item($c, 1, Unicode, Input);
item($c, Width, Unicode, Input) ->
    case take(Width, Input, Unicode, []) of
        {ok, Text, Rest} -> {value, Text, Width, Rest};
        error -> {error, character}
    end;
item($~, _, _, [$~ | Rest]) -> {skip, 1, Rest};
item(_, _, _, _) -> {error, format}.

%% Of free length, or exactly Width characters.
number(none, Input, Scan, Convert, What) ->
    {N, Input1} = skip_space(Input, 0),
    {Text, M, Rest} = Scan(Input1),
    converted(Text, Convert, N + M, Rest, What);
number(Width, Input, _, Convert, What) ->
    case take(Width, Input, false, []) of
        {ok, Text, Rest} ->
            {_, Text1} = skip_space(Text, 0),
            converted(Text1, Convert, Width, Rest, What);
        error -> {error, What}
    end.

converted(Text, Convert, N, Rest, What) ->
    try {value, Convert(Text), N, Rest}
    catch error:_ -> {error, What}
    end.

%% `Base#Digits`; a minus sign in front of the base belongs to the number.
based(Input) ->
    {N, Input1} = skip_space(Input, 0),
    try
        {BaseText, M, [$# | Input2]} = integer_text(Input1),
        Signed = list_to_integer(BaseText),
        Base = abs(Signed),
        true = Base >= 2 andalso Base =< 36,
        {Digits, L, Rest} = digits(Input2, Base),
        Value = list_to_integer(Digits, Base),
        {value, sign(Signed) * Value, N + M + 1 + L, Rest}
    catch
        error:_ -> {error, based}
    end.

sign(N) when N < 0 -> -1;
sign(_) -> 1.

word(none, Unicode, Input, Convert, What) ->
    {N, Input1} = skip_space(Input, 0),
    case nonspace(Input1, Unicode, []) of
        error -> {error, What};
        {Text, M, Rest} -> {value, Convert(Text), N + M, Rest}
    end;
word(Width, Unicode, Input, Convert, What) ->
    case take(Width, Input, Unicode, []) of
        {ok, Text, Rest} -> {value, Convert(trim(Text)), Width, Rest};
        error -> {error, What}
    end.

trim(Text) ->
    {_, Front} = skip_space(lists:reverse(Text), 0),
    {_, Trimmed} = skip_space(lists:reverse(Front), 0),
    Trimmed.

%%% Characters

skip_space([C | Cs], N) when ?IS_SPACE(C) -> skip_space(Cs, N + 1);
skip_space(Rest, N) -> {N, Rest}.

%% Exactly N characters of one line, Latin-1 ones unless Unicode.
take(0, Rest, _, Acc) -> {ok, lists:reverse(Acc), Rest};
take(N, [C | Cs], Unicode, Acc) when C =/= $\n, Unicode orelse C =< 255 -> take(N - 1, Cs, Unicode, [C | Acc]);
take(_, _, _, _) -> error.

nonspace([C | _] = Rest, _, Acc) when ?IS_SPACE(C) -> {lists:reverse(Acc), length(Acc), Rest};
nonspace([C | _], false, []) when C > 255 -> error;
nonspace([C | _] = Rest, false, Acc) when C > 255 -> {lists:reverse(Acc), length(Acc), Rest};
nonspace([C | Cs], Unicode, Acc) -> nonspace(Cs, Unicode, [C | Acc]);
nonspace([], _, Acc) -> {lists:reverse(Acc), length(Acc), []}.

%% Each of these gives the text, its length and the rest.
integer_text([C | Cs]) when C =:= $+; C =:= $- ->
    {Text, N, Rest} = digits(Cs, 10),
    {[C | Text], N + 1, Rest};
integer_text(Cs) -> digits(Cs, 10).

float_text(Cs) ->
    case integer_text(Cs) of
        {Whole, N, [$. | Cs1]} ->
            {Decimals, M, Cs2} = digits(Cs1, 10),
            {Exponent, L, Rest} = exponent_text(Cs2),
            {Whole ++ [$. | Decimals] ++ Exponent, N + 1 + M + L, Rest};
        NoPoint -> NoPoint
    end.

exponent_text([C | Cs]) when C =:= $e; C =:= $E ->
    {Text, N, Rest} = integer_text(Cs),
    {[C | Text], N + 1, Rest};
exponent_text(Cs) -> {"", 0, Cs}.

digits(Cs, Base) -> digits(Cs, Base, []).

digits([C | Cs], Base, Acc)
  when C >= $0, C =< $9; C >= $A, C < $A + Base - 10; C >= $a, C < $a + Base - 10 ->
    digits(Cs, Base, [C | Acc]);
digits(Rest, _, Acc) -> {lists:reverse(Acc), length(Acc), Rest}.

%%% From an I/O server, line by line

-spec fread(term(), string() | eof, string()) -> {more, term()} | {done, term(), string() | eof}.
fread([], Input, Format) -> gather(Format, [], 0, [], Input);
fread({Format, Line, Count, Items}, Input, _) -> gather(Format, Line, Count, Items, Input).

%% Line is the reversed line so far.
gather(Format, [$\r | Line], Count, Items, [$\n | Input]) -> line(Format, Line, Count, Items, Input, "\r\n");
gather(Format, Line, Count, Items, [$\n | Input]) -> line(Format, Line, Count, Items, Input, "\n");
gather(Format, Line, Count, Items, []) -> {more, {Format, Line, Count, Items}};
gather(Format, [$\r | Line], Count, Items, Input) -> line(Format, Line, Count, Items, Input, "\r");
gather(Format, Line, Count, Items, [C | Input]) -> gather(Format, [C | Line], Count, Items, Input);
gather(Format, Line, Count, Items, eof) -> line(Format, Line, Count, Items, eof, "").

line(Format, Line, Count, Items, Input, Newline) -> try_line(Format, lists:reverse(Line), Count, Items, Input, Newline).

try_line(Format, Line, Count, Items, Input, Newline) ->
    Chars =
        case Input of
            eof -> [];
            _ -> Input
        end,
    case fread(Format, Line, Count, Items) of
        {ok, Read, []} -> {done, {ok, Read}, Chars};
        {ok, Read, Rest} when is_list(Rest) -> {done, {ok, Read}, Rest ++ Newline ++ Chars};
        {ok, Read, eof} -> {done, {ok, Read}, Chars};
        {more, Format1, Count1, Items1} when Input =:= eof ->
            try_line(Format1, eof, Count1 + length(Newline), Items1, eof, "");
        {more, Format1, Count1, Items1} -> gather(Format1, [], Count1 + length(Newline), Items1, Input);
        Other -> {done, Other, Input}
    end.
