%% Floats as `~e`, `~f` and `~g` show them.
%%
%% All three round one and the same decimal expansion: the float's first 21 significant digits, as `float_to_list/1` gives
%% them. Those digits are kept as one integer, so that rounding (half away from zero) is a division.
-module(erlet_float).

-export([e/2, f/2, g/2]).

%% Digits behind the point that float_to_list/1 prints.
-define(DECIMALS, 20).

%% Exponent form with P significant digits: `1.23450e+1`.
-spec e(float(), pos_integer()) -> string().
e(Float, P) when P >= 2 ->
    {Digits, Exponent} = expansion(Float),
    {Mantissa, Exponent1} =
        case scaled(Digits, P - 1 - ?DECIMALS) of
            %% Rounding up may need one digit more.
            N when N > 0 ->
                case integer_to_list(N) of
                    Text when length(Text) > P -> {lists:droplast(Text), Exponent + 1};
                    Text -> {Text, Exponent}
                end;
            0 -> {lists:duplicate(P, $0), Exponent}
        end,
    [D | Ds] = Mantissa,
    sign(Float, [D, $. | Ds ++ exponent(Exponent1)]).

%% Fixed point with P decimals.
-spec f(float(), pos_integer()) -> string().
f(Float, P) when P >= 1 ->
    {Digits, Exponent} = expansion(Float),
    Text = integer_to_list(scaled(Digits, Exponent + P - ?DECIMALS)),
    Padded = lists:duplicate(max(0, P + 1 - length(Text)), $0) ++ Text,
    {Whole, Decimals} = lists:split(length(Padded) - P, Padded),
    sign(Float, Whole ++ [$. | Decimals]).

%% P significant digits, in fixed point for magnitudes from 0.1 up to 10,000 if that shows them all, else in exponent form.
-spec g(float(), pos_integer()) -> string().
g(Float, P) when P >= 1 ->
    Magnitude =
        case abs(Float) of
            A when A < 0.1 -> none;
            A when A < 1.0 -> -1;
            A when A < 10.0 -> 0;
            A when A < 100.0 -> 1;
            A when A < 1000.0 -> 2;
            A when A < 10000.0 -> 3;
            _ -> none
        end,
    if
        Magnitude =:= -1, P =:= 1; is_integer(Magnitude), P - 1 > Magnitude -> f(Float, P - 1 - Magnitude);
        true -> e(Float, max(P, 2))
    end.

%% The magnitude as Digits * 10^(Exponent - DECIMALS).
expansion(Float) ->
    {Mantissa, [$e | Exponent]} = lists:splitwith(fun(C) -> C =/= $e end, float_to_list(abs(Float))),
    [D, $. | Ds] = Mantissa,
    {list_to_integer([D | Ds]), list_to_integer(Exponent)}.

%% Digits * 10^Shift, rounded. Beyond all the digits nothing is left to round.
scaled(Digits, Shift) when Shift >= 0 -> Digits * power_of_10(Shift);
scaled(_, Shift) when Shift < -(?DECIMALS + 2) -> 0;
scaled(Digits, Shift) ->
    Unit = power_of_10(-Shift),
    (Digits + Unit div 2) div Unit.

power_of_10(0) -> 1;
power_of_10(N) when N rem 2 =:= 0 ->
    Half = power_of_10(N div 2),
    Half * Half;
power_of_10(N) -> 10 * power_of_10(N - 1).

exponent(N) when N >= 0 -> "e+" ++ integer_to_list(N);
exponent(N) -> [$e | integer_to_list(N)].

%% Negative zero has a sign, too.
sign(Float, Text) ->
    case float_to_list(Float) of
        [$- | _] -> [$- | Text];
        _ -> Text
    end.
