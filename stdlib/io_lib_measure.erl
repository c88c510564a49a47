%% The first step of pretty printing: a term becomes a tree of nodes that know their width (see erlet_pretty.hrl).
%%
%% Two bounds apply. The *depth* falls by one per level and per element of a level; at 1 the rest becomes dots. The
%% *budget* is a number of characters that may still be spent; at 0 the rest becomes dots, too. A negative depth or budget
%% is no bound. Where a budget is given the depth is found by search: it is doubled as long as the text stays within the
%% budget, then bisected. Nodes with dots can `grow`, so that a deeper attempt continues from the last one.
-module(io_lib_measure).

-export([within/4, limited/4, binary_parts/3, one_line/1, less/2]).

-include("erlet_pretty.hrl").

%% One level of depth shows that many characters of a binary.
-define(CHARS_PER_LEVEL, 4).

%%% Depth by budget

within(Term, Depth, Budget, Style) when Budget < 0 -> measure(Term, Depth, Budget, Style);
within(Term, Depth, Budget, Style) ->
    case measure(Term, 1, Budget, Style) of
        #node{dots = Dots, len = Len} = First when Dots =:= 0; Len > Budget; Depth =:= 1 -> First;
        First -> deepen(First, 1, 4, Depth, Budget)
    end.

%% Shallow has dots and is within the budget.
deepen(#node{len = Before} = Shallow, D, Step, Depth, Budget) ->
    D1 =
        case Depth < 0 of
            true -> D + Step;
            false -> min(D + Step, Depth)
        end,
    case grow(Shallow, Budget, D1 - D) of
        #node{dots = Dots, len = Len} = Deep when Dots =:= 0; Len =:= Before -> Deep;
        #node{len = Len} = Deep when Len =< Budget, (Depth < 0 orelse D1 < Depth) ->
            deepen(Deep, D1, Step * 2, Depth, Budget);
        Deep -> bisect(Shallow, Deep, D, D1, Budget)
    end.

%% The least depth that reaches the budget.
bisect(#node{len = Budget} = Shallow, _, D, D1, Budget) when D1 - D =:= 1 -> Shallow;
bisect(_, Deep, D, D1, _) when D1 - D =:= 1 -> Deep;
bisect(Shallow, Deep, D, D1, Budget) ->
    Middle = (D + D1) div 2,
    case grow(Shallow, Budget, Middle - D) of
        #node{len = Len} = Node when Len > Budget -> bisect(Shallow, Node, D, Middle, Budget);
        Node -> bisect(Node, Deep, Middle, D1, Budget)
    end.

grow(#node{dots = 0, grow = none} = Node, _, _) -> Node;
grow(#node{shape = {tuple, Items, Tail, Tagged}}, Budget, More) ->
    {Items1, Tail1} = grow_items(Items, Tail, less(Budget, 2), More, []),
    container({tuple, Items1, Tail1, Tagged}, 2, Items1, Tail1);
grow(#node{shape = {map, Pairs, Tail}}, Budget, More) ->
    {Pairs1, Tail1} = grow_items(Pairs, Tail, less(Budget, 3), More, []),
    container({map, Pairs1, Tail1}, 3, Pairs1, Tail1);
grow(#node{shape = {record, Name, NameLen, Fields, Tail}}, Budget, More) ->
    {Fields1, Tail1} = grow_items(Fields, Tail, less(Budget, NameLen + 2), More, []),
    container({record, Name, NameLen, Fields1, Tail1}, NameLen + 2, Fields1, Tail1);
grow(#node{shape = {pair, Key, Value}}, Budget, More) ->
    Key1 = grow(Key, less(Budget, 1), More),
    pair(Key1, grow(Value, less(Budget, Key1#node.len + 4), More));
grow(#node{shape = {field, Name, NameLen, Value}}, Budget, More) ->
    field(Name, NameLen, grow(Value, less(Budget, NameLen), More));
grow(#node{grow = Grow}, Budget, More) -> Grow(Budget, More).

grow_items([Item | Items], Tail, Budget, More, Acc) ->
    Budget1 = before_comma(Budget, Items =:= [] andalso Tail =:= none),
    #node{len = Len} = Item1 = grow(Item, Budget1, More),
    grow_items(Items, Tail, less(Budget1, Len), More, [Item1 | Acc]);
grow_items([], none, _, _, Acc) -> {lists:reverse(Acc), none};
grow_items([], #node{grow = Grow}, Budget, More, Acc) ->
    {Items, Tail} = Grow(Budget, More),
    {lists:reverse(Acc, Items), Tail}.

%% All but the last item are followed by a comma.
before_comma(Budget, true) -> Budget;
before_comma(Budget, false) -> less(Budget, 1).

%%% Terms

measure([], _, _, _) -> #node{shape = {text, "[]"}, len = 2};
measure({}, _, _, _) -> #node{shape = {text, "{}"}, len = 2};
measure(Atom, _, _, #style{encoding = Encoding}) when is_atom(Atom) -> text(erlet_io:write_flat(Atom, Encoding));
measure(List, D, Budget, #style{strings = Strings, encoding = Encoding} = Style) when is_list(List) ->
    case Strings andalso D =/= 1 andalso printable(List, Budget, Encoding) of
        true -> text(string_text(List, Encoding));
        false -> list(List, D, Budget, Style);
        Prefix ->
            %% Not marked as dots: growing would not make it longer.
            #node{len = Len} = Node = text(string_text(Prefix, Encoding)),
            {text, Text} = Node#node.shape,
            #node{shape = {text, [Text | "..."]}, len = Len + 3}
    end;
measure(Tuple, D, Budget, #style{record_fun = RecordFun} = Style) when is_tuple(Tuple) ->
    Names =
        case is_function(RecordFun) andalso is_atom(element(1, Tuple)) of
            true -> RecordFun(element(1, Tuple), tuple_size(Tuple) - 1);
            false -> no
        end,
    case Names of
        _ when D =:= 1 -> left_out("{...}", fun(B, More) -> measure(Tuple, 1 + More, B, Style) end);
        no -> tuple(Tuple, D, Budget, Style);
        _ -> record(Tuple, Names, D, Budget, Style)
    end;
measure(Map, _, _, _) when is_map(Map), map_size(Map) =:= 0 -> #node{shape = {text, "#{}"}, len = 3};
measure(Map, 1, _, Style) when is_map(Map) ->
    left_out("#{...}", fun(B, More) -> measure(Map, 1 + More, B, Style) end);
measure(Map, D, Budget, #style{order = Order} = Style) when is_map(Map) ->
    Next = maps:next(iterator(Map, Order)),
    {Pairs, Tail} = pairs(Next, D, D - 1, less(Budget, 3), Style, []),
    container({map, Pairs, Tail}, 3, Pairs, Tail);
measure(<<>>, _, _, _) -> #node{shape = {text, "<<>>"}, len = 4};
measure(Bits, 1, _, Style) when is_bitstring(Bits) ->
    left_out("<<...>>", fun(B, More) -> measure(Bits, 1 + More, B, Style) end);
measure(Bits, D, Budget, Style) when is_bitstring(Bits) -> bits(Bits, D, Budget, Style);
measure(Term, _, _, _) -> text(erlet_io:write_flat(Term, latin1)).

%% Without an order by the function that every version of `maps` has.
iterator(Map, undefined) -> maps:iterator(Map);
iterator(Map, Order) -> maps:iterator(Map, Order).

text(Chars) -> #node{shape = {text, Chars}, len = io_lib:chars_length(Chars)}.

left_out(Text, Grow) -> #node{shape = {text, Text}, len = length(Text), dots = 3, grow = Grow}.

dots(Grow) -> #node{shape = dots, len = 3, dots = 3, grow = Grow}.

%% Brackets and names take Base characters.
container(Shape, Base, [], none) -> #node{shape = Shape, len = Base};
container(Shape, Base, Items, Tail) ->
    {Len, Dots} = sum(Items, Base - 1, 0),
    case Tail of
        none -> #node{shape = Shape, len = Len, dots = Dots};
        #node{len = TailLen, dots = TailDots} -> #node{shape = Shape, len = Len + 1 + TailLen, dots = Dots + TailDots}
    end.

sum([#node{len = Len, dots = Dots} | Items], LenSum, DotSum) -> sum(Items, LenSum + 1 + Len, DotSum + Dots);
sum([], LenSum, DotSum) -> {LenSum, DotSum}.

%% A list is measured afresh when it grows: more of it may turn out not to be text.
list(List, D, Budget, Style) ->
    {Items, Tail} = items(List, D, less(Budget, 2), Style, []),
    case container({list, Items, Tail}, 2, Items, Tail) of
        #node{dots = 0} = Node -> Node;
        Node -> Node#node{grow = fun(B, More) -> measure(List, D + More, B, Style) end}
    end.

items([], _, _, _, Acc) -> {lists:reverse(Acc), none};
items(Rest, D, Budget, Style, Acc) when D =:= 1; Budget =:= 0 ->
    {lists:reverse(Acc), dots(fun(B, More) -> items(Rest, D + More, B, Style, []) end)};
items([X | Xs], D, Budget, Style, Acc) ->
    Budget1 = before_comma(Budget, Xs =:= []),
    #node{len = Len} = Item = measure(X, D - 1, Budget1, Style),
    items(Xs, D - 1, less(Budget1, Len), Style, [Item | Acc]);
items(Tail, D, Budget, Style, Acc) -> {lists:reverse(Acc), measure(Tail, D - 1, Budget, Style)}.

tuple(Tuple, D, Budget, Style) ->
    {Items, Tail} = items(tuple_to_list(Tuple), D, less(Budget, 2), Style, []),
    Tagged =
        case is_atom(element(1, Tuple)) andalso tuple_size(Tuple) > 1 of
            true -> tagged;
            false -> plain
        end,
    container({tuple, Items, Tail, Tagged}, 2, Items, Tail).

record(Tuple, Names, D, Budget, #style{encoding = Encoding} = Style) ->
    [Tag | Values] = tuple_to_list(Tuple),
    Name = [$# | erlet_io:write_flat(Tag, Encoding)],
    NameLen = io_lib:chars_length(Name),
    {Fields, Tail} = fields(Names, Values, D - 1, less(Budget, NameLen + 2), Style, []),
    container({record, Name, NameLen, Fields, Tail}, NameLen + 2, Fields, Tail).

fields([], [], _, _, _, Acc) -> {lists:reverse(Acc), none};
fields(Names, Values, D, Budget, Style, Acc) when D =:= 1; Budget =:= 0 ->
    {lists:reverse(Acc), dots(fun(B, More) -> fields(Names, Values, D + More, B, Style, []) end)};
fields([FieldName | Names], [X | Xs], D, Budget, #style{encoding = Encoding} = Style, Acc) ->
    Budget1 = before_comma(Budget, Xs =:= []),
    Name = erlet_io:write_flat(FieldName, Encoding),
    NameLen = io_lib:chars_length(Name) + 3,
    #node{len = Len} = Field = field(Name, NameLen, measure(X, D - 1, less(Budget1, NameLen), Style)),
    fields(Names, Xs, D - 1, less(Budget1, Len), Style, [Field | Acc]).

field(Name, NameLen, #node{len = Len, dots = Dots} = Value) ->
    #node{shape = {field, Name, NameLen, Value}, len = NameLen + Len, dots = Dots}.

pairs(none, _, _, _, _, Acc) -> {lists:reverse(Acc), none};
pairs(Next, D, Inner, Budget, Style, Acc) when D =:= 1; Budget =:= 0 ->
    {lists:reverse(Acc), dots(fun(B, More) -> pairs(Next, D + More, Inner, B, Style, []) end)};
pairs({K, V, Iterator}, D, Inner, Budget, Style, Acc) ->
    Next = maps:next(Iterator),
    Budget1 = before_comma(Budget, Next =:= none),
    #node{len = KeyLen} = Key = measure(K, Inner, Budget1, Style),
    Value = measure(V, Inner, less(Budget1, KeyLen + 4), Style),
    #node{len = Len} = Pair = pair(Key, Value),
    pairs(Next, D - 1, Inner, less(Budget1, Len), Style, [Pair | Acc]).

pair(#node{len = KeyLen, dots = KeyDots} = Key, #node{len = ValueLen, dots = ValueDots} = Value) ->
    #node{shape = {pair, Key, Value}, len = KeyLen + 4 + ValueLen, dots = KeyDots + ValueDots}.

%%% Strings

string_text(List, latin1) -> io_lib:write_latin1_string(List);
string_text(List, unicode) -> io_lib:write_string(List).

%% true, false, or the printable beginning that the budget has room for.
printable(List, Budget, latin1) when Budget < 0 -> io_lib:printable_latin1_list(List);
printable(List, Budget, unicode) when Budget < 0 -> io_lib:printable_list(List);
printable(List, Budget, latin1) ->
    Room = less(Budget, 2),
    {Front, Rest} = take(fun(C) -> is_printable(C, latin1) end, List, Room, []),
    case Rest of
        [] -> true;
        [_ | _] when length(Front) =:= Room -> Front;
        _ -> false
    end;
printable(List, Budget, unicode) ->
    %% Not every list is chardata, and not every chardata is a flat list: lists in it may be deep, and are not looked into.
    {Flat, Rest} = integers(List, []),
    try
        Room = less(Budget, 2),
        Prefix = string:slice(Flat, 0, Room),
        case Prefix =/= "" andalso io_lib:printable_list(Prefix) of
            true when length(Prefix) < length(Flat) -> Prefix;
            true when Rest =:= [] -> true;
            %% What follows the last character that there is room for must be one.
            true -> string:length(Prefix) =:= Room andalso is_list(unicode_util:cp(Rest)) andalso Prefix;
            false -> false
        end
    catch
        error:_ -> false
    end.

integers([X | Xs], Acc) when is_integer(X) -> integers(Xs, [X | Acc]);
integers(Rest, Acc) -> {lists:reverse(Acc), Rest}.

%% Elements as long as Pred holds, at most Room of them, and the rest.
take(Pred, [X | Xs] = L, Room, Acc) when Room > 0 ->
    case Pred(X) of
        true -> take(Pred, Xs, Room - 1, [X | Acc]);
        false -> {lists:reverse(Acc), L}
    end;
take(_, Rest, _, Acc) -> {lists:reverse(Acc), Rest}.

%%% Binaries

bits(Bits, D, Budget, #style{strings = Strings, encoding = Encoding} = Style) ->
    Grow = fun(B, More) -> measure(Bits, D + More, B, Style) end,
    case Strings andalso is_binary(Bits) andalso printable_binary(Bits, D - 1, less(Budget, 6), Encoding) of
        {all, Chars, Suffix} -> text(["<<", io_lib:write_string(Chars), Suffix, ">>"]);
        {front, Chars, Suffix} ->
            Node = text(["<<", io_lib:write_string(Chars), Suffix, "...>>"]),
            Node#node{dots = 3, grow = Grow};
        false ->
            {Parts, Rest} = binary_parts(Bits, D, less(Budget, 4)),
            Len = lists:foldl(fun(Part, Sum) -> Sum + 1 + length(Part) end, 3, Parts),
            case Rest of
                <<>> -> #node{shape = {bytes, Parts}, len = Len};
                _ -> #node{shape = {bytes, Parts}, len = Len, dots = 3, grow = Grow}
            end
    end.

%% Is the binary text, as far as the bounds let us look?
printable_binary(Bin, D, Budget, Encoding) ->
    Size = byte_size(Bin),
    Len =
        if
            D < 0, Budget < 0 -> Size;
            D < 0 -> Budget;
            Budget < 0 -> min(?CHARS_PER_LEVEL * D, Size);
            true -> min(Budget, min(?CHARS_PER_LEVEL * D, Size))
        end,
    case Len =/= 0 andalso decoded(Encoding, Bin, Len) of
        false -> false;
        {Chars, Whole, As} -> text_or_front(Chars, Whole, As, Len, D)
    end.

text_or_front(Chars, Whole, As, Len, D) ->
    Range =
        case As of
            bytes -> latin1;
            utf8 -> io:printable_range()
        end,
    {Front, Rest} = take(fun(C) -> is_printable(C, Range) end, Chars, Len, []),
    Suffix =
        case As =:= bytes orelse lists:all(fun(C) -> C < 128 end, Front) of
            true -> "";
            false -> "/utf8"
        end,
    if
        Rest =:= [], Whole -> {all, Front, Suffix};
        D > 0, length(Front) >= D -> {front, Front, Suffix};
        D > 0, Rest =:= [], Len =< 20, As =:= bytes -> {front, Front, Suffix};
        true -> false
    end.

is_printable(C, latin1) -> io_lib:printable_latin1_list([C]);
is_printable(C, unicode) -> io_lib:printable_unicode_list([C]).

%% The first Len characters, whether they are all there are, and how they were encoded.
decoded(latin1, Bin, Len) -> {binary_to_list(Bin, 1, Len), Len =:= byte_size(Bin), bytes};
decoded(unicode, Bin, Len) ->
    %% No character takes more than four bytes.
    Enough = min(byte_size(Bin), 4 * Len),
    {Chars, Complete} =
        case unicode:characters_to_list(binary:part(Bin, 0, Enough)) of
            {_, Done, _} -> {Done, false};
            All -> {All, Enough =:= byte_size(Bin)}
        end,
    case length(Chars) of
        N when N =< Len, Complete -> {Chars, true, utf8};
        N when N >= Len -> {lists:sublist(Chars, Len), false, utf8};
        _ -> decoded(latin1, Bin, Len)
    end.

%% The texts between the commas, and what the bounds left out.
-spec binary_parts(bitstring(), integer(), integer()) -> {[string()], bitstring()}.
binary_parts(<<>>, _, _) -> {[], <<>>};
binary_parts(B, D, Budget) when D =:= 1; Budget =:= 0 -> {["..."], B};
binary_parts(<<X>>, _, _) -> {[integer_to_list(X)], <<>>};
binary_parts(<<X, Rest/binary>>, D, Budget) ->
    S = integer_to_list(X),
    {Parts, Left} = binary_parts(Rest, D - 1, less(Budget, length(S) + 1)),
    {[S | Parts], Left};
binary_parts(Bits, D, Budget) -> bit_parts(bitstring_to_list(Bits), Bits, D, Budget).

%% A bitstring that is no binary ends with fewer than eight bits, written `X:Size`.
bit_parts(_, Bits, D, Budget) when D =:= 1; Budget =:= 0 -> {["..."], Bits};
bit_parts([X | Xs], Bits, D, Budget) when is_integer(X) ->
    S = integer_to_list(X),
    {Parts, Left} = bit_parts(Xs, Bits, D - 1, less(Budget, length(S) + 1)),
    {[S | Parts], Left};
bit_parts([Last], _, _, _) ->
    [$<, $< | Text] = lists:flatten(erlet_io:write_flat(Last, latin1)),
    {[lists:sublist(Text, length(Text) - 2)], <<>>}.

%%% Text

%% `~w` form within about Limit characters: the depth is chosen so that the limit is just reached.
-spec limited(term(), integer(), pos_integer(), latin1 | unicode) -> io_lib:chars().
limited(Term, Depth, Limit, Encoding) ->
    one_line(within(Term, Depth, Limit, #style{encoding = Encoding, strings = false})).

one_line(#node{shape = Shape}) ->
    case Shape of
        {text, Text} -> Text;
        {list, Items, Tail} -> [$[, joined(Items, Tail, $|), $]];
        {tuple, Items, Tail, _} -> [${, joined(Items, Tail, $,), $}];
        {map, Pairs, Tail} -> ["#{", joined(Pairs, Tail, $,), $}];
        {record, Name, _, Fields, Tail} -> [Name, ${, joined(Fields, Tail, $,), $}];
        {bytes, Parts} -> ["<<", lists:join($,, Parts), ">>"];
        {pair, Key, Value} -> [one_line(Key), " => ", one_line(Value)];
        {field, Name, _, Value} -> [Name, " = ", one_line(Value)]
    end.

joined([Item | Items], Tail, Mark) -> [one_line(Item) | joined_1(Items, Tail, Mark)];
joined([], #node{shape = dots}, _) -> "...";
joined([], none, _) -> "".

joined_1([Item | Items], Tail, Mark) -> [$,, one_line(Item) | joined_1(Items, Tail, Mark)];
joined_1([], none, _) -> [];
joined_1([], #node{shape = dots}, Mark) -> [Mark | "..."];
joined_1([], Tail, Mark) -> [Mark, one_line(Tail)].

%% Subtraction on budgets: a negative budget means "no limit", and none falls below 0.
-spec less(integer(), integer()) -> integer().
less(Budget, _) when Budget < 0 -> Budget;
less(Budget, N) when Budget >= N -> Budget - N;
less(_, _) -> 0.
