// RUN: rlx-opt %s --occupancy-filter="target='Apple M4 Pro'" --show-remarks 2>&1 | filecheck %s

// After lowering the bytes are exact, but nobody can tell how many stages they are: there is no verdict, and nothing to take
// out. A kernel over the limit does not run as it is, which is worth a warning.

// CHECK: remark: rotation left in (lowered)
// CHECK: warning: kernel '@over' takes 40960 bytes of threadgroup memory, more than the limit of 32768 bytes, and is left as it is
// CHECK: "llvm.func"
// CHECK: sym_name = "over"
// CHECK: sched.footprint = #sched.footprint<at_most 40960 -> 40960, limit 32768>, sched.verdict = #sched.verdict<unknown "{{.*}}">
"builtin.module"() ({
  "llvm.mlir.global"() <{addr_space = 3 : i32, global_type = !llvm.array<10240 x f32>, linkage = #llvm.linkage<private>, sym_name = "tile"}> ({
  }) : () -> ()
  "llvm.func"() <{CConv = #llvm.cconv<ccc>, function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "over"}> ({
    %0 = "llvm.mlir.addressof"() <{global_name = @tile}> : () -> !llvm.ptr<3>
    "llvm.return"() : () -> ()
  }) {gpu.kernel} : () -> ()
}) : () -> ()
