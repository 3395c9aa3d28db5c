"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, f32) -> (), sym_name = "attn", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f16>, %arg4: i32, %arg5: f32):
    %0 = "arith.constant"() <{value = dense<0xFF800000> : tensor<64xf32>}> : () -> tensor<64xf32>
    %1 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64xf32>}> : () -> tensor<64xf32>
    %2 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
    %4 = "arith.constant"() <{value = dense<64> : tensor<1x64xi32>}> : () -> tensor<1x64xi32>
    %5 = "arith.constant"() <{value = dense<64> : tensor<64x1xi32>}> : () -> tensor<64x1xi32>
    %6 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %7 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %8 = "arith.muli"(%7, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %9 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
    %10 = "tt.splat"(%8) : (i32) -> tensor<64xi32>
    %11 = "arith.addi"(%10, %9) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
    %12 = "tt.expand_dims"(%11) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
    %13 = "arith.muli"(%12, %5) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
    %14 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %15 = "tt.addptr"(%14, %13) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %16 = "tt.expand_dims"(%9) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
    %17 = "tt.broadcast"(%15) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %18 = "tt.broadcast"(%16) : (tensor<1x64xi32>) -> tensor<64x64xi32>
    %19 = "tt.addptr"(%17, %18) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %20 = "tt.load"(%19) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
    %21:3 = "scf.for"(%2, %arg4, %6, %0, %1, %3) ({
    ^bb0(%arg6: i32, %arg7: tensor<64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64x64xf32>):
      %30 = "tt.splat"(%arg6) : (i32) -> tensor<64xi32>
      %31 = "arith.addi"(%30, %9) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %32 = "tt.expand_dims"(%9) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %33 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
      %34 = "tt.addptr"(%33, %32) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
      %35 = "tt.expand_dims"(%31) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
      %36 = "arith.muli"(%35, %4) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi32>
      %37 = "tt.broadcast"(%34) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
      %38 = "tt.broadcast"(%36) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %39 = "tt.addptr"(%37, %38) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      %40 = "tt.load"(%39) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
      %41 = "tt.dot"(%20, %40, %3) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %42 = "tt.splat"(%arg5) : (f32) -> tensor<64x64xf32>
      %43 = "arith.mulf"(%41, %42) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %44 = "tt.reduce"(%43) <{axis = 1 : i32}> ({
      ^bb0(%arg12: f32, %arg13: f32):
        %68 = "arith.maxnumf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%68) : (f32) -> ()
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %45 = "arith.maxnumf"(%arg7, %44) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %46 = "tt.expand_dims"(%45) <{axis = 1 : i32}> : (tensor<64xf32>) -> tensor<64x1xf32>
      %47 = "tt.broadcast"(%46) : (tensor<64x1xf32>) -> tensor<64x64xf32>
      %48 = "arith.subf"(%43, %47) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %49 = "math.exp"(%48) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %50 = "arith.subf"(%arg7, %45) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %51 = "math.exp"(%50) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32>) -> tensor<64xf32>
      %52 = "arith.mulf"(%arg8, %51) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %53 = "tt.reduce"(%49) <{axis = 1 : i32}> ({
      ^bb0(%arg10: f32, %arg11: f32):
        %67 = "arith.addf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%67) : (f32) -> ()
      }) : (tensor<64x64xf32>) -> tensor<64xf32>
      %54 = "arith.addf"(%52, %53) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
      %55 = "tt.expand_dims"(%51) <{axis = 1 : i32}> : (tensor<64xf32>) -> tensor<64x1xf32>
      %56 = "tt.broadcast"(%55) : (tensor<64x1xf32>) -> tensor<64x64xf32>
      %57 = "arith.mulf"(%arg9, %56) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
      %58 = "tt.expand_dims"(%31) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %59 = "arith.muli"(%58, %5) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
      %60 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
      %61 = "tt.addptr"(%60, %59) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
      %62 = "tt.broadcast"(%61) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
      %63 = "tt.addptr"(%62, %18) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      %64 = "tt.load"(%63) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
      %65 = "arith.truncf"(%49) : (tensor<64x64xf32>) -> tensor<64x64xf16>
      %66 = "tt.dot"(%65, %64, %57) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
      "scf.yield"(%45, %54, %66) : (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>, tensor<64x64xf32>)
    %22 = "tt.splat"(%arg3) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
    %23 = "tt.addptr"(%22, %13) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
    %24 = "tt.broadcast"(%23) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
    %25 = "tt.addptr"(%24, %18) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
    %26 = "tt.expand_dims"(%21#1) <{axis = 1 : i32}> : (tensor<64xf32>) -> tensor<64x1xf32>
    %27 = "tt.broadcast"(%26) : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %28 = "arith.divf"(%21#2, %27) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %29 = "arith.truncf"(%28) : (tensor<64x64xf32>) -> tensor<64x64xf16>
    "tt.store"(%25, %29) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf16>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
