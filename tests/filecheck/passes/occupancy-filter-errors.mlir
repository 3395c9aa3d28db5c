// RUN: rlx-opt %s --split-input-file --verify-diagnostics --occupancy-filter
// RUN: not rlx-opt %s --split-input-file --occupancy-filter

// A kernel that does not fit with one stage is an error. The rest of the module is processed all the same, so that every
// such kernel is told.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // expected-error @+1 {{kernel '@huge' takes 65536 bytes of threadgroup memory with one stage, more than the limit of 32768 bytes}}
  sched.kernel @huge stages 2 {
    sched.buffer @a rotating : memref<128x128xf32>
  }
  sched.kernel @fine {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // expected-error @+1 {{kernel '@over' takes 33792 bytes}}
  sched.kernel @over {
    sched.buffer @a : memref<264x32xf32>
  }
}

// -----

builtin.module attributes {sched.target = #sched.target<"Apple M3">} {
  sched.candidates @space {
    // expected-error @+1 {{kernel '@huge' takes 65536 bytes}}
    sched.kernel @huge {
      sched.buffer @a rotating : memref<128x128xf32>
    }
    // expected-error @+1 {{kernel '@other' takes 36864 bytes}}
    sched.kernel @other {
      sched.buffer @a rotating : memref<96x96xf32>
    }
  }
}
