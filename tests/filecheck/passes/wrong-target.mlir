// RUN: not rlx-opt %s --occupancy-filter 2>&1 | filecheck %s
// RUN: not rlx-opt %s --sched-rank 2>&1 | filecheck %s
// RUN: rlx-opt %S/Inputs/wrong-limits.mlir --split-input-file --occupancy-filter --verify-diagnostics

// What is wrong with the target is told once, however many kernels it is for.

// CHECK:     wrong-target.mlir:[[# @LINE + 2]]:1: error: 'sched.target' must be a target, as in #sched.target<"Apple M4 Pro">, got "Apple M4 Pro"
// CHECK-NOT: error:
builtin.module attributes {sched.target = "Apple M4 Pro"} {
  sched.candidates @space {
    sched.kernel @s2 stages 2 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
    sched.kernel @s1 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
  }
}
