//! Calls of functions of the module replaced by what the functions do, as `-compile(inline)` and `-compile({inline, [f/1]})` ask.
//!
//! Whoever reads a stack trace finds what OTP shows: what an inlined function raises is raised by its caller, at the line where it
//! stands in the source; and where no clause of an inlined function fits, a function `'-inlined-f/1-'` without clauses is called
//! in its place, with the same arguments.
//!
//! A function is inlined if it is named, or if all are to be and it is small ([`Wanted::size`]), unless it may come to call itself.
//! Candidates are taken from the leaves of the graph of calls on, so that what is inlined is finished; the function itself stays, for
//! funs and for calls from elsewhere.

use crate::hash::{HashMap, HashSet};

use crate::core::visit::{self, Role};
use crate::core::{Body, Case, End, Failure, Function, Module, Op, Step, Value, Var};
use crate::{Interner, Name};

/// What a module asks for.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Whatever is small.
    pub all: bool,
    /// How large that is.
    pub size: usize,
    pub named: HashSet<(Name, u32)>,
}

impl Default for Wanted {
    fn default() -> Self {
        // What OTP documents for `inline_size`.
        Wanted { all: false, size: 24, named: HashSet::default() }
    }
}

/// A named function is inlined up to this size, whatever the other limit: beyond it, a call costs nothing in comparison.
const LARGEST_NAMED: usize = 1000;

/// Size that a function may grow to by what is inlined.
const LARGEST_CALLER: usize = 8000;

type Key = (Name, u8);

/// Inlines what the module wants.
pub fn inline(module: &mut Module, names: &mut Interner) {
    let wanted = std::mem::take(&mut module.inline);
    if !wanted.all && wanted.named.is_empty() {
        return;
    }
    let mut inliner = Inliner { ready: HashMap::default(), stubs: HashMap::default() };
    let order = order(module, &wanted);
    for &index in &order {
        let function = &mut module.functions[index];
        inliner.expand(function);
        let key = (function.name, function.arity());
        let limit = if is_named(&wanted, key) { LARGEST_NAMED } else { wanted.size.max(1) };
        if size(&mut function.body) <= limit {
            let ready = inliner.prepare(function, names);
            inliner.ready.insert(key, ready);
        }
    }
    let done: HashSet<usize> = order.into_iter().collect();
    for (index, function) in module.functions.iter_mut().enumerate() {
        if !done.contains(&index) {
            inliner.expand(function);
        }
    }
    let mut stubs: Vec<Function> = inliner.stubs.into_values().collect();
    stubs.sort_by_key(|stub| names.text(stub.name).to_owned());
    module.functions.extend(stubs);
}

fn is_named(wanted: &Wanted, (name, arity): Key) -> bool {
    wanted.named.contains(&(name, u32::from(arity)))
}

/// The candidates, each behind those that it calls; those that call each other in a circle are none.
fn order(module: &mut Module, wanted: &Wanted) -> Vec<usize> {
    let mut candidates = HashMap::default();
    for (index, function) in module.functions.iter_mut().enumerate() {
        let key = (function.name, function.arity());
        if is_named(wanted, key) || wanted.all && size(&mut function.body) <= wanted.size {
            candidates.entry(key).or_insert(index);
        }
    }
    let mut waits: HashMap<usize, usize> = HashMap::default();
    let mut callers: HashMap<usize, Vec<usize>> = HashMap::default();
    for &caller in candidates.values() {
        let mut called = HashSet::default();
        visit::calls(&mut module.functions[caller].body, &mut |name, args| {
            called.extend(candidates.get(&(name, args.len() as u8)));
        });
        waits.insert(caller, called.len());
        for callee in called {
            callers.entry(callee).or_default().push(caller);
        }
    }
    let mut order: Vec<usize> =
        waits.iter().filter(|(_, waits)| **waits == 0).map(|(&index, _)| index).collect();
    order.sort_unstable();
    let mut next = 0;
    while let Some(&callee) = order.get(next) {
        next += 1;
        let mut freed = Vec::new();
        for &caller in callers.get(&callee).map_or(&[][..], Vec::as_slice) {
            if let Some(left) = waits.get_mut(&caller) {
                *left -= 1;
                if *left == 0 {
                    freed.push(caller);
                }
            }
        }
        freed.sort_unstable();
        order.extend(freed);
    }
    order
}

/// Steps, clauses and variables of patterns, guards and operands: about what has to be done.
fn size(body: &mut Body) -> usize {
    let mut size = 0;
    visit::each(body, &mut |inner| size += inner.steps.len());
    visit::body(body, &mut |_, role| size += usize::from(role == Role::Bound));
    size
}

/// A function as it is put in the place of a call.
struct Ready {
    params: Vec<Var>,
    body: Body,
    vars: u32,
    escapes: u32,
    size: usize,
}

struct Inliner {
    ready: HashMap<Key, Ready>,
    /// The functions that are called where no clause fits.
    stubs: HashMap<Key, Function>,
}

impl Inliner {
    fn prepare(&mut self, function: &Function, names: &mut Interner) -> Ready {
        let mut body = function.body.clone();
        let key = (function.name, function.arity());
        let args: Vec<Value> = function.params.iter().map(|&var| Value::Var(var)).collect();
        let mut fails = false;
        let stub = names.intern(&format!("-inlined-{}/{}-", names.text(key.0).to_owned(), key.1));
        visit::failures(&mut body, &mut |failure| {
            if matches!(failure, Failure::FunctionClause) {
                fails = true;
                *failure = Failure::Inlined(stub, args.clone());
            }
        });
        if fails {
            self.stubs.entry(key).or_insert_with(|| self::stub(function, stub));
        }
        let (size, escapes) = (size(&mut body), escapes(&mut body));
        Ready { params: function.params.clone(), body, vars: function.vars, escapes, size }
    }

    fn expand(&self, function: &mut Function) {
        let size = size(&mut function.body);
        let mut numbers = Numbers { vars: function.vars, escapes: escapes(&mut function.body), size };
        self.expand_body(&mut function.body, &mut numbers);
        function.vars = numbers.vars;
    }

    fn expand_body(&self, body: &mut Body, numbers: &mut Numbers) {
        let mut steps = Vec::with_capacity(body.steps.len());
        for mut step in std::mem::take(&mut body.steps) {
            if let Op::Call(name, args) = &step.op
                && let Some(ready) = self.ready.get(&(*name, args.len() as u8))
                && numbers.size + ready.size <= LARGEST_CALLER
            {
                if !ready.put(args, &step, &mut steps, numbers) {
                    // It never comes back.
                    body.end = End::Never;
                    break;
                }
                continue;
            }
            visit::each_body(&mut step.op, &mut |inner| self.expand_body(inner, numbers));
            steps.push(step);
        }
        body.steps = steps;
    }
}

/// What is taken of a function's numbers.
struct Numbers {
    vars: u32,
    escapes: u32,
    size: usize,
}

impl Ready {
    /// Adds the function's steps in the place of `call`; `false` if they never end.
    fn put(&self, args: &[Value], call: &Step, steps: &mut Vec<Step>, numbers: &mut Numbers) -> bool {
        let (vars, escapes) = (numbers.vars, numbers.escapes);
        numbers.vars += self.vars;
        numbers.escapes += self.escapes;
        numbers.size += self.size;
        let mut body = self.body.clone();
        // What the last step gives is what the call gives: so a call at the end of both is one at the end.
        let last = body.steps.last().and_then(|step| step.vars.first().copied());
        let end = match (&body.end, last) {
            (End::Values(values), Some(last)) if values.first() == Some(&Value::Var(last)) => Some(last),
            _ => None,
        };
        let renamed = |var: Var| match call.vars.first() {
            Some(&result) if Some(var) == end => result,
            _ => Var(vars + var.0),
        };
        visit::body(&mut body, &mut |var, _| *var = renamed(*var));
        visit::escapes(&mut body, &mut |id| id.0 += escapes);
        let params = self.params.iter().map(|&param| renamed(param)).collect();
        steps.push(Step { vars: params, op: Op::Values(args.to_vec()), line: call.line });
        steps.append(&mut body.steps);
        match body.end {
            End::Values(values) => {
                if end.is_none() && !call.vars.is_empty() {
                    steps.push(Step { vars: call.vars.clone(), op: Op::Values(values), line: call.line });
                }
                true
            }
            End::Escape(..) | End::Never => false,
        }
    }
}

/// A function of the same arity without clauses.
fn stub(function: &Function, name: Name) -> Function {
    let subjects = function.params.iter().map(|&var| Value::Var(var)).collect();
    let case = Case { subjects, clauses: vec![], otherwise: Failure::FunctionClause };
    let result = Var(function.vars);
    let step = Step { vars: vec![result], op: Op::Case(case), line: function.line };
    Function {
        name,
        exported: false,
        params: function.params.clone(),
        body: Body { steps: vec![step], end: End::Values(vec![Value::Var(result)]) },
        vars: function.vars + 1,
        line: function.line,
    }
}

/// Numbers of escapes are below this.
fn escapes(body: &mut Body) -> u32 {
    let mut below = 0;
    visit::escapes(body, &mut |id| below = below.max(id.0 + 1));
    below
}
