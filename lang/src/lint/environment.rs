//! Variables: which names are bound where, whether safely, and which were ever used.
//!
//! Bindings live in one table with a trail of changes, so that a branch costs only what it binds: a caller takes a
//! [`Environment::mark`], walks the branch, and [`Environment::leave`]s it, which undoes the branch and hands out what
//! it bound. [`Environment::merge`] then decides what the branches bind together. Every binding place is a
//! [`Variable`] of its own, so a variable that is used after one branch and not after another is told apart.

use crate::hash::{HashMap, HashSet};
use crate::{Name, Span};

/// The number of a binding place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VariableId(u32);

/// A place that binds, or the join of such places in branches.
pub(super) struct Variable {
    pub(super) name: Name,
    pub(super) span: Span,
    pub(super) used: bool,
    /// The places joined here; then `span` is none.
    members: Vec<VariableId>,
}

/// The construct a variable comes out of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Origin {
    pub(super) construct: &'static str,
    pub(super) span: Span,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum State {
    Bound,
    /// Bound on some ways only.
    Unsafe(Origin),
    /// Bound on all ways through a construct.
    Exported(Origin),
    /// The stack trace of a `catch` clause, in its guard.
    Stacktrace,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Binding {
    pub(super) variable: VariableId,
    pub(super) state: State,
}

/// What a branch bound: names with their bindings at its end, and whether they were bound before it.
pub(super) type Branch = Vec<(Name, Binding, bool)>;

#[derive(Default)]
pub(super) struct Environment {
    /// By name.
    bindings: Vec<Option<Binding>>,
    trail: Vec<(Name, Option<Binding>)>,
    variables: Vec<Variable>,
}

impl Environment {
    pub(super) fn get(&self, name: Name) -> Option<Binding> {
        self.bindings.get(name.index()).copied().flatten()
    }

    pub(super) fn set(&mut self, name: Name, binding: Option<Binding>) {
        if self.bindings.len() <= name.index() {
            self.bindings.resize(name.index() + 1, None);
        }
        let before = std::mem::replace(&mut self.bindings[name.index()], binding);
        self.trail.push((name, before));
    }

    pub(super) fn set_state(&mut self, name: Name, state: State) {
        if let Some(binding) = self.get(name) {
            self.set(name, Some(Binding { state, ..binding }));
        }
    }

    /// A new binding place, not yet in scope.
    pub(super) fn create(&mut self, name: Name, span: Span) -> VariableId {
        self.variables.push(Variable { name, span, used: false, members: Vec::new() });
        VariableId(self.variables.len() as u32 - 1)
    }

    pub(super) fn bind(&mut self, name: Name, variable: VariableId) {
        self.set(name, Some(Binding { variable, state: State::Bound }));
    }

    /// The number of the next binding place.
    pub(super) fn next(&self) -> VariableId {
        VariableId(self.variables.len() as u32)
    }

    /// Whether a binding place was made before that number was the next.
    pub(super) fn is_older(&self, variable: VariableId, next: VariableId) -> bool {
        variable.0 < next.0
    }

    pub(super) fn is_used(&self, variable: VariableId) -> bool {
        self.variables[variable.0 as usize].used
    }

    /// Notes a use, of all joined places.
    pub(super) fn mark_used(&mut self, variable: VariableId) {
        let mut pending = vec![variable];
        while let Some(VariableId(index)) = pending.pop() {
            let variable = &mut self.variables[index as usize];
            if !variable.used {
                variable.used = true;
                pending.extend(&variable.members);
            }
        }
    }

    /// Where the trail stands.
    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Undoes all changes since the mark and gives what was bound at the end.
    pub(super) fn leave(&mut self, mark: usize) -> Branch {
        let mut branch: Branch = Vec::new();
        // Where a name stands in `branch`: a body of many thousand variables must not cost their square.
        let mut places: HashMap<Name, usize> = HashMap::default();
        while self.trail.len() > mark {
            let Some((name, before)) = self.trail.pop() else { break };
            let now = self.get(name);
            match (places.get(&name), now) {
                (Some(&place), _) => branch[place].2 = before.is_some(),
                (None, Some(now)) => {
                    places.insert(name, branch.len());
                    branch.push((name, now, before.is_some()));
                }
                (None, None) => {}
            }
            self.bindings[name.index()] = before;
        }
        branch.reverse();
        branch
    }

    /// Leaves a branch whose bindings nobody sees.
    pub(super) fn discard(&mut self, mark: usize) {
        let branch = self.leave(mark);
        self.keep_reported(&branch);
    }

    /// Adds what parts that do not see each other have bound; a name bound by several is used by their match.
    pub(super) fn join(&mut self, parts: Vec<Branch>) -> Vec<(Name, VariableId)> {
        let mut matched = Vec::new();
        let mut joined: HashSet<Name> = HashSet::default();
        for branch in parts {
            self.keep_reported(&branch);
            for (name, binding, before) in branch {
                if before {
                    continue;
                }
                if joined.insert(name) {
                    self.set(name, Some(binding));
                    continue;
                }
                if let Some(first) = self.get(name) {
                    self.mark_used(first.variable);
                }
                self.mark_used(binding.variable);
                matched.push((name, binding.variable));
                if matches!(binding.state, State::Unsafe(_)) {
                    self.set(name, Some(binding));
                }
            }
        }
        matched
    }

    /// Adds what the branches of a construct bind together: safe if all of them bind it.
    pub(super) fn merge(&mut self, branches: Vec<Branch>, origin: Origin) {
        let count = branches.len();
        let mut names: Vec<Name> = Vec::new();
        let mut found: HashMap<Name, Vec<Binding>> = HashMap::default();
        for branch in &branches {
            self.keep_reported(branch);
            for &(name, binding, before) in branch {
                if !before {
                    let bindings = found.entry(name).or_default();
                    if bindings.is_empty() {
                        names.push(name);
                    }
                    bindings.push(binding);
                }
            }
        }
        for name in names {
            let Some(bindings) = found.remove(&name) else { continue };
            let mut unsafe_in =
                bindings.iter().map(|b| b.state).filter(|state| matches!(state, State::Unsafe(_)));
            let state = match (bindings.len() == count, unsafe_in.next(), unsafe_in.next()) {
                (true, None, _) => State::Exported(origin),
                (true, Some(state), None) => state,
                _ => State::Unsafe(origin),
            };
            let members: Vec<VariableId> = bindings.iter().map(|binding| binding.variable).collect();
            let used = members.iter().all(|&member| self.is_used(member));
            self.variables.push(Variable { name, span: Span::NONE, used, members });
            let variable = VariableId(self.variables.len() as u32 - 1);
            self.set(name, Some(Binding { variable, state }));
        }
    }

    /// Adds what a branch bound as unsafe: it may not have been walked to its end.
    pub(super) fn adopt_unsafe(&mut self, branch: &Branch, origin: Origin) {
        self.keep_reported(branch);
        for &(name, binding, before) in branch {
            if !before {
                self.set(name, Some(Binding { state: State::Unsafe(origin), ..binding }));
            }
        }
    }

    /// Adds what a branch bound as it is.
    pub(super) fn adopt(&mut self, branch: &Branch) {
        self.keep_reported(branch);
        for &(name, binding, before) in branch {
            if !before {
                self.set(name, Some(binding));
            }
        }
    }

    /// A name that was unsafe before a branch and reported in it counts as bound from then on.
    fn keep_reported(&mut self, branch: &Branch) {
        for &(name, binding, before) in branch {
            if before
                && binding.state == State::Bound
                && let Some(known) = self.get(name)
                && known.state != State::Bound
                && known.variable == binding.variable
            {
                self.set_state(name, State::Bound);
            }
        }
    }

    /// The binding places that nothing used, in source order of creation.
    pub(super) fn unused(&self) -> impl Iterator<Item = &Variable> {
        self.variables.iter().filter(|variable| !variable.used && !variable.span.is_none())
    }

    /// Where a variable is bound, for a join its first place.
    pub(super) fn span(&self, variable: VariableId) -> Span {
        let mut at = &self.variables[variable.0 as usize];
        while at.span.is_none()
            && let Some(first) = at.members.first()
        {
            at = &self.variables[first.0 as usize];
        }
        at.span
    }

    /// Names in scope, for hints.
    pub(super) fn names(&self) -> impl Iterator<Item = Name> + '_ {
        self.variables.iter().map(|variable| variable.name).filter(|name| self.get(*name).is_some())
    }
}
