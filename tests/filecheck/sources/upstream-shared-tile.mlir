// The tile of a transposition is indexed by the thread modulo its rows. That is no rotation: the rows are all in use at once,
// there is one slot, and nothing to take out.
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" %s | filecheck %s

// CHECK:      memref<32x33xf32, #gpu.address_space<workgroup>>
// CHECK:      sched.footprint = #sched.footprint<4224 -> 4224>, sched.verdict = #sched.verdict<too_close_to_call>
"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (memref<1024xf32>) -> (), workgroup_attributions = 1 : i64}> ({
  ^bb0(%data: memref<1024xf32>, %tile: memref<32x33xf32, #gpu.address_space<workgroup>>):
    %thread = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
    %c32 = "arith.constant"() <{value = 32 : index}> : () -> index
    %column = "arith.remui"(%thread, %c32) : (index, index) -> index
    %row = "arith.divui"(%thread, %c32) : (index, index) -> index
    %x = "memref.load"(%data, %thread) : (memref<1024xf32>, index) -> f32
    "memref.store"(%x, %tile, %row, %column) : (f32, memref<32x33xf32, #gpu.address_space<workgroup>>, index, index) -> ()
    "gpu.barrier"() : () -> ()
    %y = "memref.load"(%tile, %column, %row) : (memref<32x33xf32, #gpu.address_space<workgroup>>, index, index) -> f32
    "memref.store"(%y, %data, %thread) : (f32, memref<1024xf32>, index) -> ()
    "gpu.return"() : () -> ()
  }) {sym_name = "transpose", gpu.kernel} : () -> ()
}) : () -> ()
