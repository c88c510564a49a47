%% Format strings: `~F.P.PadModC` interpreted.
%%
%% `fwrite/2` works in one pass over the format string, and the sequences programs use most (`~p ~w ~s ~n` without width
%% or modifier) skip the general machinery. `scan/2` and `build/1,2` do the same in two steps, with the parsed format as a
%% list of characters and maps (`io_lib:format_spec()`) between them; a character limit needs the two steps, because
%% what a sequence may use depends on all the others.
%%
%% `~p` must know the column it starts in. Rather than counting every character, the text since the last known column is
%% kept apart and measured only when a `~p` comes along.
-module(io_lib_format).

-export([fwrite/2, fwrite/3, fwrite_g/1, scan/2, unscan/1, build/1, build/2, indentation/2]).

%%% One pass

-spec fwrite(io:format(), [term()]) -> io_lib:chars().
fwrite(Format, Args) -> text(format_chars(Format), Args, [], [], 0).

%% text(Format, Args, Recent, Done, Column): Recent is the reversed output since Column was known, Done all before it.
text([$~, C | Format], Args, Recent, Done, Column) ->
    case C of
        $s -> text(Format, tl(Args), [bytes(hd(Args)) | Recent], Done, Column);
        $p -> print_here(hd(Args), latin1, Format, tl(Args), Recent, Done, Column);
        $w -> text(Format, tl(Args), [erlet_io:write_flat(hd(Args), latin1) | Recent], Done, Column);
        $n when is_list(Args) -> text(Format, Args, [$\n | Recent], Done, Column);
        $~ when is_list(Args) -> text(Format, Args, [$~ | Recent], Done, Column);
        $t when hd(Format) =:= $p -> print_here(hd(Args), unicode, tl(Format), tl(Args), Recent, Done, Column);
        $t when hd(Format) =:= $s -> text(tl(Format), tl(Args), [characters(hd(Args)) | Recent], Done, Column);
        _ ->
            {#{control_char := Control} = Spec, Format1, Args1} = spec([C | Format], Args),
            case Control =:= $p orelse Control =:= $P of
                true ->
                    {Before, Now} = settle(Recent, Column),
                    text(Format1, Args1, [limited(Spec, -1, Now)], add(Before, Done), Now);
                false ->
                    case small(Spec) of
                        not_small -> text(Format1, Args1, [limited(Spec, -1, 0) | Recent], Done, Column);
                        Text -> text(Format1, Args1, add(lists:flatten(Text), Recent), Done, Column)
                    end
            end
    end;
text([C | Format], Args, Recent, Done, Column) when C =/= $~ -> text(Format, Args, [C | Recent], Done, Column);
text([], [], Recent, [], _) -> lists:reverse(Recent, []);
text([], [], Recent, Done, _) -> lists:reverse(Done, lists:reverse(Recent, [])).

print_here(Term, Encoding, Format, Args, Recent, Done, Column) ->
    {Before, Now} = settle(Recent, Column),
    Printed = print(Term, -1, none, right, none, Encoding, true, undefined, -1, Now),
    text(Format, Args, [Printed], add(Before, Done), Now).

%% Recent output in order, and the column behind it.
settle(Recent, Column) ->
    Before = lists:reverse(Recent, []),
    {Before, indentation(Before, Column)}.

%% In front of reversed output.
add([X | Xs], Out) -> add(Xs, [X | Out]);
add([], Out) -> Out.

format_chars(Format) when is_list(Format) -> Format;
format_chars(Format) when is_atom(Format) -> atom_to_list(Format);
format_chars(Format) when is_binary(Format) -> binary_to_list(Format).

%% The column behind Chars when they start in Column (0 is the first); tabs stop at every eighth.
-spec indentation(io_lib:chars(), integer()) -> integer().
indentation([C | Cs], Column) when is_integer(C) ->
    case C of
        $\n -> indentation(Cs, 0);
        $\t -> indentation(Cs, (Column + 8) div 8 * 8);
        _ -> indentation(Cs, Column + 1)
    end;
indentation([Deep | Cs], Column) -> indentation(Cs, indentation(Deep, Column));
indentation([], Column) -> Column.

%%% Parsing

-spec scan(io:format(), [term()]) -> [char() | io_lib:format_spec()].
scan(Format, Args) -> scan_1(format_chars(Format), Args).

scan_1([$~ | Format], Args) ->
    {Spec, Format1, Args1} = spec(Format, Args),
    [Spec | scan_1(Format1, Args1)];
scan_1([C | Format], Args) -> [C | scan_1(Format, Args)];
scan_1([], []) -> [].

%% One control sequence behind its tilde; an asterisk takes a number from the arguments.
spec(Format0, Args0) ->
    {Width, Adjust, Format1, Args1} = width(Format0, Args0),
    {Precision, Format2, Args2} = precision(Format1, Args1),
    {Pad, Format3, Args3} = pad(Format2, Args2),
    {Encoding, Strings, Order, [Control | Format4], Args4} = modifiers(Format3, Args3, latin1, true, undefined),
    {Used, Args5} = take_args(Control, Args4),
    {#{control_char => Control, args => Used, width => Width, adjust => Adjust, precision => Precision,
       pad_char => Pad, encoding => Encoding, strings => Strings, maps_order => Order},
     Format4, Args5}.

width([$- | Format], Args) ->
    {N, Format1, Args1} = number(Format, Args),
    signed_width(-N, Format1, Args1);
width(Format, Args) ->
    case number(Format, Args) of
        {none, Format1, Args1} -> {none, right, Format1, Args1};
        {N, Format1, Args1} -> signed_width(N, Format1, Args1)
    end.

signed_width(N, Format, Args) when N < 0 -> {-N, left, Format, Args};
signed_width(N, Format, Args) -> {N, right, Format, Args}.

precision([$. | Format], Args) -> number(Format, Args);
precision(Format, Args) -> {none, Format, Args}.

number([$* | Format], [N | Args]) when is_integer(N) -> {N, Format, Args};
number([C | Format], Args) when C >= $0, C =< $9 -> digits(Format, Args, C - $0);
number(Format, Args) -> {none, Format, Args}.

digits([C | Format], Args, N) when C >= $0, C =< $9 -> digits(Format, Args, N * 10 + C - $0);
digits(Format, Args, N) -> {N, Format, Args}.

pad([$., $* | Format], [Pad | Args]) -> {Pad, Format, Args};
pad([$., Pad | Format], Args) -> {Pad, Format, Args};
pad(Format, Args) -> {$\s, Format, Args}.

%% `t`: Unicode; `l`: no string detection; `k` and `K`: maps in key order, or by an argument.
modifiers([$t | Format], Args, _, Strings, Order) -> modifiers(Format, Args, unicode, Strings, Order);
modifiers([$l | Format], Args, Encoding, _, Order) -> modifiers(Format, Args, Encoding, false, Order);
modifiers([$k | Format], Args, Encoding, Strings, _) -> modifiers(Format, Args, Encoding, Strings, ordered);
modifiers([$K | Format], [Order | Args], Encoding, Strings, _) -> modifiers(Format, Args, Encoding, Strings, Order);
modifiers(Format, Args, Encoding, Strings, Order) -> {Encoding, Strings, Order, Format, Args}.

take_args(C, Args) when C =:= $~; C =:= $n ->
    true = is_list(Args),
    {[], Args};
take_args(C, [X, Y | Args]) when C =:= $W; C =:= $P; C =:= $x; C =:= $X -> {[X, Y], Args};
take_args(C, [X | Args])
  when C =:= $w; C =:= $p; C =:= $s; C =:= $c; C =:= $b; C =:= $B; C =:= $e; C =:= $f; C =:= $g; C =:= $+; C =:= $#;
       C =:= $i ->
    {[X], Args}.

%% A parsed format as format string and arguments again.
-spec unscan([char() | io_lib:format_spec()]) -> {string(), [term()]}.
unscan(Specs) -> {lists:flatmap(fun spec_text/1, Specs), lists:flatmap(fun spec_args/1, Specs)}.

spec_args(#{maps_order := Order, args := Args}) when Order =/= undefined, Order =/= ordered -> [Order | Args];
spec_args(#{args := Args}) -> Args;
spec_args(_) -> [].

spec_text(#{control_char := C, width := Width, adjust := Adjust, precision := Precision, pad_char := Pad,
            encoding := Encoding, strings := Strings} = Spec) ->
    W =
        case {Width, Adjust} of
            {none, _} -> "";
            {_, left} -> integer_to_list(-Width);
            {_, right} -> integer_to_list(Width)
        end,
    %% A pad character needs the second dot.
    P =
        case {Precision, Pad} of
            {none, $\s} -> "";
            {none, _} -> ["..", Pad];
            {_, $\s} -> [$. | integer_to_list(Precision)];
            _ -> [$., integer_to_list(Precision), $., Pad]
        end,
    Modifiers =
        [$t || Encoding =:= unicode] ++ [$l || not Strings] ++
        case maps:get(maps_order, Spec, undefined) of
            undefined -> "";
            ordered -> "k";
            _ -> "K"
        end,
    lists:flatten([$~, W, P, Modifiers, C]);
spec_text(C) -> [C].

%%% Two steps

-spec fwrite(io:format(), [term()], [{chars_limit, integer()}]) -> io_lib:chars().
fwrite(Format, Args, Options) -> build(scan(Format, Args), Options).

build(Specs) -> build(Specs, []).

%% First what has a natural length; the characters left of the limit are then shared out evenly among the rest.
-spec build([char() | io_lib:format_spec()], [{chars_limit, integer()}]) -> io_lib:chars().
build(Specs, Options) ->
    Limit = proplists:get_value(chars_limit, Options, -1),
    Mixed = lists:flatmap(fun build_small/1, Specs),
    case length([S || S <- Mixed, is_map(S)]) of
        0 -> Mixed;
        Open ->
            Budget = io_lib_measure:less(Limit, length(Mixed) - Open),
            build_limited(Mixed, Open, Budget, 0)
    end.

build_small(Spec) when is_map(Spec) ->
    case small(Spec) of
        not_small -> [Spec];
        Text -> lists:flatten(Text)
    end;
build_small(C) -> [C].

build_limited([Spec | Specs], Open, Budget, Column) when is_map(Spec) ->
    Share =
        case Budget < 0 of
            true -> Budget;
            false -> Budget div Open
        end,
    Text = limited(Spec, Share, Column),
    Budget1 =
        case Budget < 0 of
            true -> Budget;
            false -> io_lib_measure:less(Budget, io_lib:chars_length(Text))
        end,
    Column1 =
        case Open of
            1 -> 0;
            _ -> indentation(Text, Column)
        end,
    [Text | build_limited(Specs, Open - 1, Budget1, Column1)];
build_limited([C | Specs], Open, Budget, Column) -> [C | build_limited(Specs, Open, Budget, indentation([C], Column))];
build_limited([], _, _, _) -> [].

%%% Control sequences

%% Those whose text has no need of a limit: all but `~s ~w ~W ~p ~P`.
small(#{control_char := C, args := Args, width := Width, adjust := Adjust, precision := Precision, pad_char := Pad,
        encoding := Encoding}) ->
    case {C, Args} of
        {$s, [A]} when is_atom(A), Encoding =:= unicode -> string(atom_to_list(A), Width, Adjust, Precision, Pad, unicode);
        {$s, [A]} when is_atom(A) -> string(bytes(atom_to_list(A)), Width, Adjust, Precision, Pad, latin1);
        {$e, [F]} when is_float(F) -> field(erlet_float:e(F, default(Precision, 6)), Width, Adjust, Width, Pad);
        {$f, [F]} when is_float(F) -> field(erlet_float:f(F, default(Precision, 6)), Width, Adjust, Width, Pad);
        {$g, [F]} when is_float(F) -> field(erlet_float:g(F, default(Precision, 6)), Width, Adjust, Width, Pad);
        {$b, [N]} when is_integer(N) -> integer(N, "", Precision, true, Width, Adjust, Pad);
        {$B, [N]} when is_integer(N) -> integer(N, "", Precision, false, Width, Adjust, Pad);
        {$x, [N, Prefix]} when is_integer(N) -> integer(N, prefix(Prefix), Precision, true, Width, Adjust, Pad);
        {$X, [N, Prefix]} when is_integer(N) -> integer(N, prefix(Prefix), Precision, false, Width, Adjust, Pad);
        {$+, [N]} when is_integer(N) -> integer(N, base_prefix(Precision), Precision, true, Width, Adjust, Pad);
        {$#, [N]} when is_integer(N) -> integer(N, base_prefix(Precision), Precision, false, Width, Adjust, Pad);
        {$c, [N]} when is_integer(N), Encoding =:= unicode -> char(N, Width, Adjust, Precision, Pad);
        {$c, [N]} when is_integer(N) -> char(N band 255, Width, Adjust, Precision, Pad);
        {$~, []} -> char($~, Width, Adjust, Precision, Pad);
        {$n, []} when Width =:= none -> "\n";
        {$n, []} when Adjust =:= right -> lists:duplicate(Width, $\n);
        {$i, [_]} -> "";
        _ when C =:= $s; C =:= $w; C =:= $W; C =:= $p; C =:= $P -> not_small
    end.

%% The others, in at most Limit characters if that is not negative.
limited(#{control_char := C, args := Args, width := Width, adjust := Adjust, precision := Precision, pad_char := Pad,
          encoding := Encoding, strings := Strings} = Spec, Limit, Column) ->
    case {C, Args} of
        {$s, [S]} when Encoding =:= latin1 ->
            string(limited_bytes(S, Width, Limit), limited_width(Width, Limit), Adjust, Precision, Pad, latin1);
        {$s, [S]} ->
            string(limited_characters(S, Width, Limit), limited_width(Width, Limit), Adjust, Precision, Pad, unicode);
        {$w, [T]} -> field(written(T, -1, Limit, Encoding, Spec), Width, Adjust, Precision, Pad);
        {$W, [T, D]} when is_integer(D) -> field(written(T, D, Limit, Encoding, Spec), Width, Adjust, Precision, Pad);
        {$p, [T]} -> print(T, -1, Width, Adjust, Precision, Encoding, Strings, order(Spec), Limit, Column);
        {$P, [T, D]} when is_integer(D) ->
            print(T, D, Width, Adjust, Precision, Encoding, Strings, order(Spec), Limit, Column)
    end.

order(Spec) -> maps:get(maps_order, Spec, undefined).

written(Term, Depth, Limit, Encoding, Spec) ->
    case order(Spec) of
        undefined -> io_lib:write(Term, [{depth, Depth}, {encoding, Encoding}, {chars_limit, Limit}]);
        Order ->
            io_lib_pretty:print(Term, [{line_length, 0}, {strings, false}, {maps_order, Order}, {depth, Depth},
                                       {encoding, Encoding}, {chars_limit, Limit}])
    end.

%% For `~p` the width is the line length, and the precision the column to start in.
print(Term, Depth, Width, right, Precision, Encoding, Strings, Order, Limit, Column) ->
    io_lib_pretty:print(Term, [{column, default(Precision, Column + 1)}, {line_length, default(Width, 80)},
                               {depth, Depth}, {encoding, Encoding}, {strings, Strings}, {maps_order, Order},
                               {chars_limit, Limit}]).

default(none, Default) -> Default;
default(Value, _) -> Value.

%%% Fields

%% Text in a field; what does not fit becomes stars. The precision narrows the field, or is the field.
field(Text, none, _, none, _) -> Text;
field(Text, none, Adjust, Precision, Pad) -> field(Text, Precision, Adjust, Precision, Pad);
field(Text, Width, Adjust, Precision, Pad) ->
    Len = io_lib:chars_length(Text),
    Room = min(Len, min(default(Precision, Width), Width)),
    if
        Len > Room -> adjust(lists:duplicate(Room, $*), Width - Room, Adjust, Pad);
        Width >= Room -> adjust(Text, Width - Len, Adjust, Pad)
    end.

%% Strings are truncated where terms become stars. The precision is how much of the string is shown.
string(S, none, _, none, _, _) -> S;
string(S, Width, Adjust, none, Pad, Encoding) -> fit(S, Width, Adjust, Pad, Encoding);
string(S, none, _, Precision, Pad, Encoding) -> fit(S, Precision, left, Pad, Encoding);
string(S, Width, Adjust, Precision, Pad, Encoding) when Width > Precision ->
    adjust(fit(S, Precision, left, Pad, Encoding), Width - Precision, Adjust, Pad);
string(S, Width, Adjust, Width, Pad, Encoding) -> fit(S, Width, Adjust, Pad, Encoding).

fit(S, Width, Adjust, Pad, Encoding) ->
    case io_lib:chars_length(S) of
        Width -> S;
        Len when Len < Width -> adjust(S, Width - Len, Adjust, Pad);
        _ when Encoding =:= latin1 -> lists:sublist(lists:flatten(S), Width);
        _ -> string:slice(S, 0, Width)
    end.

adjust(Text, 0, _, _) -> Text;
adjust(Text, N, left, Pad) -> [Text | lists:duplicate(N, Pad)];
adjust(Text, N, right, Pad) -> [lists:duplicate(N, Pad) | Text].

char(C, none, _, none, _) -> [C];
char(C, Width, _, none, _) -> lists:duplicate(Width, C);
char(C, none, _, Precision, _) -> lists:duplicate(Precision, C);
char(C, Width, Adjust, Precision, Pad) when Width >= Precision ->
    adjust(lists:duplicate(Precision, C), Width - Precision, Adjust, Pad).

%%% Integers

integer(N, Prefix, Precision, Lower, Width, Adjust, Pad) ->
    Digits = integer_to_list(abs(N), default(Precision, 10)),
    Cased =
        case Lower of
            true -> [lower(C) || C <- Digits];
            false -> Digits
        end,
    Text =
        case {N < 0, Prefix} of
            {false, ""} -> Cased;
            {false, _} -> [Prefix | Cased];
            {true, ""} -> [$- | Cased];
            {true, _} -> [$-, Prefix | Cased]
        end,
    field(Text, Width, Adjust, none, Pad).

lower(C) when C >= $A, C =< $Z -> C + $a - $A;
lower(C) -> C.

prefix(Prefix) when is_atom(Prefix) -> atom_to_list(Prefix);
prefix(Prefix) ->
    true = io_lib:deep_char_list(Prefix),
    Prefix.

base_prefix(Precision) -> integer_to_list(default(Precision, 10)) ++ "#".

%%% Floats

%% The shortest text that reads back as the same float.
-spec fwrite_g(float()) -> string().
fwrite_g(Float) -> float_to_list(Float, [short]).

%%% Strings

%% `~s`: bytes only. A list that is one already is not copied.
bytes(S) when is_list(S) ->
    case io_lib:latin1_char_list(S) of
        true -> S;
        false -> binary_to_list(iolist_to_binary(S))
    end;
bytes(S) when is_binary(S) -> binary_to_list(S);
bytes(S) when is_atom(S) -> bytes(atom_to_list(S)).

%% `~ts`: characters. Binaries that are not UTF-8 are taken for Latin-1.
characters(S) when is_atom(S) -> atom_to_list(S);
characters(S) ->
    try unicode:characters_to_list(S) of
        Chars when is_list(Chars) -> Chars;
        _ -> piecewise(S)
    catch
        error:_ -> piecewise(S)
    end.

piecewise([C | Cs]) when is_integer(C), C >= 0 -> [C | piecewise(Cs)];
piecewise([S | Cs]) -> [piecewise(S) | piecewise(Cs)];
piecewise([]) -> [];
piecewise(B) when is_binary(B) ->
    case unicode:characters_to_list(B) of
        Chars when is_list(Chars) -> Chars;
        _ -> binary_to_list(B)
    end.

limited_width(Width, Limit) when Limit < 0; Width =:= none -> Width;
limited_width(Width, Limit) -> max(3, min(Width, Limit)).

%% Under a limit the end of a long string becomes three dots; a width that fits needs none.
limited_bytes(S, Width, Limit) when Limit < 0; Limit >= Width -> bytes(S);
limited_bytes(S, _, Limit) -> with_dots(bytes(S), io_lib_measure:less(Limit, 3), fun lists:split/2).

limited_characters(S, Width, Limit) when Limit < 0; Limit >= Width -> characters(S);
limited_characters(S, _, Limit) ->
    with_dots(characters(S), io_lib_measure:less(Limit, 3),
              fun(N, Chars) -> {string:slice(Chars, 0, N), string:slice(Chars, N)} end).

with_dots(S, Room, Split) ->
    case io_lib:chars_length(S) of
        Len when Len =< Room + 3 -> S;
        _ ->
            {Front, _} = Split(Room, lists:flatten(S)),
            [Front | "..."]
    end.
