// A matrix product that asks IREE for 64x64x16 tiles, three slots of each in threadgroup memory (examples/iree_filter.py).
#three_slots = #iree_codegen.compilation_info<
  lowering_config = #iree_codegen.lowering_config<tile_sizes = [[64, 64, 16]]>,
  translation_info = #iree_codegen.translation_info<
    pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize> workgroup_size = [16, 8, 1],
    {pipeline_depth = 2 : i64, store_stage = 0 : i64}>>

func.func @product(%lhs: tensor<256x256xf32>, %rhs: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %result = linalg.matmul {compilation_info = #three_slots}
    ins(%lhs, %rhs : tensor<256x256xf32>, tensor<256x256xf32>)
    outs(%start : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %result : tensor<256x256xf32>
}
