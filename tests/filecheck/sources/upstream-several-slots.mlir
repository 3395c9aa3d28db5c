// Kernels whose accesses cover several rows of the leading dimension. Where one row is written and two are read, the second
// one is another slot: the rotation stays. Where every access covers four rows, it is not seen how many rows are a slot.
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" --sched-erase-annotations %s -o %t.after
// RUN: rlx-opt %s -o %t.before
// RUN: diff %t.before %t.after
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" --show-remarks %s -o %t.mlir 2>&1 | filecheck %s

// CHECK: remark: rotation left in (unsupported-user): a vector.load of it spans several slots; 64 -> 192 bytes, slower
"func.func"() <{function_type = (memref<2x16xf32>, vector<16xf32>, index) -> (), sym_name = "history"}> ({
^bb0(%out: memref<2x16xf32>, %row: vector<16xf32>, %c0: index):
  %t = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x16xf32, 3>
  "scf.for"(%c0, %c0, %c0) ({
  ^bb1(%i: index):
    %slot = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 mod 3)>}> : (index) -> index
    "vector.store"(%row, %t, %slot, %c0) : (vector<16xf32>, memref<3x16xf32, 3>, index, index) -> ()
    %two = "vector.load"(%t, %slot, %c0) : (memref<3x16xf32, 3>, index, index) -> vector<2x16xf32>
    "vector.store"(%two, %out, %c0, %c0) : (vector<2x16xf32>, memref<2x16xf32>, index, index) -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()

// CHECK: remark: at_most 1024 -> 1024 bytes, unknown: a loop goes through a buffer in a way that does not show its slots
"func.func"() <{function_type = (vector<4x16xf32>, index) -> (), sym_name = "ring"}> ({
^bb0(%rows: vector<4x16xf32>, %c0: index):
  %t = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<16x16xf32, 3>
  "scf.for"(%c0, %c0, %c0) ({
  ^bb1(%i: index):
    %slot = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 mod 16)>}> : (index) -> index
    "vector.store"(%rows, %t, %slot, %c0) : (vector<4x16xf32>, memref<16x16xf32, 3>, index, index) -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
