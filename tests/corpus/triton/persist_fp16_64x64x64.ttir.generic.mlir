"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "persist", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f32>, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32, %arg9: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32>}> : () -> tensor<64x64xf32>
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = dense<64> : tensor<64x64xi32>}> : () -> tensor<64x64xi32>
    %3 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %5 = "arith.addi"(%arg4, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %6 = "arith.divsi"(%5, %3) : (i32, i32) -> i32
    %7 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %8 = "tt.get_num_programs"() <{axis = 0 : i32}> : () -> i32
    "scf.for"(%7, %6, %8) ({
    ^bb0(%arg10: i32):
      %9 = "arith.muli"(%arg10, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %10 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32>
      %11 = "tt.splat"(%9) : (i32) -> tensor<64xi32>
      %12 = "arith.addi"(%11, %10) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      %13 = "tt.expand_dims"(%12) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %14 = "tt.splat"(%arg7) : (i32) -> tensor<64x1xi32>
      %15 = "arith.muli"(%13, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
      %16 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
      %17 = "tt.addptr"(%16, %15) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
      %18 = "tt.expand_dims"(%10) <{axis = 0 : i32}> : (tensor<64xi32>) -> tensor<1x64xi32>
      %19 = "tt.broadcast"(%17) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
      %20 = "tt.broadcast"(%18) : (tensor<1x64xi32>) -> tensor<64x64xi32>
      %21 = "tt.addptr"(%19, %20) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      %22 = "tt.expand_dims"(%10) <{axis = 1 : i32}> : (tensor<64xi32>) -> tensor<64x1xi32>
      %23 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32>
      %24 = "arith.muli"(%22, %23) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
      %25 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
      %26 = "tt.addptr"(%25, %24) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
      %27 = "tt.broadcast"(%26) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
      %28 = "tt.addptr"(%27, %20) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      %29:3 = "scf.for"(%1, %arg6, %3, %21, %28, %0) ({
      ^bb0(%arg11: i32, %arg12: tensor<64x64x!tt.ptr<f16>>, %arg13: tensor<64x64x!tt.ptr<f16>>, %arg14: tensor<64x64xf32>):
        %37 = "tt.load"(%arg12) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
        %38 = "tt.load"(%arg13) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>>) -> tensor<64x64xf16>
        %39 = "tt.dot"(%37, %38, %arg14) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>) -> tensor<64x64xf32>
        %40 = "tt.addptr"(%arg12, %2) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
        %41 = "arith.muli"(%arg8, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %42 = "tt.splat"(%41) : (i32) -> tensor<64x64xi32>
        %43 = "tt.addptr"(%arg13, %42) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
        "scf.yield"(%40, %43, %39) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>) -> ()
      }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>) -> (tensor<64x64x!tt.ptr<f16>>, tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf32>)
      %30 = "tt.splat"(%arg9) : (i32) -> tensor<64x1xi32>
      %31 = "arith.muli"(%13, %30) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32>, tensor<64x1xi32>) -> tensor<64x1xi32>
      %32 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>>
      %33 = "tt.addptr"(%32, %31) : (tensor<64x1x!tt.ptr<f16>>, tensor<64x1xi32>) -> tensor<64x1x!tt.ptr<f16>>
      %34 = "tt.broadcast"(%33) : (tensor<64x1x!tt.ptr<f16>>) -> tensor<64x64x!tt.ptr<f16>>
      %35 = "tt.addptr"(%34, %20) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xi32>) -> tensor<64x64x!tt.ptr<f16>>
      %36 = "arith.truncf"(%29#2) : (tensor<64x64xf32>) -> tensor<64x64xf16>
      "tt.store"(%35, %36) : (tensor<64x64x!tt.ptr<f16>>, tensor<64x64xf16>) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) : () -> ()
