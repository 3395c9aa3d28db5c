"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = dense<32> : tensor<64x32xi32>}> : () -> tensor<64x32xi32>
    %3 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %5 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %6 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %7 = "arith.muli"(%5, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %8 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %9 = "tt.splat"(%7) : (i32) -> tensor<64xi32>
    %10 = "arith.addi"(%9, %8) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %11 = "arith.muli"(%6, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "tt.splat"(%11) : (i32) -> tensor<64xi32>
    %13 = "arith.addi"(%12, %8) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %14 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32>
    %15 = "tt.expand_dims"(%10) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %16 = "tt.splat"(%arg7) : (i32) -> tensor<64x1xi32>
    %17 = "arith.muli"(%15, %16) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %18 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %19 = "tt.addptr"(%18, %17) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %20 = "tt.expand_dims"(%14) <{axis = 0 : i32}> : (tensor<32xi32>) -> tensor<1x32xi32>
    %21 = "tt.broadcast"(%19) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x32x!tt.ptr<f16>>
    %22 = "tt.broadcast"(%20) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %23 = "tt.addptr"(%21, %22) : (tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tt.ptr<f16>>
    %24 = "tt.expand_dims"(%14) <{axis = 1 : i32}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %25 = "tt.splat"(%arg8) : (i32) -> tensor<32x1xi32>
    %26 = "arith.muli"(%24, %25) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi32>
    %27 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>>
    %28 = "tt.addptr"(%27, %26) : (tensor<32x1x!tt.ptr<f16>>, tensor<32x1xi32>) -> tensor<32x1x!tt.ptr<f16>>
    %29 = "tt.expand_dims"(%13) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %30 = "tt.broadcast"(%28) : (tensor<32x1x!tt.ptr<f16>>) -> tensor<32x64x!tt.ptr<f16>>
    %31 = "tt.broadcast"(%29) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %32 = "tt.addptr"(%30, %31) : (tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tt.ptr<f16>>
    %33:3 = "scf.for"(%1, %arg6, %3, %23, %32, %0) ({
    ^bb0(%arg10: i32, %arg11: tensor<64x32x!tt.ptr<f16>>, %arg12: tensor<32x64x!tt.ptr<f16>>, %arg13: tensor<64x64xf32>):
      %42 = "tt.load"(%arg11) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x32x!tt.ptr<f16>>) -> tensor<64x32xf16>
      %43 = "tt.load"(%arg12) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x64x!tt.ptr<f16>>) -> tensor<32x64xf16>
      %44 = "tt.dot"(%42, %43, %arg13) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %45 = "tt.addptr"(%arg11, %2) : (tensor<64x32x!tt.ptr<f16>>, tensor<64x32xi32>) -> tensor<64x32x!tt.ptr<f16>>
      %46 = "arith.muli"(%arg8, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %47 = "tt.splat"(%46) : (i32) -> tensor<32x64xi32>
      %48 = "tt.addptr"(%arg12, %47) : (tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>) -> tensor<32x64x!tt.ptr<f16>>
      "scf.yield"(%45, %48, %44) : (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>) -> (tensor<64x32x!tt.ptr<f16>>, tensor<32x64x!tt.ptr<f16>>, tensor<64x64xf32>)
    %34 = "tt.splat"(%arg9) : (i32) -> tensor<64x1xi32>
    %35 = "arith.muli"(%15, %34) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %36 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %37 = "tt.addptr"(%36, %35) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %38 = "tt.broadcast"(%37) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %39 = "tt.broadcast"(%29) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %40 = "tt.addptr"(%38, %39) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %41 = "arith.truncf"(%33#2) : (tensor<64x64xf32>) -> tensor<64x64xf16>
    "tt.store"(%40, %41) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf16>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
