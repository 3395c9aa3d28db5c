// In a configured dispatch of IREE the rotation is two attributes. One slot is `pipeline_depth` 1 with stores in a stage of
// their own; everything else in the configuration stays as it was, to the letter.
// Rows are padded by 16 bytes where that fits: 32 x (64 + 16) + 16 x (128 + 16) = 4864.
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" %s | filecheck %s
// RUN: rlx-opt --occupancy-filter="target='Apple M4 Pro'" %s | rlx-opt --occupancy-filter="target='Apple M4 Pro'" | filecheck %s
// RUN: rlx-opt --occupancy-filter="target='Apple M1'" %s | filecheck %s --check-prefix=UNMEASURED

// CHECK:           translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize> workgroup_size = [16, 16, 1], {pipeline_depth = 1 : i64, store_stage = 1 : i64}>
// CHECK-SAME:      sched.stripped = #sched.stripped<2, slower 0.905>
// CHECK-SAME:      sched.footprint = #sched.footprint<4864 -> 4864>
// CHECK-SAME:      sched.verdict = #sched.verdict<too_close_to_call>
// UNMEASURED:      {pipeline_depth = 1 : i64, store_stage = 0 : i64}>
// UNMEASURED-SAME: sched.footprint = #sched.footprint<4864 -> 9728>
// UNMEASURED-SAME: sched.verdict = #sched.verdict<unknown "no calibration for Apple M1">
// `prefetch_num_stages` keeps its tiles in registers: there is no rotation of threadgroup memory to take out.
// CHECK:           {prefetch_num_stages = 2 : i64}>} : () -> ()
"builtin.module"() ({
  "func.func"() <{function_type = () -> (), sym_name = "mm"}> ({
    %a, %b, %c = "test.source"() : () -> (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>)
    %d = "linalg.matmul"(%a, %b, %c) <{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%x: f32, %y: f32, %z: f32):
      %m = "arith.mulf"(%x, %y) : (f32, f32) -> f32
      %s = "arith.addf"(%z, %m) : (f32, f32) -> f32
      "linalg.yield"(%s) : (f32) -> ()
    }) {lowering_config = #iree_codegen.lowering_config<tile_sizes = [[32, 32, 16]]>} : (tensor<512x512xf32>, tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
    "func.return"() : () -> ()
  }) {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.spirv_pipeline<MatmulPromoteVectorize> workgroup_size = [16, 16, 1], {pipeline_depth = 1 : i64, store_stage = 0 : i64}>} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "prefetch"}> ({
    "func.return"() : () -> ()
  }) {translation_info = #iree_codegen.translation_info<pipeline = #iree_gpu.pipeline<TileAndFuse> workgroup_size = [64, 1, 1], {prefetch_num_stages = 2 : i64}>} : () -> ()
}) {hal.device.target = #iree_gpu.target<arch = "apple", wgp = <max_workgroup_memory_bytes = 32768>>} : () -> ()
