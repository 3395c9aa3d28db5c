// A search space: rotations of one schedule, and one with wider tiles. The filter compares rotations of one schedule only;
// wider tiles change how often data is reused, which the model does not price.
//
//   rlx-opt --occupancy-filter examples/search_space.mlir

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.candidates @sgemm {
    sched.kernel @t16_s1 {
      sched.buffer @a rotating : memref<16x16xf32>
      sched.buffer @b rotating : memref<16x16xf32>
    }
    sched.kernel @t16_s3 stages 3 {
      sched.buffer @a rotating : memref<16x16xf32>
      sched.buffer @b rotating : memref<16x16xf32>
    }
    sched.kernel @t32_s2 stages 2 {
      sched.buffer @a rotating : memref<32x32xf32>
      sched.buffer @b rotating : memref<32x32xf32>
    }
    sched.kernel @t32_s6 stages 6 {
      sched.buffer @a rotating : memref<32x32xf32>
      sched.buffer @b rotating : memref<32x32xf32>
    }
  }
}
