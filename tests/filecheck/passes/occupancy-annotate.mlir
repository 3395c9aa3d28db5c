// RUN: rlx-opt %s --split-input-file --occupancy-annotate | filecheck %s
// RUN: rlx-opt %s --split-input-file --occupancy-annotate --occupancy-annotate | filecheck %s
// RUN: rlx-opt %s --split-input-file --occupancy-annotate --sched-erase-annotations | filecheck %s --check-prefix=ERASED

// The analysis writes footprint and verdict on every schedule, over what was there; `stripped` is somebody else's.

// ERASED:     builtin.module {
builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK: sched.kernel @stale stages 2 stripped <3, slower 0.8> footprint <2048 -> 4096> verdict <slower 0.905> {
  // ERASED: sched.kernel @stale stages 2 {
  sched.kernel @stale stages 2 stripped <3, slower 0.8> footprint <1 -> 2> verdict <faster 2.0> {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  // It says of an illegal kernel that it is one, and does not fail.
  // CHECK: sched.kernel @illegal stages 9 footprint <16384 -> 147456, limit 32768> verdict <slower 0.6{{.*}}> {
  // ERASED: sched.kernel @illegal stages 9 {
  sched.kernel @illegal stages 9 {
    sched.buffer @a rotating : memref<64x64xf32>
  }
  // A footprint that cannot be known is removed, with the reason in the verdict.
  // CHECK: sched.kernel @opaque verdict <unknown "the size of tf32 is not known"> {
  sched.kernel @opaque footprint <1 -> 1> {
    sched.buffer @a rotating : memref<64x64xtf32>
  }
  // CHECK: sched.kernel @dynamic verdict <unknown "the size of memref<?xf32> is dynamic"> {
  sched.kernel @dynamic {
    sched.buffer @a rotating : memref<?xf32>
  }
  // CHECK: sched.kernel @empty verdict <unknown "it has no threadgroup buffers"> {
  sched.kernel @empty {
  }
  // CHECK: sched.kernel @zero footprint <0 -> 0> verdict <unknown "{{.*}}zero{{.*}}"> {
  sched.kernel @zero {
    sched.buffer @a : memref<0xf32>
  }
  // CHECK: sched.kernel @overflow stages 4611686018427387904 verdict <unknown "its footprint does not fit in 64 bits{{.*}}"> {
  sched.kernel @overflow stages 4611686018427387904 {
    sched.buffer @a rotating : memref<16xf32>
  }
  // CHECK: sched.candidates @space {
  // CHECK-NEXT: sched.kernel @candidate stages 2 footprint <1024 -> 2048> verdict <slower 0.905> {
  sched.candidates @space {
    sched.kernel @candidate stages 2 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
  }
}

// -----

// `index` follows the data layout.

// CHECK: sched.kernel @narrow footprint <64 -> 64>
builtin.module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  sched.kernel @narrow {
    sched.buffer @a : memref<16xindex>
  }
}

// -----

// Older versions of MLIR spell an entry in full.

// CHECK: sched.kernel @spelled_in_full footprint <64 -> 64>
builtin.module attributes {dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<!llvm.ptr<3>, dense<32> : vector<4xi64>>, #dlti.dl_entry<index, 32>>} {
  sched.kernel @spelled_in_full {
    sched.buffer @a : memref<16xindex>
  }
}

// -----

// Where the layout cannot be read, or makes no sense, nothing that needs it has a size; all else has.

// CHECK: sched.kernel @unreadable verdict <unknown "the width of index is not known: the data layout of this IR cannot be read">
// CHECK: sched.kernel @needs_no_layout footprint <64 -> 64>
builtin.module attributes {dlti.dl_spec = #dlti.dl_spec<index : 32>} {
  sched.kernel @unreadable {
    sched.buffer @a : memref<16xindex>
  }
  sched.kernel @needs_no_layout {
    sched.buffer @a : memref<16xf32>
  }
}

// -----

// CHECK: sched.kernel @no_width verdict <unknown "the width of index is not known
builtin.module attributes {dlti.dl_spec = #dlti.dl_spec<index = 0 : i64>} {
  sched.kernel @no_width {
    sched.buffer @a : memref<16xindex>
  }
}
