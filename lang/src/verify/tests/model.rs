//! The verifier against a model that runs code: mutants it accepts are run with values that know what they are, taking
//! random ways, and nothing may go wrong that the verifier promises. The model has no joins and no fixpoint, so a hole
//! in those shows here.

mod step;

use super::hostile::{RICH, matcher, mutate};
use super::*;
use crate::bytecode::{AtomIx, Fail, FnIx, Literal, MAX_X, Reg, Src};

/// A concrete value.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Undefined,
    Small,
    Big,
    Float,
    Class,
    Atom,
    Nil,
    Cons,
    Tuple(u32),
    Map,
    Fun,
    Bits,
    Other,
    Context,
    Position,
    Trace,
    Mark(Label, bool),
}

impl Kind {
    fn is_term(self) -> bool {
        !matches!(self, Kind::Undefined | Kind::Context | Kind::Position | Kind::Trace | Kind::Mark(..))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Held {
    kind: Kind,
    fragile: bool,
}

const UNDEFINED: Held = Held { kind: Kind::Undefined, fragile: false };
const NIL: Held = Held { kind: Kind::Nil, fragile: false };

#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Out,
    Message(usize),
    Empty(usize),
    TimedOut,
}

/// Where to go on.
enum Next {
    On,
    To(Label),
    Raise,
    Stop,
}

struct Run<'m> {
    module: &'m Module,
    facts: &'m FunctionFacts,
    pc: usize,
    x: Vec<Held>,
    y: Option<Vec<Held>>,
    space: u32,
    at: At,
    free_steps: usize,
    random: Random,
}

pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit.max(1)
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }
}

type Wrong = String;

impl Run<'_> {
    fn label(&self, label: Label) -> usize {
        let code = &self.module.functions[0].code;
        code.iter().position(|instr| *instr == Instr::Label { label }).expect("declared")
    }

    fn first(&self, label: Label) -> usize {
        let code = &self.module.functions[0].code;
        let at = self.label(label);
        at + code[at..]
            .iter()
            .position(|instr| !matches!(instr, Instr::Label { .. } | Instr::Line { .. }))
            .expect("code goes on")
    }

    fn any(&mut self, fragile: bool) -> Held {
        let all = [
            Kind::Small,
            Kind::Big,
            Kind::Float,
            Kind::Class,
            Kind::Atom,
            Kind::Nil,
            Kind::Cons,
            Kind::Cons,
            Kind::Tuple(0),
            Kind::Tuple(1),
            Kind::Tuple(2),
            Kind::Tuple(3),
            Kind::Map,
            Kind::Fun,
            Kind::Bits,
            Kind::Other,
        ];
        Held { kind: all[self.random.below(all.len())], fragile }
    }

    fn get(&self, reg: Reg) -> Result<Held, Wrong> {
        match reg {
            Reg::X(n) => Ok(self.x[usize::from(n)]),
            Reg::Y(n) => {
                let frame = self.y.as_ref().ok_or("no frame")?;
                frame.get(usize::from(n)).copied().ok_or_else(|| "slot outside of the frame".into())
            }
        }
    }

    fn set(&mut self, reg: Reg, held: Held) -> Result<(), Wrong> {
        if matches!(self.get(reg)?.kind, Kind::Mark(..)) {
            return Err("a mark is overwritten".into());
        }
        self.put(reg, held)
    }

    fn put(&mut self, reg: Reg, held: Held) -> Result<(), Wrong> {
        match (reg, &mut self.y) {
            (Reg::X(n), _) => self.x[usize::from(n)] = held,
            (Reg::Y(_), _) if held.fragile => return Err("fragile in a slot".into()),
            (Reg::Y(n), Some(frame)) => frame[usize::from(n)] = held,
            (Reg::Y(_), None) => return Err("no frame".into()),
        }
        Ok(())
    }

    fn term(&self, src: Src) -> Result<Held, Wrong> {
        let kind = match src {
            Src::X(n) => return self.term_in(Reg::X(n)),
            Src::Y(n) => return self.term_in(Reg::Y(n)),
            Src::Int(n) if (crate::bytecode::SMALL_MIN..=crate::bytecode::SMALL_MAX).contains(&n) => {
                Kind::Small
            }
            Src::Int(_) => Kind::Big,
            Src::Nil => Kind::Nil,
            Src::Atom(AtomIx(n)) => match self.module.atoms[n as usize].as_str() {
                "error" | "exit" | "throw" => Kind::Class,
                _ => Kind::Atom,
            },
            Src::Lit(lit) => match &self.module.literals[lit.index()] {
                Literal::Map(_) => Kind::Map,
                Literal::Bits { .. } => Kind::Bits,
                Literal::List { .. } => Kind::Cons,
                _ => return Err("the model knows no such literal".into()),
            },
        };
        Ok(Held { kind, fragile: false })
    }

    fn term_in(&self, reg: Reg) -> Result<Held, Wrong> {
        let held = self.get(reg)?;
        if held.kind.is_term() { Ok(held) } else { Err(format!("{reg:?} holds {:?}", held.kind)) }
    }

    fn kept(&self, src: Src) -> Result<Held, Wrong> {
        let held = self.term(src)?;
        if held.fragile { Err(format!("{src:?} is fragile and kept")) } else { Ok(held) }
    }

    fn arguments(&self, count: u16) -> Result<(), Wrong> {
        (0..count).try_for_each(|n| self.kept(Src::X(n)).map(|_| ()))
    }

    /// The arguments of a local call: some may be match contexts.
    fn local_arguments(&self, function: FnIx) -> Result<(), Wrong> {
        let callee = &self.module.functions[function.index()];
        (0..callee.arity).try_for_each(|n| {
            let held = self.get(Reg::X(n.into()))?;
            if callee.contexts.contains(&n) && held.kind == Kind::Context && !held.fragile {
                return Ok(());
            }
            self.kept(Src::X(n.into())).map(|_| ())
        })
    }

    /// A term or a match context.
    fn matchable(&self, src: Src) -> Result<Held, Wrong> {
        match Reg::try_from(src).ok().map(|reg| self.get(reg)).transpose()? {
            Some(held) if held.kind == Kind::Context => Ok(held),
            _ => self.term(src),
        }
    }

    fn lose_x(&mut self, live: u16) {
        self.x[usize::from(live)..].fill(UNDEFINED);
    }

    fn collect(&mut self, live: u16) -> Result<(), Wrong> {
        if self.x[..usize::from(live)].iter().any(|held| held.kind == Kind::Undefined) {
            return Err("an undefined register is live".into());
        }
        self.lose_x(live);
        self.space = 0;
        Ok(())
    }

    fn fail(&mut self, fail: Fail, live: u16) -> Result<Option<Next>, Wrong> {
        self.collect(live)?;
        Ok(match (self.random.below(3), fail) {
            (0, Some(label)) => Some(Next::To(label)),
            (0, None) => Some(Next::Raise),
            _ => None,
        })
    }

    fn build(&mut self, words: u32) -> Result<(), Wrong> {
        self.space = self.space.checked_sub(words).ok_or("built without space")?;
        Ok(())
    }

    fn branch(&mut self, holds: bool, fail: Label) -> Next {
        if holds { Next::On } else { Next::To(fail) }
    }

    fn leave(&mut self, words: u16) -> Result<(), Wrong> {
        let frame = self.y.take().ok_or("no frame")?;
        if frame.len() != usize::from(words) || frame.iter().any(|held| matches!(held.kind, Kind::Mark(..))) {
            return Err("the frame is not as said, or has marks".into());
        }
        Ok(())
    }

    fn context(&self, reg: Reg) -> Result<bool, Wrong> {
        let held = self.get(reg)?;
        if held.kind == Kind::Context { Ok(held.fragile) } else { Err(format!("{reg:?} is no context")) }
    }

    /// What the interpreter does to find a handler: the lowest mark.
    fn unwind(&mut self) -> Result<Next, Wrong> {
        if matches!(self.at, At::Message(_)) {
            return Err("raised at a message".into());
        }
        self.at = At::Out;
        self.space = 0;
        let Some(frame) = &mut self.y else { return Ok(Next::Stop) };
        let found = frame.iter().position(|held| matches!(held.kind, Kind::Mark(..)));
        let Some(slot) = found else { return Ok(Next::Stop) };
        let Kind::Mark(handler, is_catch) = frame[slot].kind else { return Ok(Next::Stop) };
        frame[slot] = NIL;
        self.lose_x(0);
        let reason = self.any(false);
        self.x[..3].copy_from_slice(&[
            Held { kind: Kind::Class, fragile: false },
            reason,
            Held { kind: Kind::Trace, fragile: false },
        ]);
        let first = self.first(handler);
        let slot = Reg::Y(u16::try_from(slot).expect("a slot"));
        match (&self.module.functions[0].code[first], is_catch) {
            (Instr::CatchEnd { slot: end }, true) | (Instr::TryCase { slot: end }, false) if *end == slot => {
            }
            _ => return Err("a handler without its end".into()),
        }
        self.pc = first;
        if is_catch {
            // The exception's path through `catch_end`.
            self.pc += 1;
            self.lose_x(0);
            self.x[0] = self.any(false);
        } else {
            self.pc += 1;
        }
        Ok(Next::On)
    }

    fn go(&mut self, steps: usize) -> Result<(), Wrong> {
        for _ in 0..steps {
            let code = &self.module.functions[0].code;
            let instr = code.get(self.pc).ok_or("off the end")?.clone();
            if !self.facts.at(self.pc).has(Fact::REACHED) {
                return Err(format!("{} is reached", self.pc));
            }
            let was = self.pc;
            self.free_steps += 1;
            if self.free_steps > 3 * code.len() + 10 {
                return Err("runs without charging".into());
            }
            self.pc += 1;
            match self.step(&instr, was).map_err(|wrong| format!("at {was} {instr:?}: {wrong}"))? {
                Next::On if instr.flags().ends => return Err(format!("{was}: goes on behind {instr:?}")),
                Next::On => {}
                Next::To(label) => {
                    self.pc = self.label(label);
                    if matches!(code[self.first(label)], Instr::TryCase { .. }) {
                        return Err("enters a handler".into());
                    }
                }
                Next::Raise => {
                    if let Next::Stop = self.unwind()? {
                        return Ok(());
                    }
                }
                Next::Stop => return Ok(()),
            }
        }
        Ok(())
    }

    /// Whether a take is proven; if not it is tested, and raises on another kind.
    fn take(&mut self, proven: bool, fits: bool) -> Result<Option<Next>, Wrong> {
        match (proven, fits) {
            (true, false) => Err("proven, but it is not so".into()),
            (false, false) => Ok(Some(Next::Raise)),
            (_, true) => Ok(None),
        }
    }
}

#[test]
fn accepted_mutants_run_as_promised() {
    mutants_of(&module(RICH), 60_000, 5_000);
    mutants_of(&matcher(), 40_000, 5_000);
}

/// Runs mutants of a module, of which at least `least` are accepted.
fn mutants_of(good: &Module, mutants: u64, least: u32) {
    let mut accepted = 0;
    for seed in 0..mutants {
        let mut module = good.clone();
        for step in 0..1 + seed % 4 {
            mutate(&mut module, seed * 31 + step);
        }
        let Ok(verified) = verify(module) else { continue };
        accepted += 1;
        for way in 0..12 {
            let mut run = Run {
                module: verified.module(),
                facts: &verified.functions()[0],
                pc: 0,
                x: vec![UNDEFINED; usize::from(MAX_X)],
                y: None,
                space: 0,
                at: At::Out,
                free_steps: 0,
                random: Random(seed * 1000 + way),
            };
            let first = run.any(false);
            let second = run.any(false);
            run.x[..2].copy_from_slice(&[first, second]);
            for &param in &run.module.functions[0].contexts {
                if run.random.coin() {
                    run.x[usize::from(param)] = Held { kind: Kind::Context, fragile: false };
                }
            }
            if let Err(wrong) = run.go(400) {
                panic!("seed {seed}: {wrong}\n{}", asm::print(verified.module()));
            }
        }
    }
    assert!(accepted > least, "{accepted} accepted");
}
