%% The modules of collections, given what is none: reason and trace. (OTP 25.)
%% expect: dict:store {badrecord,x} [{dict,get_slot,2},{dict,store,3}]
%% expect: dict:fetch {badrecord,x} [{dict,get_slot,2},{dict,fetch,2}]
%% expect: dict:find {badrecord,[]} [{dict,get_slot,2},{dict,find,2}]
%% expect: dict:is_key {badrecord,x} [{dict,get_slot,2},{dict,is_key,2}]
%% expect: dict:erase {badrecord,x} [{dict,get_slot,2},{dict,erase,2}]
%% expect: dict:take {badrecord,x} [{dict,get_slot,2},{dict,take,2}]
%% expect: dict:append {badrecord,x} [{dict,get_slot,2},{dict,append,3}]
%% expect: dict:append_list {badrecord,x} [{dict,get_slot,2},{dict,append_list,3}]
%% expect: dict:update {badrecord,x} [{dict,get_slot,2},{dict,update,3}]
%% expect: dict:update {badrecord,x} [{dict,get_slot,2},{dict,update,4}]
%% expect: dict:update_counter {badrecord,x} [{dict,get_slot,2},{dict,update_counter,3}]
%% expect: dict:update_counter function_clause [{dict,update_counter,[a,b,x]}]
%% expect: dict:fold {badrecord,x} [{dict,fold_dict,3}]
%% expect: dict:map {badrecord,x} [{dict,map_dict,2}]
%% expect: dict:filter {badrecord,x} [{dict,filter_dict,2}]
%% expect: dict:merge {badrecord,y} [{dict,fold_dict,3}]
%% expect: dict:to_list {badrecord,x} [{dict,fold_dict,3}]
%% expect: dict:fetch_keys {badrecord,x} [{dict,fold_dict,3}]
%% expect: dict:size function_clause [{dict,size,[x]}]
%% expect: dict:is_empty function_clause [{dict,is_empty,[x]}]
%% expect: dict:from_list {case_clause,x} [{lists,foldl,3}]
%% expect: sets:size function_clause [{sets,size,[x]}]
%% expect: sets:is_empty function_clause [{sets,is_empty,[x]}]
%% expect: sets:to_list function_clause [{sets,to_list,[x]}]
%% expect: sets:is_element function_clause [{sets,is_element,[a,x]}]
%% expect: sets:add_element function_clause [{sets,add_element,[a,x]}]
%% expect: sets:del_element function_clause [{sets,del_element,[a,x]}]
%% expect: sets:union function_clause [{sets,size,[x]},{sets,union,2}]
%% expect: sets:union function_clause [{sets,size,[x]},{sets,union,2},{sets,union,1}]
%% expect: sets:union function_clause [{sets,union,[x]}]
%% expect: sets:intersection function_clause [{sets,size,[x]},{sets,intersection,2}]
%% expect: sets:intersection function_clause [{sets,intersection,[x]}]
%% expect: sets:subtract function_clause [{sets,filter,[a_fun,x]}]
%% expect: sets:is_subset function_clause [{sets,fold,[a_fun,true,x]}]
%% expect: sets:is_disjoint function_clause [{sets,size,[x]},{sets,is_disjoint,2}]
%% expect: sets:fold function_clause [{sets,fold,[a_fun,0,x]}]
%% expect: sets:filter function_clause [{sets,filter,[a_fun,x]}]
%% expect: sets:from_list {case_clause,x} [{lists,foldl,3}]
%% expect: sets:new function_clause [{proplists,get_value,[version,x,1]},{sets,new,1}]
%% expect: sets:from_list function_clause [{proplists,get_value,[version,x,1]},{sets,from_list,2}]
%% expect: gb_sets:size function_clause [{gb_sets,size,[x]}]
%% expect: gb_sets:to_list function_clause [{gb_sets,to_list,[x]}]
%% expect: gb_sets:is_member function_clause [{gb_sets,is_member,[a,x]}]
%% expect: gb_sets:is_element function_clause [{gb_sets,is_member,[a,x]}]
%% expect: gb_sets:insert function_clause [{gb_sets,insert,[a,x]}]
%% expect: gb_sets:add function_clause [{gb_sets,is_member,[a,x]},{gb_sets,add,2}]
%% expect: gb_sets:delete function_clause [{gb_sets,delete,[a,x]}]
%% expect: gb_sets:delete_any function_clause [{gb_sets,is_member,[a,x]},{gb_sets,delete_any,2}]
%% expect: gb_sets:union function_clause [{gb_sets,union,[x,y]}]
%% expect: gb_sets:union function_clause [{gb_sets,union,[x,y]},{gb_sets,union_list,2}]
%% expect: gb_sets:intersection function_clause [{gb_sets,intersection,[x,y]}]
%% expect: gb_sets:difference function_clause [{gb_sets,difference,[x,y]}]
%% expect: gb_sets:subtract function_clause [{gb_sets,difference,[x,y]}]
%% expect: gb_sets:is_subset function_clause [{gb_sets,is_subset,[x,y]}]
%% expect: gb_sets:is_disjoint function_clause [{gb_sets,is_disjoint,[x,y]}]
%% expect: gb_sets:filter function_clause [{gb_sets,to_list,[x]},{gb_sets,filter,2}]
%% expect: gb_sets:fold function_clause [{gb_sets,fold,[a_fun,0,x]}]
%% expect: gb_sets:smallest function_clause [{gb_sets,smallest,[x]}]
%% expect: gb_sets:largest function_clause [{gb_sets,largest,[x]}]
%% expect: gb_sets:smallest function_clause [{gb_sets,smallest_1,[nil]}]
%% expect: gb_sets:take_smallest function_clause [{gb_sets,take_smallest1,[nil]},{gb_sets,take_smallest,1}]
%% expect: gb_sets:iterator function_clause [{gb_sets,iterator,[x]}]
%% expect: gb_sets:iterator_from function_clause [{gb_sets,iterator_from,[a,x]}]
%% expect: gb_sets:next function_clause [{gb_sets,next,[x]}]
%% expect: gb_sets:insert {key_exists,1} [{gb_sets,insert_1,3},{gb_sets,insert,2}]
%% expect: gb_sets:delete function_clause [{gb_sets,delete_1,[2,nil]},{gb_sets,delete_1,2},{gb_sets,delete,2}]
%% expect: gb_sets:from_ordset badarg [{erlang,length,[x]},{gb_sets,from_ordset,1}]
%% expect: gb_trees:insert function_clause [{gb_trees,insert,[a,1,x]}]
%% expect: gb_trees:enter function_clause [{gb_trees,is_defined,[a,x]},{gb_trees,enter,3}]
%% expect: gb_trees:is_defined function_clause [{gb_trees,is_defined,[a,x]}]
%% expect: gb_trees:take function_clause [{gb_trees,take,[a,x]}]
%% expect: gb_trees:take_any function_clause [{gb_trees,is_defined,[a,x]},{gb_trees,take_any,2}]
%% expect: gb_trees:iterator function_clause [{gb_trees,iterator,[x]}]
%% expect: gb_trees:iterator_from function_clause [{gb_trees,iterator_from,[a,x]}]
%% expect: gb_trees:take function_clause [{gb_trees,take_1,[a,nil]},{gb_trees,take,2}]
%% expect: gb_trees:take_largest function_clause [{gb_trees,take_largest1,[nil]},{gb_trees,take_largest,1}]
%% expect: gb_trees:from_orddict function_clause [{gb_trees,balance_list_1,[[a,b],1]},{gb_trees,balance_list_1,2},{gb_trees,balance_list,2},{gb_trees,from_orddict,1}]
%% expect: orddict:append function_clause [{orddict,append,[a,1,x]}]
%% expect: orddict:append_list function_clause [{orddict,append_list,[a,[1],x]}]
%% expect: orddict:update function_clause [{orddict,update,[a,a_fun,x]}]
%% expect: orddict:update function_clause [{orddict,update,[a,a_fun,1,x]}]
%% expect: orddict:update_counter function_clause [{orddict,update_counter,[a,1,x]}]
%% expect: orddict:update function_clause [{orddict,update,[a,a_fun,[{b,1}]]}]
%% expect: orddict:take function_clause [{orddict,take_1,[a,[b],[]]}]
%% expect: orddict:erase function_clause [{orddict,erase,[a,[b]]}]
%% expect: orddict:store function_clause [{orddict,store,[a,1,[b]]}]
%% expect: orddict:from_list function_clause [{orddict,reverse_pairs,[[a,b],[]]},{orddict,from_list,1}]
%% expect: orddict:update_counter badarith [{erlang,'+',[1,x]},{orddict,update_counter,3}]
%% expect: queue:delete badarg [{queue,delete,[a,x]}]
%% expect: queue:delete_r badarg [{queue,delete_r,[a,x]}]
%% expect: queue:head badarg [{queue,head,[x]}]
%% expect: queue:head empty [{queue,head,[{[],[]}]}]
%% expect: array:new badarg [{array,new_1,4}]
%% expect: array:fix function_clause [{array,fix,[x]}]
%% expect: array:is_fix function_clause [{array,is_fix,[x]}]
%% expect: array:relax function_clause [{array,relax,[x]}]
%% expect: array:resize badarg [{array,sparse_foldr,3},{array,sparse_size,1},{array,resize,1}]
%% expect: array:sparse_size badarg [{array,sparse_foldr,3},{array,sparse_size,1}]
%% expect: array:sparse_to_list badarg [{array,sparse_to_list,1}]
%% expect: {7,{4,{2,{1,nil,nil},{3,nil,nil}},{6,{5,nil,nil},{9,nil,nil}}}}
%% expect: {12,{4,{2,{1,nil,nil},{3,nil,nil}},{6,{5,nil,nil},{7,nil,{8,nil,{9,nil,{10,nil,{11,nil,{12,nil,nil}}}}}}}}}
-module(what_is_no_collection_fails_where_otp_says).
-export([main/0]).

main() ->
    F1 = fun(_) -> true end,
    F2 = fun(_, X) -> X end,
    F3 = fun(_, _, X) -> X end,
    [calls(M, [{F, Args} || {F, Args} <- Calls]) || {M, Calls} <- [
        {dict, [{store, [a, 1, x]}, {fetch, [a, x]}, {find, [a, []]}, {is_key, [a, x]}, {erase, [a, x]}, {take, [a, x]}, {append, [a, 1, x]},
                {append_list, [a, [1], x]}, {update, [a, F1, x]}, {update, [a, F1, 1, x]}, {update_counter, [a, 1, x]}, {update_counter, [a, b, x]},
                {fold, [F3, 0, x]}, {map, [F2, x]}, {filter, [F2, x]}, {merge, [F3, x, y]}, {to_list, [x]}, {fetch_keys, [x]}, {size, [x]},
                {is_empty, [x]}, {from_list, [x]}]},
        {sets, [{size, [x]}, {is_empty, [x]}, {to_list, [x]}, {is_element, [a, x]}, {add_element, [a, x]}, {del_element, [a, x]}, {union, [x, y]},
                {union, [[x, y]]}, {union, [x]}, {intersection, [x, y]}, {intersection, [x]}, {subtract, [x, y]}, {is_subset, [x, y]},
                {is_disjoint, [x, y]}, {fold, [F2, 0, x]}, {filter, [F1, x]}, {from_list, [x]}, {new, [x]}, {from_list, [[], x]}]},
        {gb_sets, [{size, [x]}, {to_list, [x]}, {is_member, [a, x]}, {is_element, [a, x]}, {insert, [a, x]}, {add, [a, x]}, {delete, [a, x]},
                   {delete_any, [a, x]}, {union, [x, y]}, {union, [[x, y]]}, {intersection, [x, y]}, {difference, [x, y]}, {subtract, [x, y]},
                   {is_subset, [x, y]}, {is_disjoint, [x, y]}, {filter, [F1, x]}, {fold, [F2, 0, x]}, {smallest, [x]}, {largest, [x]},
                   {smallest, [gb_sets:new()]}, {take_smallest, [gb_sets:new()]}, {iterator, [x]}, {iterator_from, [a, x]}, {next, [x]},
                   {insert, [1, gb_sets:from_list([1])]}, {delete, [2, gb_sets:from_list([1])]}, {from_ordset, [x]}]},
        {gb_trees, [{insert, [a, 1, x]}, {enter, [a, 1, x]}, {is_defined, [a, x]}, {take, [a, x]}, {take_any, [a, x]}, {iterator, [x]},
                    {iterator_from, [a, x]}, {take, [a, gb_trees:empty()]}, {take_largest, [gb_trees:empty()]}, {from_orddict, [[a, b]]}]},
        {orddict, [{append, [a, 1, x]}, {append_list, [a, [1], x]}, {update, [a, F1, x]}, {update, [a, F1, 1, x]}, {update_counter, [a, 1, x]},
                   {update, [a, F1, [{b, 1}]]}, {take, [a, [b]]}, {erase, [a, [b]]}, {store, [a, 1, [b]]}, {from_list, [[a, b]]},
                   {update_counter, [a, x, [{a, 1}]]}]},
        {queue, [{delete, [a, x]}, {delete_r, [a, x]}, {head, [x]}, {head, [queue:new()]}]},
        {array, [{new, [-1]}, {fix, [x]}, {is_fix, [x]}, {relax, [x]}, {resize, [x]}, {sparse_size, [x]}, {sparse_to_list, [x]}]}]],
    io:format("~w~n", [gb_sets:from_list([3, 1, 4, 5, 9, 2, 6])]),
    io:format("~w~n", [lists:foldl(fun gb_sets:add/2, gb_sets:new(), lists:seq(1, 12))]).

calls(M, Calls) ->
    [io:format("~w:~w ~w ~w~n", [M, F, Reason, [entry(E) || E <- lists:takewhile(fun(E) -> element(1, E) =/= ?MODULE end, Stack)]])
     || {F, Args} <- Calls, {Reason, Stack} <- [failure(M, F, Args)]].

failure(M, F, Args) ->
    try {result, [{M, F, apply(M, F, Args), []}]}
    catch error:Reason:Stack -> {Reason, Stack}
    end.

%% Funs look different on each system.
entry({M, F, Args, _}) when is_list(Args) -> {M, F, [case is_function(A) of true -> a_fun; false -> A end || A <- Args]};
entry({M, F, Arity, _}) -> {M, F, Arity}.
