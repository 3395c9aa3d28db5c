// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" %s -t rlx-msl | filecheck %s

// The filter takes the rotation out, and the kernel that is printed has one slot of each tile.

// CHECK:     kernel void sgemm_kernel(
// CHECK:       threadgroup element sgemm_kernel_a[256];
// CHECK-NOT:   ahead
sched.kernel @sgemm stages 3 attributes {sched.sgemm = #sched.sgemm<threads = [16, 16], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<16x16xf32>
  sched.buffer @b rotating : memref<16x16xf32>
}
