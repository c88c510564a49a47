%% Mathematical functions: all functions are natives (`src/bif/math.rs`); the module is here for what it says about itself.
-module(math).
