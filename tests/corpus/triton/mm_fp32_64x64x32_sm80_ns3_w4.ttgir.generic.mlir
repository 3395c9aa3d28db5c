#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f32>, !tt.ptr<f32>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32, #mma>}> : () -> tensor<64x64xf32, #mma>
    %1 = "arith.constant"() <{value = 31 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = dense<32> : tensor<64x32xi32, #blocked>}> : () -> tensor<64x32xi32, #blocked>
    %7 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %9 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %10 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %11 = "arith.muli"(%9, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %12 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %14 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %15 = "tt.splat"(%11) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %16 = "tt.splat"(%11) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %17 = "arith.addi"(%15, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = "arith.addi"(%16, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %19 = "arith.muli"(%10, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %20 = "tt.splat"(%19) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %21 = "arith.addi"(%20, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %22 = "tt.expand_dims"(%17) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
    %23 = "tt.expand_dims"(%18) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64x1xi32, #blocked1>
    %24 = "tt.splat"(%arg6) : (i32) -> tensor<64x1xi32, #blocked>
    %25 = "arith.muli"(%22, %24) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1xi32, #blocked>
    %26 = "tt.splat"(%arg0) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %27 = "tt.addptr"(%26, %25) : (tensor<64x1x!tt.ptr<f32>, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1x!tt.ptr<f32>, #blocked>
    %28 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %29 = "tt.expand_dims"(%28) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x32xi32, #blocked>
    %30 = "tt.broadcast"(%27) : (tensor<64x1x!tt.ptr<f32>, #blocked>) -> tensor<64x32x!tt.ptr<f32>, #blocked>
    %31 = "tt.broadcast"(%29) : (tensor<1x32xi32, #blocked>) -> tensor<64x32xi32, #blocked>
    %32 = "tt.addptr"(%30, %31) : (tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f32>, #blocked>
    %33 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %34 = "tt.expand_dims"(%33) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<32x1xi32, #blocked1>
    %35 = "tt.splat"(%arg7) : (i32) -> tensor<32x1xi32, #blocked1>
    %36 = "arith.muli"(%34, %35) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1xi32, #blocked1>
    %37 = "tt.splat"(%arg1) : (!tt.ptr<f32>) -> tensor<32x1x!tt.ptr<f32>, #blocked1>
    %38 = "tt.addptr"(%37, %36) : (tensor<32x1x!tt.ptr<f32>, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1x!tt.ptr<f32>, #blocked1>
    %39 = "tt.expand_dims"(%21) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
    %40 = "tt.broadcast"(%38) : (tensor<32x1x!tt.ptr<f32>, #blocked1>) -> tensor<32x64x!tt.ptr<f32>, #blocked1>
    %41 = "tt.broadcast"(%39) : (tensor<1x64xi32, #blocked1>) -> tensor<32x64xi32, #blocked1>
    %42 = "tt.addptr"(%40, %41) : (tensor<32x64x!tt.ptr<f32>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f32>, #blocked1>
    %43 = "arith.addi"(%arg5, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %44 = "arith.divsi"(%43, %5) : (i32, i32) -> i32
    %45 = "arith.muli"(%arg7, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %46 = "tt.splat"(%45) : (i32) -> tensor<32x64xi32, #blocked1>
    %47 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>
    %48 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x32x64xf32, #shared1, #smem, mutable>
    %49 = "arith.cmpi"(%44, %3) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %50 = "ttg.memdesc_index"(%47, %3) : (!ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
    %51 = "tt.splat"(%49) : (i1) -> tensor<64x32xi1, #blocked>
    %52 = "ttg.async_copy_global_to_local"(%32, %50, %51) <{contiguity = 4 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f32>, #blocked>, !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
    %53 = "ttg.async_commit_group"(%52) : (!ttg.async.token) -> !ttg.async.token
    %54 = "ttg.memdesc_index"(%48, %3) : (!ttg.memdesc<2x32x64xf32, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>
    %55 = "tt.splat"(%49) : (i1) -> tensor<32x64xi1, #blocked1>
    %56 = "ttg.async_copy_global_to_local"(%42, %54, %55) <{contiguity = 4 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f32>, #blocked1>, !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked1>) -> !ttg.async.token
    %57 = "ttg.async_commit_group"(%56) : (!ttg.async.token) -> !ttg.async.token
    %58 = "arith.cmpi"(%44, %2) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %59 = "tt.addptr"(%32, %6) : (tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f32>, #blocked>
    %60 = "tt.addptr"(%42, %46) : (tensor<32x64x!tt.ptr<f32>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f32>, #blocked1>
    %61 = "ttg.memdesc_index"(%47, %2) : (!ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
    %62 = "tt.splat"(%58) : (i1) -> tensor<64x32xi1, #blocked>
    %63 = "ttg.async_copy_global_to_local"(%59, %61, %62) <{contiguity = 4 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f32>, #blocked>, !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
    %64 = "ttg.async_commit_group"(%63) : (!ttg.async.token) -> !ttg.async.token
    %65 = "ttg.memdesc_index"(%48, %2) : (!ttg.memdesc<2x32x64xf32, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>
    %66 = "tt.splat"(%58) : (i1) -> tensor<32x64xi1, #blocked1>
    %67 = "ttg.async_copy_global_to_local"(%60, %65, %66) <{contiguity = 4 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f32>, #blocked1>, !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked1>) -> !ttg.async.token
    %68 = "ttg.async_commit_group"(%67) : (!ttg.async.token) -> !ttg.async.token
    %69 = "ttg.async_wait"(%53, %57) <{num = 2 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
    %70 = "ttg.memdesc_subslice"(%50) <{offsets = array<i32: 0, 0>}> : (!ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> !ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>
    %71 = "ttg.local_load"(%70, %69) : (!ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>, !ttg.async.token) -> tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
    %72 = "ttg.memdesc_subslice"(%54) <{offsets = array<i32: 0, 0>}> : (!ttg.memdesc<32x64xf32, #shared1, #smem, mutable>) -> !ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>
    %73 = "ttg.local_load"(%72, %69) : (!ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>, !ttg.async.token) -> tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
    %74:15 = "scf.for"(%3, %44, %2, %0, %59, %60, %2, %7, %53, %64, %57, %68, %50, %54, %69, %69, %71, %73) ({
    ^bb0(%arg9: i32, %arg10: tensor<64x64xf32, #mma>, %arg11: tensor<64x32x!tt.ptr<f32>, #blocked>, %arg12: tensor<32x64x!tt.ptr<f32>, #blocked1>, %arg13: i32, %arg14: i32, %arg15: !ttg.async.token, %arg16: !ttg.async.token, %arg17: !ttg.async.token, %arg18: !ttg.async.token, %arg19: !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, %arg20: !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, %arg21: !ttg.async.token, %arg22: !ttg.async.token, %arg23: tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, %arg24: tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>):
      %84 = "arith.subi"(%44, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %85 = "arith.cmpi"(%arg9, %84) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %86 = "arith.addi"(%arg14, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %87 = "arith.cmpi"(%86, %8) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %88 = "arith.select"(%87, %3, %86) : (i1, i32, i32) -> i32
      %89 = "ttg.async_wait"(%arg15, %arg17) <{num = 2 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
      %90 = "ttg.memdesc_subslice"(%arg19) <{offsets = array<i32: 0, 8>}> : (!ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> !ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>
      %91 = "ttg.local_load"(%90, %arg21) : (!ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>, !ttg.async.token) -> tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %92 = "ttg.memdesc_subslice"(%arg20) <{offsets = array<i32: 8, 0>}> : (!ttg.memdesc<32x64xf32, #shared1, #smem, mutable>) -> !ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>
      %93 = "ttg.local_load"(%92, %arg22) : (!ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>, !ttg.async.token) -> tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %94 = "tt.dot"(%arg23, %arg24, %arg10) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %95 = "ttg.memdesc_subslice"(%arg19) <{offsets = array<i32: 0, 16>}> : (!ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> !ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>
      %96 = "ttg.local_load"(%95, %arg21) : (!ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>, !ttg.async.token) -> tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %97 = "ttg.memdesc_subslice"(%arg20) <{offsets = array<i32: 16, 0>}> : (!ttg.memdesc<32x64xf32, #shared1, #smem, mutable>) -> !ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>
      %98 = "ttg.local_load"(%97, %arg22) : (!ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>, !ttg.async.token) -> tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %99 = "tt.dot"(%91, %93, %94) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %100 = "ttg.memdesc_subslice"(%arg19) <{offsets = array<i32: 0, 24>}> : (!ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> !ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>
      %101 = "ttg.local_load"(%100, %arg21) : (!ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>, !ttg.async.token) -> tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %102 = "ttg.memdesc_subslice"(%arg20) <{offsets = array<i32: 24, 0>}> : (!ttg.memdesc<32x64xf32, #shared1, #smem, mutable>) -> !ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>
      %103 = "ttg.local_load"(%102, %arg22) : (!ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>, !ttg.async.token) -> tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %104 = "tt.dot"(%96, %98, %99) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %105 = "tt.addptr"(%arg11, %6) : (tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f32>, #blocked>
      %106 = "tt.addptr"(%arg12, %46) : (tensor<32x64x!tt.ptr<f32>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f32>, #blocked1>
      %107 = "arith.addi"(%arg13, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %108 = "arith.cmpi"(%107, %8) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %109 = "arith.select"(%108, %3, %107) : (i1, i32, i32) -> i32
      %110 = "ttg.memdesc_index"(%47, %109) : (!ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %111 = "tt.splat"(%85) : (i1) -> tensor<64x32xi1, #blocked>
      %112 = "ttg.async_copy_global_to_local"(%105, %110, %111) <{contiguity = 4 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f32>, #blocked>, !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
      %113 = "ttg.async_commit_group"(%112) : (!ttg.async.token) -> !ttg.async.token
      %114 = "ttg.memdesc_index"(%48, %109) : (!ttg.memdesc<2x32x64xf32, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>
      %115 = "tt.splat"(%85) : (i1) -> tensor<32x64xi1, #blocked1>
      %116 = "ttg.async_copy_global_to_local"(%106, %114, %115) <{contiguity = 4 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f32>, #blocked1>, !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked1>) -> !ttg.async.token
      %117 = "ttg.async_commit_group"(%116) : (!ttg.async.token) -> !ttg.async.token
      %118 = "arith.addi"(%88, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %119 = "arith.cmpi"(%118, %8) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %120 = "arith.select"(%119, %3, %118) : (i1, i32, i32) -> i32
      %121 = "ttg.memdesc_index"(%47, %120) : (!ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf32, #shared, #smem, mutable>
      %122 = "ttg.memdesc_index"(%48, %120) : (!ttg.memdesc<2x32x64xf32, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>
      %123 = "ttg.async_wait"(%arg16, %arg18) <{num = 2 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
      %124 = "ttg.async_wait"(%arg16, %arg18) <{num = 2 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
      %125 = "ttg.memdesc_subslice"(%121) <{offsets = array<i32: 0, 0>}> : (!ttg.memdesc<64x32xf32, #shared, #smem, mutable>) -> !ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>
      %126 = "ttg.local_load"(%125, %123) : (!ttg.memdesc<64x8xf32, #shared, #smem, mutable, 64x32>, !ttg.async.token) -> tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>
      %127 = "ttg.memdesc_subslice"(%122) <{offsets = array<i32: 0, 0>}> : (!ttg.memdesc<32x64xf32, #shared1, #smem, mutable>) -> !ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>
      %128 = "ttg.local_load"(%127, %124) : (!ttg.memdesc<8x64xf32, #shared1, #smem, mutable, 32x64>, !ttg.async.token) -> tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>
      %129 = "tt.dot"(%101, %103, %104) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      "scf.yield"(%129, %105, %106, %109, %88, %arg16, %113, %arg18, %117, %121, %122, %123, %124, %126, %128) : (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<32x64x!tt.ptr<f32>, #blocked1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) -> ()
    }) : (i32, i32, i32, tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<32x64x!tt.ptr<f32>, #blocked1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f32>, #blocked>, tensor<32x64x!tt.ptr<f32>, #blocked1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.memdesc<64x32xf32, #shared, #smem, mutable>, !ttg.memdesc<32x64xf32, #shared1, #smem, mutable>, !ttg.async.token, !ttg.async.token, tensor<64x8xf32, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 1}>>, tensor<8x64xf32, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>>)
    %75 = "ttg.async_wait"() <{num = 0 : i32}> : () -> !ttg.async.token
    "ttg.local_dealloc"(%48) : (!ttg.memdesc<2x32x64xf32, #shared1, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%47) : (!ttg.memdesc<2x64x32xf32, #shared, #smem, mutable>) -> ()
    %76 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32, #blocked1>
    %77 = "arith.muli"(%23, %76) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1xi32, #blocked1>
    %78 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %79 = "tt.addptr"(%78, %77) : (tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %80 = "tt.broadcast"(%79) : (tensor<64x1x!tt.ptr<f32>, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %81 = "tt.broadcast"(%39) : (tensor<1x64xi32, #blocked1>) -> tensor<64x64xi32, #blocked1>
    %82 = "tt.addptr"(%80, %81) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %83 = "ttg.convert_layout"(%74#0) : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #blocked1>
    "tt.store"(%82, %83) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xf32, #blocked1>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} : () -> ()
