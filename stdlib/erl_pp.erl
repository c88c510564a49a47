%% Forms as text.
%%
%% Each part is laid out as lines: the first begins where the part stands, the others carry the columns they begin at. What has
%% clauses, comprehensions and bodies are never on one line; all else is if it fits. A negative indentation puts everything on one.
-module(erl_pp).

-export([form/1, form/2, attribute/1, attribute/2, function/1, function/2, guard/1, guard/2, exprs/1, exprs/2, exprs/3, expr/1,
         expr/2, expr/3, expr/4, legalize_vars/1]).

-define(WIDTH, 80).

-type lines() :: [string()].

-spec form(erl_parse:abstract_form()) -> io_lib:chars().
form(Form) -> form(Form, none).

-spec form(erl_parse:abstract_form(), term()) -> io_lib:chars().
form({attribute, _, _, _} = Form, Options) -> attribute(Form, Options);
form({function, _, _, _, _} = Form, Options) -> function(Form, Options);
form({error, Info}, _) -> io_lib:format("~0tp~n", [{error, Info}]);
form({warning, Info}, _) -> io_lib:format("~0tp~n", [{warning, Info}]);
form({eof, _}, _) -> "\n".

-spec function(erl_parse:abstract_form()) -> io_lib:chars().
function(Form) -> function(Form, none).

-spec function(erl_parse:abstract_form(), term()) -> io_lib:chars().
function({function, _, Name, _, Clauses}, Options) ->
    Heads = [joined(clause(io_lib:write_atom(Name), Clause, 0, 4)) || Clause <- Clauses],
    encoded([lists:join(";\n", Heads), ".\n"], Options).

-spec guard([[erl_parse:abstract_expr()]]) -> io_lib:chars().
guard(Guard) -> guard(Guard, none).

-spec guard([[erl_parse:abstract_expr()]], term()) -> io_lib:chars().
guard(Guard, Options) -> encoded(joined(guard_lines(Guard, 0)), Options).

-spec exprs([erl_parse:abstract_expr()]) -> io_lib:chars().
exprs(Exprs) -> exprs(Exprs, -1, none).

-spec exprs([erl_parse:abstract_expr()], term()) -> io_lib:chars().
exprs(Exprs, Options) -> exprs(Exprs, -1, Options).

-spec exprs([erl_parse:abstract_expr()], integer(), term()) -> io_lib:chars().
exprs(Exprs, Column, Options) when Column < 0 -> encoded(flattened(body(Exprs, 0)), Options);
exprs(Exprs, Column, Options) -> encoded(joined(body(Exprs, Column)), Options).

-spec expr(erl_parse:abstract_expr()) -> io_lib:chars().
expr(Expr) -> expr(Expr, 0, 0, none).

-spec expr(erl_parse:abstract_expr(), term()) -> io_lib:chars().
expr(Expr, Options) -> expr(Expr, 0, 0, Options).

-spec expr(erl_parse:abstract_expr(), integer(), term()) -> io_lib:chars().
expr(Expr, Column, Options) -> expr(Expr, Column, 0, Options).

-spec expr(erl_parse:abstract_expr(), integer(), non_neg_integer(), term()) -> io_lib:chars().
expr(Expr, Column, Precedence, Options) when Column < 0 -> encoded(flattened(lay(Expr, Precedence, 0)), Options);
expr(Expr, Column, Precedence, Options) -> encoded(joined(lay(Expr, Precedence, Column)), Options).

%% Variables are whatever atoms say they are.
-spec legalize_vars(erl_parse:abstract_form()) -> erl_parse:abstract_form().
legalize_vars(Form) -> Form.

joined(Lines) -> lists:join($\n, Lines).

%% Where the text is to be Latin-1, other characters are escapes: they stand in quotes.
encoded(Text, Options) ->
    case is_list(Options) andalso proplists:get_value(encoding, Options) of
        latin1 -> [if C > 255 -> io_lib:format("\\x{~.16B}", [C]); true -> C end || C <- lists:flatten(Text)];
        _ -> Text
    end.

%% One line of all: between them a space, but not inside of brackets.
flattened(Lines) -> beside([string:trim(Line, leading, " ") || Line <- Lines]).

beside([Line]) -> [Line];
beside([Line, Next | Lines]) ->
    Text = string:trim(Line, trailing, " "),
    IsInside = (Text =/= [] andalso lists:member(lists:last(Text), "[({<")) orelse (Next =/= [] andalso lists:member(hd(Next), "])}")),
    [Text, [$\s || not IsInside] | beside([Next | Lines])].

%%% Lines

-spec indented(non_neg_integer(), string()) -> string().
indented(Column, Text) -> lists:duplicate(Column, $\s) ++ Text.

%% Text before, the lines of a part laid out behind it.
before(Text, Lay, Column) ->
    [First | Rest] = Lay(Column + length(Text)),
    [Text ++ First | Rest].

behind(Lines, Text) -> lists:droplast(Lines) ++ [lists:last(Lines) ++ Text].

%% Line grows to its end; it is the first, whose column it does not carry, while nothing is done.
filled([], _, _, Line, _, Done, _) -> lists:reverse([Line | Done]);
filled([{Kind, Lay} | Parts], Space, Start, Line, Before, Done, IsFirst) ->
    Comma = if Parts =:= [] -> ""; true -> "," end,
    Gap = if IsFirst -> ""; true -> Space end,
    Here = if Done =:= [] andalso IsFirst -> Start; Done =:= [] -> Start + length(Line) - 1; true -> length(Line) end,
    Flat = Lay(0),
    Beside =
        IsFirst orelse (Kind =:= simple andalso Before =:= simple andalso length(Flat) =:= 1
                        andalso Here + length(Gap) + length(hd(Flat)) + length(Comma) =< ?WIDTH),
    {[First | Rest], Finished} =
        case Beside of
            true ->
                [Laid | More] = Lay(Here + length(Gap)),
                {[Line ++ Gap ++ Laid | More], Done};
            false ->
                [Laid | More] = Lay(Start),
                {[indented(Start, Laid) | More], [Line | Done]}
        end,
    [Last | Others] = lists:reverse([First | Rest]),
    filled(Parts, Space, Start, Last ++ Comma, Kind, Others ++ Finished, false).

part(Expr) -> {kind(Expr), fun(Column) -> lay(Expr, 0, Column) end}.

kind({Leaf, _, _}) when Leaf =:= var; Leaf =:= atom; Leaf =:= integer; Leaf =:= float; Leaf =:= char -> simple;
kind({nil, _}) -> simple;
kind(_) -> large.

%%% Expressions

lay(Expr, Precedence, Column) ->
    Own = precedence(Expr),
    case Own < Precedence of
        true -> behind(before("(", fun(At) -> lines(Expr, At) end, Column), ")");
        false -> lines(Expr, Column)
    end.

%% What is updated: in parentheses if it is an update or a call itself.
base(Base, Column) -> lay(Base, 701, Column).

precedence({op, _, Op, _}) -> element(1, erl_parse:preop_prec(Op));
precedence({op, _, Op, _, _}) -> element(2, erl_parse:inop_prec(Op));
precedence({match, _, _, _}) -> 100;
precedence({maybe_match, _, _, _}) -> 90;
precedence({'catch', _, _}) -> 0;
precedence({remote, _, _, _}) -> 800;
precedence({call, _, _, _}) -> 700;
precedence({record_field, _, _, _, _}) -> 700;
precedence({record, _, _, _, _}) -> 700;
precedence({map, _, _, _}) -> 700;
precedence({map, _, _}) -> 700;
precedence({record, _, _, _}) -> 700;
precedence({record_index, _, _, _}) -> 700;
precedence(_) -> 1000.

lines({var, _, Name}, _) -> [atom_to_list(Name)];
lines({atom, _, Name}, _) -> [flat(io_lib:write_atom(Name))];
lines({char, _, C}, _) -> [flat(io_lib:write_char(C))];
lines({Number, _, Value}, _) when Number =:= integer; Number =:= float -> [flat(io_lib:write(Value))];
lines({string, _, Text}, Column) -> string_lines(Text, Column);
lines({nil, _}, _) -> ["[]"];
lines({cons, _, Head, Tail}, Column) -> list_lines([Head], Tail, Column);
lines({tuple, _, Elements}, Column) -> listed("{", [part(Element) || Element <- Elements], "}", ",", " ", Column);
lines({map, _, Fields}, Column) -> map_lines("#{", Fields, Column);
lines({map, _, Base, Fields}, Column) ->
    spliced(base(Base, Column), fun(At) -> map_lines("#{", Fields, At) end, Column);
lines({record, _, Name, Fields}, Column) -> record_lines("#" ++ flat(io_lib:write_atom(Name)) ++ "{", Fields, Column);
lines({record, _, Base, Name, Fields}, Column) ->
    spliced(base(Base, Column), fun(At) -> record_lines("#" ++ flat(io_lib:write_atom(Name)) ++ "{", Fields, At) end, Column);
lines({record_index, _, Name, Field}, Column) -> ["#" ++ flat(io_lib:write_atom(Name)) ++ "." ++ hd(lines(Field, Column))];
lines({record_field, _, Base, Name, Field}, Column) ->
    behind(base(Base, Column), "#" ++ flat(io_lib:write_atom(Name)) ++ "." ++ hd(lines(Field, Column)));
lines({record_field, _, Name, Value}, Column) -> before(hd(lines(Name, Column)) ++ " = ", fun(At) -> lay(Value, 0, At) end, Column);
lines({bin, _, Segments}, Column) ->
    listed("<<", [{large, fun(At) -> segment(Segment, At) end} || Segment <- Segments], ">>", ",", "", Column);
lines({match, _, Pattern, Value}, Column) -> assigned(" =", Pattern, Value, Column);
lines({maybe_match, _, Pattern, Value}, Column) -> assigned(" ?=", Pattern, Value, Column);
lines({op, _, Op, Operand}, Column) ->
    {Own, Right} = erl_parse:preop_prec(Op),
    Space = case Op of _ when Op =:= 'not'; Op =:= 'bnot' -> " "; _ -> "" end,
    before(atom_to_list(Op) ++ Space, fun(At) -> lay(Operand, max(Right, Own), At) end, Column);
lines({op, _, Op, Left, Right}, Column) -> operation(Op, Left, Right, Column);
lines({'catch', _, Expr}, Column) -> before("catch ", fun(At) -> lay(Expr, 100, At) end, Column);
lines({call, _, Callee, Args}, Column) ->
    spliced(lay(Callee, 800, Column), fun(At) -> listed("(", [part(Arg) || Arg <- Args], ")", ",", " ", At) end, Column);
lines({remote, _, Module, Name}, Column) ->
    spliced(behind(lay(Module, 900, Column), ":"), fun(At) -> lay(Name, 900, At) end, Column);
lines({'fun', _, {function, Name, Arity}}, _) -> [flat(io_lib:format("fun ~tw/~w", [Name, Arity]))];
lines({'fun', _, {function, Module, Name, Arity}}, Column) ->
    ["fun " ++ hd(bare(Module, Column)) ++ ":" ++ hd(bare(Name, Column)) ++ "/" ++ hd(bare(Arity, Column))];
lines({'fun', _, {clauses, Clauses}}, Column) -> fun_lines("", Clauses, Column);
lines({named_fun, _, Name, Clauses}, Column) -> fun_lines(atom_to_list(Name), Clauses, Column);
lines({lc, _, Body, Qualifiers}, Column) -> comprehension("[", Body, 0, Qualifiers, "]", Column);
lines({bc, _, Body, Qualifiers}, Column) -> comprehension("<<", Body, 1000, Qualifiers, ">>", Column);
lines({mc, _, Body, Qualifiers}, Column) -> comprehension("#{", Body, 0, Qualifiers, "}", Column);
lines({block, _, [Only]} = Block, Column) ->
    case lay(Only, 0, Column + 6) of
        [Line] when Column + length(Line) + 10 =< ?WIDTH -> ["begin " ++ Line ++ " end"];
        _ -> block_lines(Block, Column)
    end;
lines({block, _, _} = Block, Column) -> block_lines(Block, Column);
lines({'if', _, Clauses}, Column) -> ["if"] ++ clauses(Clauses, Column + 4) ++ [indented(Column, "end")];
lines({'case', _, Subject, Clauses}, Column) ->
    Head = behind(before("case ", fun(At) -> lay(Subject, 0, At) end, Column), " of"),
    Head ++ clauses(Clauses, Column + 4) ++ [indented(Column, "end")];
lines({'receive', _, Clauses}, Column) -> ["receive"] ++ clauses(Clauses, Column + 4) ++ [indented(Column, "end")];
lines({'receive', _, Clauses, Time, Body}, Column) -> timed(Clauses, Time, Body, Column);
lines({'try', _, Body, Clauses, Catches, After}, Column) -> try_lines(Body, Clauses, Catches, After, Column);
lines({'maybe', _, [Only]} = Maybe, Column) ->
    case lay(Only, 0, Column + 6) of
        [Line] when Column + length(Line) + 10 =< ?WIDTH -> ["maybe " ++ Line ++ " end"];
        _ -> maybe_lines(Maybe, Column)
    end;
lines({'maybe', _, _} = Maybe, Column) -> maybe_lines(Maybe, Column);
lines({'maybe', _, Body, {'else', _, Clauses}}, Column) ->
    ["maybe"] ++ set(Body, Column + 4) ++ [indented(Column, "else")] ++ clauses(Clauses, Column + 4) ++ [indented(Column, "end")];
lines({Kind, _, Key, Value}, Column) when Kind =:= map_field_assoc; Kind =:= map_field_exact ->
    Arrow = case Kind of map_field_assoc -> " => "; map_field_exact -> " := " end,
    spliced(behind(lay(Key, 0, Column), Arrow), fun(At) -> lay(Value, 0, At) end, Column);
lines({value, _, Value}, _) -> [flat(io_lib:format("~0tp", [Value]))];
lines(Other, _) -> [flat(io_lib:format("~0tp", [Other]))].

maybe_lines({'maybe', _, Body}, Column) -> ["maybe"] ++ set(Body, Column + 4) ++ [indented(Column, "end")].

block_lines({block, _, Body}, Column) -> ["begin"] ++ set(Body, Column + 4) ++ [indented(Column, "end")].

flat(Chars) -> lists:flatten(Chars).

bare(Name, _) when is_atom(Name) -> [flat(io_lib:write_atom(Name))];
bare(Arity, _) when is_integer(Arity) -> [integer_to_list(Arity)];
bare(Expr, Column) -> lines(Expr, Column).

%% What comes behind the last line of another.
spliced(Before, Lay, Column) ->
    Last = lists:last(Before),
    At = case Before of [_] -> Column + length(Last); _ -> length(Last) end,
    [First | Rest] = Lay(At),
    lists:droplast(Before) ++ [Last ++ First | Rest].

%% Parts between brackets, separated by commas: on one line if they fit, else simple ones side by side and the others on lines of
%% their own.
-spec listed(string(), [{simple | large, fun((non_neg_integer()) -> lines())}], string(), string(), string(), non_neg_integer()) ->
          lines().
listed(Open, [], Close, _, _, _) -> [Open ++ Close];
listed(Open, Parts, Close, Comma, Space, Column) ->
    Flat = [Lay(0) || {_, Lay} <- Parts],
    Single = Open ++ lists:append(lists:join(Comma ++ Space, [L || [L | _] <- Flat])) ++ Close,
    case lists:all(fun(Lines) -> length(Lines) =:= 1 end, Flat) andalso Column + length(Single) =< ?WIDTH of
        true -> [Single];
        false -> behind(filled(Parts, Space, Column + length(Open), Open, simple, [], true), Close)
    end.

list_lines(Heads, {cons, _, Head, Tail}, Column) -> list_lines([Head | Heads], Tail, Column);
list_lines(Heads, {nil, _}, Column) -> listed("[", [part(Head) || Head <- lists:reverse(Heads)], "]", ",", " ", Column);
list_lines([Last | Heads], Tail, Column) ->
    Parts =
        [part(Head) || Head <- lists:reverse(Heads)]
        ++ [{large, fun(At) -> spliced_tail(lay(Last, 0, At), lay(Tail, 0, At), At) end}],
    listed("[", Parts, "]", ",", " ", Column).

spliced_tail([Last], [Tail], _) -> [Last ++ " | " ++ Tail];
spliced_tail(Last, [First | Rest], Column) -> behind(Last, " |") ++ [indented(Column, First) | Rest].

map_lines(Open, Fields, Column) -> listed(Open, [part(Field) || Field <- Fields], "}", ",", " ", Column).
record_lines(Open, Fields, Column) -> listed(Open, [part(Field) || Field <- Fields], "}", ",", " ", Column).

segment({bin_element, _, Value, Size, Types}, Column) ->
    Text = lay(Value, 1000, Column),
    Sized =
        case Size of
            default -> Text;
            _ -> spliced(behind(Text, ":"), fun(At) -> lay(Size, 1000, At) end, Column)
        end,
    case Types of
        default -> Sized;
        _ -> behind(Sized, "/" ++ lists:append(lists:join("-", [bit_type(Type) || Type <- Types])))
    end.

bit_type({Name, Value}) -> atom_to_list(Name) ++ ":" ++ integer_to_list(Value);
bit_type(Name) -> atom_to_list(Name).

%% The value stays on the line if it has lines of its own anyway, or fits there.
assigned(Sign, Pattern, Value, Column) ->
    Left = behind(lay(Pattern, 101, Column), Sign),
    %% A `catch` on the right takes all that follows anyway.
    Whole = spliced(behind(Left, " "), fun(At) -> lay(Value, 0, At) end, Column),
    Widest = lists:max([length(Line) || Line <- tl(Whole)] ++ [Column + length(hd(Whole))]),
    case {Widest =< ?WIDTH, Value} of
        {true, {call, _, _, _}} when length(Whole) > length(Left) ->
            case has_block(Value) of
                true -> moved(Left, Value, Column);
                false -> Whole
            end;
        {true, _} -> Whole;
        {false, _} -> moved(Left, Value, Column)
    end.

moved(Left, Value, Column) ->
    [First | Rest] = lay(Value, 100, Column + 4),
    Left ++ [indented(Column + 4, First) | Rest].

has_block({call, _, _, Args}) -> lists:any(fun(Arg) -> length(lay(Arg, 0, 0)) > 1 end, Args).

operation(Op, Left, Right, Column) ->
    {L, _, R} = erl_parse:inop_prec(Op),
    First = lay(Left, L, Column),
    Second = lay(Right, R, Column),
    Text = atom_to_list(Op),
    case {First, Second} of
        {[A], [B]} when Op =/= 'andalso', Op =/= 'orelse', Column + length(A) + length(B) + length(Text) + 2 =< ?WIDTH ->
            [A ++ " " ++ Text ++ " " ++ B];
        {_, [B | Rest]} -> First ++ [indented(Column, Text), indented(Column, B) | Rest]
    end.

string_lines(Text, Column) ->
    Written = flat(io_lib:write_string(Text)),
    Room = max(20, ?WIDTH - Column - 10),
    case Column + length(Written) =< ?WIDTH of
        true -> [Written];
        false ->
            [First | Rest] = pieces(Text, Room),
            [First | [indented(Column, Piece) || Piece <- Rest]]
    end.

pieces(Text, Room) when length(Text) =< Room -> [flat(io_lib:write_string(Text))];
pieces(Text, Room) ->
    {Piece, Rest} = lists:split(Room, Text),
    [flat(io_lib:write_string(Piece)) | pieces(Rest, Room)].

comprehension(Open, Body, Binding, Qualifiers, Close, Column) ->
    Inner = Column + length(Open),
    Template = behind(lay(Body, Binding, Inner), " ||"),
    Parts = [qualifier(Qualifier, Inner + 4) || Qualifier <- Qualifiers],
    [Open ++ " ", indented(Inner, hd(Template)) | tl(Template)] ++ separated(Parts, Inner + 4, ",") ++ [indented(Column, Close)].

qualifier({generate, _, Pattern, Source}, Column) -> generator(Pattern, " <- ", Source, Column);
qualifier({generate_strict, _, Pattern, Source}, Column) -> generator(Pattern, " <:- ", Source, Column);
qualifier({b_generate, _, Pattern, Source}, Column) -> generator(Pattern, " <= ", Source, Column);
qualifier({b_generate_strict, _, Pattern, Source}, Column) -> generator(Pattern, " <:= ", Source, Column);
qualifier({m_generate, _, Pattern, Source}, Column) -> generator(Pattern, " <- ", Source, Column);
qualifier({m_generate_strict, _, Pattern, Source}, Column) -> generator(Pattern, " <:- ", Source, Column);
qualifier({zip, _, Generators}, Column) ->
    [flat(lists:join(" && ", [joined(qualifier(Generator, Column)) || Generator <- Generators]))];
qualifier(Filter, Column) -> lay(Filter, 0, Column).

generator(Pattern, Arrow, Source, Column) -> spliced(behind(lay(Pattern, 0, Column), Arrow), fun(At) -> lay(Source, 0, At) end, Column).

%% Parts on lines of their own, each but the last followed by the separator.
separated([Last], Column, _) -> [indented(Column, hd(Last)) | tl(Last)];
separated([Part | Parts], Column, Separator) -> behind([indented(Column, hd(Part)) | tl(Part)], Separator) ++ separated(Parts, Column, Separator).

%% A body, from its first line on at the column.
set(Exprs, Column) -> separated([lay(Expr, 0, Column) || Expr <- Exprs], Column, ",").

body(Exprs, Column) ->
    [First | Rest] = set(Exprs, Column),
    [lists:nthtail(Column, First) | Rest].

%%% Clauses

clauses([], _) -> [];
clauses(Clauses, Column) -> separated([clause("", Clause, Column, 4) || Clause <- Clauses], Column, ";").

%% The guard behind the head if it fits there, else below it.
guarded(Head, Guard, Column) ->
    Begun = behind(Head, " when "),
    Behind = case Begun of [_] -> Column + length(hd(Begun)); _ -> length(lists:last(Begun)) end,
    case guard_lines(Guard, 0) of
        [Line] when Behind + length(Line) < ?WIDTH -> behind(Begun, Line);
        _ -> Head ++ [indented(Column + 4, "when") | guard_below(Guard, Column + 8)]
    end.

guard_below(Guard, Column) ->
    case guard_lines(Guard, Column) of
        [Line] when Column + length(Line) < ?WIDTH -> [indented(Column, Line)];
        _ -> separated([alternative(Tests, Column) || Tests <- Guard], Column, ";")
    end.

%% Tests on a line if they fit.
alternative(Tests, Column) ->
    Laid = [lay(Test, 0, Column) || Test <- Tests],
    Line = lists:append(lists:join(", ", [hd(Lines) || Lines <- Laid])),
    case lists:all(fun(Lines) -> length(Lines) =:= 1 end, Laid) andalso Column + length(Line) < ?WIDTH of
        true -> [Line];
        false ->
            [First | Rest] = separated(Laid, Column, ","),
            [lists:nthtail(Column, First) | Rest]
    end.

catches(Clauses, Column) -> separated([clause('catch', Clause, Column, 4) || Clause <- Clauses], Column, ";").

%% Name is what stands before the parameters; without one the only pattern is bare; `catch` makes class, reason and stack of it.
clause(Name, {clause, _, Patterns, Guard, Body}, Column, Deeper) ->
    Head =
        case {Name, Patterns} of
            {'catch', [{tuple, _, [Class, Pattern, Stack]}]} -> catch_head(Class, Pattern, Stack, Column);
            {"", [Pattern]} -> lay(Pattern, 0, Column);
            {"", []} -> [""];
            _ -> before(Name, fun(At) -> listed("(", [part(Pattern) || Pattern <- Patterns], ")", ",", " ", At) end, Column)
        end,
    Guarded =
        case {Guard, Patterns, Name} of
            {[], _, _} -> Head;
            {_, [], ""} -> guard_lines(Guard, Column);
            _ -> guarded(Head, Guard, Column)
        end,
    behind(Guarded, " ->") ++ set(Body, Column + Deeper).

catch_head(Class, Pattern, Stack, Column) ->
    Whole = [hd(lay(Class, 0, Column)) ++ ":" | []],
    Found = spliced(Whole, fun(At) -> lay(Pattern, 0, At) end, Column),
    case Stack of
        {var, _, '_'} -> Found;
        {var, _, Name} -> behind(Found, ":" ++ atom_to_list(Name))
    end.

guard_lines(Guard, Column) ->
    Alternatives = [[lay(Test, 0, Column) || Test <- Tests] || Tests <- Guard],
    case lists:all(fun(Lines) -> length(Lines) =:= 1 end, lists:append(Alternatives)) of
        true -> [lists:append(lists:join("; ", [lists:append(lists:join(", ", [T || [T] <- Tests])) || Tests <- Alternatives]))];
        false -> separated([separated(Tests, Column, ",") || Tests <- Alternatives], Column, ";")
    end.

%% Clauses of a fun stand behind its word, their bodies under them.
fun_lines(Name, Clauses, Column) ->
    Start = Column + case Name of "" -> 3; _ -> 4 end,
    Word = case Name of "" -> "fun"; _ -> "fun " end,
    Parts = [fun_clause(Name, Clause, Start) || Clause <- Clauses],
    [First | Rest] = separated(Parts, Start, ";"),
    [Word ++ lists:nthtail(Start, First) | Rest] ++ [indented(Column, "end")].

fun_clause(Name, {clause, _, Patterns, Guard, Body}, Column) ->
    Head = before(Name, fun(At) -> listed("(", [part(Pattern) || Pattern <- Patterns], ")", ",", " ", At) end, Column),
    Guarded = case Guard of [] -> Head; _ -> spliced(behind(Head, " when "), fun(At) -> guard_lines(Guard, At) end, Column) end,
    behind(Guarded, " ->") ++ set(Body, Column + 4).

timed([], Time, Body, Column) ->
    case {lay(Time, 0, Column), [lay(Expr, 0, Column) || Expr <- Body]} of
        {[After], [[Only]]} -> ["receive after " ++ After ++ " -> " ++ Only ++ " end"];
        _ -> ["receive"] ++ after_lines(Time, Body, Column)
    end;
timed(Clauses, Time, Body, Column) -> ["receive"] ++ clauses(Clauses, Column + 4) ++ after_lines(Time, Body, Column).

after_lines(Time, Body, Column) ->
    Head = behind(lay(Time, 0, Column + 4), " ->"),
    Lines =
        case [lay(Expr, 0, Column + 8) || Expr <- Body] of
            [[Only]] -> behind(Head, " " ++ Only);
            _ -> Head ++ set(Body, Column + 8)
        end,
    [indented(Column, "after"), indented(Column + 4, hd(Lines)) | tl(Lines)] ++ [indented(Column, "end")].

try_lines(Body, Clauses, Catches, After, Column) ->
    Exprs = [lay(Expr, 0, Column + 4) || Expr <- Body],
    Last = [lay(Expr, 0, Column + 4) || Expr <- After],
    case {Exprs, Clauses, Catches, Last} of
        {[[Only]], [], [], [[End]]} -> ["try " ++ Only ++ " after " ++ End ++ " end"];
        _ ->
            Head =
                case {Exprs, Clauses} of
                    {[[Only]], [_ | _]} -> ["try " ++ Only ++ " of"];
                    {_, []} -> ["try" | set(Body, Column + 4)];
                    _ -> ["try" | set(Body, Column + 4)] ++ [indented(Column, "of")]
                end,
            Head
                ++ clauses(Clauses, Column + 4)
                ++ case Catches of [] -> []; _ -> [indented(Column, "catch") | catches(Catches, Column + 4)] end
                ++ case After of [] -> []; _ -> [indented(Column, "after") | set(After, Column + 4)] end
                ++ [indented(Column, "end")]
    end.

%%% Attributes

-spec attribute(erl_parse:abstract_form()) -> io_lib:chars().
attribute(Form) -> attribute(Form, none).

-spec attribute(erl_parse:abstract_form(), term()) -> io_lib:chars().
attribute({attribute, _, Name, Value}, Options) -> encoded([$-, attribute_text(Name, Value), ".\n"], Options).

attribute_text(module, {Module, Vars}) -> io_lib:format("module(~tw, ~0tp)", [Module, Vars]);
attribute_text(module, Module) -> io_lib:format("module(~tw)", [Module]);
attribute_text(Name, Names) when Name =:= export; Name =:= export_type; Name =:= optional_callbacks ->
    io_lib:format("~w([~ts])", [Name, lists:join(",", [function_name(One) || One <- Names])]);
attribute_text(import, {Module, Names}) ->
    io_lib:format("import(~tw, [~ts])", [Module, lists:join(", ", [function_name(One) || One <- Names])]);
attribute_text(file, {File, Line}) -> io_lib:format("file(~ts, ~w)", [io_lib:write_string(File), Line]);
attribute_text(record, {Name, Fields}) ->
    io_lib:format("record(~ts,{~ts})", [io_lib:write_atom(Name), lists:join(", ", [field(Field) || Field <- Fields])]);
attribute_text(Kind, {Name, Type, Parameters}) when Kind =:= type; Kind =:= opaque; Kind =:= nominal ->
    Head = flat(io_lib:format("~w ~ts(~ts) ::", [Kind, io_lib:write_atom(Name), lists:join(", ", [atom_to_list(P) || {var, _, P} <- Parameters])])),
    Flat = flat(type(Type, 0)),
    case {length(Head) + length(Flat) + 3 =< ?WIDTH, Type} of
        {false, {type, _, union, Members}} -> [Head, "\n          ", lists:join(" |\n          ", [type(Member, 171) || Member <- Members])];
        {false, _} -> [Head, "\n          ", Flat];
        {true, _} -> [Head, " ", Flat]
    end;
attribute_text(Kind, {Function, Signatures}) when Kind =:= spec; Kind =:= callback ->
    Name =
        case Function of
            {Module, Named, _} -> io_lib:format("~tw:~tw", [Module, Named]);
            {Named, _} -> io_lib:write_atom(Named)
        end,
    Head = flat(io_lib:format("~w ~ts", [Kind, Name])),
    [Head, lists:join([";\n", lists:duplicate(length(Head) + 1, $\s)], [signature(One) || One <- Signatures])];
attribute_text(Name, Value) ->
    Head = flat(io_lib:write_atom(Name)),
    [Head, $(, joined(lay(erl_parse:abstract(Value), 0, length(Head) + 2)), $)].

function_name({Name, Arity}) when is_atom(Name), is_integer(Arity) -> io_lib:format("~tw/~w", [Name, Arity]);
function_name(Other) -> io_lib:format("~0tp", [Other]).

field({typed_record_field, Field, Type}) -> [field(Field), " :: ", type(Type, 0)];
field({record_field, _, Name}) -> lines(Name, 0);
field({record_field, _, Name, Default}) -> [lines(Name, 0), " = ", joined(lay(Default, 0, 0))].

signature({type, _, bounded_fun, [Fun, Constraints]}) ->
    [signature(Fun), " when ", lists:join(", ", [[type(Var, 0), " :: ", type(Type, 0)] || {type, _, constraint, [_, [Var, Type]]} <- Constraints])];
signature({type, _, 'fun', [Parameters, Result]}) -> [parameters(Parameters), " -> ", type(Result, 0)].

parameters({type, _, any}) -> "(...)";
parameters({type, _, product, Types}) -> [$(, types(Types), $)].

types(Types) -> lists:join(", ", [type(Type, 0) || Type <- Types]).

%% Types, on one line.
type({ann_type, _, [Var, Type]}, Precedence) -> bracketed(0 < Precedence, [type(Var, 0), " :: ", type(Type, 1)]);
type({type, _, union, Members}, Precedence) -> bracketed(170 < Precedence, lists:join(" | ", [type(Member, 171) || Member <- Members]));
type({type, _, range, [Low, High]}, _) -> [type(Low, 300), "..", type(High, 300)];
type({type, _, nil, []}, _) -> "[]";
type({type, _, list, [Item]}, _) -> [$[, type(Item, 0), $]];
type({type, _, nonempty_list, [Item]}, _) -> [$[, type(Item, 0), ", ...]"];
type({type, _, tuple, any}, _) -> "tuple()";
type({type, _, tuple, Types}, _) -> [${, types(Types), $}];
type({type, _, map, any}, _) -> "map()";
type({type, _, map, Fields}, _) -> ["#{", types(Fields), $}];
type({type, _, map_field_assoc, [Key, Value]}, _) -> [type(Key, 0), " => ", type(Value, 0)];
type({type, _, map_field_exact, [Key, Value]}, _) -> [type(Key, 0), " := ", type(Value, 0)];
type({type, _, record, [Name | Fields]}, _) -> [$#, type(Name, 0), ${, types(Fields), $}];
type({type, _, field_type, [Name, Type]}, _) -> [type(Name, 0), " :: ", type(Type, 0)];
type({type, _, binary, [Base, Unit]}, _) ->
    Parts = ["_:" ++ flat(type(Base, 1000)) || not is_zero(Base)] ++ ["_:_*" ++ flat(type(Unit, 1000)) || not is_zero(Unit)],
    ["<<", lists:join(", ", Parts), ">>"];
type({type, _, 'fun', []}, _) -> "fun()";
type({type, _, 'fun', [_, _]} = Fun, _) -> ["fun(", signature(Fun), $)];
type({remote_type, _, [Module, Name, Types]}, _) -> [type(Module, 0), $:, type(Name, 0), $(, types(Types), $)];
type({Kind, _, Name, Types}, _) when Kind =:= type; Kind =:= user_type -> [io_lib:write_atom(Name), $(, types(Types), $)];
type({op, _, Op, Left, Right}, Precedence) ->
    {L, Own, R} = erl_parse:type_inop_prec(Op),
    bracketed(Own < Precedence, [type(Left, L), $\s, atom_to_list(Op), $\s, type(Right, R)]);
type({op, _, Op, Operand}, _) -> [atom_to_list(Op), type(Operand, 600)];
type(Leaf, _) -> lines(Leaf, 0).

is_zero({integer, _, 0}) -> true;
is_zero(_) -> false.

bracketed(true, Text) -> [$(, Text, $)];
bracketed(false, Text) -> Text.
