// RUN: not rlx-opt %s -t rlx-wgsl 2>&1 | filecheck %s

// What no code can be generated for is an error at the kernel, with what was found.

// CHECK: error: no code for kernel '@depth': '@a' is 2 deep and '@b' 3; the second size of '@a' must be the first of '@b'
sched.kernel @depth attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<4x2xf32>
  sched.buffer @b rotating : memref<3x4xf32>
}

// CHECK: error: no code for kernel '@threads': threads [4, 4] with outputs [2, 1] compute a tile of 8x4, the buffers hold one of 4x4
sched.kernel @threads attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [2, 1]>} {
  sched.buffer @a rotating : memref<4x2xf32>
  sched.buffer @b rotating : memref<2x4xf32>
}

// CHECK: error: no code for kernel '@other': expected '@a rotating : memref<MxKxT>' and '@b rotating : memref<KxNxT>' with T f32 or f16, got buffer '@c'
sched.kernel @other attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<4x2xf32>
  sched.buffer @b rotating : memref<2x4xf32>
  sched.buffer @c : memref<4x4xf32>
}

// What is written out by the numbers in the IR has bounds.

// CHECK: error: no code for kernel '@stages': it would have 150000032 statements; at most 100000 are printed
sched.kernel @stages stages 10000000 attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<4x4xf32>
  sched.buffer @b rotating : memref<4x4xf32>
}

// CHECK: error: no code for kernel '@many': threads [64, 64] are 4096; a threadgroup has at most 1024
sched.kernel @many attributes {sched.sgemm = #sched.sgemm<threads = [64, 64], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<64x2xf32>
  sched.buffer @b rotating : memref<2x64xf32>
}

// CHECK: error: no code for kernel '@memory': its slots take 384000000000 bytes of threadgroup memory; at most 2147483648 are printed
sched.kernel @memory stages 3000000000 attributes {sched.sgemm = #sched.sgemm<threads = [4, 4], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<4x4xf32>
  sched.buffer @b rotating : memref<4x4xf32>
}

// CHECK: error: no code for kernel '@wide': a number in it takes 33 bits; kernels count in 32
sched.kernel @wide attributes {sched.sgemm = #sched.sgemm<threads = [4294967296, 4], outputs = [1, 1]>} {
  sched.buffer @a rotating : memref<4x2xf32>
  sched.buffer @b rotating : memref<2x4294967296xf32>
}
