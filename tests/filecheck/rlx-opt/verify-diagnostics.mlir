// Comments say which diagnostics there are to be, in each part of the file; then there is nothing to complain about.
// RUN: rlx-opt --split-input-file --verify-diagnostics --occupancy-filter %s 2>&1 | filecheck %s
// RUN: rlx-opt --split-input-file --verify-diagnostics --occupancy-filter -j2 %s 2>&1 | filecheck %s
// CHECK-NOT: error:

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // expected-error @+1 {{kernel '@large' takes 65536 bytes}}
  sched.kernel @large {
    sched.buffer @a : memref<128x128xf32>
  }
  // expected-remark-re @below {{took 3 stages down to 1 {{[(]}}slower): 2048 -> {{[0-9]+}} bytes}}
  sched.kernel @slow stages 3 {
    sched.buffer @a rotating : memref<16x32xf32>
  }
}

// -----

sched.kernel @b stages 0 { // expected-error {{expected at least 1 stage}}
}

// -----

builtin.module {
  sched.phase { // expected-error {{'sched.phase'}}
  }
}
