// RUN: rlx-opt %s --occupancy-filter="calibration='%S/Inputs/staging_wins.toml'" | filecheck %s --check-prefix=FILTER
// RUN: rlx-opt %s --sched-rank="calibration='%S/Inputs/staging_wins.toml'" 2>&1 | filecheck %s --check-prefix=RANK
// RUN: not rlx-opt %s --occupancy-filter="calibration=%S/no_such.toml" 2>&1 | filecheck %s --check-prefix=MISSING

// Where staging wins, nothing that fits is touched, and the deepest rotation is the best. A calibration is for its own GPU
// alone.

// MISSING: error: cannot use the calibration '{{.*}}no_such.toml'

builtin.module attributes {sched.target = #sched.target<"Imaginary GPU">} {
  // FILTER: sched.kernel @alone stages 4 footprint <1024 -> 4096> verdict <faster 1.2> {
  sched.kernel @alone stages 4 {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // FILTER: sched.kernel @m4 stages 4 target <"Apple M4"> footprint <1024 -> 4096> verdict <unknown "{{.*}}"> {
  sched.kernel @m4 stages 4 target <"Apple M4"> {
    sched.buffer @a rotating : memref<16x16xf32>
  }
  // FILTER:      sched.kernel @s1 footprint
  // FILTER:      sched.kernel @s2 stages 2 footprint <1024 -> 2048> verdict <faster 1.1> {
  // FILTER:      sched.kernel @s4 stages 4 footprint <1024 -> 4096> verdict <faster 1.2> {
  // RANK:        sched.candidates @space {
  // RANK-NEXT:     sched.kernel @s4
  // RANK:          sched.kernel @s2
  // RANK:          sched.kernel @s1
  sched.candidates @space {
    sched.kernel @s1 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
    sched.kernel @s2 stages 2 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
    sched.kernel @s4 stages 4 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
  }
  // What does not fit comes last, however fast it would be.
  // RANK:        sched.candidates @limited attributes
  // RANK-NEXT:     sched.kernel @s2
  // RANK:          sched.kernel @s1
  // RANK:          sched.kernel @s4
  sched.candidates @limited attributes {sched.target = #sched.target<"Imaginary GPU", max_threadgroup_bytes = 3000>} {
    sched.kernel @s4 stages 4 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
    sched.kernel @s1 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
    sched.kernel @s2 stages 2 {
      sched.buffer @a rotating : memref<16x16xf32>
    }
  }
}
