%% Terms kept for good: all functions are natives (`src/bif/persistent.rs`); the module is here for what it says about itself.
-module(persistent_term).
