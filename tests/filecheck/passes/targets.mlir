// RUN: rlx-opt %s --split-input-file --occupancy-annotate | filecheck %s
// RUN: rlx-opt %s --split-input-file --occupancy-annotate="target='Apple M4 Max'" 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: rlx-opt %s --split-input-file --occupancy-annotate="target='Apple M4 Max' override-target" | filecheck %s --check-prefix=OVERRIDE

// The nearest `sched.target` counts, then a `dlti` target description, then the option; where the IR and the option differ,
// the IR wins with a warning.

// CHECK-LABEL: builtin.module attributes {sched.target = #sched.target<"Apple M3">} {
// OPTION: targets.mlir:{{[0-9]+}}:3: warning: the IR is for 'Apple M3', so the option target='Apple M4 Max' is not used here
builtin.module attributes {sched.target = #sched.target<"Apple M3">} {
  // CHECK: sched.kernel @outer {{.*}} verdict <unknown "no calibration for Apple M3">
  // OVERRIDE: sched.kernel @outer {{.*}} verdict <slower 0.905>
  sched.kernel @outer stages 2 {
    sched.buffer @a rotating : memref<2x16x16xf32>
  }
  // CHECK: sched.kernel @own stages 2 target <"Apple M4 Pro"> {{.*}} verdict <slower 0.905>
  sched.kernel @own stages 2 target <"Apple M4 Pro"> {
    sched.buffer @a rotating : memref<2x16x16xf32>
  }
  // CHECK: builtin.module @inner attributes {sched.target = #sched.target<"apple-m4 max">} {
  builtin.module @inner attributes {sched.target = #sched.target<"apple-m4 max">} {
    // CHECK: sched.kernel @nested {{.*}} verdict <slower 0.905>
    sched.kernel @nested stages 2 {
      sched.buffer @a rotating : memref<2x16x16xf32>
    }
  }
}

// -----

// CHECK: sched.kernel @dlti {{.*}} verdict <slower 0.905>
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"name" = "Apple M4">>} {
  sched.kernel @dlti stages 2 {
    sched.buffer @a rotating : memref<2x16x16xf32>
  }
}

// -----

// A device description for something else says nothing.
// CHECK: sched.kernel @cpu {{.*}} verdict <unknown "no target{{.*}}">
// OPTION: sched.kernel @cpu {{.*}} verdict <slower 0.905>
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"CPU" = #dlti.target_device_spec<"name" = "Apple M4">>} {
  sched.kernel @cpu stages 2 {
    sched.buffer @a rotating : memref<2x16x16xf32>
  }
}
