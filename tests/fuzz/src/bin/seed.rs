//! Writes the first corpus: `seed FOLDER` fills `FOLDER/external` and `FOLDER/bytecode` with what is well-formed.

use std::path::Path;
use std::{env, fs};

use erlet::{Bytes, Value, Vm};
// The build flags of the targets want its symbols.
use libfuzzer_sys as _;

const TERMS: &str = "[1, -1, 256, 1152921504606846976, -36893488147419103232, 1.5, a, 'an atom', \"text\", [1024, 2], [a|b], {}, {a, {b, []}}, \
    #{a => 1, \"b\" => #{}}, <<1, 2, 3>>, <<5:3>>]";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = env::args().nth(1).ok_or("which folder?")?;
    let folder = Path::new(&folder);
    let vm = Vm::builder().threads(0).build()?;
    let (external, bytecode) = (folder.join("external"), folder.join("bytecode"));
    fs::create_dir_all(&external)?;
    fs::create_dir_all(&bytecode)?;
    let terms: Value = TERMS.parse()?;
    for (number, term) in terms.as_list().unwrap_or_default().iter().chain([&terms]).enumerate() {
        let bytes: Bytes = vm.call("erlang", "term_to_binary", (term,))?;
        fs::write(external.join(format!("term_{number}")), &bytes)?;
    }
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for entry in fs::read_dir(examples)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "erl") {
            let bytes = vm.compile(&path, fs::read(&path)?)?;
            fs::write(bytecode.join(path.file_stem().ok_or("a name")?), bytes)?;
        }
    }
    Ok(())
}
