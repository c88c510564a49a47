//! Services of one virtual machine.
pub mod clock;
pub mod entropy;
pub mod idle;
pub mod output;
pub mod pool;
pub mod wheel;

#[cfg(test)]
mod idle_tests;
