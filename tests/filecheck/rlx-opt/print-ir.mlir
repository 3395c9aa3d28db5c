// The module is shown around passes on standard error, in the layout of mlir-opt.
// RUN: rlx-opt --mlir-print-ir-before-all --mlir-print-ir-after=occupancy-annotate --occupancy-annotate --cse -o /dev/null %s 2>&1 | filecheck %s

// CHECK:      // -----// IR Dump Before OccupancyAnnotate (occupancy-annotate) //----- //
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   sched.kernel @k {
// CHECK:      // -----// IR Dump After OccupancyAnnotate (occupancy-annotate) //----- //
// CHECK-NEXT: builtin.module {
// CHECK-NEXT:   sched.kernel @k footprint
// CHECK:      // -----// IR Dump Before CommonSubexpressionElimination (cse) //----- //
// CHECK-NOT:  IR Dump
sched.kernel @k {
  sched.buffer @a : memref<16xf32>
}
