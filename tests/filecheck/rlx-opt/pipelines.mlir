// One pipeline in every spelling: flags, xDSL's and MLIR's.
// RUN: rlx-opt --cse --occupancy-filter="target='Apple M4 Pro' annotate=false" %s | filecheck %s
// RUN: rlx-opt -p 'cse,occupancy-filter{target="Apple M4 Pro" annotate=false}' %s | filecheck %s
// RUN: rlx-opt --pass-pipeline="builtin.module(cse,occupancy-filter{target='Apple M4 Pro' annotate=false})" %s | filecheck %s
// RUN: rlx-opt -cse -p "occupancy-filter{target='Apple M4 Pro' annotate=false}" --dump-pass-pipeline %s 2>&1 | filecheck %s --check-prefix DUMP
// RUN: xdsl-opt -p 'cse,occupancy-filter{target="Apple M4 Pro" annotate=false}' %s | filecheck %s

// DUMP:      Pass Manager with 2 passes:
// DUMP-NEXT: builtin.module(cse,occupancy-filter{target="Apple M4 Pro" annotate=false})

// CHECK: sched.kernel @k stages 1 stripped <3, slower 0.8494285624314901> {
sched.kernel @k stages 3 {
  sched.buffer @a rotating : memref<16x32xf32>
}
