// RUN: rlx-opt %s | filecheck %s --check-prefix IR
// RUN: rlx-opt %s -t rlx-wgsl | filecheck %s --check-prefix WGSL
// RUN: rlx-opt %s -t rlx-msl | filecheck %s --check-prefix MSL

// The buffers give tile and type, the attribute gives threads and outputs; two stages are two slots of each tile.

// IR-LABEL: sched.kernel @sgemm stages 2 attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [2, 1]>} {
sched.kernel @sgemm stages 2 attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [2, 1]>} {
  sched.buffer @a rotating : memref<8x2xf32>
  sched.buffer @b rotating : memref<2x4xf32>
}

// A kernel without the attribute is a schedule of something else, and no code comes of it.
sched.kernel @attention {
  sched.buffer @q : memref<16x16xf32>
}

// WGSL:      alias element = f32;
// WGSL:      var<workgroup> sgemm_kernel_a: array<element, 32>;
// WGSL-NEXT: var<workgroup> sgemm_kernel_b: array<element, 16>;
// WGSL-NEXT: @compute @workgroup_size(4, 4)
// WGSL-NEXT: fn sgemm_kernel(
// One tile is loaded ahead, then one barrier a tile is enough.
// WGSL:      workgroupBarrier();
// WGSL-NEXT: var full: uint = 0u;
// WGSL-NEXT: var free: uint = 1u;
// WGSL-NEXT: for (var tile: uint = 0u; tile < tiles; tile = tile + 1u) {
// WGSL-NEXT:   let ahead: uint = tile + 1u;
// WGSL:        sum_1_0 = fma(a_1_1, b_1_0, sum_1_0);
// WGSL-NEXT:   sgemm_kernel_a[free * 16u + lane] = a_0;
// WGSL:        workgroupBarrier();
// WGSL-NEXT:   free = full;
// WGSL-NEXT:   full = full + 1u;
// WGSL-NEXT:   if (full == 2u) {
// WGSL-NOT:  attention

// MSL:      typedef float element;
// MSL:      kernel void sgemm_kernel(device const element *a {{\[\[}}buffer(0)]]
// MSL-NEXT:   threadgroup element sgemm_kernel_a[32];
// MSL-NEXT:   threadgroup element sgemm_kernel_b[16];
// MSL:        threadgroup_barrier(mem_flags::mem_threadgroup);
// MSL-NEXT:   uint full = 0u;
// MSL-NEXT:   uint free = 1u;
// MSL-NEXT:   for (uint tile = 0u; tile < tiles; tile = tile + 1u) {
// MSL:          sum_1_0 = fma(a_1_1, b_1_0, sum_1_0);
// MSL-NOT:  attention
