"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = dense<32> : tensor<64x32xi32>}> : () -> tensor<64x32xi32>
    %3 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<32x64xf32>}> : () -> tensor<32x64xf32>
    %4 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
    %5 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %7 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %8 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %9 = "arith.muli"(%7, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %10 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %11 = "tt.splat"(%9) : (i32) -> tensor<64xi32>
    %12 = "arith.addi"(%11, %10) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %13 = "arith.muli"(%8, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "tt.splat"(%13) : (i32) -> tensor<64xi32>
    %15 = "arith.addi"(%14, %10) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %16 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32>
    %17 = "tt.splat"(%arg4) : (i32) -> tensor<64xi32>
    %18 = "arith.remsi"(%12, %17) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %19 = "tt.splat"(%arg5) : (i32) -> tensor<64xi32>
    %20 = "arith.remsi"(%15, %19) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %21 = "tt.expand_dims"(%18) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %22 = "tt.splat"(%arg7) : (i32) -> tensor<64x1xi32>
    %23 = "arith.muli"(%21, %22) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %24 = "tt.splat"(%arg0) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>>
    %25 = "tt.addptr"(%24, %23) : (tensor<64x1x!tt.ptr<f32>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f32>>
    %26 = "tt.expand_dims"(%16) <{axis = 0 : i32}> : (tensor<32xi32>) -> tensor<1x32xi32>
    %27 = "tt.broadcast"(%25) : (tensor<64x1x!tt.ptr<f32>>) -> tensor<64x32x!tt.ptr<f32>>
    %28 = "tt.broadcast"(%26) : (tensor<1x32xi32>) -> tensor<64x32xi32>
    %29 = "tt.addptr"(%27, %28) : (tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tt.ptr<f32>>
    %30 = "tt.expand_dims"(%16) <{axis = 1 : i32}> : (tensor<32xi32>) -> tensor<32x1xi32>
    %31 = "tt.splat"(%arg8) : (i32) -> tensor<32x1xi32>
    %32 = "arith.muli"(%30, %31) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi32>
    %33 = "tt.splat"(%arg1) : (!tt.ptr<f32>) -> tensor<32x1x!tt.ptr<f32>>
    %34 = "tt.addptr"(%33, %32) : (tensor<32x1x!tt.ptr<f32>>, tensor<32x1xi32>) -> tensor<32x1x!tt.ptr<f32>>
    %35 = "tt.expand_dims"(%20) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %36 = "tt.broadcast"(%34) : (tensor<32x1x!tt.ptr<f32>>) -> tensor<32x64x!tt.ptr<f32>>
    %37 = "tt.broadcast"(%35) : (tensor<1x64xi32>) -> tensor<32x64xi32>
    %38 = "tt.addptr"(%36, %37) : (tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tt.ptr<f32>>
    %39:3 = "scf.for"(%1, %arg6, %5, %29, %38, %0) ({
    ^bb0(%arg10: i32, %arg11: tensor<64x32x!tt.ptr<f32>>, %arg12: tensor<32x64x!tt.ptr<f32>>, %arg13: tensor<64x64xf32>):
      %50 = "arith.subi"(%arg6, %arg10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %51 = "tt.splat"(%50) : (i32) -> tensor<1x32xi32>
      %52 = "arith.cmpi"(%26, %51) <{predicate = 2 : i64}> : (tensor<1x32xi32>, tensor<1x32xi32>) -> tensor<1x32xi1>
      %53 = "tt.broadcast"(%52) : (tensor<1x32xi1>) -> tensor<64x32xi1>
      %54 = "tt.load"(%arg11, %53, %4) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi1>, tensor<64x32xf32>) -> tensor<64x32xf32>
      %55 = "tt.splat"(%50) : (i32) -> tensor<32x1xi32>
      %56 = "arith.cmpi"(%30, %55) <{predicate = 2 : i64}> : (tensor<32x1xi32>, tensor<32x1xi32>) -> tensor<32x1xi1>
      %57 = "tt.broadcast"(%56) : (tensor<32x1xi1>) -> tensor<32x64xi1>
      %58 = "tt.load"(%arg12, %57, %3) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi1>, tensor<32x64xf32>) -> tensor<32x64xf32>
      %59 = "tt.dot"(%54, %58, %arg13) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %60 = "tt.addptr"(%arg11, %2) : (tensor<64x32x!tt.ptr<f32>>, tensor<64x32xi32>) -> tensor<64x32x!tt.ptr<f32>>
      %61 = "arith.muli"(%arg8, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %62 = "tt.splat"(%61) : (i32) -> tensor<32x64xi32>
      %63 = "tt.addptr"(%arg12, %62) : (tensor<32x64x!tt.ptr<f32>>, tensor<32x64xi32>) -> tensor<32x64x!tt.ptr<f32>>
      "scf.yield"(%60, %63, %59) : (tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f32>>, tensor<64x64xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f32>>, tensor<64x64xf32>) -> (tensor<64x32x!tt.ptr<f32>>, tensor<32x64x!tt.ptr<f32>>, tensor<64x64xf32>)
    %40 = "tt.expand_dims"(%12) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %41 = "tt.splat"(%arg9) : (i32) -> tensor<64x1xi32>
    %42 = "arith.muli"(%40, %41) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %43 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %44 = "tt.addptr"(%43, %42) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %45 = "tt.expand_dims"(%15) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %46 = "tt.broadcast"(%44) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %47 = "tt.broadcast"(%45) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %48 = "tt.addptr"(%46, %47) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %49 = "arith.truncf"(%39#2) : (tensor<64x64xf32>) -> tensor<64x64xf16>
    "tt.store"(%48, %49) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf16>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
