// Errors stand at their place, with the source line and a caret; everything else of the module is still processed.
// RUN: not rlx-opt --occupancy-filter %s 2>&1 | filecheck %s --strict-whitespace --match-full-lines

//      CHECK:{{.*}}diagnostics.mlir:8:3: error: kernel '@first' takes 65536 bytes of threadgroup memory with one stage, more than the limit of 32768 bytes: it takes smaller tiles or narrower elements to fit
// CHECK-NEXT:  sched.kernel @first {
// CHECK-NEXT:  ^
builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.kernel @first {
    sched.buffer @a : memref<128x128xf32>
  }

//      CHECK:{{.*}}diagnostics.mlir:16:3: error: kernel '@second' takes 65536 bytes of threadgroup memory with one stage, more than the limit of 32768 bytes: it takes smaller tiles or narrower elements to fit
// CHECK-NEXT:  sched.kernel @second stages 2 {
// CHECK-NEXT:  ^
// CHECK-NOT:sched.kernel
  sched.kernel @second stages 2 {
    sched.buffer @a : memref<128x128xf32>
  }
}
