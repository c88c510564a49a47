%% Parse transforms in a machine of their own: the entry of the command line.
-module(erlet_transform).

-export([answer/2, run/3]).

%% Exits with the answer: `f` and the new forms, `u` if there is no such transform, `e` and what went wrong.
-spec answer(module(), binary()) -> no_return().
answer(Module, Bytes) ->
    Forms = erlet_forms:from_bytes(Bytes),
    Answer =
        case run(Module, Forms, []) of
            {ok, New, _} -> [$f, erlet_forms:to_bytes(New)];
            undefined -> [$u];
            {refused, Errors, _} -> [$e, unicode:characters_to_binary(first(Errors))];
            {unloadable, Reason} -> [$e, io_lib:format("it cannot be loaded: ~ts", [Reason])];
            {raised, Class, Reason, Stack} ->
                [$e, unicode:characters_to_binary(erl_error:format_exception(Class, Reason, Stack, #{}))]
        end,
    exit({erlet_answer, iolist_to_binary(Answer)}).

%% The forms that a transform makes of forms, and its warnings; or what it calls errors, or raised.
-spec run(module(), [erl_parse:abstract_form()], [term()]) ->
          {ok, [erl_parse:abstract_form()], list()} | {refused, list(), list()} | undefined | {unloadable, atom()} |
          {raised, error | exit | throw, term(), list()}.
run(Module, Forms, Options) ->
    case code:ensure_loaded(Module) of
        {module, Module} ->
            case erlang:function_exported(Module, parse_transform, 2) of
                true -> transformed(Module, Forms, Options);
                false -> undefined
            end;
        {error, Reason} when Reason =:= nofile; Reason =:= embedded -> undefined;
        {error, Reason} -> {unloadable, Reason}
    end.

transformed(Module, Forms, Options) ->
    try Module:parse_transform(without_transforms(Forms), Options) of
        {error, Errors, Warnings} -> {refused, Errors, Warnings};
        {warning, New, Warnings} -> {ok, New, Warnings};
        New when is_list(New) -> {ok, New, []};
        Other -> {raised, error, {badmatch, Other}, []}
    catch
        Class:Reason:Stack -> {raised, Class, Reason, Stack}
    end.

%% That transforms are asked for is not told to them: what they compile on the way needs none.
without_transforms(Forms) -> [without_transform(Form) || Form <- Forms, not is_request(Form)].

is_request({attribute, _, compile, Option}) -> is_transform(Option);
is_request(_) -> false.

without_transform({attribute, Anno, compile, Options}) when is_list(Options) ->
    {attribute, Anno, compile, [Option || Option <- Options, not is_transform(Option)]};
without_transform(Form) -> Form.

is_transform({parse_transform, _}) -> true;
is_transform(_) -> false.

%% The first of what a transform calls errors.
first([{_, [{_, Module, Description} | _]} | _]) ->
    try Module:format_error(Description)
    catch _:_ -> io_lib:format("~0tp", [Description])
    end;
first(Errors) -> io_lib:format("~0tp", [Errors]).
