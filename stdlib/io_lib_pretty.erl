%% Pretty printing: the layout of `~p`.
%%
%% In two steps. **Measuring** (`io_lib_measure`) turns the term into a tree of nodes: texts where nothing can be broken, containers
%% with their parts, and the number of characters each would take on one line. **Layout** (here) walks that tree with
%% the current column: what fits is written on one line, what does not is broken into its parts. Simple parts (texts,
%% associations of two texts) share lines; a container that had to be broken ends its line.
%%
%% How far the parts of a tagged tuple or record are indented is decided once for the whole term. First they are aligned
%% behind the tag; if that would push something too far right (past the middle of the line, `check/2`), the layout is
%% abandoned by a throw and done again with an indentation of 4, and at last with 1, which is always accepted.
%%
%% Terms short enough for the rest of the line never get here: the native `erlet_io:print_flat/4` answers with their text.
-module(io_lib_pretty).

-export([print/1, print/2, print/3, print/4, print/5, print/6]).

-include("erlet_pretty.hrl").

%% What stays the same during a layout.
-record(page, {width, max, step, checked}).

%% More characters than any text has.
-define(NO_BOUND, 16#FFFFFFFFFFFF).

%%% Entrances

-spec print(term()) -> io_lib:chars().
print(Term) -> print(Term, 1, 80, -1).

%% Options, or a fun that knows record fields: `RecordFun(Tag, FieldCount)` gives a list of field names or `no`.
print(Term, Options) when is_list(Options) ->
    Get = fun(Key, Default) -> proplists:get_value(Key, Options, Default) end,
    print_1(Term, Get(column, 1), Get(line_length, 80), Get(depth, -1), Get(line_max_chars, -1),
            Get(chars_limit, -1),
            #style{record_fun = Get(record_print_fun, no_fun), encoding = encoding(Get(encoding, utf8)),
                   strings = Get(strings, true), order = Get(maps_order, undefined)});
print(Term, RecordFun) -> print(Term, -1, RecordFun).

print(Term, Depth, RecordFun) -> print(Term, 1, 80, Depth, RecordFun).

print(Term, Column, LineLength, Depth) -> print(Term, Column, LineLength, Depth, no_fun).

print(Term, Column, LineLength, Depth, RecordFun) -> print(Term, Column, LineLength, Depth, -1, RecordFun).

print(Term, Column, LineLength, Depth, LineMax, RecordFun) ->
    print_1(Term, Column, LineLength, Depth, LineMax, -1, #style{record_fun = RecordFun, encoding = latin1}).

encoding(latin1) -> latin1;
encoding(_) -> unicode.

print_1(_, _, _, 0, _, _, _) -> "...";
print_1(_, _, _, _, _, 0, _) -> "...";
print_1(Term, Column, Width, Depth, LineMax, Limit, Style) when Column < 1 ->
    print_1(Term, 1, Width, Depth, LineMax, Limit, Style);
print_1(Term, _, _, _, _, _, #style{encoding = Encoding}) when is_atom(Term) -> erlet_io:write_flat(Term, Encoding);
print_1(Term, Column, Width, Depth, LineMax, Limit, Style)
  when is_list(Term); is_tuple(Term); is_map(Term); is_bitstring(Term) ->
    case short_text(Term, Column, Width, Depth, LineMax, Limit, Style) of
        false ->
            Node = io_lib_measure:within(Term, Depth, Limit, Style),
            lay_out(Node, Column, Width, LineMax);
        Text -> Text
    end;
print_1(Term, _, _, _, _, _, _) -> erlet_io:write_flat(Term, latin1).

%% The native's answer, where nothing but the line's end limits the text.
short_text(Term, Column, Width, Depth, LineMax, Limit, #style{record_fun = no_fun, order = undefined} = Style)
  when Depth < 0, Limit < 0 ->
    Room =
        if
            Width =:= 0 -> ?NO_BOUND;
            LineMax < 0 -> Width - Column - 1;
            true -> min(Width - Column - 1, LineMax)
        end,
    Range =
        case Style of
            #style{strings = false} -> none;
            #style{encoding = latin1} -> latin1;
            _ -> io:printable_range()
        end,
    Room > 0 andalso erlet_io:print_flat(Term, Style#style.encoding, Range, Room);
short_text(_, _, _, _, _, _, _) -> false.

lay_out(Node, _, 0, _) -> io_lib_measure:one_line(Node);
lay_out(#node{len = Len} = Node, Column, Width, LineMax) ->
    Max =
        case LineMax < 0 of
            true -> Len;
            false -> LineMax
        end,
    case Len < Width - Column andalso Len =< Max of
        true -> io_lib_measure:one_line(Node);
        false -> try_steps(Node, Column, #page{width = Width, max = Max, checked = true}, [-1, 4])
    end.

try_steps(Node, Column, Page, [Step | Steps]) ->
    try broken(Node, Column, 0, 0, Page#page{step = Step})
    catch throw:too_far_right -> try_steps(Node, Column, Page, Steps)
    end;
try_steps(Node, Column, Page, []) -> broken(Node, Column, 0, 0, Page#page{step = 1, checked = false}).

%%% Layout
%%
%% `Closing` counts the closing brackets that must follow on the same line; `Used` the characters already on it, without
%% indentation (they matter where the caller limits the characters of a line, as a shell does).

%% A whole node, its first character in Column.
node(#node{len = Len} = Node, Column, Closing, Used, #page{width = Width, max = Max} = Page) ->
    case Len < Width - Column - Closing andalso Len + Used + Closing =< Max of
        true -> io_lib_measure:one_line(Node);
        false -> broken(Node, Column, Closing, Used, Page)
    end.

broken(#node{shape = Shape} = Node, Column, Closing, Used, Page) ->
    case Shape of
        {list, Items, Tail} -> [$[, items(Items, Tail, Column + 1, Closing, $|, Used + 1, Page), $]];
        {tuple, [#node{shape = {text, _}} = Tag | Rest], Tail, tagged} ->
            [${, tagged(Tag, Rest, Tail, Column, Closing, Used + 1, Page), $}];
        {tuple, Items, Tail, _} -> [${, items(Items, Tail, Column + 1, Closing, $,, Used + 1, Page), $}];
        {map, Pairs, Tail} -> ["#{", items(Pairs, Tail, Column + 2, Closing, $,, Used + 1, Page), $}];
        {record, Name, NameLen, Fields, Tail} ->
            [Name, ${, fields(Fields, Tail, NameLen, Column, Closing, Used + NameLen + 1, Page), $}];
        {bytes, Parts} -> bytes(Parts, Column + 2, Closing, Used, Page);
        {pair, Key, Value} -> pair(Key, Value, Column, Closing, Used, Page);
        {field, Name, NameLen, Value} -> field(Name, NameLen, Value, Column, Closing, Used, Page);
        _ -> io_lib_measure:one_line(Node)
    end.

%% Items with the first one in Column; Mark stands in front of an improper tail.
items([], #node{shape = dots}, _, _, _, _, _) -> "...";
items([Item | Items], Tail, Column, Closing, Mark, Used, Page) ->
    {Text, N} = item(Item, Column, closing(Items, Closing), Used, Page),
    %% Lines of maps are counted anew behind the first association.
    Used1 =
        case Item of
            #node{shape = {pair, _, _}} -> N;
            _ -> Used + N
        end,
    [Text | more_items(Items, Tail, Column, Column + N, Closing, Mark, Used1, Page)].

%% Further items: at Now, where the line stands, or on a new line that starts in Column.
more_items([#node{len = Len} = Item | Items], Tail, Column, Now, Closing, Mark, Used, Page) ->
    #page{width = Width, max = Max} = Page,
    Here = closing(Items, Closing),
    %% Room for the item, its comma, and what must follow: the next comma or the closing brackets.
    Needed = 1 + Len + max(Here, 1),
    case Needed < Width - Now andalso Used + Needed =< Max andalso simple(Item) of
        true ->
            [$,, io_lib_measure:one_line(Item) |
             more_items(Items, Tail, Column, Now + 1 + Len, Closing, Mark, Used + 1 + Len, Page)];
        false ->
            {Text, N} = item(Item, Column, Here, 0, Page),
            [$,, newline(Column), Text | more_items(Items, Tail, Column, Column + N, Closing, Mark, N, Page)]
    end;
more_items([], none, _, _, _, _, _, _) -> [];
more_items([], #node{shape = dots}, _, _, _, Mark, _, _) -> [Mark | "..."];
more_items([], #node{len = Len} = Tail, Column, Now, Closing, Mark, Used, Page) ->
    #page{width = Width, max = Max} = Page,
    case Len + 1 < Width - Now - Closing - 1 andalso Len + 1 + Used + Closing + 1 =< Max andalso simple(Tail) of
        true -> [Mark | io_lib_measure:one_line(Tail)];
        false ->
            %% Whether the indentation is acceptable is judged as if the tail went on behind the last item.
            Page#page.checked andalso node(Tail, Now, Closing + 1, 0, Page),
            [Mark, newline(Column) | node(Tail, Column, Closing + 1, 0, Page)]
    end.

%% An item and the columns it takes up; one that was broken, or holds a container, fills the line.
item(#node{len = Len} = Item, Column, Closing, Used, #page{width = Width, max = Max} = Page) ->
    case Len < Width - Column - Closing andalso Len + Used + Closing =< Max of
        true ->
            case simple(Item) of
                true -> {io_lib_measure:one_line(Item), Len};
                false -> {io_lib_measure:one_line(Item), Width}
            end;
        false -> {broken(Item, Column, Closing, Used, Page), Width}
    end.

%% Only behind the last item must the brackets of the containers around it find room.
closing([_ | _], _) -> 0;
closing([], Closing) -> Closing + 1.

simple(#node{shape = Shape}) ->
    case Shape of
        {text, _} -> true;
        {pair, #node{shape = {text, _}}, #node{shape = {text, _}}} -> true;
        {field, _, _, #node{shape = {text, _}}} -> true;
        _ -> false
    end.

%% A tuple whose first element is an atom: the rest is aligned behind it, or indented by the step if that is less.
tagged(#node{len = Len} = Tag, Rest, Tail, Column, Closing, Used, #page{step = Step} = Page) ->
    Behind = Column + Len + 2,
    case Step > 0 andalso Len + 2 > Step of
        true ->
            check(Column + Step, 0, Page),
            [io_lib_measure:one_line(Tag) | more_items(Rest, Tail, Column + Step, Behind, Closing, $,, Used + Len, Page)];
        false ->
            check(Behind, 1, Page),
            [io_lib_measure:one_line(Tag), $, | items(Rest, Tail, Behind, Closing, $,, Used + Len + 1, Page)]
    end.

fields([], none, _, _, _, _, _) -> "";
fields([], #node{shape = dots}, _, _, _, _, _) -> "...";
fields(Fields, Tail, NameLen, Column, Closing, Used, Page) ->
    {Start, Break, Used1} = behind_name(NameLen + 1, Column, Used, Page),
    [Break | items(Fields, Tail, Start, Closing, $,, Used1, Page)].

field(Name, NameLen, Value, Column, Closing, Used, Page) ->
    {Start, Break, Used1} = behind_name(NameLen, Column, Used + NameLen, Page),
    Equals =
        case Break of
            [] -> " = ";
            _ -> " ="
        end,
    [Name, Equals, Break | node(Value, Start, Closing, Used1, Page)].

%% Where to go on behind a name of that many characters: there, or on a new line indented by the step.
behind_name(Len, Column, _, #page{step = Step} = Page) when Step > 0, Len > Step ->
    check(Column + Step, 0, Page),
    {Column + Step, newline(Column + Step), 0};
behind_name(Len, Column, Used, Page) ->
    check(Column + Len, 0, Page),
    {Column + Len, [], Used}.

%% An association that does not fit: the value goes on a line of its own.
pair(Key, Value, Column, Closing, Used, #page{step = Step} = Page) ->
    Start =
        case Step > 0 of
            true -> Column + Step;
            false -> Column + 4
        end,
    [node(Key, Column, Closing, Used, Page), " =>", newline(Start) | node(Value, Start, Closing, 0, Page)].

%% Bytes, as many on a line as fit.
bytes(Parts, Column, Closing, Used, #page{width = Width, max = Max}) ->
    Room = max(8, min(Width - Column, Max - 4 - Used) - Closing),
    ["<<", bytes_1(Parts, Room, Room, newline(Column)), ">>"].

bytes_1([Last], Left, _, Newline) ->
    case length(Last) > Left of
        true -> [Newline, Last];
        false -> [Last]
    end;
bytes_1([Part | Parts], Left, Room, Newline) ->
    case Left - length(Part) - 1 of
        Left1 when Left1 < 0 -> [Newline, Part, $, | bytes_1(Parts, Room - length(Part) - 1, Room, Newline)];
        Left1 -> [Part, $, | bytes_1(Parts, Left1, Room, Newline)]
    end.

%% Is Column still in the left half of the line, or room for a full line behind it?
check(_, _, #page{checked = false}) -> ok;
check(Column, Margin, #page{width = Width, max = Max}) ->
    case Max + Column =< Width - Margin orelse Column =< Width div 2 - Margin of
        true -> ok;
        false -> throw(too_far_right)
    end.

newline(Column) -> [$\n | lists:duplicate(Column - 1, $\s)].

%%% Everything on one line
