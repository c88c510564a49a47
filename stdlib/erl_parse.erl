%% Tokens to forms, and forms as data.
%%
%% The grammar is the compiler's own: erlet_forms:parse/2 runs it over tokens. Here is what goes with it: errors in words,
%% terms as expressions and back, and walks over the annotations of forms.
-module(erl_parse).

-export([parse_form/1, parse_exprs/1, parse_term/1, format_error/1, normalise/1, abstract/1, abstract/2, tokens/1, tokens/2,
         map_anno/2, fold_anno/3, mapfold_anno/3, new_anno/1, anno_to_term/1, anno_from_term/1, inop_prec/1, preop_prec/1,
         func_prec/0, max_prec/0, type_inop_prec/1, type_preop_prec/1, first_anno/1]).
-export_type([abstract_clause/0, abstract_expr/0, abstract_form/0, abstract_type/0, form_info/0, error_info/0]).

-type abstract_clause() :: tuple().
-type abstract_expr() :: tuple().
-type abstract_form() :: tuple().
-type abstract_type() :: tuple().
-type form_info() :: {eof, erl_anno:location()} | {error | warning, error_info()}.
-type error_info() :: {erl_anno:location(), module(), term()}.

-spec parse_form([erl_scan:token()]) -> {ok, abstract_form()} | {error, error_info()}.
parse_form(Tokens) -> parse(Tokens, form).

-spec parse_exprs([erl_scan:token()]) -> {ok, [abstract_expr()]} | {error, error_info()}.
parse_exprs(Tokens) -> parse(Tokens, exprs).

-spec parse_term([erl_scan:token()]) -> {ok, term()} | {error, error_info()}.
parse_term(Tokens) -> parse(Tokens, term).

parse(Tokens, Wanted) ->
    case erlet_forms:parse(joined(Tokens), Wanted) of
        {ok, _} = Parsed -> Parsed;
        {error, _, before} when Tokens =:= [], Wanted =/= form -> {error, {0, ?MODULE, ["syntax error before: ", []]}};
        {error, Index, Description} -> {error, failed(joined(Tokens), Index, Description)}
    end.

%% A sigil's prefix, text and suffix are one token to the grammar.
joined(Tokens) ->
    case lists:keymember(sigil_prefix, 1, Tokens) of
        true -> join(Tokens);
        false -> Tokens
    end.

join([{sigil_prefix, Anno, Prefix}, {string, _, Text}, {sigil_suffix, _, _} | Tokens]) ->
    Category =
        case Prefix of
            _ when Prefix =:= s; Prefix =:= 'S' -> sigil_string;
            _ -> sigil_binary
        end,
    [{Category, Anno, Text} | join(Tokens)];
join([Token | Tokens]) -> [Token | join(Tokens)];
join([]) -> [].

failed(Tokens, Index, before) when Index < length(Tokens) ->
    Token = lists:nth(Index + 1, Tokens),
    {place(Token), ?MODULE, ["syntax error before: ", text(Token)]};
failed([], _, before) -> {999999, ?MODULE, ["syntax error before: ", []]};
failed(Tokens, _, before) ->
    Last = lists:last(Tokens),
    Place =
        try erl_scan:end_location(Last) of
            undefined -> place(Last);
            End -> End
        catch _:_ -> place(Last)
        end,
    {Place, ?MODULE, ["syntax error before: ", []]};
failed(Tokens, Index, Description) ->
    {place(lists:nth(min(Index + 1, length(Tokens)), Tokens)), ?MODULE, described(string:lexemes(Description, " "), Description)}.

%% As the format call of OTP leaves it.
described(["bad", Word, "declaration"], _) -> io_lib:format("bad ~tw declaration", [list_to_atom(Word)]);
described(_, Description) -> Description.

place(Token) ->
    try erl_scan:location(Token)
    catch _:_ -> element(2, Token)
    end.

text(Token) ->
    try erl_scan:text(Token) of
        undefined -> shown(Token);
        Text -> Text
    catch _:_ -> shown(Token)
    end.

shown({atom, _, Atom}) -> io_lib:write_atom(Atom);
shown({Number, _, Value}) when Number =:= integer; Number =:= float -> io_lib:write(Value);
shown({char, _, C}) -> io_lib:write_char(C);
shown({var, _, Name}) -> atom_to_list(Name);
shown({string, _, Text}) -> io_lib:write_string(Text);
shown({_, _, Value}) -> io_lib:format("~tp", [Value]);
shown({dot, _}) -> "'.'";
shown({Word, _}) when is_atom(Word) -> io_lib:write_atom(Word);
shown(Token) -> io_lib:format("~tp", [Token]).

-spec format_error(term()) -> io_lib:chars().
format_error(Message) ->
    case io_lib:deep_char_list(Message) of
        true -> Message;
        _ -> io_lib:write(Message)
    end.

%% Terms and the expressions they are written as.

%% The term that a constant expression stands for.
-spec normalise(abstract_expr()) -> term().
normalise({Leaf, _, Value}) when Leaf =:= char; Leaf =:= integer; Leaf =:= float; Leaf =:= atom; Leaf =:= string -> Value;
normalise({nil, _}) -> [];
normalise({cons, _, Head, Tail}) -> [normalise(Head) | normalise(Tail)];
normalise({tuple, _, Elements}) -> list_to_tuple([normalise(Element) || Element <- Elements]);
normalise({map, _, Fields} = Map) ->
    maps:from_list([case Field of
                        {map_field_assoc, _, Key, Value} -> {normalise(Key), normalise(Value)};
                        _ -> error({badarg, Map})
                    end || Field <- Fields]);
normalise({bin, _, Segments}) ->
    {value, Binary, _} = eval_bits:expr_grp(Segments, [], fun(Expr, _) -> {value, normalise(Expr), []} end),
    Binary;
normalise({'fun', _, {function, {atom, _, Module}, {atom, _, Name}, {integer, _, Arity}}}) -> fun Module:Name/Arity;
normalise({op, _, Sign, {Number, _, Value}})
  when Sign =:= '+' orelse Sign =:= '-', Number =:= char orelse Number =:= integer orelse Number =:= float ->
    case Sign of
        '+' -> Value;
        '-' -> -Value
    end;
normalise(Expr) -> error({badarg, Expr}).

-spec abstract(term()) -> abstract_expr().
abstract(Term) -> abstract(Term, 0).

-spec abstract(term(), erl_anno:location() | [tuple()]) -> abstract_expr().
abstract(Term, Options) when is_list(Options) ->
    IsCharacter = is_character(proplists:get_value(encoding, Options, utf8)),
    Location = proplists:get_value(location, Options, proplists:get_value(line, Options, 0)),
    expression(Term, erl_anno:new(Location), IsCharacter);
abstract(Term, Location) -> expression(Term, erl_anno:new(Location), is_character(utf8)).

%% What integers may be characters of a string.
is_character(latin1) -> fun(C) -> C < 256 end;
is_character(Encoding) when Encoding =:= unicode; Encoding =:= utf8 ->
    fun(C) -> C < 16#D800 orelse C > 16#DFFF andalso C < 16#FFFE orelse C > 16#FFFF andalso C =< 16#10FFFF end;
is_character(none) -> none;
is_character(IsCharacter) when is_function(IsCharacter, 1) -> IsCharacter;
is_character(Other) -> error({badarg, Other}).

expression(Term, Anno, _) when is_integer(Term) -> {integer, Anno, Term};
expression(Term, Anno, _) when is_float(Term) -> {float, Anno, Term};
expression(Term, Anno, _) when is_atom(Term) -> {atom, Anno, Term};
expression([], Anno, _) -> {nil, Anno};
expression(Term, Anno, _) when is_bitstring(Term) ->
    {bin, Anno, [segment(Part, Anno) || Part <- bitstring_to_list(Term)]};
expression([_ | _] = List, Anno, IsCharacter) ->
    case IsCharacter =/= none andalso is_text(List, IsCharacter) of
        true -> {string, Anno, List};
        false -> cells(List, Anno, IsCharacter)
    end;
expression(Term, Anno, IsCharacter) when is_tuple(Term) ->
    {tuple, Anno, [expression(Element, Anno, IsCharacter) || Element <- tuple_to_list(Term)]};
expression(Term, Anno, IsCharacter) when is_map(Term) ->
    {map, Anno, [{map_field_assoc, Anno, expression(Key, Anno, IsCharacter), expression(Value, Anno, IsCharacter)}
                 || {Key, Value} <- maps:to_list(Term)]};
expression(Term, Anno, IsCharacter) when is_function(Term) ->
    case erlang:fun_info(Term, type) of
        {type, external} ->
            Parts = [element(2, erlang:fun_info(Term, Item)) || Item <- [module, name, arity]],
            {'fun', Anno, list_to_tuple([function | [expression(Part, Anno, IsCharacter) || Part <- Parts]])}
    end.

is_text([C | Rest], IsCharacter) -> is_integer(C) andalso C >= 0 andalso IsCharacter(C) andalso is_text(Rest, IsCharacter);
is_text(Tail, _) -> Tail =:= [].

%% What is no string may end in one.
cells([Head | Tail], Anno, IsCharacter) ->
    case IsCharacter =/= none andalso is_integer(Head) andalso Head >= 0 andalso IsCharacter(Head) of
        true -> {cons, Anno, {integer, Anno, Head}, cells(Tail, Anno, IsCharacter)};
        false -> {cons, Anno, expression(Head, Anno, IsCharacter), expression(Tail, Anno, IsCharacter)}
    end;
cells(Tail, Anno, IsCharacter) -> expression(Tail, Anno, IsCharacter).

segment(Byte, Anno) when is_integer(Byte) -> {bin_element, Anno, {integer, Anno, Byte}, default, default};
segment(Bits, Anno) ->
    Size = bit_size(Bits),
    <<Value:Size>> = Bits,
    {bin_element, Anno, {integer, Anno, Value}, {integer, Anno, Size}, default}.

%% The tokens of a constant expression.
-spec tokens(abstract_expr()) -> [erl_scan:token()].
tokens(Expr) -> tokens(Expr, []).

-spec tokens(abstract_expr(), [erl_scan:token()]) -> [erl_scan:token()].
tokens({Leaf, _, _} = Token, More)
  when Leaf =:= char; Leaf =:= integer; Leaf =:= float; Leaf =:= atom; Leaf =:= var; Leaf =:= string ->
    [Token | More];
tokens({nil, Anno}, More) -> [{'[', Anno}, {']', Anno} | More];
tokens({cons, Anno, Head, Tail}, More) -> [{'[', Anno} | tokens(Head, tail_tokens(Tail, More))];
tokens({tuple, Anno, Elements}, More) -> [{'{', Anno} | separated(Elements, Anno, More)];
tokens({map, Anno, Fields}, More) -> [{'#', Anno}, {'{', Anno} | separated(Fields, Anno, More)];
tokens({map_field_assoc, Anno, Key, Value}, More) -> tokens(Key, [{'=>', Anno} | tokens(Value, More)]).

tail_tokens({cons, Anno, Head, Tail}, More) -> [{',', Anno} | tokens(Head, tail_tokens(Tail, More))];
tail_tokens({nil, Anno}, More) -> [{']', Anno} | More];
tail_tokens(Tail, More) ->
    Anno = element(2, Tail),
    [{'|', Anno} | tokens(Tail, [{']', Anno} | More])].

separated([], Anno, More) -> [{'}', Anno} | More];
separated([Element], _, More) -> tokens(Element, [{'}', element(2, Element)} | More]);
separated([Element | Elements], Anno, More) ->
    tokens(Element, [{',', element(2, Element)} | separated(Elements, Anno, More)]).

%% Walks over annotations, from left to right.

-spec map_anno(fun((erl_anno:anno()) -> erl_anno:anno()), Node) -> Node when Node :: term().
map_anno(Fun, Node) -> element(1, walk(Node, [], fun(Anno, Acc) -> {Fun(Anno), Acc} end)).

-spec fold_anno(fun((erl_anno:anno(), Acc) -> Acc), Acc, term()) -> Acc.
fold_anno(Fun, Acc, Node) -> element(2, walk(Node, Acc, fun(Anno, Before) -> {Anno, Fun(Anno, Before)} end)).

-spec mapfold_anno(fun((erl_anno:anno(), Acc) -> {erl_anno:anno(), Acc}), Acc, Node) -> {Node, Acc} when Node :: term().
mapfold_anno(Fun, Acc, Node) -> walk(Node, Acc, Fun).

-spec new_anno(term()) -> term().
new_anno(Node) -> map_anno(fun erl_anno:new/1, Node).

-spec anno_to_term(term()) -> term().
anno_to_term(Node) -> map_anno(fun erl_anno:to_term/1, Node).

-spec anno_from_term(term()) -> term().
anno_from_term(Node) -> map_anno(fun erl_anno:from_term/1, Node).

walk([Head | Tail], Acc, Fun) ->
    {Head1, Acc1} = walk(Head, Acc, Fun),
    {Tail1, Acc2} = walk(Tail, Acc1, Fun),
    {[Head1 | Tail1], Acc2};
walk(Node, Acc, Fun) when is_tuple(Node) ->
    case Node of
        {function, _, _} -> {Node, Acc};
        {Mark, _} when Mark =:= error; Mark =:= warning; Mark =:= eof -> {Node, Acc};
        {Unplaced, _} when Unplaced =:= clauses -> walk_from(2, Node, Acc, Fun);
        {function, _, _, _} -> walk_from(2, Node, Acc, Fun);
        {typed_record_field, _, _} -> walk_from(2, Node, Acc, Fun);
        {attribute, Anno, Name, Value} ->
            {Anno1, Acc1} = Fun(Anno, Acc),
            {Value1, Acc2} = walk_value(Name, Value, Acc1, Fun),
            {{attribute, Anno1, Name, Value1}, Acc2};
        {bin_element, Anno, Value, Size, Types} ->
            {Anno1, Acc1} = Fun(Anno, Acc),
            {Value1, Acc2} = walk(Value, Acc1, Fun),
            {Size1, Acc3} = walk(Size, Acc2, Fun),
            {{bin_element, Anno1, Value1, Size1, Types}, Acc3};
        _ ->
            {Anno1, Acc1} = Fun(element(2, Node), Acc),
            walk_from(3, setelement(2, Node, Anno1), Acc1, Fun)
    end;
walk(Leaf, Acc, _) -> {Leaf, Acc}.

walk_from(Index, Node, Acc, _) when Index > tuple_size(Node) -> {Node, Acc};
walk_from(Index, Node, Acc, Fun) ->
    {Part, Acc1} = walk(element(Index, Node), Acc, Fun),
    walk_from(Index + 1, setelement(Index, Node, Part), Acc1, Fun).

%% Attributes have values without annotations, but for these.
walk_value(Name, {Subject, Parts}, Acc, Fun) when Name =:= record; Name =:= spec; Name =:= callback ->
    {Parts1, Acc1} = walk(Parts, Acc, Fun),
    {{Subject, Parts1}, Acc1};
walk_value(Name, {Type, Definition, Parameters}, Acc, Fun) when Name =:= type; Name =:= opaque; Name =:= nominal ->
    {Definition1, Acc1} = walk(Definition, Acc, Fun),
    {Parameters1, Acc2} = walk(Parameters, Acc1, Fun),
    {{Type, Definition1, Parameters1}, Acc2};
walk_value(_, Value, Acc, _) -> {Value, Acc}.

%% Where a node begins: from its own place on to the left, while that is not farther on.
-spec first_anno(term()) -> erl_anno:anno().
first_anno(Node) ->
    Step =
        fun(Anno, First) ->
            case begin_of(Anno) =< begin_of(First) of
                true -> Anno;
                false -> throw({first, First})
            end
        end,
    try fold_anno(Step, element(2, Node), Node)
    catch throw:{first, First} -> First
    end.

begin_of(Anno) ->
    case erl_anno:location(Anno) of
        {_, _} = Location -> Location;
        Line -> {Line, 1}
    end.

%% Precedences: what binds tighter has more; left side, operator, right side.

-spec inop_prec(atom()) -> {pos_integer(), pos_integer(), pos_integer()}.
inop_prec(Op) ->
    case Op of
        _ when Op =:= '='; Op =:= '!' -> {150, 100, 100};
        'orelse' -> {160, 150, 150};
        'andalso' -> {200, 160, 160};
        '#' -> {800, 700, 800};
        ':' -> {900, 800, 900};
        '.' -> {900, 900, 1000};
        _ -> {Left, Right} = maps:get(level(Op), #{200 => {300, 300}, 300 => {400, 300}, 400 => {400, 500}, 500 => {500, 600}}),
             {Left, level(Op), Right}
    end.

level(Op) ->
    Levels = [{200, ['==', '/=', '=<', '<', '>=', '>', '=:=', '=/=']}, {300, ['++', '--']},
              {400, ['+', '-', 'bor', 'bxor', 'bsl', 'bsr', 'or', 'xor']}, {500, ['*', '/', 'div', 'rem', 'band', 'and']}],
    case [Level || {Level, Ops} <- Levels, lists:member(Op, Ops)] of
        [Level] -> Level;
        [] -> error(function_clause, [Op])
    end.

-spec preop_prec(atom()) -> {non_neg_integer(), pos_integer()}.
preop_prec('catch') -> {700, 100};
preop_prec('#') -> {700, 800};
preop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot'; Op =:= 'not' -> {600, 700}.

-spec func_prec() -> {800, 700}.
func_prec() -> {800, 700}.

-spec max_prec() -> 900.
max_prec() -> 900.

-spec type_inop_prec(atom()) -> {pos_integer(), pos_integer(), pos_integer()}.
type_inop_prec('=') -> {150, 100, 100};
type_inop_prec('::') -> {150, 150, 160};
type_inop_prec('|') -> {180, 170, 170};
type_inop_prec('..') -> {300, 200, 300};
type_inop_prec('#') -> {800, 700, 800};
type_inop_prec(Op) -> inop_prec(Op).

-spec type_preop_prec(atom()) -> {pos_integer(), pos_integer()}.
type_preop_prec('#') -> {700, 800};
type_preop_prec(Op) when Op =:= '+'; Op =:= '-'; Op =:= 'bnot' -> {600, 700}.
