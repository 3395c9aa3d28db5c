"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f32>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x256xf32>}> : () -> tensor<64x256xf32>
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = dense<16> : tensor<64x16xi32>}> : () -> tensor<64x16xi32>
    %3 = "arith.constant"() <{value = 16 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 256 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %6 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %7 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %8 = "arith.muli"(%6, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %9 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %10 = "tt.splat"(%8) : (i32) -> tensor<64xi32>
    %11 = "arith.addi"(%10, %9) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %12 = "arith.muli"(%7, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %13 = "tt.make_range"() <{end = 256 : i32, start = 0 : i32}> : () -> tensor<256xi32>
    %14 = "tt.splat"(%12) : (i32) -> tensor<256xi32>
    %15 = "arith.addi"(%14, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<256xi32>, tensor<256xi32>) -> tensor<256xi32>
    %16 = "tt.make_range"() <{end = 16 : i32, start = 0 : i32}> : () -> tensor<16xi32>
    %17 = "tt.expand_dims"(%11) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %18 = "tt.splat"(%arg7) : (i32) -> tensor<64x1xi32>
    %19 = "arith.muli"(%17, %18) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %20 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %21 = "tt.addptr"(%20, %19) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %22 = "tt.expand_dims"(%16) <{axis = 0 : i32}> : (tensor<16xi32>) -> tensor<1x16xi32>
    %23 = "tt.broadcast"(%21) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x16x!tt.ptr<f16>>
    %24 = "tt.broadcast"(%22) : (tensor<1x16xi32>) -> tensor<64x16xi32>
    %25 = "tt.addptr"(%23, %24) : (tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>) -> tensor<64x16x!tt.ptr<f16>>
    %26 = "tt.expand_dims"(%16) <{axis = 1 : i32}> : (tensor<16xi32>) -> tensor<16x1xi32>
    %27 = "tt.splat"(%arg8) : (i32) -> tensor<16x1xi32>
    %28 = "arith.muli"(%26, %27) <{overflowFlags = #arith.overflow<none>}> : (tensor<16x1xi32>, tensor<16x1xi32>) -> tensor<16x1xi32>
    %29 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<16x1x!tt.ptr<f16>>
    %30 = "tt.addptr"(%29, %28) : (tensor<16x1x!tt.ptr<f16>>, tensor<16x1xi32>) -> tensor<16x1x!tt.ptr<f16>>
    %31 = "tt.expand_dims"(%15) <{axis = 0 : i32}> : (tensor<256xi32>) -> tensor<1x256xi32>
    %32 = "tt.broadcast"(%30) : (tensor<16x1x!tt.ptr<f16>>) -> tensor<16x256x!tt.ptr<f16>>
    %33 = "tt.broadcast"(%31) : (tensor<1x256xi32>) -> tensor<16x256xi32>
    %34 = "tt.addptr"(%32, %33) : (tensor<16x256x!tt.ptr<f16>>, tensor<16x256xi32>) -> tensor<16x256x!tt.ptr<f16>>
    %35:3 = "scf.for"(%1, %arg6, %3, %25, %34, %0) ({
    ^bb0(%arg10: i32, %arg11: tensor<64x16x!tt.ptr<f16>>, %arg12: tensor<16x256x!tt.ptr<f16>>, %arg13: tensor<64x256xf32>):
      %43 = "tt.load"(%arg11) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x16x!tt.ptr<f16>>) -> tensor<64x16xf16>
      %44 = "tt.load"(%arg12) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<16x256x!tt.ptr<f16>>) -> tensor<16x256xf16>
      %45 = "tt.dot"(%43, %44, %arg13) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x16xf16>, tensor<16x256xf16>, tensor<64x256xf32>) -> tensor<64x256xf32>
      %46 = "tt.addptr"(%arg11, %2) : (tensor<64x16x!tt.ptr<f16>>, tensor<64x16xi32>) -> tensor<64x16x!tt.ptr<f16>>
      %47 = "arith.muli"(%arg8, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %48 = "tt.splat"(%47) : (i32) -> tensor<16x256xi32>
      %49 = "tt.addptr"(%arg12, %48) : (tensor<16x256x!tt.ptr<f16>>, tensor<16x256xi32>) -> tensor<16x256x!tt.ptr<f16>>
      "scf.yield"(%46, %49, %45) : (tensor<64x16x!tt.ptr<f16>>, tensor<16x256x!tt.ptr<f16>>, tensor<64x256xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<64x16x!tt.ptr<f16>>, tensor<16x256x!tt.ptr<f16>>, tensor<64x256xf32>) -> (tensor<64x16x!tt.ptr<f16>>, tensor<16x256x!tt.ptr<f16>>, tensor<64x256xf32>)
    %36 = "tt.splat"(%arg9) : (i32) -> tensor<64x1xi32>
    %37 = "arith.muli"(%17, %36) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %38 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>>
    %39 = "tt.addptr"(%38, %37) : (tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f32>>
    %40 = "tt.broadcast"(%39) : (tensor<64x1x!tt.ptr<f32>>) -> tensor<64x256x!tt.ptr<f32>>
    %41 = "tt.broadcast"(%31) : (tensor<1x256xi32>) -> tensor<64x256xi32>
    %42 = "tt.addptr"(%40, %41) : (tensor<64x256x!tt.ptr<f32>>, tensor<64x256xi32>) -> tensor<64x256x!tt.ptr<f32>>
    "tt.store"(%42, %35#2) : (tensor<64x256x!tt.ptr<f32>>, tensor<64x256xf32>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
