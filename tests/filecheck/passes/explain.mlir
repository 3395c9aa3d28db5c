// The option `explain` says how a footprint and a verdict come about, of the kernel as it stands before the pass.
// RUN: rlx-opt %s --occupancy-filter=explain 2>&1 | filecheck %s
// RUN: rlx-opt %s --occupancy-annotate=explain 2>&1 | filecheck %s
// RUN: rlx-opt %s --sched-rank=explain 2>&1 | filecheck %s --check-prefix=RANK
// RUN: rlx-opt %s --occupancy-filter 2>&1 | filecheck %s --check-prefix=QUIET

// CHECK: explain.mlir:{{[0-9]+}}:1: note: kernel '@k': 3 stages, for Apple M4 Pro
sched.kernel @k stages 3 target <"Apple M4 Pro"> {
  sched.buffer @a rotating : memref<16x16xf32>
  sched.buffer @b : memref<3xf32>
}
// CHECK:       buffer       type               alignment   lives    slots  offset  bytes     slots  offset  bytes
// CHECK-NEXT:  @a rotating  memref<16x16xf32>          4  always        1       0   1024         3       0   3072
// CHECK-NEXT:  @b resident  memref<3xf32>              4  always        1    1024     12         1    3072     12
// CHECK-NEXT:  footprint                                                            1036                     3084
// CHECK:       limit: 32768 bytes for one threadgroup: fits, 29684 bytes to spare
// CHECK:       verdict: slower, ratio 0.850 (0.800 to 0.900, extrapolated)
// CHECK:       held out  4096 -> 8192
// CHECK:       extrapolated here: 1036 bytes are fewer than 2048
// CHECK:       any number of stages but one is slower
// CHECK-NEXT:  with f16 for f32 in the rotating buffers:

sched.candidates @space {
  // RANK: note: kernel '@one': 1 stage, for no GPU in particular
  sched.kernel @one { sched.buffer @a rotating : memref<4xf32> }
}

// QUIET-NOT: note
