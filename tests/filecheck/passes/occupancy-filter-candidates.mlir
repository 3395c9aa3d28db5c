// RUN: rlx-opt %s --split-input-file --occupancy-filter | filecheck %s
// RUN: rlx-opt %s --split-input-file --occupancy-filter --occupancy-filter | filecheck %s
// RUN: rlx-opt %s --split-input-file --occupancy-filter --show-remarks 2>&1 | filecheck %s --check-prefix=REMARK

// A slower rotation is erased where one of the same schedule remains that is legal and not slower.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @s1 footprint <2048 -> 2048> verdict <too_close_to_call> {
  // CHECK-NEXT:     @a
  // CHECK-NEXT:     @b
  // CHECK-NEXT:   }
  // CHECK-NEXT: }
  sched.candidates @space {
    sched.kernel @s3 stages 3 {
      sched.buffer @a rotating : memref<16x16xf32>
      sched.buffer @b rotating : memref<16x16xf32>
    }
    sched.kernel @s1 {
      sched.buffer @a rotating : memref<16x16xf32>
      sched.buffer @b rotating : memref<16x16xf32>
    }
    sched.kernel @s2 stages 2 {
      // Names play no part, and one slot a stage is the rule that need not be written.
      sched.buffer @x rotating slots(stages) : memref<16x16xf32>
      sched.buffer @y rotating : memref<16x16xf32>
    }
  }
}

// -----

// No schedule is lost for being slower: where all rotations of one lose, the best is stripped. A schedule with other tiles
// is a group of its own, and so is one with other attributes: the model does not see the difference, so it must not choose.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @t16_s2 stages 1 stripped <2, slower 0.905>
  // CHECK:        sched.kernel @t32_s2 stages 1 stripped <2, slower 0.905, extrapolated>
  // CHECK:        sched.kernel @t16_threads stages 1 stripped <2, slower 0.905>
  // CHECK-NOT:    sched.kernel
  sched.candidates @space {
    sched.kernel @t16_s3 stages 3 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @t16_s2 stages 2 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @t32_s2 stages 2 {
      sched.buffer @a rotating : memref<2x32x32xf32>
    }
    sched.kernel @t16_threads stages 2 attributes {threads = 64 : i64} {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
  }
}

// -----

// What is illegal goes too, on any chip; of a group in which nothing is legal the best is stripped to what fits.

builtin.module attributes {sched.target = #sched.target<"Apple M3">} {
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @fits stages 2 footprint <16384 -> 32768> verdict <unknown
  // CHECK:        sched.kernel @first stages 2 stripped <3, over_limit 49152>
  // CHECK-NOT:    sched.kernel
  sched.candidates @space {
    sched.kernel @over stages 3 {
      sched.buffer @a rotating : memref<64x64xf32>
    }
    sched.kernel @fits stages 2 {
      sched.buffer @a rotating : memref<64x64xf32>
    }
    sched.kernel @first stages 3 {
      sched.buffer @a rotating : memref<32x128xf32>
    }
    sched.kernel @second stages 4 {
      sched.buffer @a rotating : memref<32x128xf32>
    }
  }
}

// -----

// A schedule that does not fit with one stage is no candidate, as long as there is another. The remark names one that
// stays.

builtin.module attributes {sched.target = #sched.target<"Apple M3">} {
  // REMARK: remark: candidate erased, '@small' fits: 16384 -> 49152 bytes, {{.*}}; over the limit of 32768 bytes
  // REMARK: remark: candidate erased, '@small' fits: 65536 -> 65536 bytes, {{.*}}; over the limit of 32768 bytes
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @small
  // CHECK-NOT:    sched.kernel
  sched.candidates @space {
    sched.kernel @huge {
      sched.buffer @a rotating : memref<128x128xf32>
    }
    sched.kernel @small_s3 stages 3 {
      sched.buffer @a rotating : memref<64x64xf32>
    }
    sched.kernel @small {
      sched.buffer @a rotating : memref<64x64xf32>
    }
  }
}

// -----

// So is a schedule whose buffers or phases have other attributes than another's.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @swizzle_0
  // CHECK:        sched.kernel @swizzle_1 stages 1 stripped <2
  // CHECK:        sched.kernel @phase stages 1 stripped <2
  // CHECK:        sched.kernel @phase_with_barrier stages 1 stripped <2
  sched.candidates @space {
    sched.kernel @swizzle_0 {
      sched.buffer @a rotating attributes {swizzle = 0 : i64} : memref<2x16x16xf32>
    }
    sched.kernel @swizzle_1 stages 2 {
      sched.buffer @a rotating attributes {swizzle = 1 : i64} : memref<2x16x16xf32>
    }
    sched.kernel @phase stages 2 {
      sched.phase {
        sched.buffer @a rotating : memref<2x16x16xf32>
      }
    }
    sched.kernel @phase_with_barrier stages 2 {
      sched.phase attributes {barrier} {
        sched.buffer @a rotating : memref<2x16x16xf32>
      }
    }
  }
}

// -----

// More bytes than anybody can count are no reason to give up those that fit.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK:      sched.candidates @space {
  // CHECK-NEXT:   sched.kernel @s2 stages 1 stripped <2
  // CHECK:        sched.kernel @beyond stages 9223372036854775807
  // CHECK:      sched.candidates @one_fits {
  // CHECK-NEXT:   sched.kernel @beyond stages 9223372036854775807
  // CHECK:        sched.kernel @s1
  // CHECK-NOT:    sched.kernel
  sched.candidates @space {
    sched.kernel @s3 stages 3 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @s2 stages 2 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @beyond stages 9223372036854775807 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
  }
  sched.candidates @one_fits {
    sched.kernel @beyond stages 9223372036854775807 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @s2 stages 2 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
    sched.kernel @s1 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
  }
}

// -----

// An empty space stays one.
// CHECK:      sched.candidates @empty {
// CHECK-NEXT: }
sched.candidates @empty {
}
