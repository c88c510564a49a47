%% Functions and operators allowed in guards.
-module(guard_bifs_and_operators_compute).
-export([main/0]).

main() ->
    show([f(X) || X <- [{abs, -3}, {hd, [7]}, {tl, [7]}, {elem, {x, y}}, {round, 2.5}, {trunc, -2.5}, {floor, -2.5}, {ceil, 2.1},
                        {size, {1, 2}}, {bsz, <<1, 2>>}, {bits, <<1:3>>}, {map, #{k => v}}, {node, here}, {self, self()},
                        {arith, 10}, {bool, {true, false}}, {cmp, {1, 1.0}}, {float, 2}, {part, <<1, 2, 3>>}]]).

f({abs, X}) when abs(X) =:= 3 -> abs;
f({hd, X}) when hd(X) =:= 7 -> hd;
f({tl, X}) when tl(X) =:= [] -> tl;
f({elem, X}) when element(2, X) =:= y -> element;
f({round, X}) when round(X) =:= 3 -> round;
f({trunc, X}) when trunc(X) =:= -2 -> trunc;
f({floor, X}) when floor(X) =:= -3 -> floor;
f({ceil, X}) when ceil(X) =:= 3 -> ceil;
f({size, X}) when size(X) =:= 2, tuple_size(X) =:= 2 -> size;
f({bsz, X}) when byte_size(X) =:= 2, size(X) =:= 2 -> byte_size;
f({bits, X}) when bit_size(X) =:= 3, byte_size(X) =:= 1 -> bit_size;
f({map, X}) when map_get(k, X) =:= v, map_size(X) =:= 1 -> map_get;
f({node, _}) when node() =:= node(self()) -> node;
f({self, X}) when self() =:= X -> self;
f({arith, X}) when (X * 3 - 4) div 2 rem 7 =:= 6, X / 4 == 2.5, X bsl 2 =:= 40, X band 3 bxor 1 bor 8 =:= 11, bnot X < 0 -> arith;
f({bool, {X, Y}}) when X and not Y, X or Y, X xor Y, (Y andalso 1) =:= false, X orelse 1 -> bool;
f({cmp, {X, Y}}) when X == Y, X =/= Y, X =< Y, X >= Y, not (X /= Y) -> cmp;
f({float, X}) when float(X) =:= 2.0 -> float;
f({part, X}) when binary_part(X, 1, 1) =:= <<2>> -> part;
f(X) -> {failed, X}.

show(X) -> io:format("~p~n", [X]).

%% expect: [abs,hd,tl,element,round,trunc,floor,ceil,size,byte_size,bit_size,map_get,
%% expect:  node,self,arith,bool,cmp,float,part]
