//! Library functions by the types of their arguments.

use super::expr::{Gen, Ty};
use super::{Kind, Node};
use Ty::{Any, Atom, Bin, Bits, Bool, Float, Fun, Int, Ints, List, Map, Record, Str, Tuple};

/// A call with places for its arguments, their types, and the type of the result.
type Row = (&'static str, &'static [Ty], Ty);

const ROWS: &[Row] = &[
    ("abs(@)", &[Int], Int),
    ("length(@)", &[List], Int),
    ("length(@)", &[Str], Int),
    ("tuple_size(@)", &[Tuple], Int),
    ("byte_size(@)", &[Bin], Int),
    ("bit_size(@)", &[Bits], Int),
    ("map_size(@)", &[Map], Int),
    ("size(@)", &[Tuple], Int),
    ("round(@)", &[Float], Int),
    ("trunc(@)", &[Float], Int),
    ("floor(@)", &[Float], Int),
    ("ceil(@)", &[Float], Int),
    ("hd(@)", &[Ints], Int),
    ("max(@, @)", &[Int, Int], Int),
    ("min(@, @)", &[Int, Float], Any),
    ("max(@, support:san(@))", &[Any, Any], Any),
    ("binary_to_integer(@)", &[Bin], Int),
    ("list_to_integer(@)", &[Str], Int),
    ("list_to_integer(integer_to_list(@, 16), 16)", &[Int], Int),
    ("binary_to_integer(integer_to_binary(@, 36), 36)", &[Int], Int),
    ("lists:sum(@)", &[Ints], Int),
    ("lists:max(@)", &[Ints], Int),
    ("lists:foldl(fun(X, A) -> X * 3 + A end, @, @)", &[Int, Ints], Int),
    ("lists:foldr(fun(X, A) -> X - A end, @, @)", &[Int, Ints], Int),
    ("erlang:phash2(support:san(@))", &[Any], Int),
    ("erlang:phash2(support:san(@), 1000)", &[Any], Int),
    ("erlang:crc32(@)", &[Bin], Int),
    ("erlang:adler32(@)", &[Bin], Int),
    ("binary:at(@, @)", &[Bin, Int], Int),
    ("binary:first(@)", &[Bin], Int),
    ("binary:last(@)", &[Bin], Int),
    ("binary:decode_unsigned(@)", &[Bin], Int),
    ("binary:decode_unsigned(@, little)", &[Bin], Int),
    ("maps:size(@)", &[Map], Int),
    ("maps:get(a, support:id(@), @)", &[Map, Any], Any),
    ("lists:foldl(fun({_, V}, A) -> {V, A} end, @, lists:sort(maps:to_list(@)))", &[Any, Map], Any),
    ("iolist_size(@)", &[Str], Int),
    ("string:length(support:chars(@))", &[Str], Int),
    ("float(@)", &[Int], Float),
    ("math:sqrt(@)", &[Float], Float),
    ("math:pow(@, @)", &[Float, Int], Float),
    ("math:floor(@)", &[Float], Float),
    ("math:sin(0 * @)", &[Int], Float),
    ("math:fmod(@, @)", &[Float, Float], Float),
    ("binary_to_float(float_to_binary(@))", &[Float], Float),
    ("list_to_float(@)", &[Str], Float),
    ("list_to_float(float_to_list(@, [short]))", &[Float], Float),
    ("list_to_atom(@)", &[Str], Atom),
    ("binary_to_atom(@)", &[Bin], Atom),
    ("element(@, @)", &[Int, Tuple], Any),
    ("element(1, @)", &[Tuple], Any),
    ("hd(@)", &[List], Any),
    ("lists:last(@)", &[List], Any),
    ("lists:nth(@, @)", &[Int, List], Any),
    ("map_get(@, @)", &[Atom, Map], Any),
    ("maps:get(a, support:id(@))", &[Map], Any),
    ("lists:keyfind(@, 1, @)", &[Atom, List], Any),
    ("binary_to_term(term_to_binary(@))", &[Any], Any),
    ("apply(@, [@])", &[Fun, Any], Any),
    ("(@)#r.a", &[Record], Any),
    ("(@)#r.c", &[Record], Any),
    ("is_record(@, r)", &[Record], Bool),
    ("is_record(@, r, 4)", &[Record], Bool),
    ("is_function(@, 1)", &[Fun], Bool),
    ("is_function(@)", &[Fun], Bool),
    ("is_list(@)", &[Any], Bool),
    ("is_integer(@)", &[Any], Bool),
    ("is_number(@)", &[Any], Bool),
    ("is_boolean(@)", &[Any], Bool),
    ("is_binary(@)", &[Bits], Bool),
    ("is_bitstring(@)", &[Bits], Bool),
    ("is_map_key(a, @)", &[Map], Bool),
    ("lists:member(@, @)", &[Any, List], Bool),
    ("lists:all(@, @)", &[Fun, List], Bool),
    ("lists:prefix(@, @)", &[Str, Str], Bool),
    ("maps:is_key(@, @)", &[Any, Map], Bool),
    ("string:equal(support:chars(@), support:chars(@))", &[Str, Str], Bool),
    ("lists:reverse(@)", &[List], List),
    ("lists:reverse(@, @)", &[List, List], List),
    ("lists:sort(@)", &[List], List),
    ("lists:sort([X - 36893488147419103232 || X <- support:list(@)])", &[Ints], Ints),
    ("lists:usort([X bsl 70 || X <- support:list(@)])", &[Ints], Ints),
    ("lists:min([-18446744073709551617, @ | support:list(@)])", &[Int, Ints], Int),
    ("lists:usort(@)", &[List], List),
    ("lists:sort(fun(A, B) -> A >= B end, @)", &[List], List),
    ("lists:keysort(1, @)", &[List], List),
    ("lists:map(@, @)", &[Fun, List], List),
    ("lists:filter(@, @)", &[Fun, List], List),
    ("lists:foldl(fun(X, A) -> [X | A] end, [], @)", &[List], List),
    ("lists:zip(@, @)", &[List, List], List),
    ("lists:flatten(@)", &[List], List),
    ("lists:append(@, @)", &[List, List], List),
    ("lists:delete(@, @)", &[Any, List], List),
    ("lists:sublist(@, @)", &[List, Int], List),
    ("lists:nthtail(@, @)", &[Int, List], List),
    ("lists:split(@, @)", &[Int, List], Tuple),
    ("lists:partition(@, @)", &[Fun, List], Tuple),
    ("lists:splitwith(@, @)", &[Fun, List], Tuple),
    ("lists:mapfoldl(fun(X, A) -> {{X, A}, [X | A]} end, [], @)", &[List], Tuple),
    ("lists:duplicate(support:int(@) band 7, @)", &[Int, Any], List),
    ("lists:seq(support:int(@) band 15, support:int(@) band 31)", &[Int, Int], Ints),
    ("lists:enumerate(@)", &[List], List),
    ("lists:merge(@, @)", &[List, List], List),
    ("lists:keydelete(@, 1, @)", &[Atom, List], List),
    ("lists:keystore(@, 1, @, {x, @})", &[Atom, List, Any], List),
    ("tl(@)", &[List], List),
    ("tuple_to_list(@)", &[Tuple], List),
    ("lists:sort(maps:keys(@))", &[Map], List),
    ("lists:sort(maps:to_list(@))", &[Map], List),
    ("lists:sort(@)", &[Ints], Ints),
    ("lists:usort(@)", &[Ints], Ints),
    ("lists:droplast(@)", &[Ints], Ints),
    ("binary_to_list(@)", &[Bin], Ints),
    ("bitstring_to_list(@)", &[Bits], List),
    ("integer_to_list(@)", &[Int], Str),
    ("integer_to_list(@, 2)", &[Int], Str),
    ("atom_to_list(@)", &[Atom], Str),
    ("float_to_list(@)", &[Float], Str),
    ("float_to_list(@, [{decimals, 4}])", &[Float], Str),
    ("float_to_list(@, [{decimals, 3}, compact])", &[Float], Str),
    ("float_to_list(@, [{scientific, 6}])", &[Float], Str),
    ("lists:flatten(io_lib:format(\"~p\", [support:san(@)]))", &[Float], Str),
    // (Funs show their numbers, which compilers give as they like.)
    ("lists:flatten(io_lib:format(\"~w ~p\", [support:san(@), support:san(@)]))", &[Tuple, List], Str),
    ("lists:flatten(io_lib:format(\"~8.3f|~g|~e\", [@, @, @]))", &[Float, Float, Float], Str),
    (
        "lists:flatten(io_lib:format(\"~5w|~-5w|~.3w|~b|~.16B|~s\", [support:san(@), support:san(@), support:san(@), @, @, @]))",
        &[Atom, Atom, List, Int, Int, Str],
        Str,
    ),
    ("lists:flatten(io_lib:format(@, [support:san(@)]))", &[Str, Any], Str),
    ("lists:flatten(io_lib:format(\"~ts~tp\", [@, support:san(@)]))", &[Str, Str], Str),
    ("lists:concat([@, @, @])", &[Atom, Int, Str], Str),
    ("string:uppercase(support:chars(@))", &[Str], Str),
    ("string:trim(support:chars(@))", &[Str], Str),
    ("string:pad(support:chars(@), 9)", &[Str], List),
    ("string:slice(support:chars(@), 1, 3)", &[Str], Str),
    ("string:lexemes(support:chars(@), \" ,\")", &[Str], List),
    ("string:split(support:chars(@), \" \")", &[Str], List),
    ("string:replace(support:chars(@), \"o\", support:chars(@))", &[Str, Str], List),
    ("string:find(support:chars(@), \"l\")", &[Str], Any),
    ("string:to_integer(support:chars(@))", &[Str], Tuple),
    ("string:to_float(support:chars(@))", &[Str], Tuple),
    ("string:to_graphemes(support:chars(@))", &[Str], List),
    ("string:join([support:chars(@), support:chars(@)], \"-\")", &[Str, Str], Str),
    ("string:reverse(support:chars(@))", &[Str], Str),
    ("string:titlecase(support:chars(@))", &[Str], Str),
    ("unicode:characters_to_list(@)", &[Bin], Str),
    ("unicode:characters_to_binary(@)", &[Str], Bin),
    ("unicode:characters_to_binary(@, unicode, utf16)", &[Str], Bin),
    ("unicode:characters_to_list(@, utf8)", &[Bin], Any),
    ("list_to_binary(@)", &[Str], Bin),
    ("list_to_binary([@, @])", &[Bin, Str], Bin),
    ("iolist_to_binary([@, [@ | @]])", &[Bin, Str, Bin], Bin),
    ("list_to_bitstring([@, @])", &[Bits, Bits], Bits),
    ("integer_to_binary(@)", &[Int], Bin),
    ("float_to_binary(@, [short])", &[Float], Bin),
    ("atom_to_binary(@)", &[Atom], Bin),
    // (The bytes of atoms are others in OTP 25.)
    ("term_to_binary(float(@))", &[Float], Bin),
    ("erlang:md5(@)", &[Bin], Bin),
    ("binary:copy(@, support:int(@) band 3)", &[Bin, Int], Bin),
    ("binary:part(@, @, @)", &[Bin, Int, Int], Bin),
    ("binary_part(@, 0, @)", &[Bin, Int], Bin),
    ("binary:replace(@, <<\"l\">>, <<(@)/binary>>, [global])", &[Bin, Bin], Bin),
    // (Not called last: it is in Erlang here and a native in OTP, which leaves its caller in the stack trace.)
    ("support:id(binary:split(@, <<\" \">>, [global]))", &[Bin], List),
    ("binary:matches(@, [<<\"l\">>, <<1>>])", &[Bin], List),
    ("binary:match(@, @)", &[Bin, Bin], Any),
    ("binary:encode_unsigned(abs(support:int(@)))", &[Int], Bin),
    ("binary:longest_common_prefix([@, @])", &[Bin, Bin], Int),
    ("binary:bin_to_list(@, 1, @)", &[Bin, Int], Ints),
    ("string:uppercase(support:chars(@))", &[Bin], Bin),
    ("base64:encode(iolist_to_binary(@))", &[Bin], Bin),
    ("split_binary(@, @)", &[Bin, Int], Tuple),
    ("list_to_tuple(@)", &[List], Tuple),
    ("setelement(@, @, @)", &[Int, Tuple, Any], Tuple),
    ("setelement(2, @, @)", &[Tuple, Any], Tuple),
    ("erlang:append_element(@, @)", &[Tuple, Any], Tuple),
    ("erlang:delete_element(@, @)", &[Int, Tuple], Tuple),
    ("erlang:insert_element(@, @, @)", &[Int, Tuple, Any], Tuple),
    ("erlang:make_tuple(support:int(@) band 7, @)", &[Int, Any], Tuple),
    ("maps:find(@, @)", &[Atom, Map], Any),
    ("maps:take(@, @)", &[Atom, Map], Any),
    ("maps:put(@, @, @)", &[Any, Any, Map], Map),
    ("maps:remove(@, @)", &[Any, Map], Map),
    ("maps:merge(@, @)", &[Map, Map], Map),
    ("maps:map(fun(K, V) -> {K, V} end, @)", &[Map], Map),
    ("maps:filter(fun(_, V) -> is_integer(V) end, @)", &[Map], Map),
    ("maps:from_list([{@, @} | @])", &[Any, Any, List], Map),
    ("maps:update(@, @, @)", &[Atom, Any, Map], Map),
    ("maps:update_with(@, @, @)", &[Atom, Fun, Map], Map),
    ("maps:update_with(@, @, @, @)", &[Atom, Fun, Any, Map], Map),
    ("maps:with([a, 1 | @], @)", &[List, Map], Map),
    ("maps:without([a], @)", &[Map], Map),
    ("maps:from_list([{I, I * I} || I <- lists:seq(1, 40)])", &[], Map),
    ("maps:groups_from_list(fun erlang:is_atom/1, @)", &[List], Map),
    ("fun erlang:element/2", &[], Any),
    ("erlang:fun_info(@, arity)", &[Fun], Tuple),
    ("proplists:get_value(@, @)", &[Atom, List], Any),
    ("ordsets:union(ordsets:from_list(@), ordsets:from_list(@))", &[List, Ints], List),
    ("sets:to_list(sets:from_list(@, [{version, 2}]))", &[Ints], Ints),
    ("queue:to_list(queue:in(@, queue:from_list(@)))", &[Any, List], List),
    ("gb_trees:to_list(gb_trees:enter(@, @, gb_trees:empty()))", &[Any, Any], List),
    ("array:to_list(array:from_list(@))", &[List], List),
    ("(@ + @)", &[Any, Any], Any),
    ("(@ =:= @)", &[Any, Any], Bool),
    ("(@ < @)", &[Any, Any], Bool),
    ("not (@)", &[Any], Bool),
    ("erlang:error(@)", &[Any], Any),
    ("exit(@)", &[Any], Any),
    ("throw(@)", &[Any], Any),
    // (Without arguments: OTP puts funs that are called at once into the function around them, and shows those as that one's.)
    ("erlang:error(@, none)", &[Any], Any),
    ("error(@, none, [{error_info, #{cause => x}}])", &[Any], Any),
];

impl Gen<'_> {
    /// A call that gives the type, or anything.
    pub fn bif(&mut self, ty: Ty, depth: usize) -> Node {
        let of: Vec<&Row> =
            ROWS.iter().filter(|row| row.2 == ty || (row.2 == Any && self.random.chance(10))).collect();
        if of.is_empty() {
            return self.control(ty, depth);
        }
        let (template, types, _) = of[self.random.below(of.len())];
        if template.starts_with("(fun") || template.contains("fun(") || template.contains("||") {
            // Names of its own for the variables of each use.
            let number = self.fresh();
            let renamed = rename(template, &number);
            let args = self.arguments(types, depth);
            return Node::of(Kind::Expr, &renamed, args);
        }
        let args = self.arguments(types, depth);
        Node::of(Kind::Expr, template, args)
    }

    fn arguments(&mut self, types: &[Ty], depth: usize) -> Vec<Node> {
        let wrong = if self.random.chance(6) { self.random.below(types.len().max(1)) } else { usize::MAX };
        (0..types.len())
            .map(|at| if at == wrong { self.expr(Any, depth) } else { self.expr(types[at], depth) })
            .collect()
    }
}

/// `X`, `A`, ... of a template with a number of their own.
fn rename(template: &str, number: &str) -> String {
    let bytes = template.as_bytes();
    let mut out = String::new();
    for (at, c) in template.char_indices() {
        out.push(c);
        let alone = |n: Option<&u8>| n.is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'~');
        let before = if at == 0 { None } else { bytes.get(at - 1) };
        if c.is_ascii_uppercase() && alone(before) && alone(bytes.get(at + 1)) {
            out.push_str(number);
        }
    }
    out
}
