// RUN: rlx-opt %s --occupancy-annotate="target='Apple M4 Pro'" | filecheck %s

// Footprints that tools got wrong, from public bug reports, each as the smallest schedule with the same buffers.

// The output tile is staged once, however many stages the loads have: four 8x8 tiles are not four slots.
// CHECK-LABEL: sched.kernel @output_is_not_staged
// CHECK-SAME: footprint <13312 -> 13312>
sched.kernel @output_is_not_staged {
  sched.buffer @lhs rotating : memref<128x16xf32>
  sched.buffer @rhs rotating : memref<64x16xf32>
  sched.buffer @out : memref<4x8x8xf32>
}

// ... so that with two stages only the two operands double.
// CHECK-LABEL: sched.kernel @output_is_not_staged_s2 stages 2
// CHECK-SAME: footprint <13312 -> 25600>
sched.kernel @output_is_not_staged_s2 stages 2 {
  sched.buffer @lhs rotating : memref<128x16xf32>
  sched.buffer @rhs rotating : memref<64x16xf32>
  sched.buffer @out : memref<4x8x8xf32>
}

// What lives only in the loop and what lives only after it share their memory: 6144 + max(4352 + 4352, 8192).
// CHECK-LABEL: sched.kernel @lifetimes
// CHECK-SAME: footprint <14848 -> 14848>
sched.kernel @lifetimes {
  sched.phase {
    sched.buffer @k : memref<1088xf32>
    sched.buffer @v : memref<1088xf32>
  }
  sched.phase {
    sched.buffer @reduce : memref<2048xf32>
  }
  sched.buffer @stats : memref<1536xf32>
}

// A vector of three f32 takes the room of four, and 36864 bytes do not fit.
// CHECK-LABEL: sched.kernel @vectors_of_three
// CHECK-SAME: footprint <36864 -> 36864, limit 32768>
sched.kernel @vectors_of_three {
  sched.buffer @points : memref<256x9xvector<3xf32>>
}

// The check has to multiply by the stages.
// CHECK-LABEL: sched.kernel @stages_count
// CHECK-SAME: footprint <131072 -> 262144, limit 32768>
sched.kernel @stages_count stages 2 {
  sched.buffer @a rotating : memref<64x512xf16>
  sched.buffer @b rotating : memref<64x512xf16>
}

// A compiler that keeps n - 1 slots for a stage setting of n.
// CHECK-LABEL: sched.kernel @one_slot_fewer
// CHECK-SAME: footprint <49152 -> 98304, limit 32768>
sched.kernel @one_slot_fewer stages 3 {
  sched.buffer @a rotating slots(stages - 1) : memref<128x128xf8E4M3FN>
  sched.buffer @b rotating slots(stages - 1) : memref<128x256xf8E5M2>
}

// One that waits for a buffer in a later cluster keeps one slot more.
// CHECK-LABEL: sched.kernel @one_slot_more
// CHECK-SAME: footprint <2048 -> 4096>
sched.kernel @one_slot_more stages 3 {
  sched.buffer @a rotating slots(stages + 1) : memref<256xf32>
}

// Rows padded by 128 bits are rows of the buffer's own type.
// CHECK-LABEL: sched.kernel @padded_rows_s1
// CHECK-SAME: footprint <9728 -> 9728>
sched.kernel @padded_rows_s1 {
  sched.buffer @a rotating : memref<64x40xf16>
  sched.buffer @b rotating : memref<32x72xf16>
}
// CHECK-LABEL: sched.kernel @padded_rows_s2
// CHECK-SAME: footprint <9728 -> 19456>
sched.kernel @padded_rows_s2 stages 2 {
  sched.buffer @a rotating : memref<64x40xf16>
  sched.buffer @b rotating : memref<32x72xf16>
}
// CHECK-LABEL: sched.kernel @padded_rows_s3
// CHECK-SAME: footprint <9728 -> 29184>
sched.kernel @padded_rows_s3 stages 3 {
  sched.buffer @a rotating : memref<64x40xf16>
  sched.buffer @b rotating : memref<32x72xf16>
}

// An index is 64 bits wide where no data layout says otherwise.
// CHECK-LABEL: sched.kernel @index_elements
// CHECK-SAME: footprint <144984 -> 144984, limit 32768>
sched.kernel @index_elements {
  sched.buffer @offsets : memref<18123xindex>
}

// The length of dynamic memory is a multiple of 16 bytes.
// CHECK-LABEL: sched.kernel @dynamic_length_35
// CHECK-SAME: footprint <144 -> 144>
sched.kernel @dynamic_length_35 {
  sched.buffer @x dynamic : memref<35xf32>
}
// CHECK-LABEL: sched.kernel @dynamic_length_1
// CHECK-SAME: footprint <16 -> 16>
sched.kernel @dynamic_length_1 {
  sched.buffer @x dynamic : memref<1xf32>
}

// Static arrays follow the alignment of their element, and the end is not rounded.
// CHECK-LABEL: sched.kernel @static_alignment
// CHECK-SAME: footprint <146 -> 146>
sched.kernel @static_alignment {
  sched.buffer @x : memref<35xf32>
  sched.buffer @y : memref<3xf16>
}

// The same configuration over the limit and, at half the tile, under it.
// CHECK-LABEL: sched.kernel @never_checked
// CHECK-SAME: footprint <58112 -> 58112, limit 32768>
sched.kernel @never_checked {
  sched.buffer @x : memref<14528xf32>
}
// CHECK-LABEL: sched.kernel @never_checked_half
// CHECK-SAME: footprint <29056 -> 29056> verdict
sched.kernel @never_checked_half {
  sched.buffer @x : memref<7264xf32>
}

// The limit itself fits.
// CHECK-LABEL: sched.kernel @boundary
// CHECK-SAME: footprint <32768 -> 32768> verdict
sched.kernel @boundary {
  sched.buffer @x : memref<8192xf32>
}

// CHECK-LABEL: sched.kernel @mixed_types
// CHECK-SAME: footprint <10048 -> 10048>
sched.kernel @mixed_types {
  sched.buffer @a : memref<4096xi8>
  sched.buffer @b : memref<512xf16>
  sched.buffer @c : memref<16xi32>
  sched.buffer @d : memref<1280xf16>
  sched.buffer @e : memref<512xf32>
  sched.buffer @f : memref<64xf32>
}

// Apple allocates what is asked for: nothing is rounded to 1024 bytes, as one generation of AMD GPUs does.
// CHECK-LABEL: sched.kernel @no_granularity
// CHECK-SAME: footprint <1028 -> 1028>
sched.kernel @no_granularity {
  sched.buffer @x : memref<257xf32>
}

// Operands may have different stage counts.
// CHECK-LABEL: sched.kernel @operands_differ
// CHECK-SAME: footprint <2048 -> 5120>
sched.kernel @operands_differ stages 3 {
  sched.buffer @a rotating : memref<16x16xf32>
  sched.buffer @b rotating slots(stages - 1) : memref<16x16xf32>
}
