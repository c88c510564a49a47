//! Rows: what is left to test for a clause to fit.

use super::NodeId;
use crate::core::{BitsPattern, Const, Expr, LitId, Pattern, Value, Var};

/// A wish about a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal<'a> {
    /// It is this constant; no list.
    Const(Const),
    /// It is exactly equal to this.
    Same(Value),
    /// It is this constant list, from an item on.
    ConstItems(LitId, usize),
    Items(&'a [Pattern], &'a Pattern),
    Tuple(&'a [Pattern]),
    Map(&'a [(Expr, Pattern)]),
    /// It is known to be a map, and has these.
    Keys(&'a [(Expr, Pattern)]),
    Bits(&'a [BitsPattern]),
    /// It is a match context, and these come next.
    Segments(&'a [BitsPattern]),
}

/// A goal by the identity of the patterns it refers to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct GoalKey(u8, usize, usize);

impl Goal<'_> {
    /// Two goals with the same key want the same.
    fn key(&self) -> GoalKey {
        let address = |pointer: *const u8| pointer.addr();
        match self {
            Goal::Const(Const::Int(value)) => GoalKey(0, *value as usize, 0),
            Goal::Const(Const::Atom(name)) => GoalKey(1, name.index(), 0),
            Goal::Const(Const::Nil) => GoalKey(2, 0, 0),
            Goal::Const(Const::Lit(id)) => GoalKey(3, id.0 as usize, 0),
            Goal::Same(Value::Var(var)) => GoalKey(4, var.index(), 0),
            Goal::Same(Value::Const(constant)) => {
                let GoalKey(kind, a, _) = Goal::Const(*constant).key();
                GoalKey(5, a, usize::from(kind))
            }
            Goal::ConstItems(id, at) => GoalKey(6, id.0 as usize, *at),
            Goal::Items(items, tail) => {
                GoalKey(7, address(items.as_ptr().cast()), address(std::ptr::from_ref(*tail).cast()))
            }
            Goal::Tuple(items) => GoalKey(8, address(items.as_ptr().cast()), items.len()),
            Goal::Map(pairs) => GoalKey(9, address(pairs.as_ptr().cast()), pairs.len()),
            Goal::Keys(pairs) => GoalKey(10, address(pairs.as_ptr().cast()), pairs.len()),
            Goal::Bits(segments) => GoalKey(11, address(segments.as_ptr().cast()), segments.len()),
            Goal::Segments(segments) => GoalKey(12, address(segments.as_ptr().cast()), segments.len()),
        }
    }
}

/// A row as part of a [`StateKey`].
type RowKey = (usize, Vec<(Value, GoalKey)>, Vec<(Var, Value)>);

/// What makes two states the same: they may share a node, since every value that one names was bound by a node
/// that both come behind.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct StateKey(NodeId, Vec<RowKey>);

/// A clause that may still fit.
#[derive(Clone, Debug)]
pub(super) struct Row<'a> {
    pub goals: Vec<(Value, Goal<'a>)>,
    pub bindings: Vec<(Var, Value)>,
    pub clause: usize,
}

/// Rows in order, and where to go when none fits.
pub(super) struct State<'a> {
    pub rows: Vec<Row<'a>>,
    pub fallback: NodeId,
}

impl Goal<'_> {
    /// Whether the goal wants a constructor.
    fn constructs(&self) -> bool {
        !matches!(self, Goal::Same(_) | Goal::Keys(_) | Goal::Segments(_))
    }
}

impl Row<'_> {
    pub fn new(clause: usize) -> Self {
        Row { goals: Vec::new(), bindings: Vec::new(), clause }
    }

    /// Whether the row wants a constructor at `value`.
    pub fn tests(&self, value: Value) -> bool {
        self.goals.iter().any(|(at, goal)| *at == value && goal.constructs())
    }
}

impl State<'_> {
    pub fn key(&self) -> StateKey {
        let row = |row: &Row<'_>| {
            let goals = row.goals.iter().map(|(value, goal)| (*value, goal.key())).collect();
            (row.clause, goals, row.bindings.clone())
        };
        StateKey(self.fallback, self.rows.iter().map(row).collect())
    }

    /// The value to test, and the first row's goal about it: the one that most of the first rows want to know about,
    /// and of equals the first.
    pub fn choose(&self) -> (Value, usize) {
        let first = &self.rows[0];
        let mut best = None;
        let mut best_run = 0;
        for (at, (value, goal)) in first.goals.iter().enumerate() {
            let run = if goal.constructs() {
                // Comparing with other values comes last: it tells nothing about the other rows.
                1 + self.rows.iter().take_while(|row| row.tests(*value)).count()
            } else {
                1
            };
            if run > best_run {
                (best, best_run) = (Some((*value, at)), run);
            }
        }
        best.unwrap_or((first.goals[0].0, 0))
    }

    /// Whether constant lists at `value` should be taken apart: rows want cells of it, or different lists.
    pub fn wants_cells(&self, value: Value) -> bool {
        let mut whole = None;
        for row in &self.rows {
            for (at, goal) in &row.goals {
                if *at != value {
                    continue;
                }
                match goal {
                    Goal::Items(..) | Goal::ConstItems(_, 1..) => return true,
                    Goal::ConstItems(id, 0) if whole.is_some_and(|whole| whole != *id) => return true,
                    Goal::ConstItems(id, 0) => whole = Some(*id),
                    _ => {}
                }
            }
        }
        false
    }
}
