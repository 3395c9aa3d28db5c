"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<128x128xf32>}> : () -> tensor<128x128xf32>
    %1 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = dense<64> : tensor<128x64xi32>}> : () -> tensor<128x64xi32>
    %4 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %5 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %6 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %7 = "arith.muli"(%5, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %8 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32>
    %9 = "tt.splat"(%7) : (i32) -> tensor<128xi32>
    %10 = "arith.addi"(%9, %8) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi32>
    %11 = "arith.muli"(%6, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "tt.splat"(%11) : (i32) -> tensor<128xi32>
    %13 = "arith.addi"(%12, %8) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi32>
    %14 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %15 = "tt.expand_dims"(%10) <{axis = 1 : i32}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %16 = "tt.splat"(%arg7) : (i32) -> tensor<128x1xi32>
    %17 = "arith.muli"(%15, %16) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32>, tensor<128x1xi32>) -> tensor<128x1xi32>
    %18 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>>
    %19 = "tt.addptr"(%18, %17) : (tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tt.ptr<f16>>
    %20 = "tt.expand_dims"(%14) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %21 = "tt.broadcast"(%19) : (tensor<128x1x!tt.ptr<f16>>) -> tensor<128x64x!tt.ptr<f16>>
    %22 = "tt.broadcast"(%20) : (tensor<1x64xi32>) -> tensor<128x64xi32>
    %23 = "tt.addptr"(%21, %22) : (tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tt.ptr<f16>>
    %24 = "tt.expand_dims"(%13) <{axis = 1 : i32}> : (tensor<128xi32>) -> tensor<128x1xi32>
    %25 = "tt.splat"(%arg8) : (i32) -> tensor<128x1xi32>
    %26 = "arith.muli"(%24, %25) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32>, tensor<128x1xi32>) -> tensor<128x1xi32>
    %27 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>>
    %28 = "tt.addptr"(%27, %26) : (tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tt.ptr<f16>>
    %29 = "tt.broadcast"(%28) : (tensor<128x1x!tt.ptr<f16>>) -> tensor<128x64x!tt.ptr<f16>>
    %30 = "tt.addptr"(%29, %22) : (tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tt.ptr<f16>>
    %31:3 = "scf.for"(%2, %arg6, %1, %23, %30, %0) ({
    ^bb0(%arg10: i32, %arg11: tensor<128x64x!tt.ptr<f16>>, %arg12: tensor<128x64x!tt.ptr<f16>>, %arg13: tensor<128x128xf32>):
      %41 = "tt.load"(%arg11) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x64x!tt.ptr<f16>>) -> tensor<128x64xf16>
      %42 = "tt.load"(%arg12) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x64x!tt.ptr<f16>>) -> tensor<128x64xf16>
      %43 = "tt.trans"(%42) <{order = array<i32: 1, 0>}> : (tensor<128x64xf16>) -> tensor<64x128xf16>
      %44 = "tt.dot"(%41, %43, %arg13) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>) -> tensor<128x128xf32>
      %45 = "tt.addptr"(%arg11, %3) : (tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tt.ptr<f16>>
      %46 = "tt.addptr"(%arg12, %3) : (tensor<128x64x!tt.ptr<f16>>, tensor<128x64xi32>) -> tensor<128x64x!tt.ptr<f16>>
      "scf.yield"(%45, %46, %44) : (tensor<128x64x!tt.ptr<f16>>, tensor<128x64x!tt.ptr<f16>>, tensor<128x128xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<128x64x!tt.ptr<f16>>, tensor<128x64x!tt.ptr<f16>>, tensor<128x128xf32>) -> (tensor<128x64x!tt.ptr<f16>>, tensor<128x64x!tt.ptr<f16>>, tensor<128x128xf32>)
    %32 = "tt.splat"(%arg9) : (i32) -> tensor<128x1xi32>
    %33 = "arith.muli"(%15, %32) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32>, tensor<128x1xi32>) -> tensor<128x1xi32>
    %34 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>>
    %35 = "tt.addptr"(%34, %33) : (tensor<128x1x!tt.ptr<f16>>, tensor<128x1xi32>) -> tensor<128x1x!tt.ptr<f16>>
    %36 = "tt.expand_dims"(%13) <{axis = 0 : i32}> : (tensor<128xi32>) -> tensor<1x128xi32>
    %37 = "tt.broadcast"(%35) : (tensor<128x1x!tt.ptr<f16>>) -> tensor<128x128x!tt.ptr<f16>>
    %38 = "tt.broadcast"(%36) : (tensor<1x128xi32>) -> tensor<128x128xi32>
    %39 = "tt.addptr"(%37, %38) : (tensor<128x128x!tt.ptr<f16>>, tensor<128x128xi32>) -> tensor<128x128x!tt.ptr<f16>>
    %40 = "arith.truncf"(%31#2) : (tensor<128x128xf32>) -> tensor<128x128xf16>
    "tt.store"(%39, %40) : (tensor<128x128x!tt.ptr<f16>>, tensor<128x128xf16>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
