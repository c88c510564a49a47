//! Clauses to decisions: a matrix of patterns becomes a graph of tests.
//!
//! A [`Graph`] has nodes that test one value and lead on, and leaves that name the clause that fits, with what its
//! variables are bound to. A leaf whose clause has a guard leads on to where the remaining clauses are tried.
//!
//! **How.** A state is a list of rows, one for each clause that may still fit, each with the goals that are left:
//! value and pattern. The first goal-free row is the answer. Else a value of the first row is chosen, the one most
//! rows after it test too, and the rows are dealt out by the constructor they want; rows that do not care go
//! everywhere, and nothing is tested twice on a path. Dealing rows out copies them, which could explode; so there is a
//! budget for copies, and when it is spent only the rows up to the first one that does not care are dealt out, and
//! what follows becomes a state of its own that failing goes back to (at the price of testing again there). So the
//! graph is linear in the clauses, and small matrices get a decision tree. States that come out the same share a node.
//!
//! Maps and bitstrings do not exclude each other: their rows are tried in groups that ask for the same keys, or the
//! same next segment. A match context has a position, so going back to other rows restores it.
//!
//! **Invariant.** All rows of a state that read a context stand at the same position of it. Nothing here recurses:
//! states wait on a list.

mod bits;
mod graph;
mod rows;
#[cfg(test)]
mod tests;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::core::{Clause, Const, Pattern, Pool, Value, Var};

pub use graph::{Graph, Node, NodeId, Part};
use rows::{Goal, Row, State, StateKey};

/// What is known about a variable before matching begins.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A tuple of these values.
    Tuple(Vec<Value>),
    /// A list cell.
    Cons(Value, Value),
}

/// Variables that were just built.
pub type Shapes = crate::hash::HashMap<Var, Shape>;

/// Copies of rows that are free, and those for each clause.
const FREE_COPIES: usize = 40;
const COPIES_PER_CLAUSE: usize = 4;

/// So many rows are dealt out by looking through the buckets made so far: that takes no longer than to hash constructors.
const FEW_ROWS: usize = 8;

/// Integers from here on are no immediates of the machine: its small integers have 61 bits.
const SMALL_LIMIT: i64 = 1 << 60;

/// Compiles the clauses of one `case`; `next_var` numbers the variables of parts.
pub fn compile<'a>(
    subjects: &[Value],
    clauses: &'a [Clause],
    shapes: &Shapes,
    pool: &mut Pool,
    next_var: &mut u32,
) -> Graph<'a> {
    let mut compiler = Compiler {
        graph: Graph::default(),
        waiting: Vec::new(),
        made: HashMap::new(),
        clauses,
        shapes,
        pool,
        next_var,
        copies: FREE_COPIES + COPIES_PER_CLAUSE * clauses.len(),
    };
    let fail = compiler.graph.add(Node::Fail);
    let mut rows = Vec::with_capacity(clauses.len());
    for (index, clause) in clauses.iter().enumerate() {
        let mut row = Row::new(index);
        let fits = (subjects.iter().zip(&clause.patterns))
            .all(|(&subject, pattern)| compiler.want(&mut row, subject, pattern));
        if fits {
            rows.push(row);
        }
    }
    compiler.graph.root = compiler.state(State { rows, fallback: fail });
    while let Some((id, state)) = compiler.waiting.pop() {
        let node = compiler.decide(state);
        compiler.graph.set(id, node);
    }
    compiler.graph
}

struct Compiler<'a, 'c> {
    graph: Graph<'a>,
    /// States whose node is not made yet.
    waiting: Vec<(NodeId, State<'a>)>,
    /// The nodes of states met before.
    made: HashMap<StateKey, NodeId>,
    clauses: &'a [Clause],
    shapes: &'c Shapes,
    pool: &'c mut Pool,
    next_var: &'c mut u32,
    /// How many more rows may be copied.
    copies: usize,
}

/// What a value may be made of: each excludes the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Constructor {
    Immediate(Const),
    /// Compared as a whole.
    Literal(Const),
    Cons,
    Tuple(u32),
    Map,
    Bits,
}

/// Rows that want the same constructor, and the variables of its parts.
struct Bucket<'a> {
    constructor: Constructor,
    parts: Vec<Var>,
    rows: Vec<Row<'a>>,
}

impl<'a> Compiler<'a, '_> {
    fn var(&mut self) -> Var {
        *self.next_var += 1;
        Var(*self.next_var - 1)
    }

    /// Whether the clause of a goal-free row may still not fit.
    fn may_fail(&self, row: &Row<'a>) -> bool {
        let clause = &self.clauses[row.clause];
        !clause.guard.is_empty() || !clause.same.is_empty()
    }

    /// The node of a state, to be made later.
    fn state(&mut self, mut state: State<'a>) -> NodeId {
        if state.rows.is_empty() {
            return state.fallback;
        }
        // What comes behind a row that always fits is never reached.
        let last = state.rows.iter().position(|row| row.goals.is_empty() && !self.may_fail(row));
        if let Some(last) = last {
            state.rows.truncate(last + 1);
        }
        let id = NodeId(self.graph.nodes.len() as u32);
        // A clause that is alone is in one state at a time, and has fewer goals in each.
        if self.clauses.len() > 1 {
            match self.made.entry(state.key()) {
                Entry::Occupied(made) => return *made.get(),
                Entry::Vacant(place) => place.insert(id),
            };
        }
        self.graph.add(Node::Fail);
        self.waiting.push((id, state));
        id
    }

    /// Adds to `row` the goal that `value` fits `pattern`; false if it cannot.
    fn want(&mut self, row: &mut Row<'a>, value: Value, pattern: &'a Pattern) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Var(var) => {
                row.bindings.push((*var, value));
                true
            }
            Pattern::And(all) => all.iter().all(|pattern| self.want(row, value, pattern)),
            Pattern::Const(constant) => self.want_const(row, value, *constant),
            Pattern::Same(other) if *other == value => true,
            Pattern::Same(other) => {
                row.goals.push((value, Goal::Same(*other)));
                true
            }
            Pattern::List(items, tail) => self.want_list(row, value, items, tail),
            Pattern::Tuple(items) => self.want_tuple(row, value, items),
            Pattern::Map(pairs) => {
                row.goals.push((value, Goal::Map(pairs)));
                true
            }
            Pattern::Bits(segments) => {
                row.goals.push((value, Goal::Bits(segments)));
                true
            }
        }
    }

    fn want_const(&mut self, row: &mut Row<'a>, value: Value, constant: Const) -> bool {
        if let Value::Const(known) = value {
            return known == constant;
        }
        let shape = value.var().and_then(|var| self.shapes.get(&var));
        match (shape, constant) {
            (Some(Shape::Tuple(values)), _) => {
                let Some(crate::core::literal::Term::Tuple(items)) = self.pool.get(constant) else {
                    return false;
                };
                if values.len() != items.len() {
                    return false;
                }
                let pairs: Vec<(Value, Const)> = values.iter().copied().zip(items.iter().copied()).collect();
                return pairs.into_iter().all(|(value, item)| self.want_const(row, value, item));
            }
            (Some(&Shape::Cons(head, tail)), Const::Lit(id)) => {
                let Some(first) = self.pool.list_item(id, 0) else { return false };
                return self.want_const(row, head, first) && self.want_const_tail(row, tail, id, 1);
            }
            (Some(Shape::Cons(..)), _) => return false,
            (None, _) => {}
        }
        let goal = match constant {
            Const::Lit(id) if self.pool.list_item(id, 0).is_some() => Goal::ConstItems(id, 0),
            _ => Goal::Const(constant),
        };
        row.goals.push((value, goal));
        true
    }

    /// The goal that `value` is the constant list `id` from item `at` on.
    fn want_const_tail(
        &mut self,
        row: &mut Row<'a>,
        value: Value,
        id: crate::core::LitId,
        at: usize,
    ) -> bool {
        if self.pool.list_item(id, at).is_none() {
            return self.want_const(row, value, self.pool.list_end(id));
        }
        row.goals.push((value, Goal::ConstItems(id, at)));
        true
    }

    fn want_list(
        &mut self,
        row: &mut Row<'a>,
        value: Value,
        items: &'a [Pattern],
        tail: &'a Pattern,
    ) -> bool {
        let Some((first, rest)) = items.split_first() else { return self.want(row, value, tail) };
        let cell = match value {
            Value::Const(Const::Lit(id)) => {
                let head = self.pool.list_item(id, 0);
                head.map(|head| (Value::Const(head), Value::Const(self.const_tail(id))))
            }
            Value::Const(_) => None,
            Value::Var(var) => match self.shapes.get(&var) {
                Some(&Shape::Cons(head, tail)) => Some((head, tail)),
                Some(Shape::Tuple(_)) => None,
                None => {
                    row.goals.push((value, Goal::Items(items, tail)));
                    return true;
                }
            },
        };
        match cell {
            Some((head, rest_value)) => {
                self.want(row, head, first) && self.want_list(row, rest_value, rest, tail)
            }
            None => false,
        }
    }

    /// The tail of a constant list as a constant.
    fn const_tail(&mut self, id: crate::core::LitId) -> Const {
        let mut items = Vec::new();
        let mut at = 1;
        while let Some(item) = self.pool.list_item(id, at) {
            items.push(item);
            at += 1;
        }
        let end = self.pool.list_end(id);
        self.pool.list(items, end)
    }

    fn want_tuple(&mut self, row: &mut Row<'a>, value: Value, items: &'a [Pattern]) -> bool {
        let known: Vec<Value> = match value {
            Value::Const(constant) => match self.pool.get(constant) {
                Some(crate::core::literal::Term::Tuple(known)) => {
                    known.iter().map(|&item| Value::Const(item)).collect()
                }
                _ => return false,
            },
            Value::Var(var) => match self.shapes.get(&var) {
                Some(Shape::Tuple(known)) => known.clone(),
                Some(Shape::Cons(..)) => return false,
                None => {
                    row.goals.push((value, Goal::Tuple(items)));
                    return true;
                }
            },
        };
        known.len() == items.len()
            && known.into_iter().zip(items).all(|(value, pattern)| self.want(row, value, pattern))
    }

    /// The node of a state with at least one row.
    fn decide(&mut self, mut state: State<'a>) -> Node<'a> {
        if state.rows[0].goals.is_empty() {
            let row = state.rows.remove(0);
            let otherwise = if self.may_fail(&row) { self.state(state) } else { state.fallback };
            return Node::Leaf { clause: row.clause, bindings: row.bindings, otherwise };
        }
        let (value, at) = state.choose();
        match state.rows[0].goals[at].1 {
            Goal::Same(other) => self.same(state, value, at, other),
            Goal::Keys(_) => self.keys(state, value, at),
            Goal::Segments(_) => self.segments(state, value, at),
            _ => self.switch(state, value),
        }
    }

    /// Compares with a value bound before.
    fn same(&mut self, mut state: State<'a>, value: Value, at: usize, other: Value) -> Node<'a> {
        let rest = state.rows.split_off(1);
        let (saves, plain, back) = self.fallback(rest, state.fallback);
        state.rows[0].goals.remove(at);
        let yes = self.state(State { rows: state.rows, fallback: back });
        self.saving(saves, Node::Equal { value, other, yes, no: plain })
    }

    /// A state to come back to: what to save now, its node while the positions are unchanged, its node for later.
    fn fallback(&mut self, rows: Vec<Row<'a>>, fallback: NodeId) -> (Vec<(Var, Var)>, NodeId, NodeId) {
        let mut contexts: Vec<Var> = Vec::new();
        for row in &rows {
            for (value, goal) in &row.goals {
                if let (Some(var), Goal::Segments(_)) = (value.var(), goal)
                    && !contexts.contains(&var)
                {
                    contexts.push(var);
                }
            }
        }
        let saves: Vec<(Var, Var)> = contexts.into_iter().map(|context| (context, self.var())).collect();
        let plain = self.state(State { rows, fallback });
        let back = if saves.is_empty() {
            plain
        } else {
            self.graph.add(Node::Restore { saved: saves.clone(), next: plain })
        };
        (saves, plain, back)
    }

    /// `node`, with positions saved before it.
    fn saving(&mut self, saves: Vec<(Var, Var)>, node: Node<'a>) -> Node<'a> {
        if saves.is_empty() {
            return node;
        }
        Node::Save { saved: saves, next: self.graph.add(node) }
    }

    /// The first rows ask the map `value` for the same keys.
    fn keys(&mut self, mut state: State<'a>, map: Value, at: usize) -> Node<'a> {
        let Goal::Keys(pairs) = state.rows[0].goals[at].1 else { return Node::Fail };
        let alike = |row: &Row<'a>| {
            row.goals.iter().any(|(value, goal)| match goal {
                Goal::Keys(others) => {
                    *value == map
                        && others.len() == pairs.len()
                        && others.iter().zip(pairs).all(|(a, b)| a.0 == b.0)
                }
                _ => false,
            })
        };
        let group = state.rows.iter().take_while(|row| alike(row)).count();
        let rest = state.rows.split_off(group);
        let (saves, plain, back) = self.fallback(rest, state.fallback);
        let keys: Vec<_> = pairs.iter().map(|(key, _)| (key, self.var())).collect();
        let bindings = state.rows[0].bindings.clone();
        let mut rows = Vec::with_capacity(group);
        for mut row in state.rows {
            let found =
                row.goals.iter().position(|(value, goal)| *value == map && matches!(goal, Goal::Keys(_)));
            let Some((_, Goal::Keys(pairs))) = found.map(|found| row.goals.remove(found)) else { continue };
            let fits =
                keys.iter().zip(pairs).all(|(key, pair)| self.want(&mut row, Value::Var(key.1), &pair.1));
            if fits {
                rows.push(row);
            }
        }
        let yes = self.state(State { rows, fallback: back });
        self.saving(saves, Node::Keys { map, keys, bindings, yes, no: plain })
    }

    /// Deals the rows out by the constructor they want at `value`.
    fn switch(&mut self, mut state: State<'a>, value: Value) -> Node<'a> {
        let structural = state.wants_cells(value);
        let constructors: Vec<Option<Constructor>> =
            state.rows.iter().map(|row| self.constructor(row, value, structural)).collect();
        let careless = constructors.iter().filter(|constructor| constructor.is_none()).count();
        let distinct = match careless {
            0 => 0,
            _ => constructors.iter().flatten().collect::<HashSet<_>>().len(),
        };
        let copies = careless * distinct;
        let mut saves = Vec::new();
        let (default, back);
        if copies <= self.copies {
            self.copies -= copies;
            let wild: Vec<Row<'a>> = state.rows.iter().filter(|row| !row.tests(value)).cloned().collect();
            (default, back) = (self.state(State { rows: wild, fallback: state.fallback }), state.fallback);
        } else {
            let end = constructors.iter().position(Option::is_none).unwrap_or(constructors.len());
            let rest = state.rows.split_off(end);
            (saves, default, back) = self.fallback(rest, state.fallback);
        }
        let buckets = self.deal(state.rows, &constructors, value);
        let node = self.tests(buckets, value, default, back);
        self.saving(saves, node)
    }

    /// The constructor that `row` wants at `value`.
    fn constructor(&self, row: &Row<'a>, value: Value, structural: bool) -> Option<Constructor> {
        row.goals.iter().filter(|(at, _)| *at == value).find_map(|(_, goal)| match goal {
            Goal::Const(constant @ (Const::Atom(_) | Const::Nil)) => Some(Constructor::Immediate(*constant)),
            Goal::Const(Const::Int(value)) if (-SMALL_LIMIT..SMALL_LIMIT).contains(value) => {
                Some(Constructor::Immediate(Const::Int(*value)))
            }
            Goal::Const(constant) => Some(Constructor::Literal(*constant)),
            Goal::ConstItems(id, 0) if !structural => Some(Constructor::Literal(Const::Lit(*id))),
            Goal::ConstItems(..) | Goal::Items(..) => Some(Constructor::Cons),
            Goal::Tuple(items) => Some(Constructor::Tuple(items.len() as u32)),
            Goal::Map(_) => Some(Constructor::Map),
            Goal::Bits(_) => Some(Constructor::Bits),
            Goal::Same(_) | Goal::Keys(_) | Goal::Segments(_) => None,
        })
    }

    /// Rows by constructor, in order of first appearance; a row without one goes to all buckets.
    fn deal(
        &mut self,
        rows: Vec<Row<'a>>,
        constructors: &[Option<Constructor>],
        value: Value,
    ) -> Vec<Bucket<'a>> {
        let mut buckets: Vec<Bucket<'a>> = Vec::new();
        let mut places: HashMap<Constructor, usize> = HashMap::new();
        let mut wild: Vec<Row<'a>> = Vec::new();
        let few = rows.len() <= FEW_ROWS;
        for (row, constructor) in rows.into_iter().zip(constructors) {
            let Some(constructor) = *constructor else {
                buckets.iter_mut().for_each(|bucket| bucket.rows.push(row.clone()));
                wild.push(row);
                continue;
            };
            let place = match few {
                true => buckets.iter().position(|bucket| bucket.constructor == constructor),
                false => Some(*places.entry(constructor).or_insert(buckets.len())),
            };
            let place = place.unwrap_or(buckets.len());
            if place == buckets.len() {
                let count = match constructor {
                    Constructor::Cons => 2,
                    Constructor::Tuple(arity) => arity,
                    Constructor::Bits => 1,
                    _ => 0,
                };
                let parts = (0..count).map(|_| self.var()).collect();
                buckets.push(Bucket { constructor, parts, rows: wild.clone() });
            }
            if let Some(row) = self.specialise(row, value, constructor, &buckets[place].parts) {
                buckets[place].rows.push(row);
            }
        }
        buckets
    }

    /// What is left of a row when `value` has the constructor it wants: the goals of the parts.
    fn specialise(
        &mut self,
        mut row: Row<'a>,
        value: Value,
        constructor: Constructor,
        parts: &[Var],
    ) -> Option<Row<'a>> {
        let goals = std::mem::take(&mut row.goals);
        let part = |at: usize| Value::Var(parts[at]);
        for (at, goal) in goals {
            if at != value {
                row.goals.push((at, goal));
                continue;
            }
            let fits = match (goal, constructor) {
                (Goal::Const(a), Constructor::Immediate(b) | Constructor::Literal(b)) => a == b,
                (Goal::ConstItems(id, 0), Constructor::Literal(b)) => Const::Lit(id) == b,
                (Goal::ConstItems(id, at), Constructor::Cons) => {
                    let head = self.pool.list_item(id, at);
                    head.is_some_and(|head| self.want_const(&mut row, part(0), head))
                        && self.want_const_tail(&mut row, part(1), id, at + 1)
                }
                (Goal::Items(items, tail), Constructor::Cons) => match items.split_first() {
                    Some((first, rest)) => {
                        self.want(&mut row, part(0), first) && self.want_list(&mut row, part(1), rest, tail)
                    }
                    None => self.want(&mut row, value, tail),
                },
                (Goal::Tuple(items), Constructor::Tuple(arity)) => {
                    items.len() as u32 == arity
                        && items.iter().enumerate().all(|(i, item)| self.want(&mut row, part(i), item))
                }
                (Goal::Map(pairs), Constructor::Map) => {
                    if !pairs.is_empty() {
                        row.goals.push((value, Goal::Keys(pairs)));
                    }
                    true
                }
                (Goal::Bits(segments), Constructor::Bits) => {
                    row.goals.push((part(0), Goal::Segments(segments)));
                    true
                }
                (Goal::Same(_) | Goal::Keys(_) | Goal::Segments(_), _) => {
                    row.goals.push((at, goal));
                    true
                }
                _ => false,
            };
            if !fits {
                return None;
            }
        }
        Some(row)
    }

    /// The chain of tests that tells the buckets apart.
    fn tests(&mut self, buckets: Vec<Bucket<'a>>, value: Value, default: NodeId, back: NodeId) -> Node<'a> {
        let has_cells = buckets.iter().any(|bucket| bucket.constructor == Constructor::Cons);
        let mut immediates: Vec<(Const, NodeId)> = Vec::new();
        let mut arities: Vec<(u32, NodeId)> = Vec::new();
        // One test each, in order of first appearance; the two lists stand where their first member does.
        let mut order: Vec<Step> = Vec::new();
        let mut nil = None;
        for bucket in buckets {
            let Bucket { constructor, parts, rows } = bucket;
            let yes = self.state(State { rows, fallback: back });
            let first = parts.first().copied();
            let yes = match constructor {
                Constructor::Cons => {
                    self.graph.add(Node::Parts { value, part: Part::Cell, vars: parts, next: yes })
                }
                Constructor::Tuple(_) => {
                    self.graph.add(Node::Parts { value, part: Part::Elements, vars: parts, next: yes })
                }
                _ => yes,
            };
            match constructor {
                Constructor::Immediate(Const::Nil) if has_cells => nil = Some(yes),
                Constructor::Immediate(constant) => {
                    if immediates.is_empty() {
                        order.push(Step::Immediates);
                    }
                    immediates.push((constant, yes));
                }
                Constructor::Tuple(arity) => {
                    if arities.is_empty() {
                        order.push(Step::Arities);
                    }
                    arities.push((arity, yes));
                }
                Constructor::Literal(constant) => order.push(Step::Literal(constant, yes)),
                Constructor::Cons => order.push(Step::Cons(yes)),
                Constructor::Map => order.push(Step::Map(yes)),
                Constructor::Bits => order.push(Step::Bits(first, yes)),
            }
        }
        let mut no = default;
        let mut node = None;
        for step in order.into_iter().rev() {
            if let Some(node) = node.take() {
                no = self.graph.add(node);
            }
            node = Some(match step {
                Step::Immediates => select(value, std::mem::take(&mut immediates), no),
                Step::Arities => Node::Arity { value, cases: std::mem::take(&mut arities), no },
                Step::Literal(constant, yes) => Node::Equal { value, other: Value::Const(constant), yes, no },
                Step::Cons(yes) => {
                    if let Some(nil) = nil.take() {
                        no = self.graph.add(Node::IsNil { value, yes: nil, no });
                    }
                    Node::IsCons { value, yes, no }
                }
                Step::Map(yes) => Node::IsMap { value, yes, no },
                Step::Bits(Some(context), yes) => Node::Start { value, context, yes, no },
                Step::Bits(None, _) => Node::Fail,
            });
        }
        node.unwrap_or(Node::Fail)
    }
}

/// A test of the chain.
enum Step {
    Immediates,
    Arities,
    Literal(Const, NodeId),
    Cons(NodeId),
    Map(NodeId),
    Bits(Option<Var>, NodeId),
}

fn select<'a>(value: Value, cases: Vec<(Const, NodeId)>, no: NodeId) -> Node<'a> {
    match cases[..] {
        [(Const::Nil, yes)] => Node::IsNil { value, yes, no },
        [(constant, yes)] => Node::Equal { value, other: Value::Const(constant), yes, no },
        _ => Node::Select { value, cases, no },
    }
}
