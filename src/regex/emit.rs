//! From a tree to a program.
//!
//! Tasks wait on a stack: a node becomes the tasks of its parts, a task at the top becomes an instruction. Places that are
//! jumped to are labels until all is there. What is repeated a number of times is emitted so many times, as PCRE does it: so
//! the captures inside, and what is tried after what, come out the same.

use super::ast::{CalledAs, Condition, GroupKind, Mode, Node, NodeId, Single, Target, Tree, UNBOUNDED, Verb};
use super::fault::{self, CompileError, fault};
use super::letters;
use super::program::{Inst, Pc, Program, Slot};
use super::properties;
use super::reference::{Length, lengths};
use super::set::Ranges;
use super::start::{First, Starts, are_apart, firsts};
use super::{Meter, Options};

/// Most instructions of a program, and most tasks that make them.
const MAX_INSTRUCTIONS: usize = 1 << 16;
const MAX_TASKS: usize = 1 << 18;

/// Tasks between two announcements of work.
const TASKS_AT_ONCE: usize = 512;

/// Units of work for one.
const UNITS_PER_TASK: usize = 8;

/// A place that is not known yet.
type Label = u32;

/// Something to be done.
#[derive(Clone, Copy)]
enum Task {
    Node(NodeId),
    /// An instruction, its places being labels.
    Put(Inst),
    Here(Label),
    /// The first of a group begins here.
    Entry(u32),
}

struct Emitter<'t> {
    tree: &'t Tree,
    lengths: Vec<Length>,
    firsts: Vec<First>,
    tasks: Vec<Task>,
    code: Vec<Inst>,
    text: Vec<u8>,
    lists: Vec<Vec<u32>>,
    labels: Vec<Pc>,
    entries: Vec<Pc>,
    slots: Slot,
}

/// Makes the program of a tree.
pub(super) fn emit(tree: Tree, meter: &mut dyn Meter) -> Result<Program, CompileError> {
    let first_slot = 1 + 3 * tree.groups;
    let mut emitter = Emitter {
        tree: &tree,
        lengths: lengths(&tree),
        firsts: firsts(&tree),
        tasks: Vec::new(),
        code: Vec::new(),
        text: Vec::new(),
        lists: Vec::new(),
        labels: Vec::new(),
        entries: vec![Pc::MAX; tree.groups as usize + 1],
        slots: first_slot,
    };
    emitter.run(meter)?;
    let Emitter { mut code, text, lists, labels, entries, slots, firsts, .. } = emitter;
    resolve(&mut code, &labels);
    let starts = Starts::of(&tree, &firsts);
    let Options { ucp, .. } = tree.options;
    let word = if ucp { properties::word() } else { Ranges::of(letters::WORD) };
    Ok(Program {
        code,
        text,
        lists,
        entries,
        slots,
        groups: tree.groups,
        word: word.finish(),
        first: starts.first,
        required: starts.required,
        anchored: starts.anchored,
        has_newline: tree.has_newline,
        options: tree.options,
        limit_steps: tree.limit_steps,
        limit_depth: tree.limit_depth,
        sets: tree.sets,
        names: tree.names,
    })
}

/// Puts places for labels.
fn resolve(code: &mut [Inst], labels: &[Pc]) {
    for inst in code {
        match inst {
            Inst::Split { other }
            | Inst::SplitLazy { other }
            | Inst::Branch { other }
            | Inst::AskedNot { other, .. }
            | Inst::IfSet { other, .. }
            | Inst::IfCalled { other, .. } => *other = labels[*other as usize],
            Inst::Jump { to } => *to = labels[*to as usize],
            Inst::LoopEnd { out, .. } => *out = labels[*out as usize],
            Inst::LookStart { end, .. } | Inst::NotStart { end, .. } => *end = labels[*end as usize],
            Inst::AskStart { other, end, .. } => {
                *other = labels[*other as usize];
                *end = labels[*end as usize];
            }
            _ => {}
        }
    }
}

impl Emitter<'_> {
    fn run(&mut self, meter: &mut dyn Meter) -> Result<(), CompileError> {
        self.then(&[Task::Entry(0), Task::Node(self.tree.root), Task::Put(Inst::End)]);
        let mut done = 0;
        while let Some(task) = self.tasks.pop() {
            done += 1;
            if done % TASKS_AT_ONCE == 0 {
                let held = (self.code.len() + self.tasks.len()) * 2 * size_of::<Inst>();
                if !meter.work(TASKS_AT_ONCE * UNITS_PER_TASK) || !meter.hold(held) {
                    return Err(CompileError::Stopped);
                }
            }
            if self.code.len() > MAX_INSTRUCTIONS || done > MAX_TASKS || self.tasks.len() > MAX_TASKS {
                return fault(fault::TOO_LARGE, self.tree.length);
            }
            match task {
                Task::Node(node) => self.node(node),
                Task::Put(inst) => self.put(inst),
                Task::Here(label) => self.labels[label as usize] = self.here(),
                Task::Entry(group) => {
                    let here = self.here();
                    let entry = &mut self.entries[group as usize];
                    *entry = (*entry).min(here);
                }
            }
        }
        Ok(())
    }

    fn here(&self) -> Pc {
        Pc::try_from(self.code.len()).expect("programs are limited")
    }

    fn put(&mut self, inst: Inst) {
        self.code.push(inst);
    }

    /// These tasks come next, in this order.
    fn then(&mut self, tasks: &[Task]) {
        self.tasks.extend(tasks.iter().rev());
    }

    fn label(&mut self) -> Label {
        self.labels.push(Pc::MAX);
        Label::try_from(self.labels.len() - 1).expect("fewer than tasks")
    }

    fn slots(&mut self, count: u32) -> Slot {
        self.slots += count;
        self.slots - count
    }

    fn list(&mut self, numbers: Vec<u32>) -> u32 {
        self.lists.push(numbers);
        u32::try_from(self.lists.len() - 1).expect("fewer than tasks")
    }

    fn node(&mut self, id: NodeId) {
        let tree = self.tree;
        match &tree.nodes[id as usize] {
            Node::Empty => {}
            Node::Single(single) => self.single(*single),
            Node::Newline => self.put(Inst::Newline),
            Node::Grapheme => self.put(Inst::Grapheme),
            Node::Test(test) => self.put(Inst::Test(*test)),
            Node::Keep => self.put(Inst::Keep),
            Node::Back { target, caseless } => {
                let list = self.list(tree.numbers(*target));
                self.put(Inst::Back { list, caseless: *caseless });
            }
            Node::Call(target) => {
                let group = tree.numbers(*target).first().copied().unwrap_or(0);
                self.put(Inst::Call { group });
            }
            Node::Verb(verb) => self.verb(*verb),
            Node::Concat(parts) => self.concat(parts),
            Node::Group { kind, alternatives } => self.group(*kind, alternatives),
            Node::Repeat { node, min, max, mode } => self.repeat(*node, *min, *max, *mode),
        }
    }

    /// One character; bytes after one another become one text.
    fn single(&mut self, single: Single) {
        let mut bytes = [0; 4];
        let text = match single {
            Single::Byte(byte) => {
                bytes[0] = byte;
                &bytes[..1]
            }
            Single::Char(c) => match char::from_u32(c) {
                Some(c) => c.encode_utf8(&mut bytes).as_bytes(),
                None => return self.put(Inst::One(single)),
            },
            _ => return self.put(Inst::One(single)),
        };
        let at = u32::try_from(self.text.len()).expect("programs are limited");
        self.text.extend_from_slice(text);
        let length = u32::try_from(text.len()).expect("at most four");
        self.put(Inst::Text { at, length });
    }

    /// Parts after one another. Characters that stand for themselves become one text; what is repeated and cannot be what comes
    /// next is repeated for good.
    fn concat(&mut self, parts: &[NodeId]) {
        let tree = self.tree;
        let mut tasks = Vec::with_capacity(parts.len());
        let mut at = 0;
        while at < parts.len() {
            let start = self.text.len();
            let mut bytes = [0; 4];
            while let Some(part) = parts.get(at)
                && let Node::Single(single @ (Single::Byte(_) | Single::Char(_))) = tree.nodes[*part as usize]
            {
                match single {
                    Single::Byte(byte) => self.text.push(byte),
                    Single::Char(c) => match char::from_u32(c) {
                        Some(c) => self.text.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes()),
                        None => break,
                    },
                    _ => break,
                }
                at += 1;
            }
            let length = self.text.len() - start;
            if length > 0 {
                let (start, length) = (start as u32, length as u32);
                tasks.push(Task::Put(Inst::Text { at: start, length }));
                continue;
            }
            let part = parts[at];
            at += 1;
            if let Node::Repeat { node, min, max, mode: Mode::Greedy } = tree.nodes[part as usize]
                && let Node::Single(single) = tree.nodes[node as usize]
                && let Some(next) = parts.get(at)
                && are_apart(tree, &self.firsts, single, *next)
            {
                tasks.push(Task::Put(Inst::Repeat { single, min, max, mode: Mode::Possessive }));
                continue;
            }
            tasks.push(Task::Node(part));
        }
        self.then(&tasks);
    }

    fn verb(&mut self, verb: Verb) {
        match verb {
            Verb::Fail => self.put(Inst::Fail),
            Verb::Accept(enclosing) => {
                for group in &self.tree.enclosing[enclosing as usize] {
                    self.code.push(Inst::Close { group: *group });
                }
                self.put(Inst::Accept);
            }
            Verb::Commit => self.put(Inst::Commit),
            Verb::Prune => self.put(Inst::Prune),
            Verb::Skip => self.put(Inst::Skip),
            Verb::SkipTo(mark) => self.put(Inst::SkipTo { mark }),
            Verb::Then => self.put(Inst::Then),
            Verb::Mark(mark) => self.put(Inst::Mark { mark }),
        }
    }

    /// Tasks for alternatives, each behind as many characters as it matches if `behind`.
    fn alternatives(&mut self, alternatives: &[NodeId], behind: bool) -> Vec<Task> {
        let mut tasks = Vec::with_capacity(4 * alternatives.len());
        let end = self.label();
        let several = alternatives.len() > 1;
        for (index, alternative) in alternatives.iter().enumerate() {
            let is_last = index + 1 == alternatives.len();
            let other = self.label();
            // The last of several is a branch too where `(*THEN)` may ask for the next.
            let is_branch = !is_last || several && self.tree.has_then;
            if is_branch {
                tasks.push(Task::Put(Inst::Branch { other }));
            }
            if behind {
                let count = self.lengths[*alternative as usize].unwrap_or(0);
                tasks.push(Task::Put(Inst::Behind { count }));
            }
            tasks.push(Task::Node(*alternative));
            if is_branch {
                tasks.push(Task::Put(Inst::Jump { to: end }));
                tasks.push(Task::Here(other));
                if is_last {
                    tasks.push(Task::Put(Inst::Fail));
                }
            }
        }
        tasks.push(Task::Here(end));
        tasks
    }

    fn group(&mut self, kind: GroupKind, alternatives: &[NodeId]) {
        match kind {
            GroupKind::Plain => {
                let tasks = self.alternatives(alternatives, false);
                self.then(&tasks);
            }
            GroupKind::Capture(group) => {
                let mut tasks = vec![Task::Entry(group), Task::Put(Inst::Open { group })];
                tasks.extend(self.alternatives(alternatives, false));
                tasks.push(Task::Put(Inst::Close { group }));
                self.then(&tasks);
            }
            GroupKind::Atomic => {
                let slot = self.slots(1);
                let mut tasks = vec![Task::Put(Inst::AtomicStart { slot })];
                tasks.extend(self.alternatives(alternatives, false));
                tasks.push(Task::Put(Inst::AtomicEnd { slot }));
                self.then(&tasks);
            }
            GroupKind::Look { behind, negated } => {
                let slot = self.slots(2);
                let end = self.label();
                let start =
                    if negated { Inst::NotStart { slot, end } } else { Inst::LookStart { slot, end } };
                let finish = if negated { Inst::NotEnd { slot } } else { Inst::LookEnd { slot } };
                let mut tasks = vec![Task::Put(start)];
                tasks.extend(self.alternatives(alternatives, behind));
                tasks.extend([Task::Here(end), Task::Put(finish)]);
                self.then(&tasks);
            }
            GroupKind::Condition(condition) => self.condition(condition, alternatives),
        }
    }

    fn condition(&mut self, condition: Condition, alternatives: &[NodeId]) {
        let (otherwise, end) = (self.label(), self.label());
        let (mut tasks, branches) = match condition {
            Condition::Set(target) => {
                let list = self.list(self.tree.numbers(target));
                (vec![Task::Put(Inst::IfSet { list, other: otherwise })], alternatives)
            }
            Condition::Called(as_what) => {
                let numbers = match as_what {
                    CalledAs::Any => Vec::new(),
                    CalledAs::Group(Target::Number(number)) => vec![number],
                    CalledAs::Group(target) => self.tree.numbers(target),
                };
                let list = self.list(numbers);
                (vec![Task::Put(Inst::IfCalled { list, other: otherwise })], alternatives)
            }
            Condition::Define => (vec![Task::Put(Inst::Jump { to: otherwise })], alternatives),
            Condition::Assertion => (self.asked(alternatives[0], otherwise), &alternatives[1..]),
        };
        if let Some(yes) = branches.first() {
            tasks.push(Task::Node(*yes));
        }
        tasks.extend([Task::Put(Inst::Jump { to: end }), Task::Here(otherwise)]);
        if let Some(no) = branches.get(1) {
            tasks.push(Task::Node(*no));
        }
        tasks.push(Task::Here(end));
        self.then(&tasks);
    }

    /// Tasks of an assertion that goes on if it holds and to `otherwise` if not.
    fn asked(&mut self, assertion: NodeId, otherwise: Label) -> Vec<Task> {
        let tree = self.tree;
        let Node::Group { kind: GroupKind::Look { behind, negated }, alternatives } =
            &tree.nodes[assertion as usize]
        else {
            return vec![Task::Node(assertion)];
        };
        let slot = self.slots(3);
        let (holds, end) = (self.label(), self.label());
        let other = if *negated { holds } else { otherwise };
        let mut tasks = vec![Task::Put(Inst::AskStart { slot, other, end, negated: *negated })];
        tasks.extend(self.alternatives(alternatives, *behind));
        let matched =
            if *negated { Inst::AskedNot { slot, other: otherwise } } else { Inst::AskEnd { slot } };
        tasks.extend([Task::Here(end), Task::Put(matched)]);
        tasks.push(Task::Here(holds));
        tasks
    }

    fn repeat(&mut self, node: NodeId, min: u32, max: u32, mode: Mode) {
        if let Node::Single(single) = self.tree.nodes[node as usize] {
            if max > 0 {
                self.put(Inst::Repeat { single, min, max, mode });
            }
            return;
        }
        let mut tasks = Vec::new();
        let atomic = (mode == Mode::Possessive).then(|| self.slots(1));
        if let Some(slot) = atomic {
            tasks.push(Task::Put(Inst::AtomicStart { slot }));
        }
        let lazy = mode == Mode::Lazy;
        let split =
            |other: Label| Task::Put(if lazy { Inst::SplitLazy { other } } else { Inst::Split { other } });
        let out = self.label();
        if max == 0 {
            // It can still be called.
            tasks.extend([Task::Put(Inst::Jump { to: out }), Task::Node(node)]);
        } else if max == UNBOUNDED {
            tasks.extend((1..min).map(|_| Task::Node(node)));
            let (again, slot) = (self.label(), self.slots(1));
            if min == 0 {
                tasks.push(split(out));
            }
            tasks.extend([
                Task::Here(again),
                Task::Put(Inst::LoopStart { slot }),
                Task::Node(node),
                Task::Put(Inst::LoopEnd { slot, out }),
                split(out),
                Task::Put(Inst::Jump { to: again }),
            ]);
        } else {
            tasks.extend((0..min).map(|_| Task::Node(node)));
            for _ in min..max {
                tasks.extend([split(out), Task::Node(node)]);
            }
        }
        tasks.push(Task::Here(out));
        if let Some(slot) = atomic {
            tasks.push(Task::Put(Inst::AtomicEnd { slot }));
        }
        self.then(&tasks);
    }
}
