//! Graphs of decisions to blocks.

use super::super::flow::{BlockId, End, Op, Test};
use super::{Builder, Dest};
use crate::bytecode::SegmentKind;
use crate::core::{BitsPattern, Clause, Const, Value, Var};
use crate::matching::{self, Graph, Node, NodeId, Part};

/// The blocks of nodes and of the clauses' bodies.
struct Places {
    nodes: Vec<Option<BlockId>>,
    waiting: Vec<NodeId>,
    failing: BlockId,
    bodies: Vec<Option<BlockId>>,
    /// How many leaves lead to each clause.
    leaves: Vec<u32>,
}

impl Builder<'_> {
    /// Builds clauses over `subjects` from the current block on; `failing` is where to go when none fits.
    pub(super) fn clauses(
        &mut self,
        subjects: &[Value],
        clauses: &[Clause],
        failing: BlockId,
        dest: Dest,
        takes_message: bool,
    ) {
        let graph = matching::compile(subjects, clauses, &self.shapes, self.pool, &mut self.flow.vars);
        let (live, leaves) = reachable(&graph, clauses.len());
        let mut places = Places {
            nodes: vec![None; graph.nodes.len()],
            waiting: Vec::new(),
            failing,
            bodies: vec![None; clauses.len()],
            leaves,
        };
        debug_assert!(live > 0, "the root is reached");
        let line = self.line;
        let around = std::mem::replace(&mut self.in_message, takes_message);
        places.nodes[graph.root.0 as usize] = Some(self.current);
        let mut next = Some(graph.root);
        while let Some(id) = next.take().or_else(|| places.waiting.pop()) {
            if let Some(block) = places.nodes[id.0 as usize] {
                self.current = block;
                self.line = line;
                self.node(&graph, graph.node(id), clauses, &mut places);
            }
        }
        self.in_message = around;
        for (clause, block) in clauses.iter().zip(&places.bodies) {
            if let Some(block) = *block {
                self.current = block;
                let params = self.flow.block(block).params.clone();
                for param in &params {
                    self.env.remove(*param);
                }
                if clauses.len() > 1 && params.is_empty() && !takes_message {
                    self.own_variables(clause);
                }
                self.clause_body(clause, dest, takes_message);
            }
        }
    }

    fn place(&mut self, id: NodeId, places: &mut Places, graph: &Graph<'_>) -> BlockId {
        if matches!(graph.node(id), Node::Fail) {
            return places.failing;
        }
        if let Some(block) = places.nodes[id.0 as usize] {
            return block;
        }
        let block = self.block();
        places.nodes[id.0 as usize] = Some(block);
        places.waiting.push(id);
        block
    }

    fn node(&mut self, graph: &Graph<'_>, node: &Node<'_>, clauses: &[Clause], places: &mut Places) {
        let (op, args, dsts, yes, no) = match node {
            Node::Fail => return self.close(End::Jump(places.failing, vec![])),
            Node::Leaf { clause, bindings, otherwise } => {
                let otherwise = self.place(*otherwise, places, graph);
                return self.leaf(&clauses[*clause], *clause, bindings, otherwise, places);
            }
            Node::Parts { value, part, vars, next } => {
                self.parts(*value, *part, vars);
                return self.then(*next, places, graph);
            }
            Node::Save { saved, next } => {
                for &(context, position) in saved {
                    self.push(Op::BsPosition, vec![Value::Var(context)], vec![position]);
                }
                return self.then(*next, places, graph);
            }
            Node::Restore { saved, next } => {
                for &(context, position) in saved {
                    self.push(Op::BsRestore, vec![Value::Var(context), Value::Var(position)], vec![]);
                }
                return self.then(*next, places, graph);
            }
            Node::Select { value, cases, no } => {
                let value = self.value(*value);
                let cases =
                    cases.iter().map(|&(constant, to)| (constant, self.place(to, places, graph))).collect();
                let default = self.place(*no, places, graph);
                return self.close(End::Select { value, cases, default });
            }
            Node::Arity { value, cases, no } => return self.arity(*value, cases, *no, graph, places),
            Node::Keys { map, keys, bindings, yes, no } => {
                let no = self.place(*no, places, graph);
                self.bind(bindings);
                let mut args = vec![self.value(*map)];
                args.extend(keys.iter().map(|(key, _)| self.guard_value(key, no)));
                let dsts = keys.iter().map(|(_, dst)| *dst).collect();
                let yes = self.place(*yes, places, graph);
                return self.branch_to(Op::MapGet, args, dsts, yes, no);
            }
            Node::Take { context, segment, bindings, dst, yes, no } => {
                let no = self.place(*no, places, graph);
                let yes = self.place(*yes, places, graph);
                self.bind(bindings);
                return self.take(*context, segment, *dst, yes, no);
            }
            Node::Exactly { context, bits: Const::Lit(bits), yes, no } => {
                (Op::BsString(*bits), vec![*context], vec![], yes, no)
            }
            Node::Exactly { yes, .. } => return self.then(*yes, places, graph),
            Node::AtEnd { context, yes, no } => (Op::BsTail(0), vec![*context], vec![], yes, no),
            Node::Start { value, context, yes, no } => (Op::BsStart, vec![*value], vec![*context], yes, no),
            Node::IsCons { value, yes, no } => (Op::Test(Test::Cons), vec![*value], vec![], yes, no),
            Node::IsNil { value, yes, no } => (Op::Test(Test::Nil), vec![*value], vec![], yes, no),
            Node::IsMap { value, yes, no } => (Op::Test(Test::Map), vec![*value], vec![], yes, no),
            Node::Equal { value, other, yes, no } => {
                (Op::Test(Test::ExactEq), vec![*value, *other], vec![], yes, no)
            }
        };
        let args = self.values(&args);
        let yes = self.place(*yes, places, graph);
        let no = self.place(*no, places, graph);
        self.branch_to(op, args, dsts, yes, no);
    }

    fn then(&mut self, next: NodeId, places: &mut Places, graph: &Graph<'_>) {
        let next = self.place(next, places, graph);
        self.close(End::Jump(next, vec![]));
    }

    fn parts(&mut self, value: Value, part: Part, vars: &[Var]) {
        let value = self.value(value);
        for (i, &var) in vars.iter().enumerate() {
            let op = match (part, i) {
                (Part::Cell, 0) => Op::Head,
                (Part::Cell, _) => Op::Tail,
                (Part::Elements, i) => Op::Element(i as u32),
            };
            self.push(op, vec![value], vec![var]);
        }
    }

    fn arity(
        &mut self,
        value: Value,
        cases: &[(u32, NodeId)],
        no: NodeId,
        graph: &Graph<'_>,
        places: &mut Places,
    ) {
        let value = self.value(value);
        let default = self.place(no, places, graph);
        if let [(arity, yes)] = cases {
            let yes = self.place(*yes, places, graph);
            return self.branch_to(Op::Test(Test::TupleOf(*arity)), vec![value], vec![], yes, default);
        }
        self.branch(Op::Test(Test::Tuple), vec![value], vec![], default);
        let cases = cases.iter().map(|&(arity, to)| (arity, self.place(to, places, graph))).collect();
        self.close(End::Arity { value, cases, default });
    }

    fn bind(&mut self, bindings: &[(Var, Value)]) {
        for &(var, value) in bindings {
            let value = self.value(value);
            self.env.insert(var, value);
        }
    }

    fn leaf(
        &mut self,
        clause: &Clause,
        index: usize,
        bindings: &[(Var, Value)],
        otherwise: BlockId,
        places: &mut Places,
    ) {
        let shared = places.leaves[index] > 1;
        self.bind(bindings);
        let body = *places.bodies[index].get_or_insert_with(|| {
            let params = if shared { sorted(bindings) } else { Vec::new() };
            self.block_with(params)
        });
        for &(a, b) in &clause.same {
            let args = self.values(&[Value::Var(a), Value::Var(b)]);
            self.branch(Op::Test(Test::ExactEq), args, vec![], otherwise);
        }
        if !shared {
            return self.guard(&clause.guard, body, otherwise);
        }
        let passing = self.block();
        self.guard(&clause.guard, passing, otherwise);
        self.current = passing;
        let params = self.flow.block(body).params.clone();
        let args: Vec<Value> = params.iter().map(|&var| self.value(Value::Var(var))).collect();
        self.close(End::Jump(body, args));
        // From here on the parameters stand for themselves.
        for var in params {
            self.env.remove(var);
        }
    }

    fn clause_body(&mut self, clause: &Clause, dest: Dest, takes_message: bool) {
        if takes_message {
            self.take_message(clause);
        }
        self.body(&clause.body, dest);
    }

    fn take(&mut self, context: Value, segment: &BitsPattern, dst: Option<Var>, yes: BlockId, no: BlockId) {
        let context = self.value(context);
        let size = segment.size.as_ref().map(|size| self.guard_value(size, no));
        let mut args = vec![context];
        args.extend(size);
        let (unit, flags) = (segment.unit, segment.flags);
        let dsts: Vec<Var> = dst.into_iter().collect();
        let op = match segment.kind {
            SegmentKind::Integer if dsts.is_empty() => Op::BsSkip { unit },
            SegmentKind::Binary if dsts.is_empty() => Op::BsSkip { unit },
            SegmentKind::Binary => Op::BsBinary { unit },
            SegmentKind::Integer => Op::BsInteger { unit, flags },
            SegmentKind::Float => Op::BsFloat { unit, flags },
            kind => Op::BsUtf { kind, flags },
        };
        let needs_result = matches!(op, Op::BsFloat { .. } | Op::BsUtf { .. });
        let dsts = if needs_result && dsts.is_empty() { vec![self.flow.var()] } else { dsts };
        self.branch_to(op, args, dsts, yes, no);
    }
}

/// Variables of bindings in the order that all leaves of a clause agree on.
fn sorted(bindings: &[(Var, Value)]) -> Vec<Var> {
    let mut vars: Vec<Var> = bindings.iter().map(|(var, _)| *var).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}

/// The number of nodes that are reached, and of leaves for each clause.
fn reachable(graph: &Graph<'_>, clauses: usize) -> (usize, Vec<u32>) {
    let mut seen = vec![false; graph.nodes.len()];
    let mut count = 0;
    let mut leaves = vec![0; clauses];
    let mut waiting = vec![graph.root];
    while let Some(id) = waiting.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        count += 1;
        if let Node::Leaf { clause, .. } = graph.node(id) {
            leaves[*clause] += 1;
        }
        graph.node(id).each_next(|next| waiting.push(next));
    }
    (count, leaves)
}
