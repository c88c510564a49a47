%% Byte order marks. The conversions are natives.
-module(unicode).

-export([bom_to_encoding/1, encoding_to_bom/1]).

bom_to_encoding(<<16#EF, 16#BB, 16#BF, _/binary>>) -> {utf8, 3};
bom_to_encoding(<<0, 0, 16#FE, 16#FF, _/binary>>) -> {{utf32, big}, 4};
bom_to_encoding(<<16#FF, 16#FE, 0, 0, _/binary>>) -> {{utf32, little}, 4};
bom_to_encoding(<<16#FE, 16#FF, _/binary>>) -> {{utf16, big}, 2};
bom_to_encoding(<<16#FF, 16#FE, _/binary>>) -> {{utf16, little}, 2};
bom_to_encoding(Bytes) when is_binary(Bytes) -> {latin1, 0}.

encoding_to_bom(unicode) -> <<16#EF, 16#BB, 16#BF>>;
encoding_to_bom(utf8) -> <<16#EF, 16#BB, 16#BF>>;
encoding_to_bom(utf16) -> <<16#FE, 16#FF>>;
encoding_to_bom({utf16, big}) -> <<16#FE, 16#FF>>;
encoding_to_bom({utf16, little}) -> <<16#FF, 16#FE>>;
encoding_to_bom(utf32) -> <<0, 0, 16#FE, 16#FF>>;
encoding_to_bom({utf32, big}) -> <<0, 0, 16#FE, 16#FF>>;
encoding_to_bom({utf32, little}) -> <<16#FF, 16#FE, 0, 0>>;
encoding_to_bom(latin1) -> <<>>.
