%% Where the shell looks for functions that are called without a module: the commands that do not need its state.
-module(shell_default).

-export([bt/1, c/1, c/2, c/3, cd/1, flush/0, h/1, h/2, h/3, help/0, ht/1, ht/2, i/0, i/1, i/3, l/1, lc/1, ls/0, ls/1, m/0, m/1, memory/0,
         memory/1, ni/0, nregs/0, pid/3, pwd/0, q/0, regs/0, uptime/0]).

bt(Pid) -> c:bt(Pid).
c(File) -> c:c(File).
c(File, Options) -> c:c(File, Options).
c(Module, Options, Filter) -> c:c(Module, Options, Filter).
cd(Dir) -> c:cd(Dir).
flush() -> c:flush().
h(Module) -> c:h(Module).
h(Module, Function) -> c:h(Module, Function).
h(Module, Function, Arity) -> c:h(Module, Function, Arity).
help() -> c:help().
ht(Module) -> c:ht(Module).
ht(Module, Type) -> c:ht(Module, Type).
i() -> c:i().
i(Pids) -> c:i(Pids).
i(X, Y, Z) -> c:i(X, Y, Z).
l(Module) -> c:l(Module).
lc(Files) -> c:lc(Files).
ls() -> c:ls().
ls(Dir) -> c:ls(Dir).
m() -> c:m().
m(Module) -> c:m(Module).
memory() -> c:memory().
memory(Kind) -> c:memory(Kind).
ni() -> c:ni().
nregs() -> c:nregs().
pid(X, Y, Z) -> c:pid(X, Y, Z).
pwd() -> c:pwd().
q() -> c:q().
regs() -> c:regs().
uptime() -> c:uptime().
