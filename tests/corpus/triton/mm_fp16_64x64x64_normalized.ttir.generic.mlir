"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = dense<64> : tensor<64x64xi32>}> : () -> tensor<64x64xi32>
    %3 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %4 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %5 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %6 = "arith.muli"(%4, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %7 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %8 = "tt.splat"(%6) : (i32) -> tensor<64xi32>
    %9 = "arith.addi"(%8, %7) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %10 = "arith.muli"(%5, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "tt.splat"(%10) : (i32) -> tensor<64xi32>
    %12 = "arith.addi"(%11, %7) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %13 = "tt.expand_dims"(%9) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %14 = "tt.splat"(%arg7) : (i32) -> tensor<64x1xi32>
    %15 = "arith.muli"(%13, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %16 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %17 = "tt.addptr"(%16, %15) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %18 = "tt.expand_dims"(%7) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %19 = "tt.broadcast"(%17) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %20 = "tt.broadcast"(%18) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %21 = "tt.addptr"(%19, %20) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %22 = "tt.expand_dims"(%7) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %23 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32>
    %24 = "arith.muli"(%22, %23) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %25 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %26 = "tt.addptr"(%25, %24) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %27 = "tt.expand_dims"(%12) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %28 = "tt.broadcast"(%26) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %29 = "tt.broadcast"(%27) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %30 = "tt.addptr"(%28, %29) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %31:3 = "scf.for"(%1, %arg6, %3, %21, %30, %0) ({
    ^bb0(%arg12: i32, %arg13: tensor<64x64x!tt.ptr<f16>>, %arg14: tensor<64x64x!tt.ptr<f16>>, %arg15: tensor<64x64xf32>):
      %44 = "tt.load"(%arg13) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
      %45 = "tt.load"(%arg14) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
      %46 = "tt.dot"(%44, %45, %arg15) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %47 = "tt.addptr"(%arg13, %2) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      %48 = "arith.muli"(%arg8, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %49 = "tt.splat"(%48) : (i32) -> tensor<64x64xi32>
      %50 = "tt.addptr"(%arg14, %49) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      "scf.yield"(%47, %50, %46) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>) -> (tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>)
    %32 = "tt.reduce"(%31#2) <{axis = 1 : i32}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      %43 = "arith.addf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%43) : (f32) -> ()
    }) : (tensor<64x64xf32>) -> tensor<64xf32>
    %33 = "tt.expand_dims"(%32) <{axis = 1 : i32}> : (tensor<64xf32>) -> tensor<64x1xf32>
    %34 = "tt.broadcast"(%33) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %35 = "arith.divf"(%31#2, %34) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %36 = "tt.splat"(%arg9) : (i32) -> tensor<64x1xi32>
    %37 = "arith.muli"(%13, %36) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %38 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %39 = "tt.addptr"(%38, %37) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %40 = "tt.broadcast"(%39) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %41 = "tt.addptr"(%40, %29) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %42 = "arith.truncf"(%35) : (tensor<64x64xf32>) -> tensor<64x64xf16>
    "tt.store"(%41, %42) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf16>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
