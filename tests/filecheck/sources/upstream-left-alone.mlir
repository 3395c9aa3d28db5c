// A kernel whose result depends on its rotation: it reads what an earlier iteration left in the slot, then writes it. The
// verdict is given, the program is not touched, and a remark says which condition failed.
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" --remarks=%t.yaml %s | filecheck %s
// RUN: filecheck %s --input-file=%t.yaml --check-prefix=REMARK

// CHECK:      memref<2x32x32xf32, 3
// CHECK:      affine_map<(d0) -> (d0 mod 2)>
// CHECK:      sched.footprint = #sched.footprint<4096 -> 8192>
// CHECK-NOT:  sched.stripped
// CHECK-SAME: sched.verdict = #sched.verdict<slower 0.905>
// REMARK:     --- !Missed
// REMARK:     slot-not-written-first
"func.func"() <{function_type = (memref<32x32xf32>, index) -> (), sym_name = "previous"}> ({
^bb0(%in: memref<32x32xf32>, %c0: index):
  %t = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2x32x32xf32, 3>
  "scf.for"(%c0, %c0, %c0) ({
  ^bb1(%i: index):
    %slot = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 mod 2)>}> : (index) -> index
    %v = "memref.subview"(%t, %slot) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<2x32x32xf32, 3>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, 3>
    %y = "memref.load"(%v, %c0, %c0) : (memref<32x32xf32, strided<[32, 1], offset: ?>, 3>, index, index) -> f32
    "memref.copy"(%in, %v) : (memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>, 3>) -> ()
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()
