%% Exceptions explained: what went wrong in words, and the stack trace line by line.
%%
%%     exception error: no match of right hand side value 2
%%       in function  m:f/1 (m.erl, line 7)
%%       in call from m:g/0 (m.erl, line 12)
-module(erl_error).

-export([format_exception/3, format_exception/4, format_exception/6, format_exception/7, format_exception/8,
         format_stacktrace/2, format_fun/1, format_fun/2]).

%% The column the text starts in, how terms are printed, and the characters allowed.
-record(style, {column = 1, print, encoding = unicode}).

-spec format_exception(error | exit | throw, term(), list()) -> unicode:chardata().
format_exception(Class, Reason, Stack) -> format_exception(Class, Reason, Stack, #{}).

%% Options: `column`; `format_fun`, a fun of a term and its column; `stack_trim_fun`, a fun of module, function and arity that
%% is true for calls to be left off at the bottom of the stack; `encoding`. And of erlet's own: `hide_fun`, a fun as `stack_trim_fun`, for
%% calls that are not shown wherever they are, but may explain what went wrong in them.
-spec format_exception(error | exit | throw, term(), list(), map()) -> unicode:chardata().
format_exception(Class, Reason, Stack, Options) ->
    Print = fun(Term, Column) -> io_lib:print(Term, Column, 80, 30) end,
    Style = #style{column = maps:get(column, Options, 1), print = maps:get(format_fun, Options, Print),
                   encoding = encoding(maps:get(encoding, Options, unicode))},
    Trim = maps:get(stack_trim_fun, Options, fun(_, _, _) -> false end),
    {Explained, Calls} = culprit(Class, Reason, Stack),
    Title = "exception " ++ atom_to_list(Class) ++ ": ",
    Details = details(Reason, Calls),
    Text = maps:get(reason, Details, explain(Explained, Class, length(Title), Style)),
    Kept = lists:reverse(lists:dropwhile(fun({M, F, A, _}) -> Trim(M, F, A) end, lists:reverse(Calls))),
    Hide = maps:get(hide_fun, Options, fun(_, _, _) -> false end),
    Shown = [Call || {M, F, A, _} = Call <- Kept, not Hide(M, F, A)],
    case lists:prefix(lists:sublist(Kept, 1), Shown) of
        false when Details =/= #{} ->
            %% What explains itself is not shown: its explanation stands alone.
            [Title, Text, detail_lines(0, Details, Style), [[$\n, call_line("in call from ", Call, #{}, Style)] || Call <- Shown]];
        _ when Shown =:= [] -> [Title, Text];
        _ -> [Title, Text, $\n, trace(Shown, Details, Style)]
    end.

encoding(latin1) -> latin1;
encoding(_) -> unicode.

%% What proc_lib and shells call: the same with all that matters as arguments. The last one is a limit of characters, for the fun that
%% formats terms, which says beside the text how many are left.
-spec format_exception(pos_integer(), error | exit | throw, term(), list(), fun(), fun()) -> unicode:chardata().
format_exception(Column, Class, Reason, Stack, Trim, Format) -> format_exception(Column, Class, Reason, Stack, Trim, Format, latin1).

-spec format_exception(pos_integer(), error | exit | throw, term(), list(), fun(), fun(), unicode:encoding()) -> unicode:chardata().
format_exception(Column, Class, Reason, Stack, Trim, Format, Encoding) ->
    Options = #{column => Column, stack_trim_fun => Trim, format_fun => Format, encoding => Encoding},
    format_exception(Class, Reason, Stack, Options).

-spec format_exception(pos_integer(), error | exit | throw, term(), list(), fun(), fun(), unicode:encoding(), integer()) ->
          unicode:chardata().
format_exception(Column, Class, Reason, Stack, Trim, Format, Encoding, Limit) ->
    Limited = fun(Term, Indent) -> {Text, _Left} = Format(Term, Indent, Limit), Text end,
    format_exception(Column, Class, Reason, Stack, Trim, Limited, Encoding).

%% For calls that failed at the door the first entry of the stack belongs to the explanation.
culprit(Class, Reason, Stack) ->
    case is_stack(Stack) of
        false when Class =:= error -> {{Reason, Stack}, []};
        false -> {{other, {Reason, Stack}}, []};
        true when Class =:= error ->
            case {Reason, Stack} of
                {function_clause, [{_, _, Args, _} = Call | Calls]} when is_list(Args) -> {{Reason, Call}, Calls};
                {undef, [Call | Calls]} -> {{Reason, Call}, Calls};
                _ -> {Reason, Stack}
            end;
        true when Class =:= exit, Reason =:= calling_self -> {Reason, Stack};
        true -> {{other, Reason}, Stack}
    end.

is_stack([{M, F, A, Info} | Stack]) ->
    is_atom(M) andalso is_atom(F) andalso is_list(Info) andalso (is_integer(A) orelse is_list(A)) andalso is_stack(Stack);
is_stack([]) -> true;
is_stack(_) -> false.

%%% The reason in words

explain(Explained, Class, Indent, Style) ->
    Value = fun(Text, Term) -> [Text | value(Term, length(Text), Indent, Style)] end,
    case Explained of
        {other, Reason} -> print(Reason, Indent, Style);
        _ when Class =:= exit -> "the current process attempted to call itself";
        badarg -> "bad argument";
        {badarg, V} -> Value("bad argument: ", V);
        badarith -> "an error occurred when evaluating an arithmetic expression";
        {badarity, {F, Args}} when is_function(F) ->
            io_lib:format("~ts called with ~s", [format_fun(F, Style#style.encoding), arguments(length(Args))]);
        {badfun, V} -> Value("bad function ", V);
        {badkey, V} -> Value("bad key: ", V);
        {badmap, V} -> Value("bad map: ", V);
        {badmatch, V} -> Value("no match of right hand side value ", V);
        {case_clause, V} -> Value("no case clause matching ", V);
        {try_clause, V} -> Value("no try clause matching ", V);
        {else_clause, V} -> Value("no else clause matching ", V);
        {bad_filter, V} -> Value("bad filter ", V);
        {bad_generator, V} -> Value("bad generator ", V);
        if_clause -> "no true branch found when evaluating an if expression";
        noproc -> "no such process or port";
        notalive -> "the node cannot be part of a distributed system";
        system_limit -> "a system limit has been reached";
        timeout_value -> "bad receive timeout value";
        {unbound, V} -> io_lib:format("variable ~w is unbound", [V]);
        {undef, {M, F, A, _}} -> ["undefined function ", mfa(M, F, arity(A), Style)];
        {function_clause, {M, F, Args, Info}} ->
            Text = "no function clause matching ",
            [Text, call(M, F, Args, Indent + length(Text), Indent, Style), $\s | location(Info)];
        Reason -> print(Reason, Indent, Style)
    end.

arguments(0) -> "no arguments";
arguments(1) -> "one argument";
arguments(2) -> "two arguments";
arguments(N) -> integer_to_list(N) ++ " arguments".

arity(A) when is_integer(A) -> A;
arity(Args) -> length(Args).

%% A term Offset columns behind the start of the text.
print(Term, Offset, #style{column = Column, print = Print}) -> Print(Term, Column + Offset).

%% Behind its introduction, or on a new line if that takes fewer lines.
value(Term, Behind, Indent, #style{column = Column} = Style) ->
    Here = print(Term, Indent + Behind, Style),
    case newlines(Here) of
        N when N > 1 ->
            Below = print(Term, Indent, Style),
            case newlines(Below) < N of
                true -> [$\n, spaces(Column - 1 + Indent) | Below];
                false -> Here
            end;
        _ -> Here
    end.

newlines(Chars) -> length([C || C <- unicode:characters_to_list(Chars), C =:= $\n]).

spaces(N) -> lists:duplicate(N, $\s).

%% A call with its arguments: where it stands, or on a new line at Indent if that takes fewer lines.
call(M, F, Args, Offset, Indent, #style{column = Column} = Style) ->
    case is_operator(M, F, length(Args)) of
        true -> operation(F, Args, Offset, Style);
        false -> function_call(M, F, Args, Offset, Indent, Column, Style)
    end.

operation(Operator, [A], Offset, Style) ->
    Text = atom_to_list(Operator) ++ " ",
    [Text | print(A, Offset + length(Text), Style)];
operation(Operator, [A, B], Offset, #style{column = Column} = Style) ->
    Left = print(A, Offset, Style),
    Text = " " ++ atom_to_list(Operator) ++ " ",
    case newlines(Left) of
        0 -> [Left, Text | print(B, Offset + string:length(Left) + length(Text), Style)];
        _ ->
            Newline = [$\n, spaces(Column - 1 + Offset)],
            [Left, Newline, atom_to_list(Operator), Newline | print(B, Offset, Style)]
    end.

function_call(M, F, Args, Offset, Indent, Column, Style) ->
    Name = unicode:characters_to_list(function(M, F, length(Args), Style)),
    Here = argument_list(Args, Offset + length(Name), Style),
    Below = argument_list(Args, Indent + length(Name), Style),
    case newlines(Below) < newlines(Here) of
        true -> [$\n, spaces(Column - 1 + Indent), Name | Below];
        false -> [Name | Here]
    end.

%% Printed as a list, with its brackets changed; it must not come out as a string.
argument_list([], _, _) -> "()";
argument_list([Arg | Args], Offset, Style) when is_integer(Arg) ->
    %% An atom of the same width keeps the list from being one of characters.
    Digits = integer_to_list(Arg),
    [$[ | Text] = unicode:characters_to_list(print([list_to_atom(lists:duplicate(min(length(Digits), 20), $a)) | Args], Offset, Style)),
    [$(, Digits, lists:droplast(lists:nthtail(min(length(Digits), 20), Text)), $)];
argument_list(Args, Offset, Style) ->
    [$[ | Text] = unicode:characters_to_list(print(Args, Offset, Style)),
    [$(, lists:droplast(Text), $)].

%%% The stack

%% All of a stack trace, a call a line.
format_stacktrace(Stack, Options) ->
    Print = fun(Term, Column) -> io_lib:print(Term, Column, 80, 30) end,
    trace(Stack, #{}, #style{column = maps:get(column, Options, 1), print = maps:get(format_fun, Options, Print)}).

trace([First | Calls], Details, Style) ->
    [call_line("in function  ", First, Details, Style) |
     [[$\n, call_line("in call from ", Call, #{}, Style)] || Call <- Calls]].

call_line(Where, {M, F, A, Info}, Details, #style{column = Column} = Style) ->
    Arity = arity(A),
    Text =
        case is_operator(M, F, Arity) of
            true when Where =:= "in function  " -> "in operator  ";
            _ -> Where
        end,
    Line = [spaces(Column + 1), Text, mfa(M, F, Arity, Style)],
    Called =
        case is_list(A) of
            true -> [$\n, spaces(Column + 1), "   called as ", call(M, F, A, 15, 15, Style)];
            false -> [$\s | location(Info)]
        end,
    [Line, Called, detail_lines(Arity, Details, Style)].

detail_lines(Arity, Details, #style{column = Column} = Style) ->
    [[$\n, spaces(Column + 4), Detail] || Detail <- argument_details(1, Arity, Details, Style)].

location(Info) ->
    case {proplists:get_value(file, Info), proplists:get_value(line, Info)} of
        {File, Line} when File =/= undefined, Line =/= undefined -> io_lib:format("(~ts, line ~w)", [File, Line]);
        _ -> ""
    end.

mfa(M, F, Arity, Style) -> [function(M, F, Arity, Style), $/, integer_to_list(Arity)].

%% Auto-imported functions and operators go without their module.
function(M, F, Arity, #style{encoding = Encoding}) ->
    case M =:= erlang andalso erl_internal:bif(F, Arity) of
        true -> atom_to_list(F);
        false ->
            case is_operator(M, F, Arity) of
                true when F =:= '/' -> "'/'";
                true -> atom_to_list(F);
                false ->
                    Name = erlet_io:write_flat(F, Encoding),
                    [erlet_io:write_flat(M, Encoding), $:, Name]
            end
    end.

is_operator(erlang, F, Arity) ->
    erl_internal:arith_op(F, Arity) orelse erl_internal:bool_op(F, Arity) orelse erl_internal:comp_op(F, Arity)
        orelse erl_internal:list_op(F, Arity) orelse erl_internal:send_op(F, Arity);
is_operator(_, _, _) -> false.

format_fun(F) -> format_fun(F, latin1).

format_fun(F, Encoding) ->
    {module, M} = erlang:fun_info(F, module),
    {name, Name} = erlang:fun_info(F, name),
    {arity, Arity} = erlang:fun_info(F, arity),
    mfa(M, Name, Arity, #style{encoding = Encoding}).

%%% What a native has to say about its arguments (`error_info` in the stack)

details(Reason, [{M, _, _, Info} | _] = Stack) ->
    case lists:keyfind(error_info, 1, Info) of
        {_, #{} = ErrorInfo} ->
            Module = maps:get(module, ErrorInfo, M),
            Function = maps:get(function, ErrorInfo, format_error),
            try Module:Function(Reason, Stack)
            catch error:_ -> #{}
            end;
        false -> #{}
    end;
details(_, []) -> #{}.

argument_details(I, Arity, Details, Style) when I =< Arity ->
    case Details of
        #{I := Text} ->
            Place = ["*** argument ", integer_to_list(I), ": "],
            [[Place | hanging(Text, iolist_size(Place), Style)] | argument_details(I + 1, Arity, Details, Style)];
        #{} -> argument_details(I + 1, Arity, Details, Style)
    end;
argument_details(_, _, #{general := Text}, Style) -> [["*** " | hanging(Text, 4, Style)]];
argument_details(_, _, _, _) -> [].

%% The text with its further lines below the first, which begins Behind columns behind where details do.
hanging(Text, Behind, #style{column = Column}) ->
    lists:join([$\n, spaces(Column + 4 + Behind)], string:split(unicode:characters_to_list(Text), "\n", all)).
