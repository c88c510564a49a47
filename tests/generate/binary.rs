//! Bit syntax: construction, matching of what was constructed and of anything, and comprehensions.

use super::expr::{Gen, Ty};
use super::{Kind, Node};

/// A segment of a kind of its own: how it is written on both sides.
enum Segment {
    /// Text of the type behind `/`, and of a size behind `:`.
    Integer(String, String),
    Float(String, String),
    /// So many bytes of a binary that is long enough.
    Bytes(usize),
    Bits(usize),
    Utf(&'static str),
    Text(&'static str),
}

impl Gen<'_> {
    fn segment(&mut self) -> Segment {
        let r = &mut self.random;
        let endian = r.pick(&["", "", "", "-little", "-big", "-native"]);
        match r.below(12) {
            0..=5 => {
                let sign = r.pick(&["", "", "-signed", "-unsigned"]);
                let (size, unit) = match r.below(8) {
                    0 => (String::new(), ""),
                    1..=3 => (format!(":{}", r.below(70)), ""),
                    // Some fill a word, or nearly.
                    4 if r.chance(80) => (format!(":{}", 56 + r.below(11)), ""),
                    4 => (format!(":{}", 8 * r.below(10)), ""),
                    5 => (format!(":{}", 1 + r.below(9)), "-unit:8"),
                    6 => (format!(":{}", 1 + r.below(5)), "-unit:3"),
                    _ => (format!(":(support:int({}))", 8 + r.below(60)), ""),
                };
                Segment::Integer(size, format!("/integer{sign}{endian}{unit}"))
            }
            6 => {
                let size = r.pick(&["", ":64", ":32", ":16"]);
                Segment::Float(size.to_string(), format!("/float{endian}"))
            }
            7..=8 => Segment::Bytes(r.below(5)),
            9 => Segment::Bits(r.below(14)),
            10 => Segment::Utf(r.pick(&["utf8", "utf16", "utf32", "utf16-little", "utf32-little"])),
            _ => Segment::Text(r.pick(&["\"ab\"", "\"x\"", "1, 2", "0:4, 3:4", "7:3", "\"\\x{e5}\"/utf8"])),
        }
    }

    /// Text of a code point, one in ten of them none.
    fn code_point(&mut self) -> String {
        (self
            .random
            .pick(&["$a", "16#e5", "16#400", "16#1F600", "0", "16#FFFF", "127", "128", "16#7FF", "16#D800"]))
        .to_string()
    }

    /// A value that is no text: of that OTP makes a segment for each character, and forgets the unit if the size is 8.
    fn no_text(&mut self, ty: Ty, depth: usize) -> Node {
        let value = self.expr(ty, depth);
        let mut text = String::new();
        value.write(&mut text);
        if text.starts_with('"') { self.x("support:id(@)", [value]) } else { value }
    }

    /// The segment with a value, and a pattern for it.
    fn both(&mut self, segment: &Segment, depth: usize, binds: &mut Vec<(String, Ty)>) -> (Node, Node) {
        let (name, ty) = (
            self.fresh(),
            match segment {
                Segment::Float(..) => Ty::Float,
                Segment::Bytes(_) => Ty::Bin,
                Segment::Bits(_) => Ty::Bits,
                _ => Ty::Int,
            },
        );
        let mut variable = || binds.push((name.clone(), ty));
        match segment {
            Segment::Integer(size, kind) => {
                variable();
                let mut value = self.no_text(Ty::Int, depth);
                if kind.contains("-signed") && self.random.chance(40) {
                    value = self.x("-1 - support:int(@)", [value]);
                }
                // Sizes of patterns are no calls: a literal instead.
                let size_there = size.replace("support:int", "");
                (
                    Node::of(Kind::Other, &format!("(@){size}{kind}"), [value]),
                    Node::text(Kind::Other, format!("{name}{size_there}{kind}")),
                )
            }
            Segment::Float(size, kind) => {
                variable();
                let ty = if self.random.chance(80) { Ty::Float } else { Ty::Int };
                let value = self.no_text(ty, depth);
                (
                    Node::of(Kind::Other, &format!("(@){size}{kind}"), [value]),
                    Node::text(Kind::Other, format!("{name}{size}{kind}")),
                )
            }
            Segment::Bytes(n) => {
                variable();
                let value = self.expr(Ty::Bin, depth);
                (
                    Node::of(Kind::Other, &format!("(<<(@)/binary, 1, 2, 3, 4, 5>>):{n}/binary"), [value]),
                    Node::text(Kind::Other, format!("{name}:{n}/binary")),
                )
            }
            Segment::Bits(n) => {
                variable();
                let value = self.expr(Ty::Bits, depth);
                (
                    Node::of(Kind::Other, &format!("(<<(@)/bits, 16#ABCD:16>>):{n}/bits"), [value]),
                    Node::text(Kind::Other, format!("{name}:{n}/bitstring")),
                )
            }
            Segment::Utf(kind) => {
                variable();
                let mut value = self.code_point();
                if self.random.chance(50) {
                    // Not known when the module is compiled.
                    value = format!("(support:id({value}))");
                }
                (
                    Node::text(Kind::Other, format!("{value}/{kind}")),
                    Node::text(Kind::Other, format!("{name}/{kind}")),
                )
            }
            Segment::Text(text) => (Node::text(Kind::Other, *text), Node::text(Kind::Other, *text)),
        }
    }

    /// A bitstring and a pattern for it.
    pub fn bits_pair(&mut self, depth: usize, wrong: bool, binds: &mut Vec<(String, Ty)>) -> (Node, Node) {
        let n = self.random.below(5);
        let (mut values, mut patterns) = (Vec::new(), Vec::new());
        if self.random.chance(20) {
            // A length, and as many bytes.
            let [length, rest] = [self.fresh(), self.fresh()];
            let value = self.expr(Ty::Bin, depth);
            values.push(Node::of(
                Kind::Other,
                &format!("(support:int(byte_size(@))):16, \"{}\"", "x".repeat(n)),
                [value],
            ));
            let unit =
                self.random.pick(&["/binary", "/binary-unit:1", "/bits", "/integer", "/binary-unit:4"]);
            patterns.push(Node::text(Kind::Other, format!("{length}:16, {rest}:{length}{unit}")));
            binds.push((length, Ty::Int));
            binds.push((rest, if unit == "/integer" { Ty::Int } else { Ty::Bits }));
        }
        for _ in 0..n {
            let segment = self.segment();
            let (value, pattern) = self.both(&segment, depth, binds);
            values.push(value);
            patterns.push(pattern);
        }
        if self.random.chance(60) {
            let name = self.fresh();
            let kind = self.random.pick(&["binary", "bits", "bitstring", "binary-unit:4"]);
            let ty = if kind == "binary" { Ty::Bin } else { Ty::Bits };
            let value = self.expr(ty, depth);
            values.push(Node::of(
                Kind::Other,
                if kind == "binary" { "(@)/binary" } else { "(@)/bits" },
                [value],
            ));
            if self.random.chance(80) {
                patterns.push(Node::text(Kind::Other, format!("{name}/{kind}")));
                binds.push((name, ty));
            } else {
                patterns.push(Node::text(Kind::Other, format!("_/{kind}")));
            }
        }
        if wrong {
            // Before the rest, if there is one.
            let at = self.random.below(patterns.len());
            patterns.insert(at, Node::text(Kind::Other, "_:3"));
        }
        (
            Node::many(Kind::Expr, "<<", values, ", ", ">>", 0),
            Node::many(Kind::Pattern, "<<", patterns, ", ", ">>", 0),
        )
    }

    /// A pattern for any bitstring: a few bits at its start, and the rest.
    pub fn any_bits_pattern(&mut self, ty: Ty) -> Node {
        let n = self.random.below(3);
        let mut segments = Vec::new();
        for _ in 0..n {
            if self.random.chance(12) {
                let kind = self.random.pick(&["utf8", "utf16", "utf16-little", "utf32", "utf32-little"]);
                let name = self.bind(Ty::Int);
                segments.push(Node::of(Kind::Other, &format!("@/{kind}"), [name]));
                continue;
            }
            let (small, large) = if ty == Ty::Bin { (3, 9) } else { (9, 72) };
            let most = if self.random.chance(25) { large } else { small };
            let mut size = 1 + self.random.below(most);
            let unit = if ty == Ty::Bin { 8 } else { 1 };
            if self.random.chance(12) {
                // A word, or nearly.
                size = if ty == Ty::Bin { 8 } else { 58 + self.random.below(7) };
            }
            let kind =
                self.random.pick(&["integer", "signed", "little", "little-signed", "bits", "unsigned"]);
            let name = self.bind(if kind == "bits" { Ty::Bits } else { Ty::Int });
            segments.push(Node::of(Kind::Other, &format!("@:{}/{kind}", size * unit), [name]));
        }
        match self.random.below(5) {
            0 => {}
            1 => segments.push(Node::text(Kind::Other, "_/bits")),
            _ => {
                let rest = self.bind(ty);
                segments.push(Node::of(
                    Kind::Other,
                    if ty == Ty::Bin { "@/binary" } else { "@/bits" },
                    [rest],
                ));
            }
        }
        Node::many(Kind::Pattern, "<<", segments, ", ", ">>", 0)
    }

    /// A bitstring.
    pub fn bits(&mut self, ty: Ty, depth: usize) -> Node {
        match self.random.below(6) {
            0 => {
                let [a, b] = [self.expr(ty, depth), self.expr(ty, depth)];
                let kind = if ty == Ty::Bin { "binary" } else { "bits" };
                self.x(&format!("<<(@)/{kind}, (@)/{kind}>>"), [a, b])
            }
            1 if ty == Ty::Bin => {
                let n = self.random.below(4);
                let bytes = (0..n)
                    .map(|_| {
                        let value = self.expr(Ty::Int, depth);
                        Node::of(Kind::Other, "(@)", [value])
                    })
                    .collect();
                Node::many(Kind::Expr, "<<", bytes, ", ", ">>", 0)
            }
            2 | 3 => self.bits_comprehension(ty, depth),
            _ => {
                let mut binds = Vec::new();
                self.bits_pair(depth, false, &mut binds).0
            }
        }
    }

    /// `<< <<...>> || ... >>`
    fn bits_comprehension(&mut self, ty: Ty, depth: usize) -> Node {
        let effects = std::mem::replace(&mut self.effects, false);
        let made = self.scoped(|g| {
            let qualifiers = g.qualifiers(depth);
            let template = match g.random.below(3) {
                0 => {
                    let value = g.expr(Ty::Int, depth);
                    let size = if ty == Ty::Bin { 8 } else { 1 + g.random.below(12) };
                    Node::of(Kind::Other, &format!("<<(@):{size}>>"), [value])
                }
                1 => {
                    let value = g.expr(ty, depth);
                    let kind = if ty == Ty::Bin { "binary" } else { "bits" };
                    Node::of(Kind::Other, &format!("<<(@)/{kind}>>"), [value])
                }
                _ => {
                    let value = g.expr(Ty::Float, depth);
                    Node::of(Kind::Other, "<<(@)/float>>", [value])
                }
            };
            Node::of(Kind::Expr, "<< @ || @ >>", [template, qualifiers])
        });
        self.effects = effects;
        made
    }
}
