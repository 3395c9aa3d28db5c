#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 2], order = [0, 1]}>
#blocked2 = #ttg.blocked<{sizePerThread = [4, 8], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>
#linear = #ttg.linear<{register = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], lane = [[0, 8], [0, 16], [4, 0], [8, 0], [16, 0]], warp = [[32, 0]], block = []}>
#mma = #ttg.amd_wmma<{version = 1, isTranspose = true, ctaLayout = {warp = [[1, 0]]}}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [1, 0]}>
#shared1 = #ttg.swizzled_shared<{vec = 8, perPhase = 2, maxPhase = 4, order = [0, 1]}>
#shared2 = #ttg.amd_rotating_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
"builtin.module"() ({
  "tt.func"() <{arg_attrs = [{tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}, {tt.divisibility = 16 : i32}], function_type = (!tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, !tt.ptr<f16>, i32, i32) -> (), sym_name = "attn", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f16>, %arg1: !tt.ptr<f16>, %arg2: !tt.ptr<f16>, %arg3: !tt.ptr<f16>, %arg4: i32, %arg5: i32):
    %0 = "arith.constant"() <{value = 63 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 128 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<32x64xf32, #mma>}> : () -> tensor<32x64xf32, #mma>
    %5 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 64 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<32x32xf32, #mma>}> : () -> tensor<32x32xf32, #mma>
    %9 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>}> : () -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %10 = "arith.constant"() <{value = dense<0xFF800000> : tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>}> : () -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %11 = "tt.get_program_id"() <{axis = 0 : i32}> : () -> i32
    %12 = "arith.muli"(%11, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %13 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %14 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %15 = "tt.splat"(%12) : (i32) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %16 = "tt.splat"(%12) : (i32) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %17 = "arith.addi"(%15, %13) <{overflowFlags = #arith.overflow<none>}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>
    %18 = "arith.addi"(%16, %14) <{overflowFlags = #arith.overflow<none>}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>, tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>
    %19 = "tt.expand_dims"(%17) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xi32, #mma>
    %20 = "tt.expand_dims"(%18) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked}>>) -> tensor<32x1xi32, #blocked>
    %21 = "tt.splat"(%arg5) : (i32) -> tensor<32x1xi32, #mma>
    %22 = "tt.splat"(%arg5) : (i32) -> tensor<32x1xi32, #blocked>
    %23 = "arith.muli"(%19, %21) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #mma>, tensor<32x1xi32, #mma>) -> tensor<32x1xi32, #mma>
    %24 = "arith.muli"(%20, %22) <{overflowFlags = #arith.overflow<none>}> : (tensor<32x1xi32, #blocked>, tensor<32x1xi32, #blocked>) -> tensor<32x1xi32, #blocked>
    %25 = "tt.splat"(%arg0) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %26 = "tt.addptr"(%25, %24) : (tensor<32x1x!tt.ptr<f16>, #blocked>, tensor<32x1xi32, #blocked>) -> tensor<32x1x!tt.ptr<f16>, #blocked>
    %27 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>
    %28 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>
    %29 = "tt.expand_dims"(%27) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #mma}>>) -> tensor<1x32xi32, #mma>
    %30 = "tt.expand_dims"(%28) <{axis = 0 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 0, parent = #blocked}>>) -> tensor<1x32xi32, #blocked>
    %31 = "tt.broadcast"(%26) : (tensor<32x1x!tt.ptr<f16>, #blocked>) -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %32 = "tt.broadcast"(%29) : (tensor<1x32xi32, #mma>) -> tensor<32x32xi32, #mma>
    %33 = "tt.broadcast"(%30) : (tensor<1x32xi32, #blocked>) -> tensor<32x32xi32, #blocked>
    %34 = "tt.addptr"(%31, %33) : (tensor<32x32x!tt.ptr<f16>, #blocked>, tensor<32x32xi32, #blocked>) -> tensor<32x32x!tt.ptr<f16>, #blocked>
    %35 = "tt.load"(%34) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x32x!tt.ptr<f16>, #blocked>) -> tensor<32x32xf16, #blocked>
    %36 = "ttg.local_alloc"(%35) : (tensor<32x32xf16, #blocked>) -> !ttg.memdesc<32x32xf16, #shared, #smem>
    %37 = "ttg.local_load"(%36) : (!ttg.memdesc<32x32xf16, #shared, #smem>) -> tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    %38 = "tt.make_range"() <{end = 32 : i32, start = 0 : i32}> : () -> tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>
    %39 = "tt.expand_dims"(%38) <{axis = 1 : i32}> : (tensor<32xi32, #ttg.slice<{dim = 1, parent = #blocked1}>>) -> tensor<32x1xi32, #blocked1>
    %40 = "tt.splat"(%arg1) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %41 = "tt.addptr"(%40, %39) : (tensor<32x1x!tt.ptr<f16>, #blocked1>, tensor<32x1xi32, #blocked1>) -> tensor<32x1x!tt.ptr<f16>, #blocked1>
    %42 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>
    %43 = "tt.expand_dims"(%42) <{axis = 0 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 0, parent = #blocked1}>>) -> tensor<1x64xi32, #blocked1>
    %44 = "tt.splat"(%arg5) : (i32) -> tensor<1x64xi32, #blocked1>
    %45 = "arith.muli"(%43, %44) <{overflowFlags = #arith.overflow<none>}> : (tensor<1x64xi32, #blocked1>, tensor<1x64xi32, #blocked1>) -> tensor<1x64xi32, #blocked1>
    %46 = "tt.broadcast"(%41) : (tensor<32x1x!tt.ptr<f16>, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %47 = "tt.broadcast"(%45) : (tensor<1x64xi32, #blocked1>) -> tensor<32x64xi32, #blocked1>
    %48 = "tt.addptr"(%46, %47) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %49 = "arith.cmpi"(%arg4, %7) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %50 = "tt.splat"(%49) : (i1) -> tensor<32x64xi1, #blocked1>
    %51 = "tt.load"(%48, %50) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi1, #blocked1>) -> tensor<32x64xf16, #blocked1>
    %52 = "tt.make_range"() <{end = 64 : i32, start = 0 : i32}> : () -> tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>
    %53 = "tt.expand_dims"(%52) <{axis = 1 : i32}> : (tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked2}>>) -> tensor<64x1xi32, #blocked2>
    %54 = "tt.splat"(%arg5) : (i32) -> tensor<64x1xi32, #blocked2>
    %55 = "arith.muli"(%53, %54) <{overflowFlags = #arith.overflow<none>}> : (tensor<64x1xi32, #blocked2>, tensor<64x1xi32, #blocked2>) -> tensor<64x1xi32, #blocked2>
    %56 = "tt.splat"(%arg2) : (!tt.ptr<f16>) -> tensor<64x1x!tt.ptr<f16>, #blocked2>
    %57 = "tt.addptr"(%56, %55) : (tensor<64x1x!tt.ptr<f16>, #blocked2>, tensor<64x1xi32, #blocked2>) -> tensor<64x1x!tt.ptr<f16>, #blocked2>
    %58 = "tt.broadcast"(%57) : (tensor<64x1x!tt.ptr<f16>, #blocked2>) -> tensor<64x32x!tt.ptr<f16>, #blocked2>
    %59 = "tt.broadcast"(%30) : (tensor<1x32xi32, #blocked>) -> tensor<64x32xi32, #blocked2>
    %60 = "tt.addptr"(%58, %59) : (tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>) -> tensor<64x32x!tt.ptr<f16>, #blocked2>
    %61 = "tt.splat"(%49) : (i1) -> tensor<64x32xi1, #blocked2>
    %62 = "tt.load"(%60, %61) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi1, #blocked2>) -> tensor<64x32xf16, #blocked2>
    %63 = "arith.muli"(%arg5, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %64 = "tt.splat"(%63) : (i32) -> tensor<32x64xi32, #blocked1>
    %65 = "tt.splat"(%63) : (i32) -> tensor<64x32xi32, #blocked2>
    %66 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>
    %67 = "ttg.local_alloc"() : () -> !ttg.memdesc<2x64x32xf16, #shared2, #smem, mutable>
    %68 = "ttg.memdesc_index"(%66, %7) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    "ttg.local_store"(%51, %68) : (tensor<32x64xf16, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
    %69 = "ttg.memdesc_index"(%67, %7) : (!ttg.memdesc<2x64x32xf16, #shared2, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %70 = "amdg.in_thread_transpose"(%62) : (tensor<64x32xf16, #blocked2>) -> tensor<64x32xf16, #linear>
    "ttg.local_store"(%70, %69) : (tensor<64x32xf16, #linear>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>) -> ()
    %71 = "arith.cmpi"(%arg4, %6) <{predicate = 4 : i64}> : (i32, i32) -> i1
    %72 = "tt.addptr"(%48, %64) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
    %73 = "tt.splat"(%71) : (i1) -> tensor<32x64xi1, #blocked1>
    %74 = "tt.load"(%72, %73) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi1, #blocked1>) -> tensor<32x64xf16, #blocked1>
    %75 = "tt.addptr"(%60, %65) : (tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>) -> tensor<64x32x!tt.ptr<f16>, #blocked2>
    %76 = "tt.splat"(%71) : (i1) -> tensor<64x32xi1, #blocked2>
    %77 = "tt.load"(%75, %76) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 1, 0>}> {amd.pipeliner_part = "prologue"} : (tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi1, #blocked2>) -> tensor<64x32xf16, #blocked2>
    %78 = "ttg.memdesc_index"(%66, %3) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
    "ttg.local_store"(%74, %78) : (tensor<32x64xf16, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
    %79 = "ttg.memdesc_index"(%67, %3) : (!ttg.memdesc<2x64x32xf16, #shared2, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
    %80 = "amdg.in_thread_transpose"(%77) : (tensor<64x32xf16, #blocked2>) -> tensor<64x32xf16, #linear>
    "ttg.local_store"(%80, %79) : (tensor<64x32xf16, #linear>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>) -> ()
    %81 = "arith.subi"(%arg4, %1) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %82:10 = "scf.for"(%7, %81, %6, %10, %9, %8, %72, %3, %68, %78, %69, %79, %75) ({
    ^bb0(%arg14: i32, %arg15: tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg16: tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, %arg17: tensor<32x32xf32, #mma>, %arg18: tensor<32x64x!tt.ptr<f16>, #blocked1>, %arg19: i32, %arg20: !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, %arg21: !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, %arg22: !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, %arg23: !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, %arg24: tensor<64x32x!tt.ptr<f16>, #blocked2>):
      %148 = "tt.addptr"(%arg18, %64) : (tensor<32x64x!tt.ptr<f16>, #blocked1>, tensor<32x64xi32, #blocked1>) -> tensor<32x64x!tt.ptr<f16>, #blocked1>
      %149 = "tt.addptr"(%arg24, %65) : (tensor<64x32x!tt.ptr<f16>, #blocked2>, tensor<64x32xi32, #blocked2>) -> tensor<64x32x!tt.ptr<f16>, #blocked2>
      %150 = "tt.load"(%148) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<32x64x!tt.ptr<f16>, #blocked1>) -> tensor<32x64xf16, #blocked1>
      %151 = "ttg.local_load"(%arg20) : (!ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
      %152 = "tt.dot"(%37, %151, %4) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
      %153 = "tt.reduce"(%152) <{axis = 1 : i32}> ({
      ^bb0(%arg27: f32, %arg28: f32):
        %179 = "arith.maxnumf"(%arg27, %arg28) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%179) : (f32) -> ()
      }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %154 = "arith.maxnumf"(%arg15, %153) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %155 = "tt.expand_dims"(%154) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
      %156 = "tt.broadcast"(%155) : (tensor<32x1xf32, #mma>) -> tensor<32x64xf32, #mma>
      %157 = "arith.subf"(%152, %156) <{fastmath = #arith.fastmath<none>}> : (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
      %158 = "math.exp2"(%157) <{fastmath = #arith.fastmath<none>}> : (tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
      %159 = "arith.subf"(%arg15, %154) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %160 = "math.exp2"(%159) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %161 = "arith.mulf"(%arg16, %160) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %162 = "tt.reduce"(%158) <{axis = 1 : i32}> ({
      ^bb0(%arg25: f32, %arg26: f32):
        %178 = "arith.addf"(%arg25, %arg26) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "tt.reduce.return"(%178) : (f32) -> ()
      }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %163 = "arith.addf"(%161, %162) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
      %164 = "tt.expand_dims"(%160) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
      %165 = "tt.broadcast"(%164) : (tensor<32x1xf32, #mma>) -> tensor<32x32xf32, #mma>
      %166 = "arith.mulf"(%arg17, %165) <{fastmath = #arith.fastmath<none>}> : (tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
      %167 = "tt.load"(%149) <{isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x32x!tt.ptr<f16>, #blocked2>) -> tensor<64x32xf16, #blocked2>
      %168 = "ttg.local_load"(%arg22) : (!ttg.memdesc<64x32xf16, #shared2, #smem, mutable>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
      %169 = "arith.truncf"(%158) : (tensor<32x64xf32, #mma>) -> tensor<32x64xf16, #mma>
      %170 = "ttg.convert_layout"(%169) : (tensor<32x64xf16, #mma>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
      %171 = "tt.dot"(%170, %168, %166) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
      %172 = "arith.addi"(%arg19, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %173 = "arith.cmpi"(%172, %2) <{predicate = 2 : i64}> : (i32, i32) -> i1
      %174 = "arith.select"(%173, %172, %7) : (i1, i32, i32) -> i32
      %175 = "ttg.memdesc_index"(%66, %174) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>, i32) -> !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>
      "ttg.local_store"(%150, %175) : (tensor<32x64xf16, #blocked1>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> ()
      %176 = "ttg.memdesc_index"(%67, %174) : (!ttg.memdesc<2x64x32xf16, #shared2, #smem, mutable>, i32) -> !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>
      %177 = "amdg.in_thread_transpose"(%167) : (tensor<64x32xf16, #blocked2>) -> tensor<64x32xf16, #linear>
      "ttg.local_store"(%177, %176) : (tensor<64x32xf16, #linear>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>) -> ()
      "scf.yield"(%154, %163, %171, %148, %174, %arg21, %175, %arg23, %176, %149) : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32x32xf32, #mma>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, tensor<64x32x!tt.ptr<f16>, #blocked2>) -> ()
    }) : (i32, i32, i32, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32x32xf32, #mma>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, tensor<64x32x!tt.ptr<f16>, #blocked2>) -> (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32x32xf32, #mma>, tensor<32x64x!tt.ptr<f16>, #blocked1>, i32, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<32x64xf16, #shared1, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, !ttg.memdesc<64x32xf16, #shared2, #smem, mutable>, tensor<64x32x!tt.ptr<f16>, #blocked2>)
    %83 = "arith.addi"(%arg4, %0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %84 = "arith.divsi"(%83, %6) : (i32, i32) -> i32
    %85 = "arith.cmpi"(%84, %3) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %86 = "arith.cmpi"(%84, %2) <{predicate = 5 : i64}> : (i32, i32) -> i1
    %87 = "ttg.local_load"(%82#5) : (!ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
    %88 = "scf.if"(%85) ({
      %147 = "tt.dot"(%37, %87, %4) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
      "scf.yield"(%147) : (tensor<32x64xf32, #mma>) -> ()
    }, {
      "scf.yield"(%4) : (tensor<32x64xf32, #mma>) -> ()
    }) : (i1) -> tensor<32x64xf32, #mma>
    %89 = "tt.reduce"(%88) <{axis = 1 : i32}> ({
    ^bb0(%arg12: f32, %arg13: f32):
      %146 = "arith.maxnumf"(%arg12, %arg13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%146) : (f32) -> ()
    }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %90 = "arith.maxnumf"(%82#0, %89) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %91 = "tt.expand_dims"(%90) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
    %92 = "tt.broadcast"(%91) : (tensor<32x1xf32, #mma>) -> tensor<32x64xf32, #mma>
    %93 = "arith.subf"(%88, %92) <{fastmath = #arith.fastmath<none>}> : (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
    %94 = "math.exp2"(%93) <{fastmath = #arith.fastmath<none>}> : (tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
    %95 = "arith.subf"(%82#0, %90) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %96 = "math.exp2"(%95) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %97 = "arith.mulf"(%82#1, %96) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %98 = "tt.reduce"(%94) <{axis = 1 : i32}> ({
    ^bb0(%arg10: f32, %arg11: f32):
      %145 = "arith.addf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%145) : (f32) -> ()
    }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %99 = "arith.addf"(%97, %98) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %100 = "tt.expand_dims"(%96) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
    %101 = "tt.broadcast"(%100) : (tensor<32x1xf32, #mma>) -> tensor<32x32xf32, #mma>
    %102 = "arith.mulf"(%82#2, %101) <{fastmath = #arith.fastmath<none>}> : (tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
    %103 = "ttg.local_load"(%82#7) : (!ttg.memdesc<64x32xf16, #shared2, #smem, mutable>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
    %104 = "arith.truncf"(%94) : (tensor<32x64xf32, #mma>) -> tensor<32x64xf16, #mma>
    %105 = "ttg.convert_layout"(%104) : (tensor<32x64xf16, #mma>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    %106 = "scf.if"(%85) ({
      %144 = "tt.dot"(%105, %103, %102) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
      "scf.yield"(%144) : (tensor<32x32xf32, #mma>) -> ()
    }, {
      "scf.yield"(%102) : (tensor<32x32xf32, #mma>) -> ()
    }) : (i1) -> tensor<32x32xf32, #mma>
    %107 = "arith.select"(%85, %90, %82#0) : (i1, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %108 = "arith.select"(%85, %99, %82#1) : (i1, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %109 = "arith.select"(%85, %106, %82#2) : (i1, tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
    %110 = "ttg.local_load"(%82#6) : (!ttg.memdesc<32x64xf16, #shared1, #smem, mutable>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
    %111 = "scf.if"(%86) ({
      %143 = "tt.dot"(%37, %110, %4) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<32x64xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
      "scf.yield"(%143) : (tensor<32x64xf32, #mma>) -> ()
    }, {
      "scf.yield"(%4) : (tensor<32x64xf32, #mma>) -> ()
    }) : (i1) -> tensor<32x64xf32, #mma>
    %112 = "tt.reduce"(%111) <{axis = 1 : i32}> ({
    ^bb0(%arg8: f32, %arg9: f32):
      %142 = "arith.maxnumf"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%142) : (f32) -> ()
    }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %113 = "arith.maxnumf"(%107, %112) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %114 = "tt.expand_dims"(%113) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
    %115 = "tt.broadcast"(%114) : (tensor<32x1xf32, #mma>) -> tensor<32x64xf32, #mma>
    %116 = "arith.subf"(%111, %115) <{fastmath = #arith.fastmath<none>}> : (tensor<32x64xf32, #mma>, tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
    %117 = "math.exp2"(%116) <{fastmath = #arith.fastmath<none>}> : (tensor<32x64xf32, #mma>) -> tensor<32x64xf32, #mma>
    %118 = "arith.subf"(%107, %113) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %119 = "math.exp2"(%118) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %120 = "arith.mulf"(%108, %119) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %121 = "tt.reduce"(%117) <{axis = 1 : i32}> ({
    ^bb0(%arg6: f32, %arg7: f32):
      %141 = "arith.addf"(%arg6, %arg7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tt.reduce.return"(%141) : (f32) -> ()
    }) : (tensor<32x64xf32, #mma>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %122 = "arith.addf"(%120, %121) <{fastmath = #arith.fastmath<none>}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %123 = "tt.expand_dims"(%119) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
    %124 = "tt.broadcast"(%123) : (tensor<32x1xf32, #mma>) -> tensor<32x32xf32, #mma>
    %125 = "arith.mulf"(%109, %124) <{fastmath = #arith.fastmath<none>}> : (tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
    %126 = "ttg.local_load"(%82#8) : (!ttg.memdesc<64x32xf16, #shared2, #smem, mutable>) -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>
    %127 = "arith.truncf"(%117) : (tensor<32x64xf32, #mma>) -> tensor<32x64xf16, #mma>
    %128 = "ttg.convert_layout"(%127) : (tensor<32x64xf16, #mma>) -> tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>
    %129 = "scf.if"(%86) ({
      %140 = "tt.dot"(%128, %126, %125) <{inputPrecision = 2 : i32, maxNumImpreciseAcc = 0 : i32}> : (tensor<32x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 16}>>, tensor<64x32xf16, #ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 16}>>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
      "scf.yield"(%140) : (tensor<32x32xf32, #mma>) -> ()
    }, {
      "scf.yield"(%125) : (tensor<32x32xf32, #mma>) -> ()
    }) : (i1) -> tensor<32x32xf32, #mma>
    %130 = "arith.select"(%86, %122, %108) : (i1, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>, tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>
    %131 = "arith.select"(%86, %129, %109) : (i1, tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
    "ttg.local_dealloc"(%67) : (!ttg.memdesc<2x64x32xf16, #shared2, #smem, mutable>) -> ()
    "ttg.local_dealloc"(%66) : (!ttg.memdesc<2x32x64xf16, #shared1, #smem, mutable>) -> ()
    %132 = "tt.expand_dims"(%130) <{axis = 1 : i32}> : (tensor<32xf32, #ttg.slice<{dim = 1, parent = #mma}>>) -> tensor<32x1xf32, #mma>
    %133 = "tt.broadcast"(%132) : (tensor<32x1xf32, #mma>) -> tensor<32x32xf32, #mma>
    %134 = "arith.divf"(%131, %133) <{fastmath = #arith.fastmath<none>}> : (tensor<32x32xf32, #mma>, tensor<32x32xf32, #mma>) -> tensor<32x32xf32, #mma>
    %135 = "tt.splat"(%arg3) : (!tt.ptr<f16>) -> tensor<32x1x!tt.ptr<f16>, #mma>
    %136 = "tt.addptr"(%135, %23) : (tensor<32x1x!tt.ptr<f16>, #mma>, tensor<32x1xi32, #mma>) -> tensor<32x1x!tt.ptr<f16>, #mma>
    %137 = "tt.broadcast"(%136) : (tensor<32x1x!tt.ptr<f16>, #mma>) -> tensor<32x32x!tt.ptr<f16>, #mma>
    %138 = "tt.addptr"(%137, %32) : (tensor<32x32x!tt.ptr<f16>, #mma>, tensor<32x32xi32, #mma>) -> tensor<32x32x!tt.ptr<f16>, #mma>
    %139 = "arith.truncf"(%134) : (tensor<32x32xf32, #mma>) -> tensor<32x32xf16, #mma>
    "tt.store"(%138, %139) : (tensor<32x32x!tt.ptr<f16>, #mma>, tensor<32x32xf16, #mma>) -> ()
    "tt.return"() : () -> ()
  }) {noinline = false} : () -> ()
}) {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, ttg.target = "hip:gfx1100", "ttg.threads-per-warp" = 32 : i32} : () -> ()
