%% Parse transforms in a machine of their own: the entry of the command line.
-module(erlet_transform).

-export([answer/2, run/3]).

%% Exits with the answer: `f` and the new forms, `u` if there is no such transform, `e` and what went wrong.
-spec answer(module(), binary()) -> no_return().
answer(Module, Bytes) ->
    Forms = erlet_forms:from_bytes(Bytes),
    Answer =
        case run(Module, Forms, []) of
            {ok, New} -> [$f, erlet_forms:to_bytes(New)];
            undefined -> [$u];
            {failed, Text} -> [$e, unicode:characters_to_binary(Text)]
        end,
    exit({erlet_answer, iolist_to_binary(Answer)}).

%% The forms that a transform makes of forms.
-spec run(module(), [erl_parse:abstract_form()], [term()]) ->
          {ok, [erl_parse:abstract_form()]} | undefined | {failed, io_lib:chars()}.
run(Module, Forms, Options) ->
    case code:ensure_loaded(Module) =/= {module, Module} orelse not erlang:function_exported(Module, parse_transform, 2) of
        true -> undefined;
        false ->
            try Module:parse_transform(Forms, Options) of
                {error, Errors, _} -> {failed, first(Errors)};
                {warning, New, _} -> {ok, New};
                New when is_list(New) -> {ok, New};
                Other -> {failed, io_lib:format("it gave ~0tp", [Other])}
            catch
                Class:Reason:Stack ->
                    {failed, erl_error:format_exception(Class, Reason, Stack, #{})}
            end
    end.

%% The first of what a transform calls errors.
first([{_, [{_, Module, Description} | _]} | _]) ->
    try Module:format_error(Description)
    catch _:_ -> io_lib:format("~0tp", [Description])
    end;
first(Errors) -> io_lib:format("~0tp", [Errors]).
