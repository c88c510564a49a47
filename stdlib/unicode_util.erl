%% One character, or one grapheme cluster, of text at a time. cp/1 and gc/1 are natives.
-module(unicode_util).

-export([cp/1, gc/1, uppercase/1, lowercase/1, titlecase/1, casefold/1, nfc/1, nfd/1, nfkc/1, nfkd/1, whitespace/0, is_whitespace/1,
         spec_version/0]).

cp(_) -> erlang:nif_error(undefined).

gc(_) -> erlang:nif_error(undefined).

uppercase(Text) -> cased(cp(Text), fun erlet_unicode:uppercase/1).

lowercase(Text) -> cased(cp(Text), fun erlet_unicode:lowercase/1).

titlecase(Text) -> cased(cp(Text), fun erlet_unicode:titlecase/1).

casefold(Text) -> cased(cp(Text), fun erlet_unicode:casefold/1).

%% The first character in the other case, which may be several, and the rest.
cased([C | Rest], Case) ->
    case Case([C]) of
        [One] -> [One | Rest];
        Several when is_list(Several) -> [Several | Rest];
        %% What is no character stays as it is.
        {error, _} -> [C | Rest]
    end;
cased([], _) -> [];
cased({error, Rest}, _) -> error({badarg, Rest}).

nfc(Text) -> normal(gc(Text), fun unicode:characters_to_nfc_list/1).

nfd(Text) -> normal(gc(Text), fun unicode:characters_to_nfd_list/1).

nfkc(Text) -> normal(gc(Text), fun unicode:characters_to_nfkc_list/1).

nfkd(Text) -> normal(gc(Text), fun unicode:characters_to_nfkd_list/1).

normal([G | Rest], Form) ->
    case Form([G]) of
        [One] -> [One | Rest];
        Several -> [Several | Rest]
    end;
normal([], _) -> [];
normal({error, _} = Error, _) -> Error.

whitespace() -> [[$\r, $\n], $\t, $\n, $\v, $\f, $\r, $\s, 16#85, 16#200e, 16#200f, 16#2028, 16#2029].

is_whitespace(C) -> lists:member(C, whitespace()).

spec_version() -> {16, 0}.
