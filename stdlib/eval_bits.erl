%% Binaries in evaluated expressions and patterns: one segment at a time.
-module(eval_bits).

-export([expr_grp/3, expr_grp/4, expr_grp/5, match_bits/6, bin_gen/6]).

-type bindings() :: term().
-type eval() :: fun((term(), bindings()) -> {value, term(), bindings()}).

-spec expr_grp([term()], bindings(), eval()) -> {value, bitstring(), bindings()}.
expr_grp(Segments, Bindings, Eval) -> expr_grp(Segments, Bindings, Eval, []).

-spec expr_grp([term()], bindings(), eval(), term()) -> {value, bitstring(), bindings()}.
expr_grp(Segments, Bindings, Eval, _) -> build(Segments, Bindings, Eval, []).

-spec expr_grp([term()], bindings(), eval(), term(), boolean()) -> {value, bitstring(), bindings()}.
expr_grp(Segments, Bindings, Eval, Stack, _) -> expr_grp(Segments, Bindings, Eval, Stack).

%% All values and sizes are known before any segment is made.
build([], Bindings, _, Parts) ->
    {value, << <<(made(Value, Size, Types))/bitstring>> || {Value, Size, Types} <- lists:reverse(Parts) >>, Bindings};
build([{bin_element, _, Expr, Size, Types} | Segments], Bindings, Eval, Parts) ->
    {Value, Bindings1} =
        case Expr of
            {string, _, Text} -> {{text, Text}, Bindings};
            _ ->
                {value, Evaluated, New} = Eval(Expr, Bindings),
                {Evaluated, New}
        end,
    {Bits, Bindings2} =
        case Size of
            default -> {default, Bindings1};
            _ ->
                {value, Given, After} = Eval(Size, Bindings1),
                {Given, After}
        end,
    build(Segments, Bindings2, Eval, [{Value, Bits, Types} | Parts]).

%% The segments of a text are those of its characters; the size is at fault though there are none.
made({text, Text}, default, default) -> << <<C:8>> || C <- Text >>;
made({text, []}, Size, Types) ->
    _ = segment(0, Size, spec(Types, Size)),
    <<>>;
made({text, Text}, Size, Types) ->
    Spec = spec(Types, Size),
    << <<(segment(C, Size, Spec))/bitstring>> || C <- Text >>;
made(Value, Size, Types) -> segment(Value, Size, spec(Types, Size)).

%% {Type, Sign, Endian, Unit}
spec(default, Size) -> spec([], Size);
spec(Words, Size) ->
    Type = first(Words, [integer, float, binary, bytes, bitstring, bits, utf8, utf16, utf32], integer),
    Default =
        case Type of
            _ when Type =:= binary; Type =:= bytes -> 8;
            float when Size =:= default -> 1;
            _ -> 1
        end,
    Unit =
        case lists:keyfind(unit, 1, Words) of
            {unit, Given} -> Given;
            false -> Default
        end,
    {canonical(Type), first(Words, [signed, unsigned], unsigned), first(Words, [big, little, native], big), Unit}.

canonical(bytes) -> binary;
canonical(bits) -> bitstring;
canonical(Type) -> Type.

first(Words, Wanted, Default) ->
    case [Word || Word <- Words, lists:member(Word, Wanted)] of
        [Word | _] -> Word;
        [] -> Default
    end.

bits(default, integer, _) -> 8;
bits(default, float, _) -> 64;
bits(Size, _, Unit) when is_integer(Size), Size >= 0 -> Size * Unit;
bits(_, _, _) -> error(badarg).

segment(Value, Size, {integer, _, Endian, Unit}) ->
    Bits = bits(Size, integer, Unit),
    case Endian of
        big -> <<Value:Bits/big>>;
        little -> <<Value:Bits/little>>;
        native -> <<Value:Bits/native>>
    end;
segment(Value, Size, {float, _, Endian, Unit}) ->
    Bits = bits(Size, float, Unit),
    case Endian of
        big -> <<Value:Bits/float-big>>;
        little -> <<Value:Bits/float-little>>;
        native -> <<Value:Bits/float-native>>
    end;
segment(Value, default, {binary, _, _, Unit}) when is_bitstring(Value) ->
    case bit_size(Value) rem Unit of
        0 -> Value;
        _ -> error(badarg)
    end;
segment(Value, default, {bitstring, _, _, Unit}) when is_bitstring(Value), bit_size(Value) rem Unit =:= 0 -> Value;
segment(Value, Size, {Type, _, _, Unit}) when Type =:= binary orelse Type =:= bitstring, is_bitstring(Value) ->
    Bits = bits(Size, Type, Unit),
    case Value of
        <<Part:Bits/bitstring, _/bitstring>> -> Part;
        _ -> error(badarg)
    end;
segment(Value, default, {utf8, _, _, _}) -> <<Value/utf8>>;
segment(Value, default, {utf16, _, little, _}) -> <<Value/utf16-little>>;
segment(Value, default, {utf16, _, native, _}) -> <<Value/utf16-native>>;
segment(Value, default, {utf16, _, big, _}) -> <<Value/utf16>>;
segment(Value, default, {utf32, _, little, _}) -> <<Value/utf32-little>>;
segment(Value, default, {utf32, _, native, _}) -> <<Value/utf32-native>>;
segment(Value, default, {utf32, _, big, _}) -> <<Value/utf32>>;
segment(_, _, _) -> error(badarg).

%% Match binds a pattern: fun(Pattern, Value, Bindings) -> {match, Bindings} | nomatch. Size tells sizes from the first bindings and
%% from what the segments before bind: fun(Expr, Bindings) -> Value.
-spec match_bits([term()], term(), bindings(), bindings(), fun(), fun()) -> {match, bindings()} | nomatch.
match_bits(Segments, Bits, Sizes, Bindings, Match, Size) when is_bitstring(Bits) ->
    take(Segments, Bits, Sizes, Bindings, Match, Size);
match_bits(_, _, _, _, _, _) -> nomatch.

take([], <<>>, _, Bindings, _, _) -> {match, Bindings};
take([], _, _, _, _, _) -> nomatch;
take(Segments, Bits, Sizes, Bindings, Match, Size) ->
    case taken(Segments, Bits, Sizes, Bindings, Match, Size) of
        {match, Segments1, Rest, Sizes1, Bindings1} -> take(Segments1, Rest, Sizes1, Bindings1, Match, Size);
        nomatch -> nomatch
    end.

taken([{bin_element, Anno, {string, _, Text}, Size, Types} | Segments], Bits, Sizes, Bindings, _, _) ->
    {match, [{bin_element, Anno, {integer, Anno, C}, Size, Types} || C <- Text] ++ Segments, Bits, Sizes, Bindings};
taken([{bin_element, _, Pattern, Expr, Types} | Segments], Bits, Sizes, Bindings, Match, Size) ->
    Given = case Expr of default -> default; _ -> Size(Expr, Sizes) end,
    {Type, _, _, _} = Spec = spec(Types, Given),
    case get_value(Bits, Given, Spec) of
        {ok, Found, Rest} ->
            case Match(as(Type, Pattern), Found, Bindings) of
                {match, Bindings1} -> {match, Segments, Rest, bound(Pattern, Found, Sizes), Bindings1};
                nomatch -> nomatch
            end;
        nomatch -> nomatch
    end.

%% An integer stands for the float it is, in a segment of floats.
as(float, Pattern) ->
    case erl_eval:partial_eval(Pattern) of
        {integer, Anno, Value} ->
            %% One that no float can be matches none.
            try {float, Anno, float(Value)}
            catch error:badarg -> {integer, Anno, Value}
            end;
        Other -> Other
    end;
as(_, Pattern) -> Pattern.

bound({var, _, '_'}, _, Sizes) -> Sizes;
bound({var, _, Name}, Value, Sizes) -> erl_eval:add_binding(Name, Value, Sizes);
bound(_, _, Sizes) -> Sizes.

get_value(_, Size, _) when Size =/= default, not is_integer(Size) orelse Size < 0 -> nomatch;
get_value(Bits, Size, {integer, Sign, Endian, Unit}) ->
    N = bits(Size, integer, Unit),
    case {Sign, Endian, Bits} of
        {unsigned, big, <<V:N/unsigned-big, Rest/bitstring>>} -> {ok, V, Rest};
        {unsigned, little, <<V:N/unsigned-little, Rest/bitstring>>} -> {ok, V, Rest};
        {unsigned, native, <<V:N/unsigned-native, Rest/bitstring>>} -> {ok, V, Rest};
        {signed, big, <<V:N/signed-big, Rest/bitstring>>} -> {ok, V, Rest};
        {signed, little, <<V:N/signed-little, Rest/bitstring>>} -> {ok, V, Rest};
        {signed, native, <<V:N/signed-native, Rest/bitstring>>} -> {ok, V, Rest};
        _ -> nomatch
    end;
get_value(Bits, Size, {float, _, Endian, Unit}) ->
    N = bits(Size, float, Unit),
    case {Endian, Bits} of
        {big, <<V:N/float-big, Rest/bitstring>>} -> {ok, V, Rest};
        {little, <<V:N/float-little, Rest/bitstring>>} -> {ok, V, Rest};
        {native, <<V:N/float-native, Rest/bitstring>>} -> {ok, V, Rest};
        _ -> nomatch
    end;
get_value(Bits, default, {Type, _, _, Unit}) when Type =:= binary; Type =:= bitstring ->
    case bit_size(Bits) rem Unit of
        0 -> {ok, Bits, <<>>};
        _ -> nomatch
    end;
get_value(Bits, Size, {Type, _, _, Unit}) when Type =:= binary; Type =:= bitstring ->
    N = bits(Size, Type, Unit),
    case Bits of
        <<Part:N/bitstring, Rest/bitstring>> -> {ok, Part, Rest};
        _ -> nomatch
    end;
get_value(Bits, default, {Type, _, Endian, _}) ->
    case {Type, Endian, Bits} of
        {utf8, _, <<C/utf8, Rest/bitstring>>} -> {ok, C, Rest};
        {utf16, big, <<C/utf16, Rest/bitstring>>} -> {ok, C, Rest};
        {utf16, little, <<C/utf16-little, Rest/bitstring>>} -> {ok, C, Rest};
        {utf16, native, <<C/utf16-native, Rest/bitstring>>} -> {ok, C, Rest};
        {utf32, big, <<C/utf32, Rest/bitstring>>} -> {ok, C, Rest};
        {utf32, little, <<C/utf32-little, Rest/bitstring>>} -> {ok, C, Rest};
        {utf32, native, <<C/utf32-native, Rest/bitstring>>} -> {ok, C, Rest};
        _ -> nomatch
    end.

%% One step of a generator: what the pattern takes from the front.
-spec bin_gen([term()], bitstring(), bindings(), bindings(), fun(), fun()) ->
          {match, bitstring(), bindings()} | {nomatch, bitstring()} | done.
bin_gen(Segments, Bits, Sizes, Bindings, Match, Size) -> gen(Segments, Bits, Sizes, Bindings, Match, Size, true).

%% What does not match is skipped as long as its size can be told.
gen([], Rest, _, Bindings, _, _, true) -> {match, Rest, Bindings};
gen([], Rest, _, _, _, _, false) -> {nomatch, Rest};
gen(Segments, Bits, Sizes, Bindings, Match, Size, Matches) ->
    case taken(Segments, Bits, Sizes, Bindings, Match, Size) of
        {match, Segments1, Rest, Sizes1, Bindings1} -> gen(Segments1, Rest, Sizes1, Bindings1, Match, Size, Matches);
        nomatch ->
            case taken(Segments, Bits, Sizes, Bindings, fun(_, _, Same) -> {match, Same} end, Size) of
                {match, Segments1, Rest, Sizes1, _} -> gen(Segments1, Rest, Sizes1, Bindings, Match, Size, false);
                nomatch -> done
            end
    end.
