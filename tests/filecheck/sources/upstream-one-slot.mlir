// The rotation that memref.multibuffer leaves loses on an M4: slot index, leading dimension and views of slots go, and the
// views of those views start at a known offset. No pass will distribute the last read, so a barrier comes after it.
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" %s | filecheck %s

// CHECK:       "func.func"() <{
// CHECK-SAME:    sym_name = "block_level"
// CHECK-NOT:   affine.apply
// CHECK:       [[T:%.*]] = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<32x32xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:  "scf.for"
// CHECK-NEXT:  ^{{.*}}(
// CHECK-NEXT:    "memref.copy"({{.*}}, [[T]]) : (memref<32x32xf32>, memref<32x32xf32, #gpu.address_space<workgroup>>) -> ()
// CHECK-NEXT:    [[ROWS:%.*]] = "memref.subview"([[T]]) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 8, 0>, static_sizes = array<i64: 8, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, #gpu.address_space<workgroup>>) -> memref<8x32xf32, strided<[32, 1], offset: 256>, #gpu.address_space<workgroup>>
// CHECK-NEXT:    "test.nothing"
// CHECK-NEXT:    "memref.load"([[ROWS]]
// CHECK-NEXT:    "gpu.barrier"()
// CHECK-NEXT:    "scf.yield"
// CHECK:       sched.stripped = #sched.stripped<3, slower 0.84942856243149{{[0-9]+}}>
// CHECK-SAME:  sched.footprint = #sched.footprint<4096 -> 4096>
// CHECK-SAME:  sched.verdict = #sched.verdict<too_close_to_call>
"func.func"() <{function_type = (memref<32x32xf32>, index) -> (), sym_name = "block_level"}> ({
^bb0(%in: memref<32x32xf32>, %c0: index):
  %t = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x32x32xf32, #gpu.address_space<workgroup>>
  "scf.for"(%c0, %c0, %c0) ({
  ^bb1(%i: index):
    %slot = "affine.apply"(%i) <{map = affine_map<(d0) -> ((d0 floordiv 16) mod 3)>}> : (index) -> index
    %v = "memref.subview"(%t, %slot) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<3x32x32xf32, #gpu.address_space<workgroup>>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
    "memref.copy"(%in, %v) : (memref<32x32xf32>, memref<32x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>) -> ()
    %rows = "memref.subview"(%v) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 8, 0>, static_sizes = array<i64: 8, 32>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>) -> memref<8x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>
    "test.nothing"() : () -> ()
    %x = "memref.load"(%rows, %c0, %c0) : (memref<8x32xf32, strided<[32, 1], offset: ?>, #gpu.address_space<workgroup>>, index, index) -> f32
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  "func.return"() : () -> ()
}) : () -> ()

// So it does in a kernel that is written per thread.
// CHECK:       "gpu.func"() <{
// CHECK:       ^{{.*}}([[IN:%.*]]: memref<32x32xf32>, [[C0:%.*]]: index, [[T:%.*]]: memref<32x32xf32, 3{{.*}}>):
// CHECK-NEXT:    [[ID:%.*]] = "gpu.thread_id"
// CHECK-NEXT:    "scf.for"
// CHECK-NEXT:    ^{{.*}}(
// CHECK-NEXT:      [[X:%.*]] = "memref.load"([[IN]], [[ID]], [[C0]])
// CHECK-NEXT:      "memref.store"([[X]], [[T]], [[ID]], [[C0]])
// CHECK-NEXT:      "gpu.barrier"()
// CHECK-NEXT:      "memref.load"([[T]], [[C0]], [[ID]])
// CHECK-NEXT:      "gpu.barrier"()
// CHECK-NEXT:      "test.nothing"
// CHECK-NEXT:      "scf.yield"
// CHECK:       sched.stripped = #sched.stripped<4, slower 0.81, extrapolated>
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<32x32xf32>, index) -> ()}> ({
  ^bb0(%in: memref<32x32xf32>, %c0: index, %t: memref<4x32x32xf32, 3>):
    %id = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    "scf.for"(%c0, %c0, %c0) ({
    ^bb1(%i: index):
      %slot = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0 mod 4)>}> : (index) -> index
      %v = "memref.subview"(%t, %slot) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf32, 3>, index) -> memref<32x32xf32, strided<[32, 1], offset: ?>, 3>
      %x = "memref.load"(%in, %id, %c0) : (memref<32x32xf32>, index, index) -> f32
      "memref.store"(%x, %v, %id, %c0) : (f32, memref<32x32xf32, strided<[32, 1], offset: ?>, 3>, index, index) -> ()
      "gpu.barrier"() : () -> ()
      %y = "memref.load"(%v, %c0, %id) : (memref<32x32xf32, strided<[32, 1], offset: ?>, 3>, index, index) -> f32
      "test.nothing"() : () -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "gpu.return"() : () -> ()
  }) {gpu.kernel, sym_name = "per_thread", workgroup_attributions = 1 : i64} : () -> ()
}) : () -> ()
