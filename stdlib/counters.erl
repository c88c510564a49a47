%% Arrays of shared counters: all functions are natives (`src/bif/counters.rs`); the module is here for what it says about itself.
-module(counters).
