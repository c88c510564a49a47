//! Floats as text, as OTP prints and reads them.

/// `~p`, `~w` and `float_to_list(F, [short])`: the shortest digits that read back as the same float.
pub fn short(_value: f64) -> String {
    unimplemented!("skeleton")
}

/// `float_to_list(F, [{scientific, D}])`; `float_to_list/1` is 20 decimals.
pub fn scientific(_value: f64, _decimals: usize) -> String {
    unimplemented!("skeleton")
}

/// `float_to_list(F, [{decimals, D}])`, with `compact` removing trailing zeros; `None` where OTP answers `badarg`.
pub fn decimals(_value: f64, _decimals: usize, _compact: bool) -> Option<String> {
    unimplemented!("skeleton")
}

/// A float in Erlang's notation (`1.0`, `-1.5e3`), all of `text`; `None` if it is none or overflows.
pub fn parse(_text: &[u8]) -> Option<f64> {
    unimplemented!("skeleton")
}

/// Exact order of an integer (sign, limbs) and a float.
pub fn compare_with_integer(_negative: bool, _limbs: &[u64], _float: f64) -> std::cmp::Ordering {
    unimplemented!("skeleton")
}
