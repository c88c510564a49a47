//! Completion: what a word that was begun may become.
//!
//! Nothing is evaluated. What lies before the cursor says what is wanted ([`place`]); the names come from the [`Names`] of whoever
//! knows them.

use super::colour::KEYWORDS;
use super::text::Scanner;

/// A candidate: what is shown, and what is put in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    pub shown: String,
    pub text: String,
}

/// Where names come from.
pub trait Names {
    fn variables(&self) -> Vec<String>;
    /// Modules that begin so.
    fn modules(&self, begun: &str) -> Vec<String>;
    /// The exported functions of a module, without loading it from a file.
    fn exports(&self, module: &str) -> Vec<(String, u32)>;
    /// Records with their fields.
    fn records(&self) -> Vec<(String, Vec<String>)>;
    /// The keys of a variable's map that are atoms.
    fn keys(&self, variable: &str) -> Vec<String>;
    /// The functions defined at the prompt.
    fn functions(&self) -> Vec<(String, u32)>;
    /// Commands that begin so.
    fn commands(&self, begun: &str) -> Vec<String>;
    fn builtins(&self) -> Vec<(String, u32)>;
    /// The files whose names begin so; folders end with a slash.
    fn files(&self, begun: &str) -> Vec<String>;
    /// Atoms that begin so.
    fn atoms(&self, begun: &str) -> Vec<String>;
}

/// What is wanted at the cursor, with what was begun of it.
#[derive(PartialEq, Eq, Debug)]
enum Place<'t> {
    /// Nothing can be said.
    Nowhere,
    File(&'t str),
    Variable(&'t str),
    /// A word that may be many things.
    Word(&'t str),
    Function {
        module: &'t str,
        begun: &'t str,
    },
    Record(&'t str),
    Field {
        record: &'t str,
        begun: &'t str,
    },
    /// A key of a map: of this variable's, if it is one.
    Key {
        variable: &'t str,
        begun: &'t str,
    },
}

/// The place where the completed word begins, and the candidates, sorted.
pub fn complete(before: &str, names: &dyn Names) -> (usize, Vec<Candidate>) {
    let place = place(before);
    let plain = |begun: &str, all: Vec<String>| -> Vec<Candidate> {
        let fitting = all.into_iter().filter(|name| name.starts_with(begun));
        fitting.map(|name| Candidate { shown: name.clone(), text: name }).collect()
    };
    let function = |(name, arity): (String, u32)| {
        let text = if arity == 0 { format!("{}()", quoted(&name)) } else { format!("{}(", quoted(&name)) };
        Candidate { shown: format!("{name}/{arity}"), text }
    };
    let functions = |begun: &str, all: Vec<(String, u32)>| -> Vec<Candidate> {
        all.into_iter().filter(|(name, _)| name.starts_with(begun)).map(function).collect()
    };
    let with = |mut candidates: Vec<Candidate>, ending: &str| {
        candidates.iter_mut().for_each(|candidate| candidate.text = quoted(&candidate.shown) + ending);
        candidates
    };
    let (begun, mut found) = match place {
        Place::Nowhere => return (before.len(), Vec::new()),
        Place::File(begun) => (begun, plain(begun, names.files(begun))),
        Place::Variable(begun) => (begun, plain(begun, names.variables())),
        Place::Function { module, begun } => (begun, functions(begun, names.exports(module))),
        Place::Record(begun) => {
            let records = names.records().into_iter().map(|(name, _)| name).collect();
            (begun, with(plain(begun, records), "{"))
        }
        Place::Field { record, begun } => {
            let fields = names.records().into_iter().find(|(name, _)| name == record).map_or(vec![], |r| r.1);
            (begun, with(plain(begun, fields), ""))
        }
        Place::Key { variable, begun } => (begun, with(plain(begun, names.keys(variable)), "")),
        Place::Word(begun) => (begun, word(begun, names, &functions, &plain, &with)),
    };
    found.sort();
    found.dedup();
    (before.len() - begun.len(), found)
}

/// Between two columns of candidates.
const GAP: usize = 2;

/// As many candidates as a window shows at once, in columns; of the others only the number is told. What all of them begin with, all that are
/// left begin with too, and nothing more.
pub fn fitting(mut candidates: Vec<Candidate>, columns: usize, rows: usize) -> Vec<Candidate> {
    let width = |candidate: &Candidate| -> usize {
        // Other characters may be twice as wide.
        candidate.shown.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
    };
    let widest = candidates.iter().map(width).max().unwrap_or(0).max(MORE) + GAP;
    // One row is for what is typed, one for the answer to it.
    let room = (columns / widest.min(columns.max(1))).max(1) * rows.saturating_sub(2).max(1);
    if candidates.len() <= room {
        return candidates;
    }
    let in_common = |candidate: &Candidate| {
        let pairs = candidate.text.chars().zip(candidates[0].text.chars());
        pairs.take_while(|(a, b)| a == b).count()
    };
    let other = candidates.iter().min_by_key(|candidate| in_common(candidate)).map(|c| c.text.clone());
    let more = candidates.len() - room + 1;
    candidates.truncate(room - 1);
    candidates.extend(other.map(|text| Candidate { shown: format!("... {more} more"), text }));
    candidates
}

/// The width of what tells that there are more.
const MORE: usize = "... 1000 more".len();

type Functions<'f> = &'f dyn Fn(&str, Vec<(String, u32)>) -> Vec<Candidate>;

fn word(
    begun: &str,
    names: &dyn Names,
    functions: Functions<'_>,
    plain: &dyn Fn(&str, Vec<String>) -> Vec<Candidate>,
    with: &dyn Fn(Vec<Candidate>, &str) -> Vec<Candidate>,
) -> Vec<Candidate> {
    let mut found = functions(begun, names.functions());
    found.extend(with(plain(begun, names.commands(begun)), "("));
    // Of what is only one of very many nothing is told before it is begun.
    if begun.is_empty() {
        return found;
    }
    found.extend(with(plain(begun, names.modules(begun)), ":"));
    found.extend(functions(begun, names.builtins()));
    found.extend(plain(begun, KEYWORDS.iter().map(ToString::to_string).collect()));
    if found.is_empty() {
        found = with(plain(begun, names.atoms(begun)), "");
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '@'
}

/// An atom as it is written.
fn quoted(name: &str) -> String {
    let simple =
        name.starts_with(char::is_lowercase) && name.chars().all(is_word) && !KEYWORDS.contains(&name);
    if simple { name.to_owned() } else { format!("'{}'", name.replace('\\', "\\\\").replace('\'', "\\'")) }
}

/// What is wanted behind this text.
fn place(before: &str) -> Place<'_> {
    let mut scanner = Scanner::default();
    let mut string = 0;
    // Statements before the last one say nothing; a string's beginning is where the quotes were opened.
    let mut statement = 0;
    for (i, byte) in before.bytes().enumerate() {
        let was_in_quotes = scanner.is_in_quotes();
        if scanner.read(&[byte]).is_some() {
            scanner = Scanner::default();
            statement = i;
        } else if scanner.is_in_quotes() && !was_in_quotes {
            string = i + 1;
        }
    }
    if scanner.is_in_string() {
        return Place::File(&before[string..]);
    }
    if scanner.is_in_quotes() || scanner.is_in_comment() {
        return Place::Nowhere;
    }
    let text = &before[statement..];
    let (rest, begun) = last_word(text);
    let (rest_trimmed, sign) = (rest.trim_end(), rest.trim_end().chars().next_back());
    match sign {
        Some(':') if !rest_trimmed.ends_with("::") => {
            let (_, module) = last_word(&rest_trimmed[..rest_trimmed.len() - 1]);
            if module.starts_with(char::is_lowercase) {
                return Place::Function { module, begun };
            }
            return Place::Nowhere;
        }
        Some('#') if rest.ends_with('#') => return Place::Record(begun),
        Some('.') if rest.ends_with('.') => {
            let (before_record, record) = last_word(&rest_trimmed[..rest_trimmed.len() - 1]);
            if before_record.ends_with('#') && !record.is_empty() {
                return Place::Field { record, begun };
            }
        }
        _ => {}
    }
    if begun.starts_with(|c: char| c.is_uppercase() || c == '_') {
        return Place::Variable(begun);
    }
    if matches!(sign, Some('{' | ','))
        && let Some(found) = braces(rest_trimmed, begun)
    {
        return found;
    }
    if begun.starts_with(|c: char| c.is_ascii_digit()) { Place::Nowhere } else { Place::Word(begun) }
}

/// Directly in the braces of a record or map.
fn braces<'t>(rest: &'t str, begun: &'t str) -> Option<Place<'t>> {
    let mut open: Vec<usize> = Vec::new();
    for (i, c) in rest.char_indices() {
        match c {
            '(' | '[' | '{' => open.push(i),
            ')' | ']' | '}' => drop(open.pop()),
            _ => {}
        }
    }
    let brace = *open.last()?;
    if !rest[brace..].starts_with('{') {
        return None;
    }
    let (before, name) = last_word(&rest[..brace]);
    let base = before.strip_suffix('#')?;
    if !name.is_empty() {
        return Some(Place::Field { record: name, begun });
    }
    let (_, variable) = last_word(base);
    variable.starts_with(char::is_uppercase).then_some(Place::Key { variable, begun })
}

/// The text before its last word, and that word, which may be empty.
fn last_word(text: &str) -> (&str, &str) {
    let start =
        text.char_indices().rev().take_while(|&(_, c)| is_word(c)).last().map_or(text.len(), |(i, _)| i);
    text.split_at(start)
}

/// The call that the cursor is in: the module, if one is written, and the function.
pub fn call(before: &str) -> Option<(Option<&str>, &str)> {
    let open = before.strip_suffix('(')?;
    let (rest, function) = last_word(open);
    if !function.starts_with(char::is_lowercase) {
        return None;
    }
    let module = rest.strip_suffix(':').map(|rest| last_word(rest).1);
    Some((module.filter(|module| !module.is_empty()), function))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Known;

    impl Names for Known {
        fn variables(&self) -> Vec<String> {
            vec!["Xs".into(), "Map".into()]
        }
        fn modules(&self, _: &str) -> Vec<String> {
            vec!["lists".into(), "maps".into()]
        }
        fn exports(&self, module: &str) -> Vec<(String, u32)> {
            match module {
                "lists" => vec![("map".into(), 2), ("max".into(), 1), ("odd name".into(), 0)],
                _ => vec![],
            }
        }
        fn records(&self) -> Vec<(String, Vec<String>)> {
            vec![("person".into(), vec!["name".into(), "age".into()])]
        }
        fn keys(&self, variable: &str) -> Vec<String> {
            if variable == "Map" { vec!["colour".into(), "cost".into()] } else { vec![] }
        }
        fn functions(&self) -> Vec<(String, u32)> {
            vec![("mine".into(), 1)]
        }
        fn commands(&self, _: &str) -> Vec<String> {
            vec!["memory".into()]
        }
        fn builtins(&self) -> Vec<(String, u32)> {
            vec![("map_size".into(), 1)]
        }
        fn files(&self, begun: &str) -> Vec<String> {
            vec![format!("{begun}.erl")]
        }
        fn atoms(&self, _: &str) -> Vec<String> {
            vec!["zebra".into()]
        }
    }

    fn texts(before: &str) -> Vec<String> {
        complete(before, &Known).1.into_iter().map(|candidate| candidate.text).collect()
    }

    #[test]
    fn each_place_has_its_names() {
        assert_eq!(texts("X = lists:ma"), ["map(", "max("]);
        assert_eq!(texts("lists:odd"), ["'odd name'()"]);
        assert_eq!(texts("A = Ma"), ["Map"]);
        assert_eq!(texts("#per"), ["person{"]);
        assert_eq!(texts("P#person.a"), ["age"]);
        assert_eq!(texts("#person{name = 1, a"), ["age"]);
        assert_eq!(texts("Map#{co"), ["colour", "cost"]);
        assert_eq!(texts("Map#{colour := 1, cos"), ["cost"]);
        assert_eq!(texts("file:open(\"src/ma"), ["src/ma.erl"]);
        assert_eq!(texts("m"), ["map_size(", "maps:", "maybe", "memory(", "mine("]);
        assert_eq!(texts("{z"), ["zebra"]);
        assert!(texts("'quoted").is_empty());
        assert!(texts("% lists:").is_empty());
        assert_eq!(texts("1. lists:max"), ["max("]);
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let many = |count: usize| -> Vec<Candidate> {
            let name = |i| format!("name_{i:03}");
            (0..count).map(|i| Candidate { shown: name(i), text: name(i) }).collect()
        };
        assert_eq!(fitting(many(110), 80, 24), many(110));
        let shown = fitting(many(300), 80, 24);
        assert_eq!(shown.len(), 5 * 22);
        assert_eq!(shown[..109], many(109)[..]);
        assert_eq!((shown[109].shown.as_str(), shown[109].text.as_str()), ("... 191 more", "name_100"));
        for (columns, rows) in [(0, 0), (1, 1), (3, 2), (20, 3)] {
            assert_eq!(fitting(many(300), columns, rows).len(), rows.saturating_sub(2).max(1));
        }
        assert!(fitting(Vec::new(), 80, 24).is_empty());
    }

    #[test]
    fn signatures_are_wanted_behind_the_parenthesis() {
        assert_eq!(call("X = lists:map("), Some((Some("lists"), "map")));
        assert_eq!(call("length("), Some((None, "length")));
        assert_eq!(call("X("), None);
        assert_eq!(call("lists:map"), None);
    }

    /// Texts on which other shells fell over, and all their beginnings.
    #[test]
    fn nothing_that_is_typed_makes_it_stumble() {
        let texts = [
            "maps:map(fun(",
            "Foo/",
            "[{",
            "catch(",
            "begin {ok,Foo} = {",
            "\"",
            "'",
            "$",
            "$\\",
            "~s(",
            "#{",
            "#",
            "##{",
            ".",
            "..",
            "a.b.",
            "::",
            "A:b",
            ":",
            "é:ü",
            "日本:語(",
            "\"\"\"\n",
            "%",
            "fun lists:",
            "?X",
            "]})",
            "#r{a=#{",
            "X#r.",
        ];
        for text in texts {
            for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
                complete(&text[..end], &Known);
                call(&text[..end]);
            }
        }
        let mut seed = 1_u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let alphabet = "aZ_1:.#{}[]()\"'$\\%~,é \n/?|";
                let index = (seed >> 33) as usize % alphabet.chars().count();
                text.extend(alphabet.chars().nth(index));
            }
            complete(&text, &Known);
            call(&text);
        }
    }
}
