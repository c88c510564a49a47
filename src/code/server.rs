//! The code server: which modules are loaded, and the cells through which code reaches code.
//!
//! **Export cells** are the only way across modules. A cell is made the first time somebody names `M:F/A` (an import of
//! loaded code, an `apply`, `fun M:F/A`, a spawn) and lives as long as the VM at one address, so code holds plain
//! pointers to cells. Its `entry` always points at code that can be jumped to: the function; or, while there is none, a
//! stub inside the cell itself, which loads the module or raises `undef`; or, for a native, a stub that calls it and
//! returns. Loading a module stores entries (Release), calling loads them (Acquire): a caller that sees the new entry sees
//! the code behind it.
//!
//! **Fun entries** play the same part for the funs of a module. They are keyed by (module, index, uniq), so loading the
//! same code again finds the same entries: a few words for each `fun` in the source text, not for each fun value. When the last
//! module that has it was purged, an entry stays as long as there are funs of it ([`purge`](super::purge)).
//!
//! **Looking up takes no lock**: the cells hang in an open-addressing table that is replaced by one of twice the size when
//! it fills up; old tables are kept, since together they are smaller than the newest.

use std::collections::BTreeMap;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use super::module::LoadedModule;
use super::op::Op;
use super::path::{CodePath, OnPath};
use super::purge::{CountedEntry, FunKey};
use super::versions::{Found, Versions};
use crate::atom::{Atom, Atoms, known};
use crate::term::{EntryAddress, FunEntry};

/// A native function: its row in the table of natives.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BifId(pub u16);

/// Module, function and arity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mfa {
    pub module: Atom,
    pub function: Atom,
    pub arity: u8,
}

/// Where code goes that calls `module:function/arity`.
#[repr(C)]
pub struct ExportCell {
    /// Code to jump to; never null.
    entry: AtomicPtr<u64>,
    /// What `entry` points at while there is no Erlang code.
    stub: [u64; 1],
    /// The function this cell stands for.
    pub mfa: Mfa,
    /// The native of that name, if there is one; it wins over Erlang code of the same name.
    pub native: Option<BifId>,
}

impl ExportCell {
    fn new(mfa: Mfa, native: Option<BifId>) -> Box<ExportCell> {
        let stub = match native {
            Some(id) => Op::NativeStub.word() | (id.0 as u64) << 16 | (mfa.arity as u64) << 32,
            None => Op::Undefined.word() | (mfa.arity as u64) << 32,
        };
        let mut cell =
            Box::new(ExportCell { entry: AtomicPtr::new(std::ptr::null_mut()), stub: [stub], mfa, native });
        let stub = cell.stub.as_mut_ptr();
        *cell.entry.get_mut() = stub;
        cell
    }

    /// The code to jump to.
    #[inline(always)]
    pub fn entry(&self) -> *const u64 {
        // Acquire pairs with the Release in `publish`.
        self.entry.load(Ordering::Acquire)
    }

    /// Whether there is Erlang code or a native behind the cell.
    pub fn is_defined(&self) -> bool {
        self.native.is_some() || !std::ptr::eq(self.entry(), self.stub.as_ptr())
    }

    /// The cell whose own stub `pc` points at; `pc` must come from executing such a stub.
    ///
    /// # Safety
    /// `pc` is the address of the `stub` field of a live cell.
    pub unsafe fn of_stub<'a>(pc: *const u64) -> &'a ExportCell {
        // SAFETY: by contract `pc` points at the `stub` field of a live cell, at a fixed offset in a `repr(C)` struct.
        unsafe { &*pc.byte_sub(std::mem::offset_of!(ExportCell, stub)).cast::<ExportCell>() }
    }

    /// Makes `entry` the code of the function, or the stub again if `None`.
    pub(super) fn publish(&self, entry: Option<*const u64>) {
        let entry = entry.unwrap_or(self.stub.as_ptr());
        self.entry.store(entry.cast_mut(), Ordering::Release);
    }
}

/// What a call of a fun meets whose module is away.
fn stub_of(entry: &FunEntry) -> u64 {
    entry.stub.as_ptr().expose_provenance() as u64
}

/// The entry whose own stub `pc` points at.
///
/// # Safety
/// `pc` is the address of the `stub` field of a live entry, as it is when such a stub is executed.
pub unsafe fn entry_of_stub(pc: *const u64) -> EntryAddress {
    let entry = pc.expose_provenance() - std::mem::offset_of!(FunEntry, stub);
    let entry = std::ptr::with_exposed_provenance_mut::<FunEntry>(entry);
    // SAFETY: by contract that is an entry, and the fun that was called keeps it alive (H11).
    unsafe { EntryAddress::new(NonNull::new_unchecked(entry)) }
}

/// Whether there is code for the fun.
pub fn is_fun_defined(entry: &FunEntry) -> bool {
    entry.target() != stub_of(entry)
}

/// Where modules that are not loaded yet come from.
pub trait ModuleSource: Send + Sync {
    /// The module of that name, compiled and verified; `None` if this source has none.
    ///
    /// # Errors
    /// The text to report when there is one but it cannot be had (unreadable, errors in the source).
    fn find(&self, module: &str) -> Option<Result<erlet_lang::verify::Verified, String>>;

    /// Whether `find` would find it.
    fn has(&self, module: &str) -> bool {
        self.find(module).is_some()
    }

    /// Whether `find` never waits for anything outside memory, so that a scheduler may call it.
    fn is_quick(&self) -> bool {
        false
    }

    /// The text of a header that programs include by its application's name: `app/include/x.hrl`.
    fn header(&self, _path: &str) -> Option<&'static str> {
        None
    }

    /// The file the module would be read from.
    fn file(&self, _module: &str) -> Option<String> {
        None
    }
}

/// What tells a module's fun from all others, and its shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunIdentity {
    pub module: Atom,
    pub index: u32,
    pub uniq: u32,
    pub arity: u8,
    pub captured: u8,
    pub module_hash: [u8; 16],
}

/// The entries of funs.
#[derive(Default)]
pub(super) struct Funs {
    /// By module, index and uniq.
    pub entries: BTreeMap<FunKey, CountedEntry>,
    /// Those that the next round looks at too.
    pub lingering: Vec<FunKey>,
}

/// The natives, with their cells: made once for all VMs of the OS process, since nothing in a native's cell ever changes, and
/// its name is of atoms that all VMs have in common.
pub struct Natives {
    /// By id.
    cells: Box<[ExportCell]>,
    slots: Slots,
}

impl Natives {
    /// Of these names, given in the order of their ids.
    pub fn new(names: impl Iterator<Item = Mfa>) -> Natives {
        let cells = (0..).zip(names).map(|(id, mfa)| *ExportCell::new(mfa, Some(BifId(id))));
        let cells: Box<[ExportCell]> = cells.collect();
        let slots = *empty_slots((2 * cells.len()).next_power_of_two());
        for cell in &cells {
            // It was moved: its stub is elsewhere.
            cell.publish(None);
            insert(&slots, cell.mfa, (&raw const *cell).cast_mut());
        }
        Natives { cells, slots }
    }

    /// The name of a native.
    fn name(&self, id: BifId) -> Mfa {
        self.cells[usize::from(id.0)].mfa
    }
}

/// Loaded code of one VM.
pub struct CodeServer {
    stress: bool,
    exports: ExportTable,
    funs: Mutex<Funs>,
    versions: RwLock<Versions>,
    sources: OnceLock<Vec<Box<dyn ModuleSource>>>,
    path: OnceLock<Arc<CodePath>>,
    /// Held while a module is looked for and loaded, so that each is loaded once.
    loading: Mutex<()>,
    listener: OnceLock<LoadListener>,
}

/// Who is told the name of each module that was loaded.
pub type LoadListener = Box<dyn Fn(&str) + Send + Sync>;

impl CodeServer {
    /// A server without modules that knows these natives.
    pub fn new(natives: Arc<Natives>) -> CodeServer {
        CodeServer {
            stress: false,
            exports: ExportTable::new(natives),
            funs: Mutex::default(),
            versions: RwLock::default(),
            sources: OnceLock::new(),
            path: OnceLock::new(),
            loading: Mutex::new(()),
            listener: OnceLock::new(),
        }
    }

    /// Tells `listener` of each module that is loaded from now on; the first listener counts.
    pub fn on_load(&self, listener: LoadListener) {
        // The builder does it once.
        let _ = self.listener.set(listener);
    }

    /// A module of this name was loaded.
    pub(super) fn tell_loaded(&self, name: &str) {
        if let Some(listener) = self.listener.get() {
            listener(name);
        }
    }

    /// Loads code so that it collects at every safepoint: for tests, with the heap policy of that name.
    pub fn under_stress(self) -> CodeServer {
        CodeServer { stress: true, ..self }
    }

    /// Whether code is loaded so that it collects at every safepoint.
    pub(super) fn stress(&self) -> bool {
        self.stress
    }

    /// Says where modules come from that are called before anybody loaded them, best first. Once, before code runs.
    pub fn set_sources(&self, mut sources: Vec<Box<dyn ModuleSource>>, path: CodePath) {
        let path = Arc::new(path);
        sources.push(Box::new(OnPath(Arc::clone(&path))));
        let _ = self.path.set(path);
        let first = self.sources.set(sources).is_ok();
        debug_assert!(first, "the sources are set once");
    }

    /// The cell of `module:function/arity`, made if need be.
    pub fn export(&self, mfa: Mfa) -> &ExportCell {
        match self.exports.find(mfa) {
            Some(cell) => cell,
            None => self.exports.add(mfa),
        }
    }

    /// The cell of `module:function/arity` if there is one. (Asking must not let the table grow.)
    #[inline]
    pub fn existing_export(&self, mfa: Mfa) -> Option<&ExportCell> {
        self.exports.find(mfa)
    }

    /// The name of a native.
    pub fn native_name(&self, id: BifId) -> Mfa {
        self.exports.natives.name(id)
    }

    /// The entry of the fun with that identity, made if need be, for one module more. A new one leads to the stub until its
    /// module is published.
    pub(super) fn fun(&self, identity: FunIdentity) -> (FunKey, *const FunEntry) {
        let key = (identity.module.index(), identity.index, identity.uniq);
        let mut funs = lock(&self.funs);
        let counted = funs.entries.entry(key).or_insert_with(|| {
            let mut entry = Box::new(FunEntry {
                module: identity.module,
                arity: identity.arity,
                captured: identity.captured,
                index: identity.index,
                uniq: identity.uniq,
                module_hash: identity.module_hash,
                target: AtomicU64::new(0),
                stub: [Op::UndefinedFun.word()],
                marks: AtomicU8::new(0),
            });
            *entry.target.get_mut() = stub_of(&entry);
            CountedEntry { entry, modules: 0 }
        });
        counted.modules += 1;
        (key, &raw const *counted.entry)
    }

    /// A module that could not be loaded does not have these any more.
    pub(super) fn give_up_funs(&self, keys: &[FunKey]) {
        let mut funs = lock(&self.funs);
        for key in keys {
            if let Some(counted) = funs.entries.get_mut(key) {
                counted.modules -= 1;
            }
        }
        // The next round looks for funs of them.
        funs.lingering.extend(keys);
    }

    pub(super) fn lock_funs(&self) -> MutexGuard<'_, Funs> {
        lock(&self.funs)
    }

    /// The entry of the fun with that identity and arity, if its module was ever loaded here.
    pub fn existing_fun(&self, module: Atom, index: u32, uniq: u32, arity: u8) -> Option<EntryAddress> {
        let funs = lock(&self.funs);
        let entry = &funs.entries.get(&(module.index(), index, uniq))?.entry;
        if entry.arity != arity {
            return None;
        }
        // The fun that is going to be made may be in a heap that was looked at already.
        entry.note_seen();
        // SAFETY: entries are boxed, and one that was seen stays (H11).
        Some(unsafe { EntryAddress::new(NonNull::from(&**entry)) })
    }

    /// The module of that name, if it is loaded.
    pub fn module(&self, name: Atom) -> Option<Arc<LoadedModule>> {
        self.read_versions().current.get(&name.index()).cloned()
    }

    /// Names of the loaded modules, in no particular order.
    pub fn module_names(&self) -> Vec<Atom> {
        self.read_versions().current.keys().copied().map(Atom::from_index).collect()
    }

    /// The module in whose code `pc` lies.
    pub fn module_at(&self, pc: *const u64) -> Option<Arc<LoadedModule>> {
        let versions = self.read_versions();
        let (_, module) = versions.by_address.range(..=pc.addr()).next_back()?;
        module.contains(pc).then(|| module.clone())
    }

    /// Sees to it that the module is loaded, if that takes no more than a look into memory.
    ///
    /// # Errors
    /// The text to report when there is a module of that name but it cannot be loaded.
    pub fn ensure_loaded_at_once(&self, name: Atom, atoms: &Atoms) -> Result<Found, LoadError> {
        let _guard = lock(&self.loading);
        if self.is_loaded(name) {
            return Ok(Found::Loaded);
        }
        if self.is_prepared(name) {
            return Ok(Found::Ask);
        }
        // Who is asked must be found without asking.
        let may_ask = name != known::ERLET_CODE_SERVER;
        for source in self.sources.get().into_iter().flatten() {
            if !source.is_quick() {
                if may_ask {
                    return Ok(Found::Ask);
                }
                continue;
            }
            if let Some(found) = source.find(atoms.text(name)) {
                let loaded = super::load::load(self, atoms, &found.map_err(LoadError::Source)?)?;
                let found = if self.is_prepared(name) { Found::Ask } else { Found::Loaded };
                return Ok(if loaded.name == name { found } else { Found::Nowhere });
            }
        }
        Ok(Found::Nowhere)
    }

    /// Looks for the module in the sources: its code and where it was found. This may take long.
    pub fn find(
        &self,
        module: &str,
    ) -> Option<Result<(erlet_lang::verify::Verified, Option<String>), String>> {
        let sources = self.sources.get().into_iter().flatten();
        let mut found = sources.filter_map(|source| {
            let found = source.find(module)?;
            Some(found.map(|code| (code, source.file(module))))
        });
        found.next()
    }

    /// The folders that programs may change.
    pub fn path(&self) -> Option<&CodePath> {
        self.path.get().map(|path| &**path)
    }

    /// The text of a header of the library.
    pub fn header(&self, path: &str) -> Option<&'static str> {
        self.sources.get().into_iter().flatten().find_map(|source| source.header(path))
    }

    /// The file the module would be loaded from: `Some(None)` if it is part of the machine.
    pub fn file(&self, module: &str) -> Option<Option<String>> {
        let mut sources = self.sources.get().into_iter().flatten();
        sources.find_map(|source| match source.is_quick() {
            true => source.find(module).map(|_| None),
            false => source.file(module).map(Some),
        })
    }

    /// Whether the module consists of natives alone, so that there is nothing to load.
    pub fn is_native(&self, name: Atom, atoms: &Atoms) -> bool {
        let mut sources = self.sources.get().into_iter().flatten().filter(|source| source.is_quick());
        self.exports.natives.cells.iter().any(|native| native.mfa.module == name)
            && !sources.any(|source| source.has(atoms.text(name)))
    }

    /// Whether a module of this name is the library's, and none of the sources that are asked before the library has one.
    pub fn is_of_library(&self, name: Atom, atoms: &Atoms) -> bool {
        let text = atoms.text(name);
        let sources = || self.sources.get().into_iter().flatten();
        let is_native = || self.exports.natives.cells.iter().any(|native| native.mfa.module == name);
        (sources().any(|source| source.is_quick() && source.has(text)) || is_native())
            && !sources().take_while(|source| !source.is_quick()).any(|source| source.has(text))
    }

    /// Whether a version of the module is current.
    pub fn is_loaded(&self, name: Atom) -> bool {
        self.read_versions().current.contains_key(&name.index())
    }

    /// Funs of the module's code lead nowhere from now on.
    pub(super) fn forget_funs(&self, module: &LoadedModule) {
        let mut funs = lock(&self.funs);
        let name = module.name.index();
        for (_, CountedEntry { entry, .. }) in
            funs.entries.range_mut((name, 0, 0)..=(name, u32::MAX, u32::MAX))
        {
            let target = std::ptr::with_exposed_provenance(entry.target.load(Ordering::Relaxed) as usize);
            if module.contains(target) {
                entry.set_target(stub_of(entry));
            }
        }
    }

    pub(super) fn read_versions(&self) -> std::sync::RwLockReadGuard<'_, Versions> {
        self.versions.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write_versions(&self) -> std::sync::RwLockWriteGuard<'_, Versions> {
        self.versions.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why a module cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadError {
    /// The source has it but cannot give it; the text says why.
    Source(String),
    /// The module names something this VM does not have or cannot hold; the text says what.
    Unsupported(String),
    /// No room for its atoms or literals.
    SystemLimit,
    /// There is an old version that has not been purged.
    NotPurged,
    /// The module of this name is the standard library's, which is not replaced.
    Sticky(String),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::Source(text) | LoadError::Unsupported(text) => f.write_str(text),
            LoadError::Sticky(module) => {
                write!(f, "{module} is a module of the standard library, which is not replaced")
            }
            LoadError::NotPurged => f.write_str("an old version has not been purged"),
            LoadError::SystemLimit => f.write_str("no room for the module's atoms or literals"),
        }
    }
}

impl std::error::Error for LoadError {}

/// Export cells by name: the natives', and in a table of its own the others.
struct ExportTable {
    natives: Arc<Natives>,
    newest: AtomicPtr<Slots>,
    /// Who adds holds this; it owns the cells and all tables there were.
    owner: Mutex<Owned>,
}

/// Boxed one by one: code and readers hold their addresses.
#[allow(clippy::vec_box, reason = "the addresses must not change when the vectors grow")]
struct Owned {
    cells: Vec<Box<ExportCell>>,
    tables: Vec<Box<Slots>>,
}

type Slots = Vec<AtomicPtr<ExportCell>>;

/// Slots of the first table: room for a small program at half load.
const FIRST_SLOTS: usize = 128;

impl ExportTable {
    fn new(natives: Arc<Natives>) -> ExportTable {
        let mut first = empty_slots(FIRST_SLOTS);
        ExportTable {
            natives,
            newest: AtomicPtr::new(&raw mut *first),
            owner: Mutex::new(Owned { cells: Vec::new(), tables: vec![first] }),
        }
    }

    #[inline]
    fn find(&self, mfa: Mfa) -> Option<&ExportCell> {
        // Acquire pairs with the Release in `add`: the table is filled before it is announced.
        let newest = self.newest.load(Ordering::Acquire);
        // SAFETY: `newest` is one of the boxed tables in `owner`, which live and stay put as long as `self`.
        find_in(unsafe { &*newest }, mfa).or_else(|| find_in(&self.natives.slots, mfa))
    }

    fn add(&self, mfa: Mfa) -> &ExportCell {
        let mut owner = lock(&self.owner);
        // Somebody may have added it since the look without the lock.
        if let Some(cell) = self.find(mfa) {
            return cell;
        }
        let mut cell = ExportCell::new(mfa, None);
        let pointer = &raw mut *cell;
        owner.cells.push(cell);
        if 2 * owner.cells.len() > owner.tables.last().map_or(0, |table| table.len()) {
            let mut larger = empty_slots(4 * owner.cells.len().next_power_of_two());
            for cell in &mut owner.cells {
                insert(&larger, cell.mfa, &raw mut **cell);
            }
            self.newest.store(&raw mut *larger, Ordering::Release);
            owner.tables.push(larger);
        } else {
            insert(owner.tables.last().expect("the first table is made with the owner"), mfa, pointer);
        }
        // SAFETY: cells are boxed and owned by `self`, never removed and never borrowed mutably after this function.
        unsafe { &*pointer }
    }
}

fn empty_slots(count: usize) -> Box<Slots> {
    Box::new((0..count).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect())
}

/// Where to begin to look in a table of `len` slots, a power of two: the products are independent, so that the way from
/// the names to the slot is as short as can be (it is all that `apply` waits for).
#[inline]
fn first_slot(mfa: Mfa, len: usize) -> usize {
    let module = u64::from(mfa.module.index()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let function = u64::from(mfa.function.index()).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    let arity = u64::from(mfa.arity).wrapping_mul(0x1656_67b1_9e37_79f9);
    (module.wrapping_add(function).wrapping_add(arity) >> ((len.leading_zeros() + 1) % 64)) as usize
}

#[inline]
fn find_in(slots: &Slots, mfa: Mfa) -> Option<&ExportCell> {
    let mask = slots.len() - 1;
    let mut slot = first_slot(mfa, slots.len());
    loop {
        // Acquire pairs with the Release in `insert`: the cell is made before its slot names it.
        let cell = slots[slot].load(Ordering::Acquire);
        if cell.is_null() {
            return None;
        }
        // SAFETY: slots hold null or cells of the same table's owner (or of the natives), which outlive the table.
        let cell = unsafe { &*cell };
        if cell.mfa == mfa {
            return Some(cell);
        }
        slot = (slot + 1) & mask;
    }
}

fn insert(slots: &Slots, mfa: Mfa, cell: *mut ExportCell) {
    let mask = slots.len() - 1;
    let mut slot = first_slot(mfa, slots.len());
    while !slots[slot].load(Ordering::Relaxed).is_null() {
        slot = (slot + 1) & mask;
    }
    slots[slot].store(cell, Ordering::Release);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
