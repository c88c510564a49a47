%% What generated modules call: the calls to be compared, and their results as text that does not depend on the run.
-module(support).
-export([run/1, t/2, id/1, san/1, frames/1, int/1, list/1, chars/1]).

%% A call may take this long.
-define(LIMIT, 10000).

%% Prints a line for each call of a generated module.
run(Module) ->
    io:put_chars([Module:main(), "\n"]).

%% One call, in a process of its own: its result or exception, the messages that are left, and the process dictionary.
t(Number, Fun) ->
    Self = self(),
    {Pid, Ref} = spawn_monitor(fun() -> Self ! {self(), text(Number, call(Fun))} end),
    receive
        {Pid, Text} -> demonitor(Ref, [flush]), Text;
        {'DOWN', Ref, process, Pid, Reason} -> text(Number, {died, san(Reason)})
    after ?LIMIT ->
        demonitor(Ref, [flush]),
        exit(Pid, kill),
        receive {Pid, _} -> ok after 0 -> ok end,
        text(Number, timeout)
    end.

call(Fun) ->
    Result = try {value, san(Fun())} catch Class:Reason:Stack -> {Class, san(Reason), frames(Stack)} end,
    {Result, [san(M) || M <- flush()], lists:sort([san(E) || E <- get()])}.

flush() -> receive Message -> [Message | flush()] after 0 -> [] end.

text(Number, Term) ->
    Text = io_lib:format("~w ~tw\n", [Number, Term]),
    case iolist_size_of(Text) of
        Length when Length > 4000 -> io_lib:format("~w long ~w ~w\n", [Number, Length, erlang:phash2(Term)]);
        _ -> unicode:characters_to_binary(Text)
    end.

iolist_size_of(Text) -> length(lists:flatten(Text)).

id(X) -> X.

int(X) when is_integer(X), abs(X) < 1000000 -> X;
%% (Stack traces, which may be in it, differ.)
int(X) -> erlang:phash2(san(X), 100).

list(L) when is_list(L), length(L) < 50 -> L;
list(X) -> [X].

%% Text for functions of `string`: what they make of improper lists, of what is no character, and of bytes that are no text is
%% nowhere said, nor which part of nested text stays nested.
chars(B) when is_binary(B) ->
    case unicode:characters_to_list(B) of
        L when is_list(L) -> B;
        _ -> <<"x">>
    end;
chars([H | T]) -> [char(H) | tail(T)];
chars(X) -> X.

char(C) when is_integer(C), C >= 0, C < 16#D800 -> C;
char(X) when is_binary(X) -> chars(X);
char(_) -> $x.

tail([H | T]) -> [char(H) | tail(T)];
tail(_) -> [].

%% Frames of generated modules, and what stands above them if it is of `erlang` itself.
frames([{erlang, F, [_, _], _} | Rest]) when F =:= '+'; F =:= '-'; F =:= '*'; F =:= '/' ->
    %% Whether these stand there depends on what the compiler knows about the operands.
    own(Rest);
frames([{erlang, F, [X, Y], Info} | Rest]) when F =:= 'band'; F =:= 'bor'; F =:= 'bxor'; F =:= 'and'; F =:= 'or'; F =:= 'xor' ->
    %% Compilers exchange the operands of these, and give no line where they know that they fail.
    [{erlang, F, lists:sort([san(X), san(Y)]), has_info(Info)} | without_line(own(Rest))];
frames([{erlang, F, _, _} | Rest]) when F =:= map_get; F =:= map_size; F =:= is_map_key ->
    %% Functions of `maps` that become these when OTP optimises.
    without_line(own(Rest));
frames([{maps, F, _, _} | Rest]) when F =:= get; F =:= size; F =:= is_key ->
    without_line(own(Rest));
frames([{erlang, element, A, Info} | Rest]) ->
    %% As below; and functions of `lists` call it from inside as many frames as they like, of which a trace shows eight.
    [{erlang, element, arity(A), has_info(Info)} | lists:sublist(without_line(own(Rest)), 1)];
frames([{erlang, F, A, Info} | Rest]) when F =:= hd; F =:= tl; F =:= tuple_size; F =:= 'not'; F =:= abs ->
    %% (`abs` as a fun has the line of what comes behind the call.) Of these OTP's compiler gives no line where it knows that they fail: the frame has that of whatever stands before.
    [{erlang, F, arity(A), has_info(Info)} | without_line(own(Rest))];
frames([{erlang, F, A, Info} | Rest]) -> [{erlang, F, arity(A), has_info(Info)} | own(Rest)];
frames(Stack) when is_list(Stack) -> own(Stack);
frames(Other) -> san(Other).

without_line([Frame | Rest]) -> [setelement(2, Frame, line) | Rest];
without_line([]) -> [].

own(Stack) -> once([frame(Frame) || {M, _, _, _} = Frame <- Stack, is_own(M)]).

%% A fun, a comprehension or an `after` is a function of its own or a part of the one it stands in, as compilers like it: it is shown
%% as that part.
frame({_, F, A, Info}) ->
    Line = proplists:get_value(line, Info),
    case plain(F) of
        {_, Of} -> {Of, Line};
        F when is_list(A) -> {list_to_atom(atom_to_list(F) ++ "/" ++ integer_to_list(length(A))), Line, san(A)};
        F -> {list_to_atom(atom_to_list(F) ++ "/" ++ integer_to_list(A)), Line}
    end.

%% Of frames of one function one after another the first. (OTP 25 shows a call of what is no fun twice.)
once([Frame, Next | Rest]) when element(1, Frame) =:= element(1, Next) -> once([Frame | Rest]);
once([Frame | Rest]) -> [Frame | once(Rest)];
once([]) -> [].

%% The name of a function behind a fun or comprehension without its numbers, and the function it stands in.
plain(F) ->
    case atom_to_list(F) of
        [$- | Name] ->
            [Of, What | _] = string:split(Name, "-", all),
            {list_to_atom(lists:takewhile(fun(C) -> C =/= $$ end, What)), list_to_atom(Of)};
        _ -> F
    end.

is_own(M) -> lists:prefix("gen_", atom_to_list(M)).

arity(A) when is_list(A) -> san(A);
arity(A) -> A.

has_info(Info) -> lists:keymember(error_info, 1, Info).

%% A term with what differs from run to run replaced.
san(F) when is_function(F) ->
    {module, M} = erlang:fun_info(F, module),
    {name, N} = erlang:fun_info(F, name),
    {arity, A} = erlang:fun_info(F, arity),
    case erlang:fun_info(F, type) of
        {type, local} -> case is_own(M) of true -> {'#fun', plain(N), A}; false -> {'#fun', A} end;
        {type, external} -> {'#fun', M, N, A}
    end;
san(P) when is_pid(P) -> '#pid';
san(P) when is_port(P) -> '#port';
san(R) when is_reference(R) -> '#ref';
san([{M, F, A, I} | _] = Stack) when is_atom(M), is_atom(F), is_list(I), (is_list(A) orelse is_integer(A)) ->
    case lists:all(fun({_, _, _, Info}) -> is_list(Info); (_) -> false end, Stack) of
        true -> {'#stack', frames(Stack)};
        false -> cells(Stack)
    end;
san([_ | _] = L) -> cells(L);
san(T) when is_tuple(T) -> list_to_tuple(cells(tuple_to_list(T)));
san(M) when is_map(M) -> {'#map', lists:sort([{san(K), san(V)} || {K, V} <- maps:to_list(M)])};
san(X) -> X.

cells([H | T]) -> [san(H) | cells(T)];
cells([]) -> [];
cells(T) -> san(T).
