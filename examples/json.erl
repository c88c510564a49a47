%% Prints Erlang terms as JSON: pattern matching on every kind of term, iolists instead of string building.
%%
%%     erlet run examples/json.erl
%%
%% Maps become objects, lists arrays, binaries and atoms strings, except true, false and null.
-module(json).
-export([main/1, encode/1]).

main(_) ->
    Term = #{name => <<"erlet">>,
             version => [0, 1],
             small => true,
             parent => null,
             tags => [erlang, <<"virtual machine">>, <<"a \"quoted\" word\n">>],
             numbers => #{pi => 3.14, big => 123456789012345678901234567890, negative => -1}},
    io:format("~ts~n", [encode(Term)]),
    io:format("~ts~n", [pretty(Term, 0)]),
    try encode({a, tuple})
    catch
        error:{not_json, Bad} -> io:format("~p is not JSON~n", [Bad])
    end.

%% An iolist: nested lists of text, flattened only when it is written.
encode(true) -> "true";
encode(false) -> "false";
encode(null) -> "null";
encode(Number) when is_integer(Number) -> integer_to_list(Number);
encode(Number) when is_float(Number) -> float_to_list(Number, [short]);
encode(Atom) when is_atom(Atom) -> string(atom_to_binary(Atom, utf8));
encode(Text) when is_binary(Text) -> string(Text);
encode(List) when is_list(List) -> [$[, lists:join($,, [encode(X) || X <- List]), $]];
encode(Map) when is_map(Map) -> [${, lists:join($,, [[key(K), $:, encode(V)] || {K, V} <- sorted(Map)]), $}];
encode(Other) -> error({not_json, Other}).

%% The same over several lines.
pretty([_ | _] = List, Depth) ->
    ["[\n", lists:join(",\n", [[indent(Depth + 1), pretty(X, Depth + 1)] || X <- List]), $\n, indent(Depth), $]];
pretty(Map, Depth) when map_size(Map) > 0 ->
    ["{\n", lists:join(",\n", [[indent(Depth + 1), key(K), ": ", pretty(V, Depth + 1)] || {K, V} <- sorted(Map)]),
     $\n, indent(Depth), $}];
pretty(Other, _) ->
    encode(Other).

indent(Depth) -> lists:duplicate(2 * Depth, $\s).

sorted(Map) -> lists:sort(maps:to_list(Map)).

key(Key) when is_atom(Key); is_binary(Key) -> encode(Key).

string(Text) -> [$", [escape(C) || C <- unicode:characters_to_list(Text)], $"].

escape($") -> "\\\"";
escape($\\) -> "\\\\";
escape($\n) -> "\\n";
escape($\t) -> "\\t";
escape(C) when C < 32 -> io_lib:format("\\u~4.16.0b", [C]);
escape(C) -> C.
