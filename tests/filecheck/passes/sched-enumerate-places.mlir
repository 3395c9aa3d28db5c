// RUN: rlx-opt %s --sched-enumerate="stages=1,2" --occupancy-filter --verify-diagnostics
// RUN: rlx-opt %s --sched-enumerate="stages=1,2" --mlir-print-debuginfo | filecheck %s

// What there is to say about a search space and its candidates belongs to the kernel that they were made from.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // expected-remark @+2 {{2048 -> 2048 bytes, too close to call}}
  // expected-remark @+1 {{candidate erased, '@k_s1' is better: 2048 -> 4096 bytes, slower}}
  sched.kernel @k {
    sched.buffer @a rotating : memref<16x32xf32>
  }
  // expected-error @+1 {{kernel '@huge_s1' takes 65536 bytes of threadgroup memory with one stage}}
  sched.kernel @huge {
    sched.buffer @a rotating : memref<128x128xf32>
  }
  // CHECK: sched.candidates @elsewhere {
  // CHECK:   sched.buffer @a rotating : memref<16x32xf32> loc("{{.*}}sched-enumerate-places.mlir":[[# @LINE + 3]]:5)
  // CHECK: } loc("there.cpp":1:2)
  sched.kernel @elsewhere {
    sched.buffer @a rotating : memref<16x32xf32>
  } loc("there.cpp":1:2)
}
