// RUN: rlx-opt %s --sched-enumerate="stages=4,1,2" --sched-rank | filecheck %s
// RUN: rlx-opt %s --sched-rank 2>&1 | filecheck %s --check-prefix=TILES

// Every kernel becomes a search space over its stages, ranked: too close to call and one stage first, then the slower ones.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK:      sched.candidates @k {
  // CHECK-NEXT:   sched.kernel @k_s1 {
  // CHECK:        sched.kernel @k_s2 stages 2 {
  // CHECK:        sched.kernel @k_s4 stages 4 {
  // CHECK:      }
  sched.kernel @k stages 3 footprint <1 -> 1> verdict <faster 2.0> {
    sched.buffer @a rotating : memref<2x16x16xf32>
  }
  // Who may see the kernel may see the space in its place.
  // CHECK:      sched.candidates @private attributes {sym_visibility = "private"} {
  // CHECK-NEXT:   sched.kernel @private_s1 {
  // CHECK:        sched.kernel @private_s2 stages 2 {
  sched.kernel @private attributes {sym_visibility = "private"} {
    sched.buffer @a rotating : memref<2x16x16xf32>
  }
  // Kernels in a search space are left alone. Two schedules are interleaved here; each keeps its places, and the warning
  // shows why they are not compared.
  // TILES: warning: the candidates of '@space' are rotations of 2 different schedules; the model prices threadgroup memory alone
  // TILES: note: on Apple M4 Pro a tile edge of 8 (2048 -> 512 bytes) would be predicted at 1.190 and measured 1.118
  // TILES: note: on Apple M4 Pro a tile edge of 32 (2048 -> 8192 bytes) would be predicted at 0.810 and measured 0.910: 0.52 to 0.57 for m < 32, 1.08 to 1.10 for larger m
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @t16_s1 {
  // CHECK:        sched.kernel @t32_s1 {
  // CHECK:        sched.kernel @t32_s2 stages 2 {
  // CHECK:        sched.kernel @t16_s3 stages 3 {
  sched.candidates @space {
    sched.kernel @t16_s3 stages 3 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @t32_s2 stages 2 {
      sched.buffer @a rotating : memref<2x32x32xf32>
    }
    sched.kernel @t32_s1 {
      sched.buffer @a rotating : memref<2x32x32xf32>
    }
    sched.kernel @t16_s1 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
  }
  // The model knows nothing of this chip, so the order stays.
  // CHECK:      sched.candidates @unknown {
  // CHECK-NEXT:   sched.kernel @s3 stages 3 target <"Apple M1">
  // CHECK:        sched.kernel @s1 target <"Apple M1">
  sched.candidates @unknown {
    sched.kernel @s3 stages 3 target <"Apple M1"> {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @s1 target <"Apple M1"> {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
  }
}
