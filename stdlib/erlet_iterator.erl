%% What a map generator of a comprehension walks if its source is no map.
-module(erlet_iterator).

-export([pairs/1]).

%% The pairs of an iterator of `maps`; `false` for anything else.
pairs(Iterator) ->
    try maps:to_list(Iterator)
    catch error:_ -> false
    end.
