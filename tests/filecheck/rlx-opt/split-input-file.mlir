// Each part is processed on its own; lines are those of the whole file, and the parts without errors come out.
// RUN: not rlx-opt --split-input-file %s 2>&1 | filecheck %s
// RUN: not rlx-opt --split-input-file -j3 %s 2>&1 | filecheck %s

//      CHECK: split-input-file.mlir:11:24: error: expected at least 1 stage
// CHECK-NEXT: sched.kernel @b stages 0 {
// CHECK-NEXT:                        ^
sched.kernel @a {
}
// -----
sched.kernel @b stages 0 {
}
// -----
sched.kernel @c {
}
//      CHECK: sched.kernel @a
//      CHECK: // ----{{-}}
// CHECK-NEXT: // ----{{-}}
//      CHECK: sched.kernel @c
