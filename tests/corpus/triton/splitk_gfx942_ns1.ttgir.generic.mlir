#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [1, 64], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [2, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [0, 32], [2, 0], [4, 0], [8, 0]], warp = [[16, 0], [32, 0]], block = []}>
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>
#shared1 = #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [0, 1]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "splitk", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = dense<256> : tensor<64x64xi32, #blocked>}> : () -> tensor<64x64xi32, #blocked>
    %1 = "arith.constant"() <{value = 256 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = dense<true> : tensor<64x64xi1, #blocked1>}> : () -> tensor<64x64xi1, #blocked1>
    %4 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 255 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32, #mma>}> : () -> tensor<64x64xf32, #mma>
    %8 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %9 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %10 = "tt.get_program_id"() <{axis = 2 : i32}> : () -> i32
    %11 = "arith.muli"(%8, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %14 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %15 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %16 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %17 = "tt.splat"(%11) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = "tt.splat"(%11) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = "arith.addi"(%17, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %20 = "arith.addi"(%18, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %21 = "arith.muli"(%9, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %22 = "tt.splat"(%21) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %23 = "tt.splat"(%21) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %24 = "arith.addi"(%22, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %25 = "arith.addi"(%23, %15) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %26 = "arith.muli"(%10, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %27 = "tt.splat"(%26) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %28 = "tt.splat"(%26) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %29 = "arith.addi"(%27, %16) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %30 = "arith.addi"(%28, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %31 = "tt.expand_dims"(%19) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
    %32 = "tt.expand_dims"(%20) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64x1xi32, #blocked1>
    %33 = "tt.splat"(%arg6) : (i32) -> tensor<64x1xi32, #blocked>
    %34 = "arith.muli"(%31, %33) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1xi32, #blocked>
    %35 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %36 = "tt.addptr"(%35, %34) : (tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %37 = "tt.expand_dims"(%30) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x64xi32, #blocked>
    %38 = "tt.broadcast"(%36) : (tensor<64x1x!tt.ptr<f16>, #blocked>) -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %39 = "tt.broadcast"(%37) : (tensor<1x64xi32, #blocked>) -> tensor<64x64xi32, #blocked>
    %40 = "tt.addptr"(%38, %39) : (tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>) -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %41 = "tt.expand_dims"(%29) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>) -> tensor<64x1xi32, #blocked2>
    %42 = "tt.splat"(%arg7) : (i32) -> tensor<64x1xi32, #blocked2>
    %43 = "arith.muli"(%41, %42) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked2>, tensor<64x1xi32, #blocked2>) -> tensor<64x1xi32, #blocked2>
    %44 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked2>
    %45 = "tt.addptr"(%44, %43) : (tensor<64x1x!tt.ptr<f16>, #blocked2>, tensor<64x1xi32, #blocked2>) -> tensor<64x1x!tt.ptr<f16>, #blocked2>
    %46 = "tt.expand_dims"(%24) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x64xi32, #blocked>
    %47 = "tt.expand_dims"(%25) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
    %48 = "tt.broadcast"(%45) : (tensor<64x1x!tt.ptr<f16>, #blocked2>) -> tensor<64x64x!tt.ptr<f16>, #blocked2>
    %49 = "tt.broadcast"(%46) : (tensor<1x64xi32, #blocked>) -> tensor<64x64xi32, #blocked2>
    %50 = "tt.broadcast"(%47) : (tensor<1x64xi32, #blocked1>) -> tensor<64x64xi32, #blocked1>
    %51 = "tt.addptr"(%48, %49) : (tensor<64x64x!tt.ptr<f16>, #blocked2>, tensor<64x64xi32, #blocked2>) -> tensor<64x64x!tt.ptr<f16>, #blocked2>
    %52 = "arith.addi"(%arg5, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %53 = "arith.divsi"(%52, %1) : (i32, i32) -> i32
    %54 = "arith.muli"(%arg7, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %55 = "tt.splat"(%54) : (i32) -> tensor<64x64xi32, #blocked2>
    %56:3 = "scf.for"(%4, %53, %5, %7, %40, %51) ({
    ^bb0(%arg9: i32, %arg10: tensor<64x64xf32, #mma>, %arg11: tensor<64x64x!tt.ptr<f16>, #blocked>, %arg12: tensor<64x64x!tt.ptr<f16>, #blocked2>):
      %65 = "tt.load"(%arg11) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked>
      %66 = "tt.load"(%arg12) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>, #blocked2>) -> tensor<64x64xf16, #blocked2>
      %67 = "ttg.local_alloc"(%65) : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
      %68 = "ttg.local_load"(%67) : (!ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      %69 = "amdg.in_thread_transpose"(%66) : (tensor<64x64xf16, #blocked2>) -> tensor<64x64xf16, #linear>
      %70 = "ttg.local_alloc"(%69) : (tensor<64x64xf16, #linear>) -> !ttg.memdesc<64x64xf16, #shared1, #smem>
      %71 = "ttg.local_load"(%70) : (!ttg.memdesc<64x64xf16, #shared1, #smem>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      %72 = "tt.dot"(%68, %71, %arg10) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %73 = "tt.addptr"(%arg11, %0) : (tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>) -> tensor<64x64x!tt.ptr<f16>, #blocked>
      %74 = "tt.addptr"(%arg12, %55) : (tensor<64x64x!tt.ptr<f16>, #blocked2>, tensor<64x64xi32, #blocked2>) -> tensor<64x64x!tt.ptr<f16>, #blocked2>
      "scf.yield"(%72, %73, %74) : (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked2>) -> ()
    }) : (i32, i32, i32, tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked2>) -> (tensor<64x64xf32, #mma>, tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64x!tt.ptr<f16>, #blocked2>)
    %57 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32, #blocked1>
    %58 = "arith.muli"(%32, %57) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1xi32, #blocked1>
    %59 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %60 = "tt.addptr"(%59, %58) : (tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %61 = "tt.broadcast"(%60) : (tensor<64x1x!tt.ptr<f32>, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %62 = "tt.addptr"(%61, %50) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %63 = "ttg.convert_layout"(%56#0) : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #blocked1>
    %64 = "tt.atomic_rmw"(%62, %63, %3) <{atomic_rmw_op = 5 : i32, scope = 1 : i32, sem = 4 : i32}> : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xf32, #blocked1>, tensor<64x64xi1, #blocked1>) -> tensor<64x64xf32, #blocked1>
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} : () -> ()
