// Remarks say per kernel what was done and why, in LLVM's YAML.
// RUN: rlx-opt --occupancy-filter --remarks=- -o /dev/null %s | filecheck %s
// RUN: rlx-opt --occupancy-filter --show-remarks -o /dev/null %s 2>&1 | filecheck %s --check-prefix SHOWN

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK:      --- !Passed
  // CHECK-NEXT: Pass: 'occupancy-filter'
  // CHECK-NEXT: Name: 'RotationTakenOut'
  // CHECK-NEXT: DebugLoc: { File: '{{.*}}remarks.mlir', Line: 17, Column: 3 }
  // CHECK-NEXT: Function: 'slow'
  // CHECK-NEXT: Args:
  // CHECK-NEXT:   - String: 'took 3 stages down to 1 (slower): 2048 -> 6144 bytes, {{.*}}'
  // CHECK:        - Ratio: '0.8494285624314901'
  // CHECK:      ...
  // SHOWN:      remarks.mlir:17:3: remark: took 3 stages down to 1 (slower)
  // SHOWN-NEXT:   sched.kernel @slow stages 3 {
  sched.kernel @slow stages 3 {
    sched.buffer @a rotating : memref<16x32xf32>
  }
  // Nothing rotates here, which is easily overlooked.
  // SHOWN:      remark: 2048 -> 2048 bytes, too close to call, {{.*}}; 4 stages take no more memory than one
  sched.kernel @still stages 4 {
    sched.buffer @a : memref<16x32xf32>
  }
  // CHECK:      --- !Analysis
  // CHECK:      Function: 'it''s'
  sched.kernel @"it's" {
    sched.buffer @a : memref<16x32xf32>
  }
  // SHOWN-NOT: than one
}
