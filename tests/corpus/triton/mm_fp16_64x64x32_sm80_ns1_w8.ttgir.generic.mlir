#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [8, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 4], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32, #mma>}> : () -> tensor<64x64xf32, #mma>
    %1 = "arith.constant"() <{value = 31 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = dense<32> : tensor<64x32xi32, #blocked>}> : () -> tensor<64x32xi32, #blocked>
    %7 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %8 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %9 = "arith.muli"(%7, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %10 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %11 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %12 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %13 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %14 = "tt.splat"(%9) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = "tt.splat"(%9) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %16 = "arith.addi"(%14, %10) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = "arith.addi"(%15, %11) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %18 = "arith.muli"(%8, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "tt.splat"(%18) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %20 = "tt.splat"(%18) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %21 = "arith.addi"(%19, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %22 = "arith.addi"(%20, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %23 = "tt.expand_dims"(%16) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
    %24 = "tt.expand_dims"(%17) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64x1xi32, #blocked1>
    %25 = "tt.splat"(%arg6) : (i32) -> tensor<64x1xi32, #blocked>
    %26 = "arith.muli"(%23, %25) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1xi32, #blocked>
    %27 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %28 = "tt.addptr"(%27, %26) : (tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %29 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %30 = "tt.expand_dims"(%29) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x32xi32, #blocked>
    %31 = "tt.broadcast"(%28) : (tensor<64x1x!tt.ptr<f16>, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %32 = "tt.broadcast"(%30) : (tensor<1x32xi32, #blocked>) -> tensor<64x32xi32, #blocked>
    %33 = "tt.addptr"(%31, %32) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %34 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %35 = "tt.expand_dims"(%34) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>) -> tensor<32x1xi32, #blocked2>
    %36 = "tt.splat"(%arg7) : (i32) -> tensor<32x1xi32, #blocked2>
    %37 = "arith.muli"(%35, %36) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked2>, tensor<32x1xi32, #blocked2>) -> tensor<32x1xi32, #blocked2>
    %38 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked2>
    %39 = "tt.addptr"(%38, %37) : (tensor<32x1x!tt.ptr<f16>, #blocked2>, tensor<32x1xi32, #blocked2>) -> tensor<32x1x!tt.ptr<f16>, #blocked2>
    %40 = "tt.expand_dims"(%21) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>) -> tensor<1x64xi32, #blocked2>
    %41 = "tt.expand_dims"(%22) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
    %42 = "tt.broadcast"(%39) : (tensor<32x1x!tt.ptr<f16>, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %43 = "tt.broadcast"(%40) : (tensor<1x64xi32, #blocked2>) -> tensor<32x64xi32, #blocked2>
    %44 = "tt.addptr"(%42, %43) : (tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %45 = "arith.addi"(%arg5, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %46 = "arith.divsi"(%45, %5) : (i32, i32) -> i32
    %47 = "arith.muli"(%arg7, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %48 = "tt.splat"(%47) : (i32) -> tensor<32x64xi32, #blocked2>
    %49:3 = "scf.for"(%3, %46, %2, %0, %33, %44) ({
    ^bb0(%arg9: i32, %arg10: tensor<64x64xf32, #mma>, %arg11: tensor<64x32x!tt.ptr<f16>, #blocked>, %arg12: tensor<32x64x!tt.ptr<f16>, #blocked2>):
      %58 = "tt.load"(%arg11) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked>) -> tensor<64x32xf16, #blocked>
      %59 = "ttg.local_alloc"(%58) : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
      %60 = "tt.load"(%arg12) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked2>) -> tensor<32x64xf16, #blocked2>
      %61 = "ttg.local_alloc"(%60) : (tensor<32x64xf16, #blocked2>) -> !ttg.memdesc<32x64xf16, #shared1, #smem>
      %62 = "ttg.local_load"(%59) : (!ttg.memdesc<64x32xf16, #shared, #smem>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
      %63 = "ttg.local_load"(%61) : (!ttg.memdesc<32x64xf16, #shared1, #smem>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>
      %64 = "tt.dot"(%62, %63, %arg10) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 2}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %65 = "tt.addptr"(%arg11, %6) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
      %66 = "tt.addptr"(%arg12, %48) : (tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
      "scf.yield"(%64, %65, %66) : (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked2>) -> ()
    }) : (i32, i32, i32, tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked2>) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked2>)
    %50 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32, #blocked1>
    %51 = "arith.muli"(%24, %50) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1xi32, #blocked1>
    %52 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %53 = "tt.addptr"(%52, %51) : (tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %54 = "tt.broadcast"(%53) : (tensor<64x1x!tt.ptr<f32>, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %55 = "tt.broadcast"(%41) : (tensor<1x64xi32, #blocked1>) -> tensor<64x64xi32, #blocked1>
    %56 = "tt.addptr"(%54, %55) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %57 = "ttg.convert_layout"(%49#0) : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #blocked1>
    "tt.store"(%56, %57) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xf32, #blocked1>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} : () -> ()
