// RUN: rlx-opt %s --split-input-file --occupancy-filter | filecheck %s
// RUN: rlx-opt %s --split-input-file --occupancy-filter | rlx-opt --split-input-file --occupancy-filter | filecheck %s
// RUN: rlx-opt %s --split-input-file --mlir-print-op-generic | rlx-opt --split-input-file --occupancy-filter | filecheck %s
// RUN: rlx-opt %s --split-input-file --no-fast-path --occupancy-filter | filecheck %s

// On a measured chip, rotations that lose go to one stage, whatever their depth, and the reason is recorded.

builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  // CHECK: sched.kernel @s1 footprint <2048 -> 2048> verdict <too_close_to_call> {
  sched.kernel @s1 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  // CHECK: sched.kernel @s2 stages 1 stripped <2, slower 0.905> footprint <2048 -> 2048> verdict <too_close_to_call> {
  sched.kernel @s2 stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  // CHECK: sched.kernel @s3 stages 1 stripped <3, slower 0.8494285624314901> footprint <2048 -> 2048>
  sched.kernel @s3 stages 3 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  // Four stages are outside what was measured.
  // CHECK: sched.kernel @s4 stages 1 stripped <4, slower 0.81, extrapolated> footprint <2048 -> 2048>
  sched.kernel @s4 stages 4 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
  // A small part of the footprint rotates: inside the dead band nothing is touched.
  // CHECK: sched.kernel @mostly_resident stages 2 footprint <9216 -> 10240> verdict <too_close_to_call> {
  sched.kernel @mostly_resident stages 2 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @c : memref<32x64xf32>
  }
  // Nothing rotates, so there is nothing to take out.
  // CHECK: sched.kernel @nothing_rotates stages 3 footprint <1024 -> 1024> verdict <too_close_to_call> {
  sched.kernel @nothing_rotates stages 3 {
    sched.buffer @a : memref<16x16xf32>
  }
}

// -----

// On a chip that nobody measured nothing is claimed, and nothing is touched.

builtin.module {
  // CHECK: sched.kernel @m1 stages 3 target <"Apple M1"> footprint <1024 -> 3072> verdict <unknown "no calibration for Apple M1"> {
  sched.kernel @m1 stages 3 target <"Apple M1"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // CHECK: sched.kernel @m3 stages 3 target <"Apple M3 Max"> footprint <1024 -> 3072> verdict <unknown "no calibration for Apple M3 Max"> {
  sched.kernel @m3 stages 3 target <"Apple M3 Max"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // CHECK: sched.kernel @m5 stages 3 target <"Apple M5 Max"> footprint <1024 -> 3072> verdict <unknown "no calibration for Apple M5 Max"> {
  sched.kernel @m5 stages 3 target <"Apple M5 Max"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // CHECK: sched.kernel @h200 stages 3 target <"NVIDIA H200"> footprint <1024 -> 3072> verdict <unknown "no calibration for NVIDIA H200"> {
  sched.kernel @h200 stages 3 target <"NVIDIA H200"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // A name that merely resembles one that is known is another chip.
  // CHECK: sched.kernel @m40 stages 3 target <"Tesla M40"> footprint <1024 -> 3072> verdict <unknown "no calibration for Tesla M40"> {
  sched.kernel @m40 stages 3 target <"Tesla M40"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // CHECK: sched.kernel @nameless stages 3 footprint <1024 -> 3072> verdict <unknown "no target: {{.*}}"> {
  sched.kernel @nameless stages 3 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
}

// -----

// What does not fit is illegal, whatever the model says of its speed: it goes to the most stages that fit and are not
// slower.

builtin.module {
  // CHECK: sched.kernel @unknown stages 4 target <"Apple M3"> stripped <9, over_limit 73728> footprint <8192 -> 32768> verdict <unknown "{{.*}}"> {
  sched.kernel @unknown stages 9 target <"Apple M3"> {
    sched.buffer @a rotating : memref<32x64xf32>
  }
  // Three stages would fit too, but are slower.
  // CHECK: sched.kernel @slower stages 1 target <"Apple M4"> stripped <4, over_limit 40960> footprint <10240 -> 10240> verdict <too_close_to_call> {
  sched.kernel @slower stages 4 target <"Apple M4"> {
    sched.buffer @a rotating : memref<40x64xf32>
  }
  // Three stages, which are two slots, fit, and the model cannot tell them from one.
  // CHECK: sched.kernel @close stages 3 target <"Apple M4"> stripped <4, over_limit 40960> footprint <24576 -> 32768> verdict <too_close_to_call> {
  sched.kernel @close stages 4 target <"Apple M4"> {
    sched.buffer @a rotating slots(stages - 1) : memref<32x64xf32>
    sched.buffer @c : memref<64x64xf32>
  }
  // A limit that the IR gives counts on any chip.
  // CHECK: sched.kernel @limit stages 2 target <"NVIDIA H200", max_threadgroup_bytes = 2048> stripped <3, over_limit 3072>
  sched.kernel @limit stages 3 target <"NVIDIA H200", max_threadgroup_bytes = 2048> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // However deep it is, the right depth is found at once.
  // CHECK: sched.kernel @deep stages 32 target <"Apple M3"> stripped <17592186044416, over_limit 18014398509481984>
  sched.kernel @deep stages 17592186044416 target <"Apple M3"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
}
