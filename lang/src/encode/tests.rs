//! What is encoded is decoded, and nothing else is.

use super::*;
use crate::bytecode::{AtomIx, Function, Instr, Label, LitValue, Literal, Src};
use crate::bytecode::{FnIx, Import, Lambda, Line, Reg};

fn sample() -> Module {
    Module {
        name: AtomIx(0),
        atoms: vec!["m".into(), "go".into(), "ж".into()],
        literals: vec![
            Literal::Big { negative: true, magnitude: vec![0, 0, 0, 0, 0, 0, 0, 0, 1] },
            Literal::Float((-0.0f64).to_bits()),
            Literal::Map(vec![(LitValue::Int(i64::MIN), LitValue::Nil)]),
        ],
        imports: vec![Import { module: AtomIx(2), function: AtomIx(1), arity: 3 }],
        functions: vec![Function {
            name: AtomIx(1),
            arity: 0,
            exported: true,
            contexts: vec![],
            labels: 1,
            code: vec![
                Instr::Label { label: Label(0) },
                Instr::Move { src: Src::Int(-1), dst: Reg::X(0) },
                Instr::Return {},
            ],
        }],
        lambdas: vec![Lambda { function: FnIx(0), free: 0, uniq: 77 }],
        lines: vec![Line { file: 0, line: 3 }],
        files: vec!["m.erl".into()],
        attributes: vec![(AtomIx(2), LitValue::Nil)],
        on_load: None,
        md5: [9; 16],
    }
}

/// `payload` under a header that fits it.
fn sealed(payload: &[u8]) -> Vec<u8> {
    let mut bytes = encode(&sample())[..8].to_vec();
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(crc32(payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// Decodes made-up payload.
pub(crate) fn decode_payload(payload: &[u8]) -> Result<Module, DecodeError> {
    decode(&sealed(payload))
}

#[test]
fn what_is_encoded_is_decoded() {
    assert_eq!(decode(&encode(&sample())), Ok(sample()));
}

#[test]
fn the_checksum_is_the_common_one() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
}

#[test]
fn headers_are_judged_field_by_field() {
    let good = encode(&sample());
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        decode(&bytes)
    };
    assert_eq!(decode(b""), Err(DecodeError::NotAModule));
    assert_eq!(decode(&good[..19]), Err(DecodeError::NotAModule));
    assert_eq!(with(0, b'-'), Err(DecodeError::NotAModule));
    assert_eq!(with(4, 99), Err(DecodeError::Version(99)));
    assert_eq!(with(6, 1), Err(DecodeError::Content(1)));
    assert!(matches!(decode(&good[..good.len() - 1]), Err(DecodeError::Length { .. })));
    assert_eq!(with(good.len() - 1, 0xEE), Err(DecodeError::Checksum));
    let mut longer = good[HEADER_BYTES..].to_vec();
    longer.push(0);
    assert!(matches!(decode(&sealed(&longer)), Err(DecodeError::Malformed(_))));
}

#[test]
fn every_cut_and_every_flipped_bit_is_an_error_or_another_module() {
    let payload = encode(&sample())[HEADER_BYTES..].to_vec();
    for cut in 0..payload.len() {
        assert!(matches!(decode(&sealed(&payload[..cut])), Err(DecodeError::Malformed(_))), "cut at {cut}");
    }
    for bit in 0..payload.len() * 8 {
        let mut payload = payload.clone();
        payload[bit / 8] ^= 1 << (bit % 8);
        if let Ok(module) = decode(&sealed(&payload)) {
            assert_eq!(decode(&encode(&module)), Ok(module), "bit {bit}");
        }
    }
}

#[test]
fn claimed_lengths_are_not_believed() {
    // Name, then a table of atoms that claims 2^60 rows and has none.
    let mut payload = vec![0];
    payload.extend([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
    assert!(matches!(decode(&sealed(&payload)), Err(DecodeError::Malformed(_))));
}
