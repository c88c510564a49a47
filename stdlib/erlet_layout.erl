%% How the reports of behaviours become text.
%%
%% A behaviour lays a report out as parts: text, which goes into the format as it stands, and terms. How a term is written, on how
%% many lines and how deep, is what the options of a logger's handler say. The older handlers, those of error_logger, get a format and
%% its arguments, where what a program has put into the report is cut to the depth of the application kernel's `error_logger_format_depth`.
-module(erlet_layout).

-export([text/2, text/3, format/1, is_single/1, explained/1, client_info/1, client/2]).

%% `{show, Term}`: written as the options say. `{cut, Term}`: that, and for older handlers cut down before. `{plain, Term}`: by ~p.
%% `{line, Term}`: by ~0p; `{word, Term}`: by ~w; `{words, Text}`: by ~s.
%% `{cut_each, List}`: as the options say, and for older handlers each element is cut down before.
-type part() :: string() | {show | cut | cut_each | plain | line | word | words, term()}.

%% For handlers of the logger.
-spec text([part()], map()) -> io_lib:chars().
text(Parts, Options) -> text(Parts, [], Options).

%% Single is what stands for a report on a single line, if there is such a form.
-spec text([part()], [part()], map()) -> io_lib:chars().
text(Parts, Single, Options) ->
    Chosen =
        case is_single(Options) andalso Single =/= [] of
            true -> Single;
            false -> Parts
        end,
    {Format, Args} = made(Chosen, Options),
    case Options of
        #{chars_limit := Limit} when is_integer(Limit) -> io_lib:format(Format, Args, [{chars_limit, Limit}]);
        _ -> io_lib:format(Format, Args)
    end.

-spec is_single(map()) -> boolean().
is_single(Options) -> maps:get(single_line, Options, false).

%% For handlers of error_logger.
-spec format([part()]) -> {string(), [term()]}.
format(Parts) ->
    case error_logger:get_format_depth() of
        unlimited -> made(Parts, #{});
        Depth ->
            made([case Part of
                      {cut, Term} -> {cut, io_lib:limit_term(Term, Depth)};
                      {cut_each, Terms} -> {cut, [io_lib:limit_term(Term, Depth) || Term <- Terms]};
                      _ -> Part
                  end || Part <- Parts], #{depth => Depth})
    end.

made(Parts, Options) ->
    Zero = case is_single(Options) of true -> "0"; false -> "" end,
    Unicode = case Options of #{encoding := latin1} -> ""; _ -> "t" end,
    Depth = maps:get(depth, Options, unlimited),
    Letter = case Depth of unlimited -> "p"; _ -> "P" end,
    Control = lists:append(["~", Zero, Unicode, Letter]),
    Made = [case Part of
                {plain, Term} -> {"~p", [Term]};
                {line, Term} -> {"~0p", [Term]};
                {word, Term} -> {"~w", [Term]};
                {words, Words} -> {"~s", [Words]};
                {_, Term} when Depth =:= unlimited -> {Control, [Term]};
                {_, Term} -> {Control, [Term, Depth]};
                Text -> {Text, []}
            end || Part <- Parts],
    {lists:append([Format || {Format, _} <- Made]), lists:append([Args || {_, Args} <- Made])}.

%% A call of a function that is not there, told in words.
-spec explained(term()) -> term().
explained({undef, [{Module, Function, Args, _} | _] = Stack} = Reason) when is_list(Args) ->
    case {code:is_loaded(Module), erlang:function_exported(Module, Function, length(Args))} of
        {false, _} -> {'module could not be loaded', Stack};
        {_, false} -> {'function not exported', Stack};
        _ -> Reason
    end;
explained(Reason) -> Reason.

%% What a report says of the client whose request was under way.
client_info(undefined) -> undefined;
client_info(Pid) when node(Pid) =/= node() -> {Pid, remote};
client_info(Pid) ->
    case process_info(Pid, [current_stacktrace, registered_name]) of
        undefined -> {Pid, dead};
        [{_, Stack}, {_, []}] -> {Pid, {Pid, Stack}};
        [{_, Stack}, {_, Name}] -> {Pid, {Name, Stack}}
    end.

%% Who called last: `undefined`, or a pid with what is known of the process.
-spec client(term(), boolean()) -> [part()].
client(undefined, _) -> [];
client({Pid, dead}, true) -> [" Client ", {line, Pid}, " is dead."];
client({Pid, remote}, true) -> [" Client ", {line, Pid}, " is remote on node ", {line, node(Pid)}, "."];
client({_, {Name, Stack}}, true) -> [" Client ", {show, Name}, " stacktrace: ", {show, lists:sublist(Stack, 4)}, "."];
client({Pid, dead}, false) -> ["** Client ", {plain, Pid}, " is dead~n"];
client({Pid, remote}, false) -> ["** Client ", {plain, Pid}, " is remote on node ", {plain, node(Pid)}, "~n"];
client({_, {Name, Stack}}, false) -> ["** Client ", {show, Name}, " stacktrace~n** ", {cut, Stack}, "~n"].
