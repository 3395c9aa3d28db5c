// A matrix multiplication as a tiling compiler leaves it: each block of threads computes one 32x32 tile of the result and
// stages 16 columns of its rows of @a, and 16 rows of its columns of @b, in threadgroup memory. `docs/tutorial.md` multi-buffers and filters it.

func.func @mm(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.forall (%i, %j) = (0, 0) to (64, 64) step (32, 32) {
    %tile = memref.subview %c[%i, %j] [32, 32] [1, 1]
        : memref<64x64xf32> to memref<32x32xf32, strided<[64, 1], offset: ?>>
    %lhs = memref.alloc() : memref<32x16xf32, #gpu.address_space<workgroup>>
    %rhs = memref.alloc() : memref<16x32xf32, #gpu.address_space<workgroup>>
    scf.for %k = %c0 to %c64 step %c16 {
      %from_a = memref.subview %a[%i, %k] [32, 16] [1, 1]
          : memref<64x64xf32> to memref<32x16xf32, strided<[64, 1], offset: ?>>
      %from_b = memref.subview %b[%k, %j] [16, 32] [1, 1]
          : memref<64x64xf32> to memref<16x32xf32, strided<[64, 1], offset: ?>>
      linalg.copy ins(%from_a : memref<32x16xf32, strided<[64, 1], offset: ?>>)
          outs(%lhs : memref<32x16xf32, #gpu.address_space<workgroup>>)
      linalg.copy ins(%from_b : memref<16x32xf32, strided<[64, 1], offset: ?>>)
          outs(%rhs : memref<16x32xf32, #gpu.address_space<workgroup>>)
      linalg.matmul ins(%lhs, %rhs : memref<32x16xf32, #gpu.address_space<workgroup>>, memref<16x32xf32, #gpu.address_space<workgroup>>)
          outs(%tile : memref<32x32xf32, strided<[64, 1], offset: ?>>)
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return
}

// Runs @mm once and returns a hash of the bits of its result, so that two versions of @mm can be compared.
func.func @main() -> i32 {
  %zero = arith.constant 0 : i32
  %factor = arith.constant 31 : i32
  %third = arith.constant 0.3333 : f32
  %a = memref.alloc() : memref<64x64xf32>
  %b = memref.alloc() : memref<64x64xf32>
  %c = memref.alloc() : memref<64x64xf32>
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %n = affine.apply affine_map<(d0, d1) -> ((d0 * 64 + d1) mod 101)>(%i, %j)
      %integer = arith.index_cast %n : index to i32
      %float = arith.sitofp %integer : i32 to f32
      %value = arith.mulf %float, %third : f32
      affine.store %value, %a[%i, %j] : memref<64x64xf32>
      affine.store %value, %b[%j, %i] : memref<64x64xf32>
      affine.store %third, %c[%i, %j] : memref<64x64xf32>
    }
  }
  call @mm(%a, %b, %c) : (memref<64x64xf32>, memref<64x64xf32>, memref<64x64xf32>) -> ()
  %hash = affine.for %i = 0 to 64 iter_args(%outer = %zero) -> i32 {
    %row = affine.for %j = 0 to 64 iter_args(%inner = %outer) -> i32 {
      %value = affine.load %c[%i, %j] : memref<64x64xf32>
      %bits = arith.bitcast %value : f32 to i32
      %scaled = arith.muli %inner, %factor : i32
      %sum = arith.addi %scaled, %bits : i32
      affine.yield %sum : i32
    }
    affine.yield %row : i32
  }
  return %hash : i32
}
