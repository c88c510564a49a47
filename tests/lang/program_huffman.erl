%% Huffman coding of a sentence.
-module(program_huffman).
-export([main/0]).

main() ->
    Text = "so much words wow many compression",
    Tree = tree(lists:keysort(1, [{N, C} || {C, N} <- freq(Text)])),
    Codes = codes(Tree, ""),
    Coded = lists:append([proplists:get_value(C, Codes) || C <- Text]),
    show(length(Coded)),
    show(decode(Coded, Tree, Tree) =:= Text).

freq(Text) -> maps:to_list(lists:foldl(fun(C, M) -> M#{C => maps:get(C, M, 0) + 1} end, #{}, Text)).

tree([{_, T}]) -> T;
tree([{N1, T1}, {N2, T2} | Rest]) -> tree(lists:keymerge(1, [{N1 + N2, {T1, T2}}], Rest)).

codes({L, R}, Prefix) -> codes(L, Prefix ++ "0") ++ codes(R, Prefix ++ "1");
codes(C, Prefix) -> [{C, Prefix}].

decode([], C, _) -> [C];
decode(Bits, C, Tree) when is_integer(C) -> [C | decode(Bits, Tree, Tree)];
decode([$0 | Bits], {L, _}, Tree) -> decode(Bits, L, Tree);
decode([$1 | Bits], {_, R}, Tree) -> decode(Bits, R, Tree).

show(X) -> io:format("~p~n", [X]).

%% expect: 127
%% expect: true
