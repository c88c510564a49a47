%% What measuring hands to layout.

%% How terms are shown: record fields by a fun, string detection, characters allowed, order of map keys.
-record(style, {record_fun = no_fun, encoding = unicode, strings = true, order = undefined}).

%% A measured term.
%%
%% shape: {text, Chars}: cannot be broken
%%        {bytes, [Chars]}: a binary, byte by byte
%%        {list, Items, Tail}, {tuple, Items, Tail, tagged | plain}, {map, Pairs, Tail},
%%        {record, Name, NameLength, Fields, Tail}: Tail is `none`, a node of shape `dots`, or the node of an improper tail
%%        {pair, Key, Value}, {field, Name, NameLength, Value}
%% len:   characters on one line
%% dots:  how many of them are dots that stand for something left out
%% grow:  none, or fun(Budget, MoreDepth) that shows more; for shape `dots` it answers {Items, Tail}
-record(node, {shape, len, dots = 0, grow = none}).
