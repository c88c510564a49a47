%% Characters one at a time, for what the natives `unicode_util:cp/1` and `gc/1` leave: numbers that are no characters, which pass as they
%% are, bytes that are no text, and what is no text at all, which has no clause.
-module(erlet_cluster).

-erlet_part_of(unicode_util).

-export([cp/1, gc/1]).

%% The first character and the rest.
cp([C | _] = S) when is_integer(C) -> S;
cp([S]) -> cp(S);
cp([S | Rest]) -> cpl(S, Rest);
cp([]) -> [];
cp(<<C/utf8, Rest/binary>>) -> [C | Rest];
cp(<<>>) -> [];
cp(<<Bytes/binary>>) -> {error, Bytes}.

cpl([C], Rest) when is_integer(C) -> [C | Rest];
cpl([C | S], Rest) when is_integer(C) -> [C, S | Rest];
cpl([S], Rest) -> cpl(S, Rest);
cpl([S | T], Rest) -> cpl(S, [T | Rest]);
cpl([], Rest) -> cp(Rest);
cpl(<<C/utf8, S/binary>>, Rest) -> [C, S | Rest];
cpl(<<>>, Rest) -> cp(Rest);
cpl(<<Bytes/binary>>, Rest) -> {error, [Bytes | Rest]}.

%% What is no character is a cluster of its own. As in OTP, what follows is looked at, so it must be text or another number.
gc(S) ->
    case cp(S) of
        [_ | Rest] = Clusters ->
            _ = cp(Rest),
            Clusters;
        Other -> Other
    end.
