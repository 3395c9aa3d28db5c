// What is missing, unexpected or of another kind is an error, and so is an expectation that cannot be read.
// RUN: not rlx-opt --verify-diagnostics --occupancy-filter %s 2>&1 | filecheck %s

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK-DAG: fails.mlir:6:3: error: unexpected error: kernel '@unexpected' takes 65536 bytes
  sched.kernel @unexpected {
    sched.buffer @a : memref<128x128xf32>
  }

  // CHECK-DAG: fails.mlir:11:6: error: 'error' diagnostic emitted when expecting a 'warning'
  // expected-warning @+1 {{takes 65536 bytes}}
  sched.kernel @kind {
    sched.buffer @a : memref<128x128xf32>
  }

  // CHECK-DAG: fails.mlir:17:6: error: expected error "never" was not produced
  // expected-error @+1 {{never}}
  sched.kernel @missing {
  }

  // CHECK-DAG: fails.mlir:22:6: error: found start of regex with no end '}}'
  // expected-error-re @+1 {{never {{[}}
  // CHECK-DAG: fails.mlir:24:6: error: invalid regex: {{.*}}
  // expected-error-re @+1 {{never {{[}}}}
  // CHECK-DAG: fails.mlir:26:6: error: expected note "unknown" was not produced
  // expected-note @unknown {{unknown}}
}
