#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>
#mma1 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, i32) -> (), sym_name = "attn", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f16>, %arg4: i32, %arg5: i32):
    %0 = "arith.constant"() <{value = dense<0xFF800000> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>}> : () -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %1 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>}> : () -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %2 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<128x64xf32, #mma1>}> : () -> tensor<128x64xf32, #mma1>
    %3 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<128x32xf32, #mma>}> : () -> tensor<128x32xf32, #mma>
    %7 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %11 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %12 = "arith.muli"(%11, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %13 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %14 = "tt.splat"(%12) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = "arith.addi"(%14, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %16 = "tt.expand_dims"(%15) <{axis = 1 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128x1xi32, #blocked>
    %17 = "tt.splat"(%arg5) : (i32) -> tensor<128x1xi32, #blocked>
    %18 = "arith.muli"(%16, %17) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1xi32, #blocked>
    %19 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %20 = "tt.addptr"(%19, %18) : (tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %21 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %22 = "tt.expand_dims"(%21) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x64xi32, #blocked>
    %23 = "tt.broadcast"(%20) : (tensor<128x1x!tt.ptr<f16>, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %24 = "tt.broadcast"(%22) : (tensor<1x64xi32, #blocked>) -> tensor<128x64xi32, #blocked>
    %25 = "tt.addptr"(%23, %24) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %26 = "tt.load"(%25) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x64x!tt.ptr<f16>, #blocked>) -> tensor<128x64xf16, #blocked>
    %27 = "ttg.local_alloc"(%26) : (tensor<128x64xf16, #blocked>) -> !ttg.memdesc<128x64xf16, #shared, #smem>
    %28 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %29 = "tt.expand_dims"(%28) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64x1xi32, #blocked1>
    %30 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %31 = "tt.addptr"(%30, %29) : (tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %32 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %33 = "tt.expand_dims"(%32) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x32xi32, #blocked1>
    %34 = "tt.splat"(%arg5) : (i32) -> tensor<1x32xi32, #blocked1>
    %35 = "arith.muli"(%33, %34) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x32xi32, #blocked1>, tensor<1x32xi32, #blocked1>) -> tensor<1x32xi32, #blocked1>
    %36 = "tt.broadcast"(%31) : (tensor<64x1x!tt.ptr<f16>, #blocked1>) -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %37 = "tt.broadcast"(%35) : (tensor<1x32xi32, #blocked1>) -> tensor<64x32xi32, #blocked1>
    %38 = "tt.addptr"(%36, %37) : (tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>) -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %39 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %40 = "tt.expand_dims"(%39) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<32x1xi32, #blocked>
    %41 = "tt.splat"(%arg5) : (i32) -> tensor<32x1xi32, #blocked>
    %42 = "arith.muli"(%40, %41) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked>, tensor<32x1xi32, #blocked>) -> tensor<32x1xi32, #blocked>
    %43 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %44 = "tt.addptr"(%43, %42) : (tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>) -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %45 = "tt.broadcast"(%44) : (tensor<32x1x!tt.ptr<f16>, #blocked>) -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %46 = "tt.broadcast"(%22) : (tensor<1x64xi32, #blocked>) -> tensor<32x64xi32, #blocked>
    %47 = "tt.addptr"(%45, %46) : (tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>) -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %48 = "arith.muli"(%arg5, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %49 = "tt.splat"(%48) : (i32) -> tensor<64x32xi32, #blocked1>
    %50 = "tt.splat"(%48) : (i32) -> tensor<32x64xi32, #blocked>
    %51 = "ttg.local_alloc"() : () -> !ttg.memdesc<3x64x32xf16, #shared1, #smem, mutable>
    %52 = "ttg.local_alloc"() : () -> !ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>
    %53 = "arith.cmpi"(%arg4, %3) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %54 = "ttg.memdesc_index"(%51, %3) : (!ttg.memdesc<3x64x32xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
    %55 = "tt.splat"(%53) : (i1) -> tensor<64x32xi1, #blocked1>
    %56 = "ttg.async_copy_global_to_local"(%38, %54, %55) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked1>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>, tensor<64x32xi1, #blocked1>) -> !ttg.async.token
    %57 = "ttg.async_commit_group"(%56) : (!ttg.async.token) -> !ttg.async.token
    %58 = "ttg.memdesc_index"(%52, %3) : (!ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %59 = "tt.splat"(%53) : (i1) -> tensor<32x64xi1, #blocked>
    %60 = "ttg.async_copy_global_to_local"(%47, %58, %59) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, tensor<32x64xi1, #blocked>) -> !ttg.async.token
    %61 = "ttg.async_commit_group"(%60) : (!ttg.async.token) -> !ttg.async.token
    %62 = "arith.cmpi"(%arg4, %4) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %63 = "tt.addptr"(%38, %49) : (tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>) -> tensor<64x32x!tt.ptr<f16>, #blocked1>
    %64 = "tt.addptr"(%47, %50) : (tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>) -> tensor<32x64x!tt.ptr<f16>, #blocked>
    %65 = "ttg.memdesc_index"(%51, %8) : (!ttg.memdesc<3x64x32xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
    %66 = "tt.splat"(%62) : (i1) -> tensor<64x32xi1, #blocked1>
    %67 = "ttg.async_copy_global_to_local"(%63, %65, %66) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked1>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>, tensor<64x32xi1, #blocked1>) -> !ttg.async.token
    %68 = "ttg.async_commit_group"(%67) : (!ttg.async.token) -> !ttg.async.token
    %69 = "ttg.memdesc_index"(%52, %8) : (!ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
    %70 = "tt.splat"(%62) : (i1) -> tensor<32x64xi1, #blocked>
    %71 = "ttg.async_copy_global_to_local"(%64, %69, %70) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, tensor<32x64xi1, #blocked>) -> !ttg.async.token
    %72 = "ttg.async_commit_group"(%71) : (!ttg.async.token) -> !ttg.async.token
    %73:11 = "scf.for"(%3, %arg4, %4, %0, %1, %2, %63, %64, %8, %7, %57, %68, %61, %72) ({
    ^bb0(%arg6: i32, %arg7: tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg8: tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg9: tensor<128x64xf32, #mma1>, %arg10: tensor<64x32x!tt.ptr<f16>, #blocked1>, %arg11: tensor<32x64x!tt.ptr<f16>, #blocked>, %arg12: i32, %arg13: i32, %arg14: !ttg.async.token, %arg15: !ttg.async.token, %arg16: !ttg.async.token, %arg17: !ttg.async.token):
      %85 = "arith.subi"(%arg4, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %86 = "arith.cmpi"(%arg6, %85) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %87 = "arith.addi"(%arg13, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %88 = "arith.cmpi"(%87, %9) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %89 = "arith.select"(%88, %3, %87) : (i1, i32, i32) -> i32
      %90 = "ttg.async_wait"(%arg14, %arg16) <{num = 2 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
      %91 = "ttg.memdesc_index"(%51, %89) : (!ttg.memdesc<3x64x32xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
      "ttng.fence_async_shared"() <{bCluster = false}> : () -> ()
      %92 = "ttng.warp_group_dot"(%27, %91, %6) <{inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 0 : i32}> : (!ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>, tensor<128x32xf32, #mma>) -> tensor<128x32xf32, #mma>
      %93:4 = "ttng.warp_group_dot_wait"(%92, %27, %91, %arg9) <{pendings = 0 : i32}> : (tensor<128x32xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>, tensor<128x64xf32, #mma1>) -> (tensor<128x32xf32, #mma>, !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>, tensor<128x64xf32, #mma1>)
      %94 = "tt.reduce"(%93#0) <{axis = 1 : i32}> ({
      ^bb0(%arg20: f32, %arg21: f32):
        %126 = "arith.maxnumf"(%arg20, %arg21) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%126) : (f32) -> ()
      }) : (tensor<128x32xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %95 = "arith.maxnumf"(%arg7, %94) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %96 = "tt.expand_dims"(%95) <{axis = 1 : i32}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128x1xf32, #mma>
      %97 = "tt.broadcast"(%96) : (tensor<128x1xf32, #mma>) -> tensor<128x32xf32, #mma>
      %98 = "arith.subf"(%93#0, %97) <{fastmath = #arith.fastmath<none>}> : (tensor<128x32xf32, #mma>, tensor<128x32xf32, #mma>) -> tensor<128x32xf32, #mma>
      %99 = "math.exp2"(%98) <{fastmath = #arith.fastmath<none>}> : (tensor<128x32xf32, #mma>) -> tensor<128x32xf32, #mma>
      %100 = "arith.subf"(%arg7, %95) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %101 = "math.exp2"(%100) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %102 = "arith.mulf"(%arg8, %101) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %103 = "tt.reduce"(%99) <{axis = 1 : i32}> ({
      ^bb0(%arg18: f32, %arg19: f32):
        %125 = "arith.addf"(%arg18, %arg19) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%125) : (f32) -> ()
      }) : (tensor<128x32xf32, #mma>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %104 = "arith.addf"(%102, %103) <{fastmath = #arith.fastmath<none>}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %105 = "tt.expand_dims"(%101) <{axis = 1 : i32}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128x1xf32, #mma>
      %106 = "tt.broadcast"(%105) : (tensor<128x1xf32, #mma>) -> tensor<128x64xf32, #mma1>
      %107 = "arith.mulf"(%93#3, %106) <{fastmath = #arith.fastmath<none>}> : (tensor<128x64xf32, #mma1>, tensor<128x64xf32, #mma1>) -> tensor<128x64xf32, #mma1>
      %108 = "ttg.memdesc_index"(%52, %89) : (!ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %109 = "arith.truncf"(%99) : (tensor<128x32xf32, #mma>) -> tensor<128x32xf16, #mma>
      %110 = "ttg.convert_layout"(%109) : (tensor<128x32xf16, #mma>) -> tensor<128x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>
      "ttng.fence_async_shared"() <{bCluster = false}> : () -> ()
      %111 = "ttng.warp_group_dot"(%110, %108, %107) <{inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 0 : i32}> : (tensor<128x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 2}>>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, tensor<128x64xf32, #mma1>) -> tensor<128x64xf32, #mma1>
      %112 = "tt.addptr"(%arg10, %49) : (tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<64x32xi32, #blocked1>) -> tensor<64x32x!tt.ptr<f16>, #blocked1>
      %113 = "tt.addptr"(%arg11, %50) : (tensor<32x64x!tt.ptr<f16>, #blocked>, tensor<32x64xi32, #blocked>) -> tensor<32x64x!tt.ptr<f16>, #blocked>
      %114 = "arith.addi"(%arg12, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %115 = "arith.cmpi"(%114, %9) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %116 = "arith.select"(%115, %3, %114) : (i1, i32, i32) -> i32
      %117 = "ttg.memdesc_index"(%51, %116) : (!ttg.memdesc<3x64x32xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>
      %118 = "tt.splat"(%86) : (i1) -> tensor<64x32xi1, #blocked1>
      %119 = "ttg.async_copy_global_to_local"(%112, %117, %118) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked1>, !ttg.memdesc<64x32xf16, #shared1, #smem, mutable>, tensor<64x32xi1, #blocked1>) -> !ttg.async.token
      %120 = "ttg.async_commit_group"(%119) : (!ttg.async.token) -> !ttg.async.token
      %121 = "ttg.memdesc_index"(%52, %116) : (!ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      %122 = "tt.splat"(%86) : (i1) -> tensor<32x64xi1, #blocked>
      %123 = "ttg.async_copy_global_to_local"(%113, %121, %122) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, tensor<32x64xi1, #blocked>) -> !ttg.async.token
      %124 = "ttg.async_commit_group"(%123) : (!ttg.async.token) -> !ttg.async.token
      "scf.yield"(%95, %104, %111, %112, %113, %116, %89, %arg15, %120, %arg17, %124) : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x64xf32, #mma1>, tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) -> ()
    }) : (i32, i32, i32, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x64xf32, #mma1>, tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<128x64xf32, #mma1>, tensor<64x32x!tt.ptr<f16>, #blocked1>, tensor<32x64x!tt.ptr<f16>, #blocked>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
    %74 = "ttng.warp_group_dot_wait"(%73#2) <{pendings = 0 : i32}> : (tensor<128x64xf32, #mma1>) -> tensor<128x64xf32, #mma1>
    %75 = "ttg.async_wait"() <{num = 0 : i32}> : () -> !ttg.async.token
    "ttg.local_dealloc"(%52) : (!ttg.memdesc<3x32x64xf16, #shared, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%51) : (!ttg.memdesc<3x64x32xf16, #shared1, #smem, mutable>) -> ()
    %76 = "tt.expand_dims"(%73#1) <{axis = 1 : i32}> : (tensor<128xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<128x1xf32, #mma>
    %77 = "tt.broadcast"(%76) : (tensor<128x1xf32, #mma>) -> tensor<128x64xf32, #mma1>
    %78 = "arith.divf"(%74, %77) <{fastmath = #arith.fastmath<none>}> : (tensor<128x64xf32, #mma1>, tensor<128x64xf32, #mma1>) -> tensor<128x64xf32, #mma1>
    %79 = "tt.splat"(%arg3) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %80 = "tt.addptr"(%79, %18) : (tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %81 = "tt.broadcast"(%80) : (tensor<128x1x!tt.ptr<f16>, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %82 = "tt.addptr"(%81, %24) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xi32, #blocked>) -> tensor<128x64x!tt.ptr<f16>, #blocked>
    %83 = "arith.truncf"(%78) : (tensor<128x64xf32, #mma1>) -> tensor<128x64xf16, #mma1>
    %84 = "ttg.convert_layout"(%83) : (tensor<128x64xf16, #mma1>) -> tensor<128x64xf16, #blocked>
    "tt.store"(%82, %84) : (tensor<128x64x!tt.ptr<f16>, #blocked>, tensor<128x64xf16, #blocked>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} : () -> ()
