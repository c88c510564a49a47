//! Arithmetic on terms: Erlang's operators where the interpreter's fast paths do not apply.

use super::{AllocError, HeapRef};
use crate::term::Term;

/// Why an operator has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArithError {
    /// `badarith`: an operand of the wrong type, division by zero, a float out of range.
    BadArith,
    /// `system_limit`: the integer would be too large.
    SystemLimit,
    /// No room for the result.
    Alloc(AllocError),
}

impl From<AllocError> for ArithError {
    fn from(error: AllocError) -> ArithError {
        match error {
            AllocError::SystemLimit => ArithError::SystemLimit,
            error => ArithError::Alloc(error),
        }
    }
}

/// What an operator gives.
pub type ArithResult<'h> = Result<Term<'h>, ArithError>;

macro_rules! skeleton {
    ($($doc:literal $name:ident($($arg:ident),*);)*) => {
        impl<'h> HeapRef<'h> {
            $(
                #[doc = $doc]
                ///
                /// # Errors
                /// See [`ArithError`].
                pub fn $name(&mut self, $($arg: Term<'h>),*) -> ArithResult<'h> {
                    let _ = ($($arg),*);
                    unimplemented!("skeleton")
                }
            )*
        }
    };
}

skeleton! {
    "`A + B`" add(a, b);
    "`A - B`" subtract(a, b);
    "`A * B`" multiply(a, b);
    "`A / B`" divide(a, b);
    "`A div B`" int_divide(a, b);
    "`A rem B`" remainder(a, b);
    "`-A`" negate(a);
    "`A band B`" band(a, b);
    "`A bor B`" bor(a, b);
    "`A bxor B`" bxor(a, b);
    "`bnot A`" bnot(a);
    "`A bsl B`" shift_left(a, b);
    "`A bsr B`" shift_right(a, b);
    "`abs(A)`" absolute(a);
    "`float(A)`" to_float(a);
    "`trunc(A)`" truncate(a);
    "`round(A)`" round(a);
    "`floor(A)`" floor(a);
    "`ceil(A)`" ceiling(a);
}
