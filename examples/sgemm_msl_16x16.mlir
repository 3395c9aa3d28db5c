// The tiled sgemm behind the M4 calibration: threadgroups of 16x16 threads, two 16x16 f32 tiles, 2048 bytes at one stage.
// Measured on an Apple M4 Pro through MSL: 0.906 of the one-stage throughput with 2 stages, 0.842 with 3.
//
//   rlx-opt --occupancy-filter examples/sgemm_msl_16x16.mlir

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.kernel @sgemm_s1 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  sched.kernel @sgemm_s2 stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  sched.kernel @sgemm_s3 stages 3 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  sched.kernel @sgemm_s4 stages 4 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
}
