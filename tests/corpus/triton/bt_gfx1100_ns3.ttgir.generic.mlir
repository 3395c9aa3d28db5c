#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [8, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 0]], warp = [[16, 0], [32, 0], [0, 0]], block = []}>
#mma = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = [[0, 1], [0, 2], [1, 0]]}}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "bt", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = dense<64> : tensor<128x64xi32, #blocked>}> : () -> tensor<128x64xi32, #blocked>
    %2 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<128x128xf32, #mma>}> : () -> tensor<128x128xf32, #mma>
    %8 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %9 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %10 = "arith.muli"(%8, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %12 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %13 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %14 = "tt.splat"(%10) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = "tt.splat"(%10) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %16 = "arith.addi"(%14, %11) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = "arith.addi"(%15, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %18 = "arith.muli"(%9, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "tt.splat"(%18) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %20 = "tt.splat"(%18) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %21 = "arith.addi"(%19, %11) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %22 = "arith.addi"(%20, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>) -> tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %23 = "tt.expand_dims"(%16) <{axis = 1 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128x1xi32, #blocked>
    %24 = "tt.expand_dims"(%17) <{axis = 1 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128x1xi32, #mma>
    %25 = "tt.splat"(%arg6) : (i32) -> tensor<128x1xi32, #blocked>
    %26 = "arith.muli"(%23, %25) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1xi32, #blocked>
    %27 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %28 = "tt.addptr"(%27, %26) : (tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %29 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %30 = "tt.expand_dims"(%29) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x64xi32, #blocked>
    %31 = "tt.broadcast"(%28) : (tensor<128x1x!tt.ptr<f16>, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %32 = "tt.broadcast"(%30) : (tensor<1x64xi32, #blocked>) -> tensor<128x64xi32, #blocked>
    %33 = "tt.addptr"(%31, %32) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %34 = "arith.addi"(%arg5, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %35 = "arith.divsi"(%34, %6) : (i32, i32) -> i32
    %36 = "arith.cmpi"(%35, %3) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %37 = "tt.splat"(%36) : (i1) -> tensor<128x64xi1, #blocked>
    %38 = "tt.load"(%33, %37) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi1, #blocked>) -> tensor<128x64xf16, #blocked>
    %39 = "tt.expand_dims"(%21) <{axis = 1 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128x1xi32, #blocked>
    %40 = "tt.splat"(%arg7) : (i32) -> tensor<128x1xi32, #blocked>
    %41 = "arith.muli"(%39, %40) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1xi32, #blocked>
    %42 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %43 = "tt.addptr"(%42, %41) : (tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %44 = "tt.broadcast"(%43) : (tensor<128x1x!tt.ptr<f16>, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %45 = "tt.addptr"(%44, %32) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %46 = "tt.load"(%45, %37) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi1, #blocked>) -> tensor<128x64xf16, #blocked>
    %47 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>
    %48 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>
    %49 = "ttg.memdesc_index"(%47, %3) : (!ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    "ttg.local_store"(%38, %49) : (tensor<128x64xf16, #blocked>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> ()
    %50 = "ttg.memdesc_index"(%48, %3) : (!ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    "ttg.local_store"(%46, %50) : (tensor<128x64xf16, #blocked>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> ()
    %51 = "arith.cmpi"(%35, %4) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %52 = "tt.addptr"(%33, %1) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %53 = "tt.splat"(%51) : (i1) -> tensor<128x64xi1, #blocked>
    %54 = "tt.load"(%52, %53) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi1, #blocked>) -> tensor<128x64xf16, #blocked>
    %55 = "tt.addptr"(%45, %1) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %56 = "tt.load"(%55, %53) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi1, #blocked>) -> tensor<128x64xf16, #blocked>
    %57 = "ttg.memdesc_index"(%47, %4) : (!ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    "ttg.local_store"(%54, %57) : (tensor<128x64xf16, #blocked>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> ()
    %58 = "ttg.memdesc_index"(%48, %4) : (!ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
    "ttg.local_store"(%56, %58) : (tensor<128x64xf16, #blocked>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> ()
    %59 = "arith.subi"(%35, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %60:8 = "scf.for"(%3, %59, %4, %7, %52, %55, %4, %49, %57, %50, %58) ({
    ^bb0(%arg11: i32, %arg12: tensor<128x128xf32, #mma>, %arg13: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg14: tensor<128x64x!tt.ptr<f16>, #blocked>, %arg15: i32, %arg16: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg17: !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, %arg18: !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, %arg19: !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>):
      %88 = "tt.addptr"(%arg13, %1) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
      %89 = "tt.addptr"(%arg14, %1) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
      %90 = "tt.load"(%88) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x64x!tt.ptr<f16>, #blocked>) -> tensor<128x64xf16, #blocked>
      %91 = "ttg.local_load"(%arg16) : (!ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
      %92 = "tt.load"(%89) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x64x!tt.ptr<f16>, #blocked>) -> tensor<128x64xf16, #blocked>
      %93 = "ttg.local_load"(%arg18) : (!ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> tensor<128x64xf16, #linear>
      %94 = "tt.trans"(%93) <{order = array<i32: 1, 0>}> : (tensor<128x64xf16, #linear>) -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
      %95 = "tt.dot"(%91, %94, %arg12) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
      %96 = "arith.addi"(%arg15, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %97 = "arith.cmpi"(%96, %0) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %98 = "arith.select"(%97, %96, %3) : (i1, i32, i32) -> i32
      %99 = "ttg.memdesc_index"(%47, %98) : (!ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
      "ttg.local_store"(%90, %99) : (tensor<128x64xf16, #blocked>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> ()
      %100 = "ttg.memdesc_index"(%48, %98) : (!ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>
      "ttg.local_store"(%92, %100) : (tensor<128x64xf16, #blocked>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> ()
      "scf.yield"(%95, %88, %89, %98, %arg17, %99, %arg19, %100) : (tensor<128x128xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64x!tt.ptr<f16>, #blocked>, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> ()
    }) : (i32, i32, i32, tensor<128x128xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64x!tt.ptr<f16>, #blocked>, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> (tensor<128x128xf32, #mma>, tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64x!tt.ptr<f16>, #blocked>, i32, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<128x64xf16, #shared1, #smem, mutable>)
    %61 = "arith.cmpi"(%35, %4) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %62 = "arith.cmpi"(%35, %0) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %63 = "ttg.local_load"(%60#4) : (!ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    %64 = "ttg.local_load"(%60#6) : (!ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> tensor<128x64xf16, #linear>
    %65 = "tt.trans"(%64) <{order = array<i32: 1, 0>}> : (tensor<128x64xf16, #linear>) -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
    %66 = "scf.if"(%61) ({
      %87 = "tt.dot"(%63, %65, %60#0) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
      "scf.yield"(%87) : (tensor<128x128xf32, #mma>) -> ()
    }, {
      "scf.yield"(%60#0) : (tensor<128x128xf32, #mma>) -> ()
    }) : (i1) -> tensor<128x128xf32, #mma>
    %67 = "arith.select"(%61, %66, %60#0) : (i1, tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
    %68 = "ttg.local_load"(%60#5) : (!ttg.memdesc<128x64xf16, #shared, #smem, mutable>) -> tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    %69 = "ttg.local_load"(%60#7) : (!ttg.memdesc<128x64xf16, #shared1, #smem, mutable>) -> tensor<128x64xf16, #linear>
    %70 = "tt.trans"(%69) <{order = array<i32: 1, 0>}> : (tensor<128x64xf16, #linear>) -> tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
    %71 = "scf.if"(%62) ({
      %86 = "tt.dot"(%68, %70, %67) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<64x128xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
      "scf.yield"(%86) : (tensor<128x128xf32, #mma>) -> ()
    }, {
      "scf.yield"(%67) : (tensor<128x128xf32, #mma>) -> ()
    }) : (i1) -> tensor<128x128xf32, #mma>
    %72 = "arith.select"(%62, %71, %67) : (i1, tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
    "ttg.local_dealloc"(%48) : (!ttg.memdesc<2x128x64xf16, #shared1, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%47) : (!ttg.memdesc<2x128x64xf16, #shared, #smem, mutable>) -> ()
    %73 = "tt.reduce"(%72) <{axis = 1 : i32}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      %85 = "arith.maxnumf"(%arg9, %arg10) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%85) : (f32) -> ()
    }) : (tensor<128x128xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %74 = "tt.expand_dims"(%73) <{axis = 1 : i32}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128x1xf32, #mma>
    %75 = "tt.broadcast"(%74) : (tensor<128x1xf32, #mma>) -> tensor<128x128xf32, #mma>
    %76 = "arith.subf"(%72, %75) <{fastmath = #arith.fastmath<none>}> : (tensor<128x128xf32, #mma>, tensor<128x128xf32, #mma>) -> tensor<128x128xf32, #mma>
    %77 = "tt.splat"(%arg8) : (i32) -> tensor<128x1xi32, #mma>
    %78 = "arith.muli"(%24, %77) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32, #mma>, tensor<128x1xi32, #mma>) -> tensor<128x1xi32, #mma>
    %79 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<128x1x!tt.ptr<f32>, #mma>
    %80 = "tt.addptr"(%79, %78) : (tensor<128x1x!tt.ptr<f32>, #mma>, tensor<128x1xi32, #mma>) -> tensor<128x1x!tt.ptr<f32>, #mma>
    %81 = "tt.expand_dims"(%22) <{axis = 0 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 0, parent = #mma}>>) -> tensor<1x128xi32, #mma>
    %82 = "tt.broadcast"(%80) : (tensor<128x1x!tt.ptr<f32>, #mma>) -> tensor<128x128x!tt.ptr<f32>, #mma>
    %83 = "tt.broadcast"(%81) : (tensor<1x128xi32, #mma>) -> tensor<128x128xi32, #mma>
    %84 = "tt.addptr"(%82, %83) : (tensor<128x128x!tt.ptr<f32>, #mma>, tensor<128x128xi32, #mma>) -> tensor<128x128x!tt.ptr<f32>, #mma>
    "tt.store"(%84, %76) : (tensor<128x128x!tt.ptr<f32>, #mma>, tensor<128x128xf32, #mma>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} : () -> ()
