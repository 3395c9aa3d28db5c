// RUN: rlx-opt %s --split-input-file --verify-diagnostics --occupancy-filter
// RUN: rlx-opt %s --split-input-file --occupancy-annotate="target='Apple M3 Max' override-target" 2>&1 | filecheck %s

// A filter that does nothing because it does not know the GPU says so, once, and tells what was probably meant.

// CHECK: warning: no calibration for Apple M3 Max, so no verdict can be given; `rlx-calibrate list` shows what is calibrated
// CHECK-NOT: did you mean

builtin.module {
  // expected-warning @+1 {{no verdict can be given without a target; name the GPU with sched.target in the IR or with the option target}}
  sched.kernel @first stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  sched.kernel @second stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
}

// -----

builtin.module attributes {sched.target = #sched.target<"m4 pro">} {
  // expected-warning @+1 {{no calibration for m4 pro, so no verdict can be given; did you mean 'Apple M4 Pro'?}}
  sched.kernel @misspelled stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
}

// -----

// Another GPU is no misspelling.
builtin.module attributes {sched.target = #sched.target<"Apple M5 Max">} {
  sched.kernel @another stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
}

// -----

// expected-error @+1 {{'sched.target' must be a target, as in #sched.target<"Apple M4 Pro">, got "Apple M4"}}
builtin.module attributes {sched.target = "Apple M4"} {
  // expected-warning @+1 {{no verdict can be given without a target}}
  sched.kernel @a stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
}
