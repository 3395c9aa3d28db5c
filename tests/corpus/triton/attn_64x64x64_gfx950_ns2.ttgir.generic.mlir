#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [8, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 8]], warp = [[0, 32], [32, 0]], block = []}>
#linear1 = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [32, 0]], lane = [[0, 8], [0, 16], [0, 32], [2, 0], [4, 0], [8, 0]], warp = [[1, 0], [16, 0]], block = []}>
#linear2 = #ttg.linear<{register = [[1, 0], [2, 0], [4, 0], [0, 4]], lane = [[8, 0], [16, 0], [32, 0], [0, 8], [0, 16], [0, 32]], warp = [[0, 1], [0, 2]], block = []}>
#mma = #ttg.amd_mfma<{version = 4, warpsPerCTA = [4, 1], instrShape = [32, 32, 16], isTransposed = true}>
#mma1 = #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [32, 32, 16], isTransposed = true}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.padded_shared<[512:+8] {offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 8], [0, 16], [0, 32], [0, 1], [0, 2], [0, 4]], block = []}>
#shared2 = #ttg.padded_shared<[512:+32] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [2, 0], [4, 0], [8, 0], [1, 0], [16, 0], [32, 0]], block = []}>
#shared3 = #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, i32) -> (), sym_name = "attn", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f16>, %arg4: i32, %arg5: i32):
    %0 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32, #mma>}> : () -> tensor<64x64xf32, #mma>
    %4 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>}> : () -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %7 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32, #mma1>}> : () -> tensor<64x64xf32, #mma1>
    %8 = "arith.constant"() <{value = dense<0xFF800000> : tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>}> : () -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %9 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %10 = "arith.muli"(%9, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %12 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %13 = "tt.splat"(%10) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %14 = "tt.splat"(%10) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = "arith.addi"(%13, %11) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>
    %16 = "arith.addi"(%14, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = "tt.expand_dims"(%15) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear}>>) -> tensor<64x1xi32, #linear>
    %18 = "tt.expand_dims"(%16) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
    %19 = "tt.splat"(%arg5) : (i32) -> tensor<64x1xi32, #linear1>
    %20 = "tt.splat"(%arg5) : (i32) -> tensor<64x1xi32, #linear>
    %21 = "tt.splat"(%arg5) : (i32) -> tensor<64x1xi32, #blocked>
    %22 = "arith.muli"(%17, %20) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #linear>, tensor<64x1xi32, #linear>) -> tensor<64x1xi32, #linear>
    %23 = "arith.muli"(%18, %21) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1xi32, #blocked>
    %24 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %25 = "tt.addptr"(%24, %23) : (tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %26 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear}>>
    %27 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %28 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear2}>>
    %29 = "tt.expand_dims"(%26) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear}>>) -> tensor<1x64xi32, #linear>
    %30 = "tt.expand_dims"(%27) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x64xi32, #blocked>
    %31 = "tt.expand_dims"(%28) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #linear2}>>) -> tensor<1x64xi32, #linear2>
    %32 = "tt.broadcast"(%25) : (tensor<64x1x!tt.ptr<f16>, #blocked>) -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %33 = "tt.broadcast"(%30) : (tensor<1x64xi32, #blocked>) -> tensor<64x64xi32, #linear1>
    %34 = "tt.broadcast"(%29) : (tensor<1x64xi32, #linear>) -> tensor<64x64xi32, #linear>
    %35 = "tt.broadcast"(%30) : (tensor<1x64xi32, #blocked>) -> tensor<64x64xi32, #blocked>
    %36 = "tt.addptr"(%32, %35) : (tensor<64x64x!tt.ptr<f16>, #blocked>, tensor<64x64xi32, #blocked>) -> tensor<64x64x!tt.ptr<f16>, #blocked>
    %37 = "tt.load"(%36) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>, #blocked>) -> tensor<64x64xf16, #blocked>
    %38 = "ttg.local_alloc"(%37) : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %39 = "ttg.local_load"(%38) : (!ttg.memdesc<64x64xf16, #shared, #smem>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>>
    %40 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %41 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear1}>>
    %42 = "tt.expand_dims"(%40) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64x1xi32, #blocked1>
    %43 = "tt.expand_dims"(%41) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #linear1}>>) -> tensor<64x1xi32, #linear1>
    %44 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %45 = "tt.addptr"(%44, %42) : (tensor<64x1x!tt.ptr<f16>, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1x!tt.ptr<f16>, #blocked1>
    %46 = "tt.splat"(%arg5) : (i32) -> tensor<1x64xi32, #linear2>
    %47 = "arith.muli"(%31, %46) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x64xi32, #linear2>, tensor<1x64xi32, #linear2>) -> tensor<1x64xi32, #linear2>
    %48 = "tt.broadcast"(%45) : (tensor<64x1x!tt.ptr<f16>, #blocked1>) -> tensor<64x64x!tt.ptr<f16>, #linear2>
    %49 = "tt.broadcast"(%47) : (tensor<1x64xi32, #linear2>) -> tensor<64x64xi32, #linear2>
    %50 = "tt.addptr"(%48, %49) : (tensor<64x64x!tt.ptr<f16>, #linear2>, tensor<64x64xi32, #linear2>) -> tensor<64x64x!tt.ptr<f16>, #linear2>
    %51 = "arith.muli"(%43, %19) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #linear1>, tensor<64x1xi32, #linear1>) -> tensor<64x1xi32, #linear1>
    %52 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #linear1>
    %53 = "tt.addptr"(%52, %51) : (tensor<64x1x!tt.ptr<f16>, #linear1>, tensor<64x1xi32, #linear1>) -> tensor<64x1x!tt.ptr<f16>, #linear1>
    %54 = "tt.broadcast"(%53) : (tensor<64x1x!tt.ptr<f16>, #linear1>) -> tensor<64x64x!tt.ptr<f16>, #linear1>
    %55 = "tt.addptr"(%54, %33) : (tensor<64x64x!tt.ptr<f16>, #linear1>, tensor<64x64xi32, #linear1>) -> tensor<64x64x!tt.ptr<f16>, #linear1>
    %56 = "arith.muli"(%arg5, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %57 = "tt.splat"(%56) : (i32) -> tensor<64x64xi32, #linear2>
    %58 = "tt.splat"(%56) : (i32) -> tensor<64x64xi32, #linear1>
    %59 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x64x64xf16, #shared1, #smem, mutable>
    %60 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x64x64xf16, #shared2, #smem, mutable>
    %61 = "arith.cmpi"(%arg4, %5) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %62 = "ttg.memdesc_index"(%59, %5) : (!ttg.memdesc<2x64x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
    %63 = "tt.splat"(%61) : (i1) -> tensor<64x64xi1, #linear2>
    %64 = "ttg.async_copy_global_to_local"(%50, %62, %63) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x64x!tt.ptr<f16>, #linear2>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, tensor<64x64xi1, #linear2>) -> !ttg.async.token
    %65 = "ttg.async_commit_group"(%64) : (!ttg.async.token) -> !ttg.async.token
    %66 = "ttg.memdesc_index"(%60, %5) : (!ttg.memdesc<2x64x64xf16, #shared2, #smem, mutable>, i32) -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
    %67 = "tt.splat"(%61) : (i1) -> tensor<64x64xi1, #linear1>
    %68 = "ttg.async_copy_global_to_local"(%55, %66, %67) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x64x!tt.ptr<f16>, #linear1>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64xi1, #linear1>) -> !ttg.async.token
    %69 = "ttg.async_commit_group"(%68) : (!ttg.async.token) -> !ttg.async.token
    %70 = "arith.subi"(%arg4, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %71:10 = "scf.for"(%5, %70, %4, %8, %6, %7, %5, %65, %69, %62, %66, %50, %55) ({
    ^bb0(%arg10: i32, %arg11: tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg12: tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg13: tensor<64x64xf32, #mma1>, %arg14: i32, %arg15: !ttg.async.token, %arg16: !ttg.async.token, %arg17: !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, %arg18: !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, %arg19: tensor<64x64x!tt.ptr<f16>, #linear2>, %arg20: tensor<64x64x!tt.ptr<f16>, #linear1>):
      %114 = "ttg.async_wait"(%arg15, %arg16) <{num = 0 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
      %115 = "tt.addptr"(%arg19, %57) : (tensor<64x64x!tt.ptr<f16>, #linear2>, tensor<64x64xi32, #linear2>) -> tensor<64x64x!tt.ptr<f16>, #linear2>
      %116 = "tt.addptr"(%arg20, %58) : (tensor<64x64x!tt.ptr<f16>, #linear1>, tensor<64x64xi32, #linear1>) -> tensor<64x64x!tt.ptr<f16>, #linear1>
      %117 = "arith.addi"(%arg14, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %118 = "arith.cmpi"(%117, %1) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %119 = "arith.select"(%118, %117, %5) : (i1, i32, i32) -> i32
      %120 = "ttg.memdesc_index"(%59, %119) : (!ttg.memdesc<2x64x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>
      %121 = "ttg.async_copy_global_to_local"(%115, %120) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>, #linear2>, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>) -> !ttg.async.token
      %122 = "ttg.async_commit_group"(%121) : (!ttg.async.token) -> !ttg.async.token
      %123 = "ttg.local_load"(%arg17, %114) : (!ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.async.token) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>>
      %124 = "tt.dot"(%39, %123, %3) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %125 = "tt.reduce"(%124) <{axis = 1 : i32}> ({
      ^bb0(%arg23: f32, %arg24: f32):
        %149 = "arith.maxnumf"(%arg23, %arg24) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%149) : (f32) -> ()
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %126 = "arith.maxnumf"(%arg11, %125) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %127 = "tt.expand_dims"(%126) <{axis = 1 : i32}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64x1xf32, #mma>
      %128 = "tt.broadcast"(%127) : (tensor<64x1xf32, #mma>) -> tensor<64x64xf32, #mma>
      %129 = "arith.subf"(%124, %128) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %130 = "math.exp2"(%129) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %131 = "arith.subf"(%arg11, %126) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %132 = "math.exp2"(%131) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %133 = "arith.mulf"(%arg12, %132) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %134 = "tt.reduce"(%130) <{axis = 1 : i32}> ({
      ^bb0(%arg21: f32, %arg22: f32):
        %148 = "arith.addf"(%arg21, %arg22) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%148) : (f32) -> ()
      }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %135 = "arith.addf"(%133, %134) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %136 = "tt.expand_dims"(%132) <{axis = 1 : i32}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64x1xf32, #mma>
      %137 = "ttg.convert_layout"(%136) : (tensor<64x1xf32, #mma>) -> tensor<64x1xf32, #mma1>
      %138 = "tt.broadcast"(%137) : (tensor<64x1xf32, #mma1>) -> tensor<64x64xf32, #mma1>
      %139 = "arith.mulf"(%arg13, %138) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma1>, tensor<64x64xf32, #mma1>) -> tensor<64x64xf32, #mma1>
      %140 = "ttg.memdesc_index"(%60, %119) : (!ttg.memdesc<2x64x64xf16, #shared2, #smem, mutable>, i32) -> !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>
      %141 = "ttg.async_copy_global_to_local"(%116, %140) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<64x64x!tt.ptr<f16>, #linear1>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>) -> !ttg.async.token
      %142 = "ttg.async_commit_group"(%141) : (!ttg.async.token) -> !ttg.async.token
      %143 = "ttg.local_load"(%arg18, %114) : (!ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, !ttg.async.token) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>>
      %144 = "arith.truncf"(%130) : (tensor<64x64xf32, #mma>) -> tensor<64x64xf16, #mma>
      %145 = "ttg.local_alloc"(%144) : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared3, #smem>
      %146 = "ttg.local_load"(%145) : (!ttg.memdesc<64x64xf16, #shared3, #smem>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>>
      %147 = "tt.dot"(%146, %143, %139) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>>, tensor<64x64xf32, #mma1>) -> tensor<64x64xf32, #mma1>
      "scf.yield"(%126, %135, %147, %119, %122, %142, %120, %140, %115, %116) : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma1>, i32, !ttg.async.token, !ttg.async.token, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64x!tt.ptr<f16>, #linear2>, tensor<64x64x!tt.ptr<f16>, #linear1>) -> ()
    }) : (i32, i32, i32, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma1>, i32, !ttg.async.token, !ttg.async.token, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64x!tt.ptr<f16>, #linear2>, tensor<64x64x!tt.ptr<f16>, #linear1>) -> (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64x64xf32, #mma1>, i32, !ttg.async.token, !ttg.async.token, !ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, tensor<64x64x!tt.ptr<f16>, #linear2>, tensor<64x64x!tt.ptr<f16>, #linear1>)
    %72 = "arith.addi"(%arg4, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %73 = "arith.divsi"(%72, %4) : (i32, i32) -> i32
    %74 = "arith.cmpi"(%73, %2) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %75 = "ttg.async_wait"(%71#4, %71#5) <{num = 0 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
    %76 = "ttg.local_load"(%71#6, %75) : (!ttg.memdesc<64x64xf16, #shared1, #smem, mutable>, !ttg.async.token) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>>
    %77 = "scf.if"(%74) ({
      %113 = "tt.dot"(%39, %76, %3) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 8}>>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 8}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      "scf.yield"(%113) : (tensor<64x64xf32, #mma>) -> ()
    }, {
      "scf.yield"(%3) : (tensor<64x64xf32, #mma>) -> ()
    }) : (i1) -> tensor<64x64xf32, #mma>
    %78 = "tt.reduce"(%77) <{axis = 1 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %112 = "arith.maxnumf"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%112) : (f32) -> ()
    }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %79 = "arith.maxnumf"(%71#0, %78) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %80 = "tt.expand_dims"(%79) <{axis = 1 : i32}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64x1xf32, #mma>
    %81 = "tt.broadcast"(%80) : (tensor<64x1xf32, #mma>) -> tensor<64x64xf32, #mma>
    %82 = "arith.subf"(%77, %81) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    %83 = "math.exp2"(%82) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    %84 = "arith.subf"(%71#0, %79) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %85 = "math.exp2"(%84) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %86 = "arith.mulf"(%71#1, %85) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %87 = "tt.reduce"(%83) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %111 = "arith.addf"(%arg6, %arg7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%111) : (f32) -> ()
    }) : (tensor<64x64xf32, #mma>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %88 = "arith.addf"(%86, %87) <{fastmath = #arith.fastmath<none>}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %89 = "tt.expand_dims"(%85) <{axis = 1 : i32}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64x1xf32, #mma>
    %90 = "ttg.convert_layout"(%89) : (tensor<64x1xf32, #mma>) -> tensor<64x1xf32, #mma1>
    %91 = "tt.broadcast"(%90) : (tensor<64x1xf32, #mma1>) -> tensor<64x64xf32, #mma1>
    %92 = "arith.mulf"(%71#2, %91) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma1>, tensor<64x64xf32, #mma1>) -> tensor<64x64xf32, #mma1>
    %93 = "ttg.local_load"(%71#7, %75) : (!ttg.memdesc<64x64xf16, #shared2, #smem, mutable>, !ttg.async.token) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>>
    %94 = "arith.truncf"(%83) : (tensor<64x64xf32, #mma>) -> tensor<64x64xf16, #mma>
    %95 = "ttg.local_alloc"(%94) : (tensor<64x64xf16, #mma>) -> !ttg.memdesc<64x64xf16, #shared3, #smem>
    %96 = "ttg.local_load"(%95) : (!ttg.memdesc<64x64xf16, #shared3, #smem>) -> tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>>
    %97 = "scf.if"(%74) ({
      %110 = "tt.dot"(%96, %93, %92) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma1, kWidth = 4}>>, tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma1, kWidth = 4}>>, tensor<64x64xf32, #mma1>) -> tensor<64x64xf32, #mma1>
      "scf.yield"(%110) : (tensor<64x64xf32, #mma1>) -> ()
    }, {
      "scf.yield"(%92) : (tensor<64x64xf32, #mma1>) -> ()
    }) : (i1) -> tensor<64x64xf32, #mma1>
    %98 = "arith.select"(%74, %88, %71#1) : (i1, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %99 = "arith.select"(%74, %97, %71#2) : (i1, tensor<64x64xf32, #mma1>, tensor<64x64xf32, #mma1>) -> tensor<64x64xf32, #mma1>
    "ttg.local_dealloc"(%60) : (!ttg.memdesc<2x64x64xf16, #shared2, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%59) : (!ttg.memdesc<2x64x64xf16, #shared1, #smem, mutable>) -> ()
    %100 = "tt.expand_dims"(%98) <{axis = 1 : i32}> : (tensor<64xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64x1xf32, #mma>
    %101 = "ttg.convert_layout"(%100) : (tensor<64x1xf32, #mma>) -> tensor<64x1xf32, #mma1>
    %102 = "tt.broadcast"(%101) : (tensor<64x1xf32, #mma1>) -> tensor<64x64xf32, #mma1>
    %103 = "arith.divf"(%99, %102) <{fastmath = #arith.fastmath<none>}> : (tensor<64x64xf32, #mma1>, tensor<64x64xf32, #mma1>) -> tensor<64x64xf32, #mma1>
    %104 = "tt.splat"(%arg3) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #linear>
    %105 = "tt.addptr"(%104, %22) : (tensor<64x1x!tt.ptr<f16>, #linear>, tensor<64x1xi32, #linear>) -> tensor<64x1x!tt.ptr<f16>, #linear>
    %106 = "tt.broadcast"(%105) : (tensor<64x1x!tt.ptr<f16>, #linear>) -> tensor<64x64x!tt.ptr<f16>, #linear>
    %107 = "tt.addptr"(%106, %34) : (tensor<64x64x!tt.ptr<f16>, #linear>, tensor<64x64xi32, #linear>) -> tensor<64x64x!tt.ptr<f16>, #linear>
    %108 = "arith.truncf"(%103) : (tensor<64x64xf32, #mma1>) -> tensor<64x64xf16, #mma1>
    %109 = "ttg.convert_layout"(%108) : (tensor<64x64xf16, #mma1>) -> tensor<64x64xf16, #linear>
    "tt.store"(%107, %109) : (tensor<64x64x!tt.ptr<f16>, #linear>, tensor<64x64xf16, #linear>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx950", "ttg.threads-per-warp" = 64 : i32} : () -> ()
