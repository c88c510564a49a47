%% Addresses as text, by the names that older programs call them by: `inet` has the functions.
-module(inet_parse).

-export([ntoa/1, address/1, strict_address/1, ipv4_address/1, ipv4strict_address/1, ipv6_address/1, ipv6strict_address/1]).

-type parsed(Address) :: {ok, Address} | {error, einval}.

-spec ntoa(inet:ip_address()) -> string() | {error, einval}.
ntoa(Address) -> inet:ntoa(Address).

-spec address(string()) -> parsed(inet:ip_address()).
address(Text) -> inet:parse_address(Text).

-spec strict_address(string()) -> parsed(inet:ip_address()).
strict_address(Text) -> inet:parse_strict_address(Text).

-spec ipv4_address(string()) -> parsed(inet:ip4_address()).
ipv4_address(Text) -> inet:parse_ipv4_address(Text).

-spec ipv4strict_address(string()) -> parsed(inet:ip4_address()).
ipv4strict_address(Text) -> inet:parse_ipv4strict_address(Text).

-spec ipv6_address(string()) -> parsed(inet:ip6_address()).
ipv6_address(Text) -> inet:parse_ipv6_address(Text).

-spec ipv6strict_address(string()) -> parsed(inet:ip6_address()).
ipv6strict_address(Text) -> inet:parse_ipv6strict_address(Text).
