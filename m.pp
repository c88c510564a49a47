{attribute,{1,1},file,{"/tmp/erlet_places_2t8CKGHh/m.erl",1}}.
{attribute,{1,2},module,m}.
{attribute,{2,2},export,[{f,0}]}.
{function,{3,1},f,0,[{clause,{3,1},[],[],[{integer,{3,8},1}]}]}.
{eof,{4,1}}.
