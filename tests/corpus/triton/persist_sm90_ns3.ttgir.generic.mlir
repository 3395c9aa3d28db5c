#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "persist", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<128x64xf32, #mma>}> : () -> tensor<128x64xf32, #mma>
    %1 = "arith.constant"() <{value = 31 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 127 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = dense<32> : tensor<128x32xi32, #blocked>}> : () -> tensor<128x32xi32, #blocked>
    %10 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %11 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %13 = "arith.addi"(%arg3, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "arith.divsi"(%13, %6) : (i32, i32) -> i32
    %15 = "arith.addi"(%arg4, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "arith.divsi"(%15, %7) : (i32, i32) -> i32
    %17 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %18 = "arith.muli"(%14, %16) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "tt.get_num_programs"() <{axis = 0 : i32}> : () -> i32
    %20 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %21 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %22 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %23 = "tt.splat"(%arg6) : (i32) -> tensor<128x1xi32, #blocked>
    %24 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
    %25 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %26 = "tt.expand_dims"(%25) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x32xi32, #blocked>
    %27 = "tt.broadcast"(%26) : (tensor<1x32xi32, #blocked>) -> tensor<128x32xi32, #blocked>
    %28 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %29 = "tt.expand_dims"(%28) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<32x1xi32, #blocked1>
    %30 = "tt.splat"(%arg7) : (i32) -> tensor<32x1xi32, #blocked1>
    %31 = "arith.muli"(%29, %30) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1xi32, #blocked1>
    %32 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %33 = "tt.addptr"(%32, %31) : (tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %34 = "tt.broadcast"(%33) : (tensor<32x1x!tt.ptr<f16>, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %35 = "arith.addi"(%arg5, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %36 = "arith.divsi"(%35, %8) : (i32, i32) -> i32
    %37 = "arith.muli"(%arg7, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %38 = "tt.splat"(%37) : (i32) -> tensor<32x64xi32, #blocked1>
    %39 = "tt.splat"(%arg8) : (i32) -> tensor<128x1xi32, #blocked1>
    %40 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<128x1x!tt.ptr<f16>, #blocked1>
    "scf.for"(%17, %18, %19) ({
    ^bb0(%arg9: i32):
      %41 = "arith.divsi"(%arg9, %16) : (i32, i32) -> i32
      %42 = "arith.remsi"(%arg9, %16) : (i32, i32) -> i32
      %43 = "arith.muli"(%41, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %44 = "tt.splat"(%43) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %45 = "tt.splat"(%43) : (i32) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %46 = "arith.addi"(%44, %20) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
      %47 = "arith.addi"(%45, %21) <{overflowFlags = #arith.overflow<none>}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
      %48 = "arith.muli"(%42, %7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %49 = "tt.splat"(%48) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %50 = "arith.addi"(%49, %22) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
      %51 = "tt.expand_dims"(%46) <{axis = 1 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<128x1xi32, #blocked>
      %52 = "tt.expand_dims"(%47) <{axis = 1 : i32}> : (tensor<128xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<128x1xi32, #blocked1>
      %53 = "arith.muli"(%51, %23) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1xi32, #blocked>
      %54 = "tt.addptr"(%24, %53) : (tensor<128x1x!tt.ptr<f16>, #blocked>, tensor<128x1xi32, #blocked>) -> tensor<128x1x!tt.ptr<f16>, #blocked>
      %55 = "tt.broadcast"(%54) : (tensor<128x1x!tt.ptr<f16>, #blocked>) -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %56 = "tt.addptr"(%55, %27) : (tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>) -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %57 = "tt.expand_dims"(%50) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
      %58 = "tt.broadcast"(%57) : (tensor<1x64xi32, #blocked1>) -> tensor<32x64xi32, #blocked1>
      %59 = "tt.addptr"(%34, %58) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %60 = "ttg.local_alloc"() : () -> !ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>
      %61 = "ttg.local_alloc"() : () -> !ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>
      %62 = "arith.cmpi"(%36, %4) <{predicate = 4 : i64}> : (i32, i32) -> i1
      %63 = "ttg.memdesc_index"(%60, %4) : (!ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %64 = "tt.splat"(%62) : (i1) -> tensor<128x32xi1, #blocked>
      %65 = "ttg.async_copy_global_to_local"(%56, %63, %64) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<128x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<128x32xf16, #shared, #smem, mutable>, tensor<128x32xi1, #blocked>) -> !ttg.async.token
      %66 = "ttg.async_commit_group"(%65) : (!ttg.async.token) -> !ttg.async.token
      %67 = "ttg.memdesc_index"(%61, %4) : (!ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      %68 = "tt.splat"(%62) : (i1) -> tensor<32x64xi1, #blocked1>
      %69 = "ttg.async_copy_global_to_local"(%59, %67, %68) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked1>) -> !ttg.async.token
      %70 = "ttg.async_commit_group"(%69) : (!ttg.async.token) -> !ttg.async.token
      %71 = "arith.cmpi"(%36, %3) <{predicate = 4 : i64}> : (i32, i32) -> i1
      %72 = "tt.addptr"(%56, %9) : (tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>) -> tensor<128x32x!tt.ptr<f16>, #blocked>
      %73 = "tt.addptr"(%59, %38) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %74 = "ttg.memdesc_index"(%60, %3) : (!ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
      %75 = "tt.splat"(%71) : (i1) -> tensor<128x32xi1, #blocked>
      %76 = "ttg.async_copy_global_to_local"(%72, %74, %75) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<128x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<128x32xf16, #shared, #smem, mutable>, tensor<128x32xi1, #blocked>) -> !ttg.async.token
      %77 = "ttg.async_commit_group"(%76) : (!ttg.async.token) -> !ttg.async.token
      %78 = "ttg.memdesc_index"(%61, %3) : (!ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      %79 = "tt.splat"(%71) : (i1) -> tensor<32x64xi1, #blocked1>
      %80 = "ttg.async_copy_global_to_local"(%73, %78, %79) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked1>) -> !ttg.async.token
      %81 = "ttg.async_commit_group"(%80) : (!ttg.async.token) -> !ttg.async.token
      %82:9 = "scf.for"(%4, %36, %3, %0, %72, %73, %3, %10, %66, %77, %70, %81) ({
      ^bb0(%arg10: i32, %arg11: tensor<128x64xf32, #mma>, %arg12: tensor<128x32x!tt.ptr<f16>, #blocked>, %arg13: tensor<32x64x!tt.ptr<f16>, #blocked1>, %arg14: i32, %arg15: i32, %arg16: !ttg.async.token, %arg17: !ttg.async.token, %arg18: !ttg.async.token, %arg19: !ttg.async.token):
        %92 = "arith.subi"(%36, %12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %93 = "arith.cmpi"(%arg10, %92) <{predicate = 2 : i64}> : (i32, i32) -> i1
        %94 = "arith.addi"(%arg15, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %95 = "arith.cmpi"(%94, %11) <{predicate = 5 : i64}> : (i32, i32) -> i1
        %96 = "arith.select"(%95, %4, %94) : (i1, i32, i32) -> i32
        %97 = "ttg.async_wait"(%arg16, %arg18) <{num = 2 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
        %98 = "ttg.memdesc_index"(%60, %96) : (!ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
        %99 = "ttg.memdesc_index"(%61, %96) : (!ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
        "ttng.fence_async_shared"() <{bCluster = false}> : () -> ()
        %100 = "ttng.warp_group_dot"(%98, %99, %arg11) <{inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 0 : i32}> : (!ttg.memdesc<128x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma>
        %101:3 = "ttng.warp_group_dot_wait"(%100, %98, %99) <{pendings = 1 : i32}> : (tensor<128x64xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> (tensor<128x64xf32, #mma>, !ttg.memdesc<128x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>)
        %102 = "tt.addptr"(%arg12, %9) : (tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<128x32xi32, #blocked>) -> tensor<128x32x!tt.ptr<f16>, #blocked>
        %103 = "tt.addptr"(%arg13, %38) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
        %104 = "arith.addi"(%arg14, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %105 = "arith.cmpi"(%104, %11) <{predicate = 5 : i64}> : (i32, i32) -> i1
        %106 = "arith.select"(%105, %4, %104) : (i1, i32, i32) -> i32
        %107 = "ttg.memdesc_index"(%60, %106) : (!ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<128x32xf16, #shared, #smem, mutable>
        %108 = "tt.splat"(%93) : (i1) -> tensor<128x32xi1, #blocked>
        %109 = "ttg.async_copy_global_to_local"(%102, %107, %108) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<128x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<128x32xf16, #shared, #smem, mutable>, tensor<128x32xi1, #blocked>) -> !ttg.async.token
        %110 = "ttg.async_commit_group"(%109) : (!ttg.async.token) -> !ttg.async.token
        %111 = "ttg.memdesc_index"(%61, %106) : (!ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
        %112 = "tt.splat"(%93) : (i1) -> tensor<32x64xi1, #blocked1>
        %113 = "ttg.async_copy_global_to_local"(%103, %111, %112) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked1>) -> !ttg.async.token
        %114 = "ttg.async_commit_group"(%113) : (!ttg.async.token) -> !ttg.async.token
        "scf.yield"(%101#0, %102, %103, %106, %96, %arg17, %110, %arg19, %114) : (tensor<128x64xf32, #mma>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) -> ()
      }) : (i32, i32, i32, tensor<128x64xf32, #mma>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) -> (tensor<128x64xf32, #mma>, tensor<128x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
      %83 = "ttng.warp_group_dot_wait"(%82#0) <{pendings = 0 : i32}> : (tensor<128x64xf32, #mma>) -> tensor<128x64xf32, #mma>
      %84 = "ttg.async_wait"() <{num = 0 : i32}> : () -> !ttg.async.token
      "ttg.local_dealloc"(%61) : (!ttg.memdesc<3x32x64xf16, #shared1, #smem, mutable>) -> ()
      "ttg.local_dealloc"(%60) : (!ttg.memdesc<3x128x32xf16, #shared, #smem, mutable>) -> ()
      %85 = "arith.muli"(%52, %39) <{overflowFlags = #arith.overflow<none>}> : (tensor<128x1xi32, #blocked1>, tensor<128x1xi32, #blocked1>) -> tensor<128x1xi32, #blocked1>
      %86 = "tt.addptr"(%40, %85) : (tensor<128x1x!tt.ptr<f16>, #blocked1>, tensor<128x1xi32, #blocked1>) -> tensor<128x1x!tt.ptr<f16>, #blocked1>
      %87 = "tt.broadcast"(%86) : (tensor<128x1x!tt.ptr<f16>, #blocked1>) -> tensor<128x64x!tt.ptr<f16>, #blocked1>
      %88 = "tt.broadcast"(%57) : (tensor<1x64xi32, #blocked1>) -> tensor<128x64xi32, #blocked1>
      %89 = "tt.addptr"(%87, %88) : (tensor<128x64x!tt.ptr<f16>, #blocked1>, tensor<128x64xi32, #blocked1>) -> tensor<128x64x!tt.ptr<f16>, #blocked1>
      %90 = "arith.truncf"(%83) : (tensor<128x64xf32, #mma>) -> tensor<128x64xf16, #mma>
      %91 = "ttg.convert_layout"(%90) : (tensor<128x64xf16, #mma>) -> tensor<128x64xf16, #blocked1>
      "tt.store"(%89, %91) : (tensor<128x64x!tt.ptr<f16>, #blocked1>, tensor<128x64xf16, #blocked1>) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} : () -> ()
