%% Addresses of the Internet as text and as tuples. Sockets are not here.
-module(inet).

-export([ntoa/1, parse_address/1, parse_strict_address/1, parse_ipv4_address/1, parse_ipv4strict_address/1, parse_ipv6_address/1,
         parse_ipv6strict_address/1, is_ip_address/1, is_ipv4_address/1, is_ipv6_address/1, ipv4_mapped_ipv6_address/1, gethostname/0]).

-export_type([ip_address/0, ip4_address/0, ip6_address/0, port_number/0]).

-type ip4_address() :: {0..255, 0..255, 0..255, 0..255}.
-type ip6_address() :: {0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535, 0..65535}.
-type ip_address() :: ip4_address() | ip6_address().
-type port_number() :: 0..65535.

is_ip_address(Address) -> is_ipv4_address(Address) orelse is_ipv6_address(Address).

is_ipv4_address(Address) -> is_tuple(Address) andalso tuple_size(Address) =:= 4 andalso within(Address, 255).

is_ipv6_address(Address) -> is_tuple(Address) andalso tuple_size(Address) =:= 8 andalso within(Address, 65535).

within(Address, Most) -> lists:all(fun(N) -> is_integer(N) andalso N >= 0 andalso N =< Most end, tuple_to_list(Address)).

ipv4_mapped_ipv6_address({A, B, C, D}) -> {0, 0, 0, 0, 0, 16#ffff, A * 256 + B, C * 256 + D};
ipv4_mapped_ipv6_address({_, _, _, _, _, _, E, F}) -> {E bsr 8, E band 255, F bsr 8, F band 255}.

gethostname() ->
    {ok, string:trim(os:cmd("hostname"))}.

%%% As text

ntoa(Address) ->
    case {is_ipv4_address(Address), is_ipv6_address(Address)} of
        {true, _} -> lists:append(lists:join(".", [integer_to_list(N) || N <- tuple_to_list(Address)]));
        {_, true} -> six(Address);
        _ -> {error, einval}
    end.

%% The last four bytes of addresses that stand for old ones are written in the old way.
six({0, 0, 0, 0, 0, 0, A, B}) when A =/= 0 -> "::" ++ old(A, B);
six({0, 0, 0, 0, 0, 16#ffff, A, B}) -> "::ffff:" ++ old(A, B);
six(Address) ->
    Groups = tuple_to_list(Address),
    case longest(Groups, 0, {0, 0}) of
        {_, Length} when Length < 2 -> hexed(Groups);
        {At, Length} -> hexed(lists:sublist(Groups, At)) ++ "::" ++ hexed(lists:nthtail(At + Length, Groups))
    end.

old(A, B) -> ntoa({A bsr 8, A band 255, B bsr 8, B band 255}).

hexed(Groups) -> lists:append(lists:join(":", [string:lowercase(integer_to_list(N, 16)) || N <- Groups])).

%% The first of the longest runs of zeros: where it begins, and how long it is.
longest([], _, Found) -> Found;
longest([0 | _] = Groups, At, {_, Most} = Found) ->
    {Zeros, Rest} = lists:splitwith(fun(N) -> N =:= 0 end, Groups),
    Length = length(Zeros),
    longest(Rest, At + Length, case Length > Most of
        true -> {At, Length};
        false -> Found
    end);
longest([_ | Rest], At, Found) -> longest(Rest, At + 1, Found).

%%% From text

parse_address(Text) -> either(parse_ipv4_address(Text), Text).

parse_strict_address(Text) -> either(parse_ipv4strict_address(Text), Text).

either({ok, _} = Ok, _) -> Ok;
either(_, Text) -> parse_ipv6strict_address(Text).

%% One to four numbers, the last of which fills the bytes that are left.
parse_ipv4_address(Text) ->
    read(fun() ->
             Numbers = [number(Part) || Part <- parts(Text, ".")],
             {First, [Last]} = lists:split(length(Numbers) - 1, Numbers),
             Left = 4 - length(First),
             true = Left > 0 andalso Last < 1 bsl (8 * Left) andalso lists:all(fun(N) -> N < 256 end, First),
             list_to_tuple(First ++ binary_to_list(<<Last:Left/unit:8>>))
         end).

parse_ipv4strict_address(Text) ->
    read(fun() ->
             [_, _, _, _] = Numbers = [plain_number(Part) || Part <- parts(Text, ".")],
             true = lists:all(fun(N) -> N < 256 end, Numbers),
             list_to_tuple(Numbers)
         end).

read(Fun) ->
    try {ok, Fun()}
    catch error:_ -> {error, einval}
    end.

parts(Text, Between) when is_list(Text) -> string:split(Text, Between, all).

%% Decimal, hexadecimal after 0x, octal after 0.
number("0x" ++ Digits) -> natural(Digits, 16);
number("0X" ++ Digits) -> natural(Digits, 16);
number([$0 | [_ | _] = Digits]) -> natural(Digits, 8);
number(Digits) -> natural(Digits, 10).

%% Decimal, without zeros before it.
plain_number("0") -> 0;
plain_number([C | _] = Digits) when C =/= $0 -> natural(Digits, 10).

natural([C | _] = Digits, Base) when C =/= $-, C =/= $+ -> list_to_integer(Digits, Base).

%% Where an address of the old kind is meant too, it is given as one that stands for it.
parse_ipv6_address(Text) ->
    case parse_ipv6strict_address(Text) of
        {ok, _} = Ok -> Ok;
        _ ->
            case parse_ipv4_address(Text) of
                {ok, Address} -> {ok, ipv4_mapped_ipv6_address(Address)};
                Error -> Error
            end
    end.

parse_ipv6strict_address(Text) -> read(fun() -> from_groups(without_scope(Text)) end).

%% A scope after the address says on which link it is meant.
without_scope(Text) -> hd(string:split(Text, "%")).

from_groups(Text) ->
    Groups = case string:split(Text, "::") of
        [All] -> groups(All);
        [Before, After] ->
            nomatch = string:find(After, "::"),
            {Left, Right} = {groups(Before), groups(After)},
            Missing = 8 - length(Left) - length(Right),
            true = Missing > 0,
            Left ++ lists:duplicate(Missing, 0) ++ Right
    end,
    8 = length(Groups),
    list_to_tuple(Groups).

groups("") -> [];
groups(Text) ->
    {First, [Last]} = lists:split(length(parts(Text, ":")) - 1, parts(Text, ":")),
    [group(Part) || Part <- First] ++ last_groups(Last).

last_groups(Last) ->
    case lists:member($., Last) of
        true ->
            {ok, {A, B, C, D}} = parse_ipv4strict_address(Last),
            [A * 256 + B, C * 256 + D];
        false -> [group(Last)]
    end.

group([_ | _] = Digits) when length(Digits) =< 4 -> natural(Digits, 16).
