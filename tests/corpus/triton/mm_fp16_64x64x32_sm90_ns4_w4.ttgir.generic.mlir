#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked2 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#shared1 = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
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
    %7 = "arith.constant"() <{value = -1 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %11 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %12 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %13 = "arith.muli"(%11, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %14 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %16 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %17 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %18 = "tt.splat"(%13) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %19 = "tt.splat"(%13) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %20 = "arith.addi"(%18, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %21 = "arith.addi"(%19, %15) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %22 = "arith.muli"(%12, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %23 = "tt.splat"(%22) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %24 = "tt.splat"(%22) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %25 = "arith.addi"(%23, %16) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>
    %26 = "arith.addi"(%24, %17) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %27 = "tt.expand_dims"(%20) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
    %28 = "tt.expand_dims"(%21) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<64x1xi32, #blocked1>
    %29 = "tt.splat"(%arg6) : (i32) -> tensor<64x1xi32, #blocked>
    %30 = "arith.muli"(%27, %29) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1xi32, #blocked>
    %31 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %32 = "tt.addptr"(%31, %30) : (tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %33 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %34 = "tt.expand_dims"(%33) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x32xi32, #blocked>
    %35 = "tt.broadcast"(%32) : (tensor<64x1x!tt.ptr<f16>, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %36 = "tt.broadcast"(%34) : (tensor<1x32xi32, #blocked>) -> tensor<64x32xi32, #blocked>
    %37 = "tt.addptr"(%35, %36) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %38 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %39 = "tt.expand_dims"(%38) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>) -> tensor<32x1xi32, #blocked2>
    %40 = "tt.splat"(%arg7) : (i32) -> tensor<32x1xi32, #blocked2>
    %41 = "arith.muli"(%39, %40) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked2>, tensor<32x1xi32, #blocked2>) -> tensor<32x1xi32, #blocked2>
    %42 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked2>
    %43 = "tt.addptr"(%42, %41) : (tensor<32x1x!tt.ptr<f16>, #blocked2>, tensor<32x1xi32, #blocked2>) -> tensor<32x1x!tt.ptr<f16>, #blocked2>
    %44 = "tt.expand_dims"(%25) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked2}>>) -> tensor<1x64xi32, #blocked2>
    %45 = "tt.expand_dims"(%26) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
    %46 = "tt.broadcast"(%43) : (tensor<32x1x!tt.ptr<f16>, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %47 = "tt.broadcast"(%44) : (tensor<1x64xi32, #blocked2>) -> tensor<32x64xi32, #blocked2>
    %48 = "tt.addptr"(%46, %47) : (tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %49 = "arith.addi"(%arg5, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %50 = "arith.divsi"(%49, %5) : (i32, i32) -> i32
    %51 = "arith.muli"(%arg7, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %52 = "tt.splat"(%51) : (i32) -> tensor<32x64xi32, #blocked2>
    %53 = "ttg.local_alloc"() : () -> !ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>
    %54 = "ttg.local_alloc"() : () -> !ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>
    %55 = "arith.cmpi"(%50, %3) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %56 = "ttg.memdesc_index"(%53, %3) : (!ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %57 = "tt.splat"(%55) : (i1) -> tensor<64x32xi1, #blocked>
    %58 = "ttg.async_copy_global_to_local"(%37, %56, %57) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
    %59 = "ttg.async_commit_group"(%58) : (!ttg.async.token) -> !ttg.async.token
    %60 = "ttg.memdesc_index"(%54, %3) : (!ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %61 = "tt.splat"(%55) : (i1) -> tensor<32x64xi1, #blocked2>
    %62 = "ttg.async_copy_global_to_local"(%48, %60, %61) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked2>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked2>) -> !ttg.async.token
    %63 = "ttg.async_commit_group"(%62) : (!ttg.async.token) -> !ttg.async.token
    %64 = "arith.cmpi"(%50, %2) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %65 = "tt.addptr"(%37, %6) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %66 = "tt.addptr"(%48, %52) : (tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %67 = "ttg.memdesc_index"(%53, %2) : (!ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %68 = "tt.splat"(%64) : (i1) -> tensor<64x32xi1, #blocked>
    %69 = "ttg.async_copy_global_to_local"(%65, %67, %68) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
    %70 = "ttg.async_commit_group"(%69) : (!ttg.async.token) -> !ttg.async.token
    %71 = "ttg.memdesc_index"(%54, %2) : (!ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %72 = "tt.splat"(%64) : (i1) -> tensor<32x64xi1, #blocked2>
    %73 = "ttg.async_copy_global_to_local"(%66, %71, %72) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked2>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked2>) -> !ttg.async.token
    %74 = "ttg.async_commit_group"(%73) : (!ttg.async.token) -> !ttg.async.token
    %75 = "arith.cmpi"(%50, %9) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %76 = "tt.addptr"(%65, %6) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %77 = "tt.addptr"(%66, %52) : (tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
    %78 = "ttg.memdesc_index"(%53, %9) : (!ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    %79 = "tt.splat"(%75) : (i1) -> tensor<64x32xi1, #blocked>
    %80 = "ttg.async_copy_global_to_local"(%76, %78, %79) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
    %81 = "ttg.async_commit_group"(%80) : (!ttg.async.token) -> !ttg.async.token
    %82 = "ttg.memdesc_index"(%54, %9) : (!ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    %83 = "tt.splat"(%75) : (i1) -> tensor<32x64xi1, #blocked2>
    %84 = "ttg.async_copy_global_to_local"(%77, %82, %83) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked2>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked2>) -> !ttg.async.token
    %85 = "ttg.async_commit_group"(%84) : (!ttg.async.token) -> !ttg.async.token
    %86:11 = "scf.for"(%3, %50, %2, %0, %76, %77, %9, %7, %59, %70, %81, %63, %74, %85) ({
    ^bb0(%arg9: i32, %arg10: tensor<64x64xf32, #mma>, %arg11: tensor<64x32x!tt.ptr<f16>, #blocked>, %arg12: tensor<32x64x!tt.ptr<f16>, #blocked2>, %arg13: i32, %arg14: i32, %arg15: !ttg.async.token, %arg16: !ttg.async.token, %arg17: !ttg.async.token, %arg18: !ttg.async.token, %arg19: !ttg.async.token, %arg20: !ttg.async.token):
      %97 = "arith.subi"(%50, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %98 = "arith.cmpi"(%arg9, %97) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %99 = "arith.addi"(%arg14, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %100 = "arith.cmpi"(%99, %8) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %101 = "arith.select"(%100, %3, %99) : (i1, i32, i32) -> i32
      %102 = "ttg.async_wait"(%arg15, %arg18) <{num = 4 : i32}> : (!ttg.async.token, !ttg.async.token) -> !ttg.async.token
      %103 = "ttg.memdesc_index"(%53, %101) : (!ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
      %104 = "ttg.memdesc_index"(%54, %101) : (!ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      "ttng.fence_async_shared"() <{bCluster = false}> : () -> ()
      %105 = "ttng.warp_group_dot"(%103, %104, %arg10) <{inputPrecision = 0 : i32, isAsync = true, maxNumImpreciseAcc = 0 : i32}> : (!ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      %106:3 = "ttng.warp_group_dot_wait"(%105, %103, %104) <{pendings = 1 : i32}> : (tensor<64x64xf32, #mma>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> (tensor<64x64xf32, #mma>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>)
      %107 = "tt.addptr"(%arg11, %6) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
      %108 = "tt.addptr"(%arg12, %52) : (tensor<32x64x!tt.ptr<f16>, #blocked2>, tensor<32x64xi32, #blocked2>) -> tensor<32x64x!tt.ptr<f16>, #blocked2>
      %109 = "arith.addi"(%arg13, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %110 = "arith.cmpi"(%109, %8) <{predicate = 5 : i64}> : (i32, i32) -> i1
      %111 = "arith.select"(%110, %3, %109) : (i1, i32, i32) -> i32
      %112 = "ttg.memdesc_index"(%53, %111) : (!ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
      %113 = "tt.splat"(%98) : (i1) -> tensor<64x32xi1, #blocked>
      %114 = "ttg.async_copy_global_to_local"(%107, %112, %113) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, tensor<64x32xi1, #blocked>) -> !ttg.async.token
      %115 = "ttg.async_commit_group"(%114) : (!ttg.async.token) -> !ttg.async.token
      %116 = "ttg.memdesc_index"(%54, %111) : (!ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      %117 = "tt.splat"(%98) : (i1) -> tensor<32x64xi1, #blocked2>
      %118 = "ttg.async_copy_global_to_local"(%108, %116, %117) <{contiguity = 8 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 1, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked2>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, tensor<32x64xi1, #blocked2>) -> !ttg.async.token
      %119 = "ttg.async_commit_group"(%118) : (!ttg.async.token) -> !ttg.async.token
      "scf.yield"(%106#0, %107, %108, %111, %101, %arg16, %arg17, %115, %arg19, %arg20, %119) : (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked2>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) -> ()
    }) : (i32, i32, i32, tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked2>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked2>, i32, i32, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token, !ttg.async.token)
    %87 = "ttng.warp_group_dot_wait"(%86#0) <{pendings = 0 : i32}> : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    %88 = "ttg.async_wait"() <{num = 0 : i32}> : () -> !ttg.async.token
    "ttg.local_dealloc"(%54) : (!ttg.memdesc<4x32x64xf16, #shared1, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%53) : (!ttg.memdesc<4x64x32xf16, #shared, #smem, mutable>) -> ()
    %89 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32, #blocked1>
    %90 = "arith.muli"(%28, %89) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1xi32, #blocked1>
    %91 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %92 = "tt.addptr"(%91, %90) : (tensor<64x1x!tt.ptr<f32>, #blocked1>, tensor<64x1xi32, #blocked1>) -> tensor<64x1x!tt.ptr<f32>, #blocked1>
    %93 = "tt.broadcast"(%92) : (tensor<64x1x!tt.ptr<f32>, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %94 = "tt.broadcast"(%45) : (tensor<1x64xi32, #blocked1>) -> tensor<64x64xi32, #blocked1>
    %95 = "tt.addptr"(%93, %94) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xi32, #blocked1>) -> tensor<64x64x!tt.ptr<f32>, #blocked1>
    %96 = "ttg.convert_layout"(%87) : (tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #blocked1>
    "tt.store"(%95, %96) : (tensor<64x64x!tt.ptr<f32>, #blocked1>, tensor<64x64xf32, #blocked1>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32, "ttng.two-ctas" = false} : () -> ()
