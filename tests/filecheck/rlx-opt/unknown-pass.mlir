// A name that is nearly right is answered with the right one, as a usage error.
// RUN: not rlx-opt --ocupancy-filter %s 2>&1 | filecheck %s --check-prefix FLAG
// RUN: not rlx-opt -p ocupancy-filter %s 2>&1 | filecheck %s --check-prefix PIPELINE

// FLAG: rlx-opt: error: unknown option '--ocupancy-filter'; did you mean '--occupancy-filter'?
// PIPELINE: rlx-opt: error: -p: unknown pass 'ocupancy-filter'; did you mean 'occupancy-filter'?
