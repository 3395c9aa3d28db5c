// RUN: xdsl-opt %s -p occupancy-filter | filecheck %s
// RUN: xdsl-opt %s -p 'occupancy-filter{target="Apple M3" override-target=true}' | filecheck %s --check-prefix=M3
// RUN: xdsl-opt %s -p sched-enumerate,sched-rank,occupancy-annotate,sched-erase-annotations | filecheck %s --check-prefix=SPACE
// RUN: xdsl-opt %s --print-op-generic | xdsl-opt -p occupancy-filter | filecheck %s

// The dialect and its passes are plugins of xDSL: its own tool finds them.

// CHECK: sched.kernel @k stages 1 stripped <3, slower 0.8494285624314901> footprint <2048 -> 2048> verdict <too_close_to_call> {
// M3: sched.kernel @k stages 3 footprint <2048 -> 6144> verdict <unknown "no calibration for Apple M3"> {
// SPACE:      sched.candidates @k {
// SPACE-NEXT:   sched.kernel @k_s1 {
builtin.module attributes {sched.target = #sched.target<"Apple M4 Pro">} {
  sched.kernel @k stages 3 {
    sched.buffer @a rotating : memref<16x16xf32>
    sched.buffer @b rotating : memref<16x16xf32>
  }
}
