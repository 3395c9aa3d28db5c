// RUN: rlx-opt %s --split-input-file | filecheck %s
// RUN: rlx-opt %s --split-input-file --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: rlx-opt %s --split-input-file --mlir-print-op-generic | rlx-opt --split-input-file | filecheck %s
// RUN: rlx-opt %s --split-input-file | rlx-opt --split-input-file | filecheck %s

// Everything that the dialect can say, in custom and in generic form.

// CHECK:      builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
// CHECK-NEXT:   sched.kernel @sgemm stages 3 {
// CHECK-NEXT:     sched.buffer @a rotating : memref<16x16xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT:     sched.buffer @b rotating slots(stages - 1) dynamic alignment 64 : memref<16x16xf32>
// CHECK-NEXT:     sched.buffer @c rotating slots(stages + 1) : memref<16xf32, 3 : i64>
// CHECK-NEXT:     sched.buffer @d rotating slots(stages) : memref<16xf32>
// CHECK-NEXT:     sched.buffer @"the bias" attributes {note = "kept"} : memref<16xf32>
// CHECK-NEXT:     sched.phase {
// CHECK-NEXT:       sched.buffer @out : memref<16x16xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     sched.phase attributes {note = "kept"} {
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }

// GENERIC:      "builtin.module"() ({
// GENERIC-NEXT:   "sched.kernel"() <{sym_name = "sgemm", stages = 3 : i64}> ({
// GENERIC-NEXT:     "sched.buffer"() <{sym_name = "a", rotating, type = memref<16x16xf32, #gpu.address_space<workgroup>>}> : () -> ()
// GENERIC-NEXT:     "sched.buffer"() <{sym_name = "b", rotating, slots = #sched.slots<stages - 1>, dynamic, alignment = 64 : i64, type = memref<16x16xf32>}> : () -> ()
// GENERIC-NEXT:     "sched.buffer"() <{sym_name = "c", rotating, slots = #sched.slots<stages + 1>, type = memref<16xf32, 3 : i64>}> : () -> ()
// GENERIC-NEXT:     "sched.buffer"() <{sym_name = "d", rotating, slots = #sched.slots<stages>, type = memref<16xf32>}> : () -> ()
// GENERIC-NEXT:     "sched.buffer"() <{sym_name = "the bias", type = memref<16xf32>}> {note = "kept"} : () -> ()
// GENERIC-NEXT:     "sched.phase"() ({
// GENERIC-NEXT:       "sched.buffer"() <{sym_name = "out", type = memref<16x16xf32>}> : () -> ()
// GENERIC-NEXT:     }) : () -> ()
builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.kernel @sgemm stages 3 {
    sched.buffer @a rotating : memref<16x16xf32, #gpu.address_space<workgroup>>
    sched.buffer @b rotating slots(stages - 1) dynamic alignment 64 : memref<16x16xf32>
    sched.buffer @c rotating slots(stages + 1) : memref<16xf32, 3 : i64>
    sched.buffer @d rotating slots(stages) : memref<16xf32>
    sched.buffer @"the bias" attributes {note = "kept"} : memref<16xf32>
    sched.phase {
      sched.buffer @out : memref<16x16xf32>
    }
    sched.phase attributes {note = "kept"} {
    }
  }
}

// -----

// One stage goes without saying, unless a rotation was taken out.

// CHECK:      sched.kernel @one {
// CHECK-NEXT: }
sched.kernel @one stages 1 { }
// CHECK-NEXT: sched.kernel @stripped stages 1 stripped <3, slower 0.84> {
sched.kernel @stripped stages 1 stripped <3, slower 0.84> { }
// CHECK-NEXT: }
// CHECK-NEXT: sched.kernel @extrapolated stages 1 stripped <4, slower 0.0, extrapolated> {
sched.kernel @extrapolated stripped <4, slower 0.0, extrapolated> { }
// CHECK-NEXT: }
// CHECK-NEXT: sched.kernel @over_limit stages 2 stripped <4, over_limit 40960> {
sched.kernel @over_limit stages 2 stripped <4, over_limit 40960> { }

// -----

// What the passes write, every form of it.

// CHECK: sched.kernel @a stages 3 target <"NVIDIA H200", max_threadgroup_bytes = 49152> footprint <2048 -> 6144> verdict <slower 0.84> {
sched.kernel @a stages 3 target <"NVIDIA H200", max_threadgroup_bytes = 49152> footprint <2048 -> 6144> verdict <slower 0.84> { }
// CHECK: sched.kernel @b footprint <about 16384 -> at_most 32768> verdict <faster 1.19> {
sched.kernel @b footprint <about 16384 -> at_most 32768> verdict <faster 1.19> { }
// CHECK: sched.kernel @c footprint <at_least 20480 -> 40960, limit 32768> verdict <too_close_to_call> attributes {note = "kept"} {
sched.kernel @c footprint <at_least 20480 -> 40960, limit 32768> verdict <too_close_to_call> attributes {note = "kept"} { }
// CHECK: sched.kernel @d verdict <unknown "no \22number\22 \\ here"> {
sched.kernel @d verdict <unknown "no \22number\22 \\ here"> { }
// Ratios read back to the same bits; MLIR reads no float without a decimal point.
// CHECK: sched.kernel @e verdict <slower 1.0e-05> {
sched.kernel @e verdict <slower 0.00001> { }
// CHECK: sched.kernel @f verdict <faster 2.0> {
sched.kernel @f verdict <faster 2> { }

// -----

// CHECK:      sched.candidates @space attributes {note = "kept"} {
// CHECK-NEXT:   sched.kernel @s1 {
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: sched.candidates @empty {
// CHECK-NEXT: }
sched.candidates @space attributes {note = "kept"} {
  sched.kernel @s1 { }
}
sched.candidates @empty { }
