#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [16, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
#shared = #ttg.swizzled_shared<{vec = 4, perPhase = 2, maxPhase = 8, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f32>, i32, i32, i32, i32, i32, i32) -> (), sym_name = "mm", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f32>, %arg3: i32, %arg4: i32, %arg5: i32, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = dense<32> : tensor<64x32xi32, #blocked>}> : () -> tensor<64x32xi32, #blocked>
    %2 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 31 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<64x64xf32, #mma>}> : () -> tensor<64x64xf32, #mma>
    %8 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %9 = "tt.get_program_id"() <{axis = 1 : i32}> : () -> i32
    %10 = "arith.muli"(%8, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %11 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %12 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %13 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %14 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %15 = "tt.splat"(%10) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %16 = "tt.splat"(%10) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %17 = "arith.addi"(%15, %11) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %18 = "arith.addi"(%16, %12) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %19 = "arith.muli"(%9, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %20 = "tt.splat"(%19) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %21 = "tt.splat"(%19) : (i32) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %22 = "arith.addi"(%20, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %23 = "arith.addi"(%21, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>) -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %24 = "tt.expand_dims"(%17) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<64x1xi32, #blocked>
    %25 = "tt.expand_dims"(%18) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<64x1xi32, #mma>
    %26 = "tt.splat"(%arg6) : (i32) -> tensor<64x1xi32, #blocked>
    %27 = "arith.muli"(%24, %26) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1xi32, #blocked>
    %28 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %29 = "tt.addptr"(%28, %27) : (tensor<64x1x!tt.ptr<f16>, #blocked>, tensor<64x1xi32, #blocked>) -> tensor<64x1x!tt.ptr<f16>, #blocked>
    %30 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %31 = "tt.expand_dims"(%30) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x32xi32, #blocked>
    %32 = "tt.broadcast"(%29) : (tensor<64x1x!tt.ptr<f16>, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %33 = "tt.broadcast"(%31) : (tensor<1x32xi32, #blocked>) -> tensor<64x32xi32, #blocked>
    %34 = "tt.addptr"(%32, %33) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %35 = "arith.addi"(%arg5, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %36 = "arith.divsi"(%35, %2) : (i32, i32) -> i32
    %37 = "arith.cmpi"(%36, %4) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %38 = "tt.splat"(%37) : (i1) -> tensor<64x32xi1, #blocked>
    %39 = "tt.load"(%34, %38) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi1, #blocked>) -> tensor<64x32xf16, #blocked>
    %40 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %41 = "tt.expand_dims"(%40) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<32x1xi32, #blocked1>
    %42 = "tt.splat"(%arg7) : (i32) -> tensor<32x1xi32, #blocked1>
    %43 = "arith.muli"(%41, %42) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1xi32, #blocked1>
    %44 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %45 = "tt.addptr"(%44, %43) : (tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %46 = "tt.expand_dims"(%22) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
    %47 = "tt.expand_dims"(%23) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>) -> tensor<1x64xi32, #mma>
    %48 = "tt.broadcast"(%45) : (tensor<32x1x!tt.ptr<f16>, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %49 = "tt.broadcast"(%46) : (tensor<1x64xi32, #blocked1>) -> tensor<32x64xi32, #blocked1>
    %50 = "tt.addptr"(%48, %49) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %51 = "tt.splat"(%37) : (i1) -> tensor<32x64xi1, #blocked1>
    %52 = "tt.load"(%50, %51) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi1, #blocked1>) -> tensor<32x64xf16, #blocked1>
    %53 = "arith.muli"(%arg7, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %54 = "tt.splat"(%53) : (i32) -> tensor<32x64xi32, #blocked1>
    %55 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>
    %56 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>
    %57 = "ttg.memdesc_index"(%55, %4) : (!ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    "ttg.local_store"(%39, %57) : (tensor<64x32xf16, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>) -> ()
    %58 = "ttg.memdesc_index"(%56, %4) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    "ttg.local_store"(%52, %58) : (tensor<32x64xf16, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
    %59 = "arith.cmpi"(%36, %5) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %60 = "tt.addptr"(%34, %1) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
    %61 = "tt.splat"(%59) : (i1) -> tensor<64x32xi1, #blocked>
    %62 = "tt.load"(%60, %61) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi1, #blocked>) -> tensor<64x32xf16, #blocked>
    %63 = "tt.addptr"(%50, %54) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %64 = "tt.splat"(%59) : (i1) -> tensor<32x64xi1, #blocked1>
    %65 = "tt.load"(%63, %64) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi1, #blocked1>) -> tensor<32x64xf16, #blocked1>
    %66 = "ttg.memdesc_index"(%55, %5) : (!ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
    "ttg.local_store"(%62, %66) : (tensor<64x32xf16, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>) -> ()
    %67 = "ttg.memdesc_index"(%56, %5) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    "ttg.local_store"(%65, %67) : (tensor<32x64xf16, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
    %68 = "arith.subi"(%36, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %69:8 = "scf.for"(%4, %68, %5, %7, %60, %63, %5, %57, %66, %58, %67) ({
    ^bb0(%arg9: i32, %arg10: tensor<64x64xf32, #mma>, %arg11: tensor<64x32x!tt.ptr<f16>, #blocked>, %arg12: tensor<32x64x!tt.ptr<f16>, #blocked1>, %arg13: i32, %arg14: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %arg15: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %arg16: !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, %arg17: !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>):
      %89 = "tt.addptr"(%arg11, %1) : (tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<64x32xi32, #blocked>) -> tensor<64x32x!tt.ptr<f16>, #blocked>
      %90 = "tt.addptr"(%arg12, %54) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %91 = "ttg.local_load"(%arg14) : (!ttg.memdesc<64x32xf16, #shared, #smem, mutable>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
      "rocdl.s.setprio"() <{priority = 1 : i16}> : () -> ()
      %92 = "tt.load"(%89) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked>) -> tensor<64x32xf16, #blocked>
      "rocdl.sched.barrier"() <{mask = #rocdl<sched_group_mask none>}> : () -> ()
      %93 = "ttg.local_load"(%arg16) : (!ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
      "rocdl.s.setprio"() <{priority = 0 : i16}> : () -> ()
      %94 = "tt.load"(%90) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked1>) -> tensor<32x64xf16, #blocked1>
      "rocdl.sched.barrier"() <{mask = #rocdl<sched_group_mask non_mem_non_sideeffect>}> : () -> ()
      "rocdl.s.setprio"() <{priority = 1 : i16}> : () -> ()
      %95 = "tt.dot"(%91, %93, %arg10) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      "rocdl.s.setprio"() <{priority = 0 : i16}> : () -> ()
      %96 = "arith.addi"(%arg13, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %97 = "arith.cmpi"(%96, %0) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %98 = "arith.select"(%97, %96, %4) : (i1, i32, i32) -> i32
      %99 = "ttg.memdesc_index"(%55, %98) : (!ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared, #smem, mutable>
      "ttg.local_store"(%92, %99) : (tensor<64x32xf16, #blocked>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>) -> ()
      %100 = "ttg.memdesc_index"(%56, %98) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      "ttg.local_store"(%94, %100) : (tensor<32x64xf16, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
      "scf.yield"(%95, %89, %90, %98, %arg15, %99, %arg17, %100) : (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
    }) : (i32, i32, i32, tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> (tensor<64x64xf32, #mma>, tensor<64x32x!tt.ptr<f16>, #blocked>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>)
    %70 = "arith.cmpi"(%36, %5) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %71 = "arith.cmpi"(%36, %0) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %72 = "ttg.local_load"(%69#4) : (!ttg.memdesc<64x32xf16, #shared, #smem, mutable>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
    %73 = "ttg.local_load"(%69#6) : (!ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %74 = "scf.if"(%70) ({
      %88 = "tt.dot"(%72, %73, %69#0) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      "scf.yield"(%88) : (tensor<64x64xf32, #mma>) -> ()
    }, {
      "scf.yield"(%69#0) : (tensor<64x64xf32, #mma>) -> ()
    }) : (i1) -> tensor<64x64xf32, #mma>
    %75 = "arith.select"(%70, %74, %69#0) : (i1, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    %76 = "ttg.local_load"(%69#5) : (!ttg.memdesc<64x32xf16, #shared, #smem, mutable>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>
    %77 = "ttg.local_load"(%69#7) : (!ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>
    %78 = "scf.if"(%71) ({
      %87 = "tt.dot"(%76, %77, %75) <{inputPrecision = 0 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 4}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 4}>>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
      "scf.yield"(%87) : (tensor<64x64xf32, #mma>) -> ()
    }, {
      "scf.yield"(%75) : (tensor<64x64xf32, #mma>) -> ()
    }) : (i1) -> tensor<64x64xf32, #mma>
    %79 = "arith.select"(%71, %78, %75) : (i1, tensor<64x64xf32, #mma>, tensor<64x64xf32, #mma>) -> tensor<64x64xf32, #mma>
    "ttg.local_dealloc"(%56) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%55) : (!ttg.memdesc<2x64x32xf16, #shared, #smem, mutable>) -> ()
    %80 = "tt.splat"(%arg8) : (i32) -> tensor<64x1xi32, #mma>
    %81 = "arith.muli"(%25, %80) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #mma>, tensor<64x1xi32, #mma>) -> tensor<64x1xi32, #mma>
    %82 = "tt.splat"(%arg2) : (!tt.ptr<f32>) -> tensor<64x1x!tt.ptr<f32>, #mma>
    %83 = "tt.addptr"(%82, %81) : (tensor<64x1x!tt.ptr<f32>, #mma>, tensor<64x1xi32, #mma>) -> tensor<64x1x!tt.ptr<f32>, #mma>
    %84 = "tt.broadcast"(%83) : (tensor<64x1x!tt.ptr<f32>, #mma>) -> tensor<64x64x!tt.ptr<f32>, #mma>
    %85 = "tt.broadcast"(%47) : (tensor<1x64xi32, #mma>) -> tensor<64x64xi32, #mma>
    %86 = "tt.addptr"(%84, %85) : (tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xi32, #mma>) -> tensor<64x64x!tt.ptr<f32>, #mma>
    "tt.store"(%86, %79) : (tensor<64x64x!tt.ptr<f32>, #mma>, tensor<64x64xf32, #mma>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942", "ttg.threads-per-warp" = 64 : i32} : () -> ()
