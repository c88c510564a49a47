%% Annotations: what tokens and nodes of the abstract format carry. A location alone, or a list with one in it.
-module(erl_anno).

-export([new/1, is_anno/1, column/1, end_location/1, file/1, generated/1, line/1, location/1, record/1, text/1,
         set_file/2, set_generated/2, set_line/2, set_location/2, set_record/2, set_text/2, to_term/1, from_term/1]).
-export_type([anno/0, line/0, column/0, location/0, text/0]).

-type line() :: non_neg_integer().
-type column() :: pos_integer().
-type location() :: line() | {line(), column()}.
-type text() :: string().
-type anno() :: location() | [{atom(), term()}].

-define(IS_LINE(L), is_integer(L), L >= 0).
-define(LOCATION(L, C), is_integer(L), L >= 0, is_integer(C), C >= 1).

-spec new(location()) -> anno().
new(Line) when ?IS_LINE(Line) -> Line;
new({Line, Column} = Location) when ?LOCATION(Line, Column) -> Location;
new(Location) -> error(badarg, [Location]).

-spec is_anno(term()) -> boolean().
is_anno(Line) when ?IS_LINE(Line) -> true;
is_anno({Line, Column}) when ?LOCATION(Line, Column) -> true;
is_anno([_ | _] = Items) -> is_items(Items, false);
is_anno(_) -> false.

is_items([], Located) -> Located;
is_items([{location, Location} | Rest], _) -> is_location(Location) andalso is_items(Rest, true);
is_items([{file, File} | Rest], Located) -> (is_list(File) orelse is_binary(File)) andalso is_items(Rest, Located);
is_items([{generated, true} | Rest], Located) -> is_items(Rest, Located);
is_items([{record, true} | Rest], Located) -> is_items(Rest, Located);
is_items([{text, Text} | Rest], Located) -> is_list(Text) andalso is_items(Rest, Located);
is_items(_, _) -> false.

is_location(Location) -> not is_list(Location) andalso is_anno(Location).

-spec line(anno()) -> line().
line(Anno) ->
    case location(Anno) of
        {Line, _} -> Line;
        Line -> Line
    end.

-spec column(anno()) -> column() | undefined.
column(Anno) ->
    case location(Anno) of
        {_, Column} -> Column;
        _ -> undefined
    end.

-spec location(anno()) -> location().
location(Line) when ?IS_LINE(Line) -> Line;
location({Line, Column} = Location) when ?LOCATION(Line, Column) -> Location;
location(Anno) -> item(Anno, location).

%% Where the text of a token ends, if it is known.
-spec end_location(anno()) -> location() | undefined.
end_location(Anno) ->
    case text(Anno) of
        undefined -> undefined;
        Text ->
            case location(Anno) of
                {Line, Column} -> behind(Text, Line, Column);
                Line -> Line + length([C || C <- Text, C =:= $\n])
            end
    end.

behind([], Line, Column) -> {Line, Column};
behind([$\n | Text], Line, _) -> behind(Text, Line + 1, 1);
behind([_ | Text], Line, Column) -> behind(Text, Line, Column + 1).

-spec file(anno()) -> file:filename() | undefined.
file(Anno) -> item(Anno, file).

-spec text(anno()) -> text() | undefined.
text(Anno) -> item(Anno, text).

-spec generated(anno()) -> boolean().
generated(Anno) -> item(Anno, generated) =:= true.

-spec record(anno()) -> boolean().
record(Anno) -> item(Anno, record) =:= true.

item(Line, _) when ?IS_LINE(Line) -> undefined;
item({Line, Column}, _) when ?LOCATION(Line, Column) -> undefined;
item([_ | _] = Items, Key) ->
    case lists:keyfind(Key, 1, Items) of
        {Key, Value} -> Value;
        false -> undefined
    end;
item(Anno, Key) -> error(badarg, [Anno, Key]).

-spec set_file(file:filename(), anno()) -> anno().
set_file(File, Anno) -> set(file, File, Anno).

-spec set_generated(boolean(), anno()) -> anno().
set_generated(Generated, Anno) -> set(generated, Generated, Anno).

-spec set_record(boolean(), anno()) -> anno().
set_record(Record, Anno) -> set(record, Record, Anno).

-spec set_text(text(), anno()) -> anno().
set_text(Text, Anno) -> set(text, Text, Anno).

-spec set_location(location(), anno()) -> anno().
set_location(Location, Anno) when not is_list(Anno) ->
    _ = location(Anno),
    new(Location);
set_location(Location, Anno) -> set(location, Location, Anno).

%% The column, if there is one, stays.
-spec set_line(line(), anno()) -> anno().
set_line(Line, Anno) ->
    case location(Anno) of
        {_, Column} -> set_location({Line, Column}, Anno);
        _ -> set_location(Line, Anno)
    end.

set(Key, Value, Anno) ->
    case is_value(Key, Value) of
        true when not is_list(Anno) ->
            Location = location(Anno),
            simplified(with(Key, Value, [{location, Location}]));
        true when Anno =/= [] -> simplified(with(Key, Value, Anno));
        _ -> error(badarg, [Key, Value, Anno])
    end.

is_value(Key, Value) when Key =:= generated; Key =:= record -> is_boolean(Value);
is_value(file, Value) -> is_list(Value) orelse is_binary(Value);
is_value(text, Value) -> is_list(Value);
is_value(location, Value) -> is_location(Value).

%% What is new comes first; what is false is not there.
with(Key, false, Items) -> lists:keydelete(Key, 1, Items);
with(Key, Value, Items) ->
    case lists:keymember(Key, 1, Items) of
        true -> lists:keyreplace(Key, 1, Items, {Key, Value});
        false -> [{Key, Value} | Items]
    end.

simplified([{location, Location}]) -> Location;
simplified(Items) -> Items.

-spec to_term(anno()) -> term().
to_term(Anno) -> Anno.

-spec from_term(term()) -> anno().
from_term(Line) when is_integer(Line), Line < 0 -> set_generated(true, new(-Line));
from_term(Term) -> Term.
