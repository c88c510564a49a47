//! Natives that tell about funs and modules' code.

use crate::atom::{Atom, known};
use crate::bif::{BifResult, Cx, Stop};
use crate::code::{BifId, LoadedFunction, LoadedModule, Mfa};
use crate::term::print::ref_from_parts;
use crate::term::word::{SLOT_INDEX_BITS, SLOT_SERIAL_BITS};
use crate::term::{Fun, Pid, Term, View};

/// `fun_info(fun(), Item) -> {Item, Value}`.
///
/// # Errors
/// `badarg` if it is no fun or there is no such item.
pub fn fun_info<'h>(cx: &mut Cx<'h>, [fun, item]: [Term<'h>; 2]) -> BifResult<'h> {
    let name = item.as_atom().ok_or_else(Stop::badarg)?;
    let value = match fun.view() {
        View::Fun(fun) => local_info(cx, fun, name)?,
        View::ExternalFun(fun) => match name {
            known::MODULE => Term::atom(fun.module()),
            known::NAME => Term::atom(fun.function()),
            known::ARITY => cx.int(i64::from(fun.arity()))?,
            known::ENV => Term::NIL,
            known::TYPE => Term::atom(known::EXTERNAL),
            known::PID | known::INDEX | known::NEW_INDEX | known::NEW_UNIQ | known::UNIQ => {
                Term::atom(known::UNDEFINED)
            }
            _ => return Err(Stop::badarg()),
        },
        _ => return Err(Stop::badarg()),
    };
    Ok(cx.tuple(&[item, value])?)
}

fn local_info<'h>(cx: &mut Cx<'h>, fun: Fun<'h>, item: Atom) -> BifResult<'h> {
    let entry = fun.entry();
    Ok(match item {
        known::MODULE => Term::atom(entry.module),
        known::ARITY => cx.int(i64::from(entry.arity))?,
        known::ENV => cx.list(fun.captured())?,
        known::TYPE => Term::atom(known::LOCAL),
        known::INDEX | known::NEW_INDEX => cx.int(i64::from(entry.index))?,
        known::UNIQ => cx.int(i64::from(entry.uniq))?,
        known::NEW_UNIQ => cx.binary(&entry.module_hash)?,
        // OTP tells the process that made the fun; here that is not kept, and the asker is as good an answer as any.
        known::PID => Term::pid(cx.self_pid()),
        known::NAME => {
            let code = std::ptr::with_exposed_provenance::<u64>(entry.target() as usize);
            let module = cx.rt.code.module_at(code);
            let name =
                module.as_ref().and_then(|module| module.function_at(code)).map(|function| function.name);
            Term::atom(name.unwrap_or(known::UNDEFINED))
        }
        _ => return Err(Stop::badarg()),
    })
}

/// `fun_info(fun()) -> [{Item, Value}]`.
///
/// # Errors
/// `badarg` if it is no fun.
pub fn fun_info_all<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    let items: &[Atom] = match fun.view() {
        View::Fun(_) => &[
            known::PID,
            known::MODULE,
            known::NEW_INDEX,
            known::NEW_UNIQ,
            known::INDEX,
            known::UNIQ,
            known::NAME,
            known::ARITY,
            known::ENV,
            known::TYPE,
        ],
        _ => &[known::MODULE, known::NAME, known::ARITY, known::ENV, known::TYPE],
    };
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        pairs.push(fun_info(cx, [fun, Term::atom(*item)])?);
    }
    Ok(cx.list(&pairs)?)
}

/// `fun_info_mfa(fun()) -> {Module, Name, Arity}`.
///
/// # Errors
/// `badarg` if it is no fun.
pub fn fun_info_mfa<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    let local = match fun.view() {
        View::Fun(local) => local,
        View::ExternalFun(fun) => {
            let arity = cx.int(i64::from(fun.arity()))?;
            return Ok(cx.tuple(&[Term::atom(fun.module()), Term::atom(fun.function()), arity])?);
        }
        _ => return Err(Stop::badarg()),
    };
    let mut parts = Vec::with_capacity(3);
    for item in [known::MODULE, known::NAME, known::ARITY] {
        parts.push(local_info(cx, local, item)?);
    }
    Ok(cx.tuple(&parts)?)
}

/// The printed form of a term, as a list of characters.
fn printed<'h>(cx: &mut Cx<'h>, term: Term<'h>) -> BifResult<'h> {
    // Pids, references and funs, whose values are not printed: short.
    let text = crate::term::print::text(cx.atoms(), term);
    Ok(cx.string(&text)?)
}

/// `fun_to_list(fun()) -> string()`.
///
/// # Errors
/// `badarg` if it is no fun.
pub fn fun_to_list<'h>(cx: &mut Cx<'h>, [fun]: [Term<'h>; 1]) -> BifResult<'h> {
    super::erlang::guard::fun_arity(fun).ok_or_else(Stop::badarg)?;
    printed(cx, fun)
}

/// `pid_to_list(pid()) -> string()`.
///
/// # Errors
/// `badarg` if it is no pid.
pub fn pid_to_list<'h>(cx: &mut Cx<'h>, [pid]: [Term<'h>; 1]) -> BifResult<'h> {
    pid.as_pid().ok_or_else(Stop::badarg)?;
    printed(cx, pid)
}

/// `ref_to_list(reference()) -> string()`.
///
/// # Errors
/// `badarg` if it is no reference.
pub fn ref_to_list<'h>(cx: &mut Cx<'h>, [reference]: [Term<'h>; 1]) -> BifResult<'h> {
    reference.as_ref().ok_or_else(Stop::badarg)?;
    printed(cx, reference)
}

/// `port_to_list(port()) -> string()`.
///
/// # Errors
/// `badarg` if it is no port.
pub fn port_to_list<'h>(cx: &mut Cx<'h>, [port]: [Term<'h>; 1]) -> BifResult<'h> {
    port.as_port().ok_or_else(Stop::badarg)?;
    printed(cx, port)
}

/// `list_to_pid(string()) -> pid()`: of this node only.
///
/// # Errors
/// `badarg` if the text is no pid.
pub fn list_to_pid<'h>(_: &mut Cx<'h>, [text]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = super::erlang::atom_text::characters(text).ok_or_else(Stop::badarg)?;
    let parse = || {
        let mut numbers =
            text.strip_prefix('<')?.strip_suffix('>')?.split('.').map(|part| part.parse::<u32>().ok());
        let (node, serial, index) = (numbers.next()??, numbers.next()??, numbers.next()??);
        (node == 0 && numbers.next().is_none()).then_some((index, serial))
    };
    let (index, serial) = parse().ok_or_else(Stop::badarg)?;
    if index >= 1 << SLOT_INDEX_BITS || serial >= 1 << SLOT_SERIAL_BITS {
        return Err(Stop::badarg());
    }
    Ok(Term::pid(Pid::new(index, serial)))
}

/// `list_to_ref(string()) -> reference()`: of this node only; one that is no alias.
///
/// # Errors
/// `badarg` if the text is no reference.
pub fn list_to_ref<'h>(cx: &mut Cx<'h>, [text]: [Term<'h>; 1]) -> BifResult<'h> {
    let text = super::erlang::atom_text::characters(text).ok_or_else(Stop::badarg)?;
    let parse = || {
        let mut numbers =
            text.strip_prefix("#Ref<0.")?.strip_suffix('>')?.split('.').map(|part| part.parse::<u64>().ok());
        let parts = [numbers.next()??, numbers.next()??, numbers.next()??];
        if numbers.next().is_none() { ref_from_parts(parts) } else { None }
    };
    let unique = parse().ok_or_else(Stop::badarg)?;
    Ok(cx.reference(unique, None)?)
}

/// `make_fun(Module, Function, Arity) -> fun()`.
///
/// # Errors
/// `badarg` if they are not two atoms and an arity.
pub fn make_fun<'h>(cx: &mut Cx<'h>, [module, function, arity]: [Term<'h>; 3]) -> BifResult<'h> {
    let mfa = mfa([module, function, arity])?;
    let export = std::ptr::from_ref(cx.rt.code.export(mfa)).expose_provenance() as u64;
    Ok(cx.external_fun(mfa.module, mfa.function, mfa.arity, export)?)
}

pub(super) fn mfa<'h>([module, function, arity]: [Term<'h>; 3]) -> Result<Mfa, Stop<'h>> {
    let arity = arity.as_small().and_then(|arity| u8::try_from(arity).ok());
    match (module.as_atom(), function.as_atom(), arity) {
        (Some(module), Some(function), Some(arity)) => Ok(Mfa { module, function, arity }),
        _ => Err(Stop::badarg()),
    }
}

/// `function_exported(Module, Function, Arity) -> boolean()`: of loaded modules and natives.
///
/// # Errors
/// `badarg` if they are not two atoms and an arity.
pub fn function_exported<'h>(cx: &mut Cx<'h>, args: [Term<'h>; 3]) -> BifResult<'h> {
    let [module, function, arity] = args;
    if arity.as_small().is_some_and(|arity| arity > 255) && module.as_atom().and(function.as_atom()).is_some()
    {
        return Ok(Term::boolean(false));
    }
    let cell = cx.rt.code.existing_export(mfa(args)?);
    Ok(Term::boolean(cell.is_some_and(crate::code::ExportCell::is_defined)))
}

/// `is_builtin(Module, Function, Arity) -> boolean()`: whether it is a native.
///
/// # Errors
/// `badarg` if they are not two atoms and an arity.
pub fn is_builtin<'h>(cx: &mut Cx<'h>, args: [Term<'h>; 3]) -> BifResult<'h> {
    let mfa = mfa(args)?;
    let atoms = cx.atoms();
    let key = (atoms.text(mfa.module), atoms.text(mfa.function), mfa.arity);
    Ok(Term::boolean(super::NAMES.binary_search(&key).is_ok()))
}

/// `module_loaded(Module) -> boolean()`.
///
/// # Errors
/// `badarg` if it is no atom.
pub fn module_loaded<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let module = module.as_atom().ok_or_else(Stop::badarg)?;
    let code = &cx.rt.code;
    Ok(Term::boolean(code.is_loaded(module) || code.is_native(module, cx.atoms())))
}

/// `loaded() -> [module()]`.
pub fn loaded<'h>(cx: &mut Cx<'h>, []: [Term<'h>; 0]) -> BifResult<'h> {
    let mut names = cx.rt.code.module_names();
    let atoms = cx.atoms();
    names.sort_by(|a, b| atoms.compare(*a, *b));
    let terms: Vec<Term<'h>> = names.into_iter().map(Term::atom).collect();
    Ok(cx.list(&terms)?)
}

/// `get_module_info(Module) -> [{Item, Value}]`.
///
/// # Errors
/// `badarg` if it is not loaded.
pub fn module_info<'h>(cx: &mut Cx<'h>, [module]: [Term<'h>; 1]) -> BifResult<'h> {
    let mut pairs = Vec::new();
    for item in [known::MODULE, known::EXPORTS, known::ATTRIBUTES, known::COMPILE, known::MD5] {
        let value = module_info_item(cx, [module, Term::atom(item)])?;
        pairs.push(cx.tuple(&[Term::atom(item), value])?);
    }
    Ok(cx.list(&pairs)?)
}

/// `get_module_info(Module, Item) -> term()`.
///
/// # Errors
/// `badarg` if it is not loaded or there is no such item.
pub fn module_info_item<'h>(cx: &mut Cx<'h>, [module, item]: [Term<'h>; 2]) -> BifResult<'h> {
    let name = module.as_atom().ok_or_else(Stop::badarg)?;
    let loaded = cx.rt.code.module(name).ok_or_else(Stop::badarg)?;
    match item.as_atom() {
        Some(known::MODULE) => Ok(module),
        Some(known::MD5) => Ok(cx.binary(&loaded.md5)?),
        Some(known::NATIVE_ADDRESSES | known::NIFS) => Ok(Term::NIL),
        Some(known::NATIVE) => Ok(Term::boolean(false)),
        Some(known::COMPILE) => compile_info(cx, name),
        Some(known::ATTRIBUTES) => {
            let mut pairs = Vec::new();
            // Who names no version has the hash as one.
            if loaded.attributes().all(|(key, _)| key != known::VSN) {
                let hash = u128::from_be_bytes(loaded.md5);
                let version = cx.big(false, &[hash as u64, (hash >> 64) as u64])?;
                let version = cx.list(&[version])?;
                pairs.push(cx.tuple(&[Term::atom(known::VSN), version])?);
            }
            for (key, value) in loaded.attributes() {
                let value = cx.copy_in(value)?;
                pairs.push(cx.tuple(&[Term::atom(key), value])?);
            }
            Ok(cx.list(&pairs)?)
        }
        Some(item @ (known::EXPORTS | known::FUNCTIONS)) => {
            let mut pairs = Vec::new();
            for function in loaded.functions().iter().filter(|f| f.exported || item == known::FUNCTIONS) {
                let arity = cx.int(i64::from(function.arity))?;
                pairs.push(cx.tuple(&[Term::atom(function.name), arity])?);
            }
            for native in natives_of(cx, &loaded) {
                let arity = cx.int(i64::from(native.arity))?;
                pairs.push(cx.tuple(&[Term::atom(native.function), arity])?);
            }
            Ok(cx.list(&pairs)?)
        }
        _ => Err(Stop::badarg()),
    }
}

/// What the compiler noted: its version, its options, and the source if that is a file.
fn compile_info<'h>(cx: &mut Cx<'h>, module: Atom) -> BifResult<'h> {
    let version = cx.string(env!("CARGO_PKG_VERSION"))?;
    let mut pairs = vec![
        cx.tuple(&[Term::atom(known::VERSION), version])?,
        cx.tuple(&[Term::atom(known::OPTIONS), Term::NIL])?,
    ];
    if let Some(file) = cx.rt.code.origin(module).filter(|file| file.ends_with(".erl")) {
        // A folder that is not there any more leaves the name as it was given.
        let folder = cx.rt.environment.directory().unwrap_or_default();
        let source = cx.string(&folder.join(file).to_string_lossy())?;
        pairs.push(cx.tuple(&[Term::atom(known::SOURCE), source])?);
    }
    Ok(cx.list(&pairs)?)
}

/// The natives of a module that are no functions of its code too.
fn natives_of(cx: &Cx<'_>, module: &LoadedModule) -> Vec<Mfa> {
    let names = (0..super::ROWS.len()).map(|id| cx.rt.code.native_name(BifId(id as u16)));
    let others = names.filter(|native| native.module == module.name);
    others
        .filter(|native| {
            let same = |f: &LoadedFunction| f.name == native.function && f.arity == native.arity;
            !module.functions().iter().any(same)
        })
        .collect()
}
