%% Terms out of a stream of characters, for `io:read` and the like.
-module(erlet_read).

-export([term/3]).

%% The function of a `get_until` request.
-spec term(term(), string() | eof, erl_anno:location()) -> {more, term()} | {done, term(), string() | eof}.
term(Continuation, Input, Start) ->
    case erl_scan:tokens(Continuation, Input, Start) of
        {done, {ok, Tokens, End}, Rest} ->
            case erl_parse:parse_term(Tokens) of
                {ok, Term} -> {done, {ok, Term, End}, Rest};
                {error, Info} -> {done, {error, Info, End}, Rest}
            end;
        Other -> Other
    end.
