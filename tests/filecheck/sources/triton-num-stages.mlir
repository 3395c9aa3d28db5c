// A loop of TTIR asks for its stages in an attribute. How many slots they are is the rule of the GPU that Triton compiles
// for, `ttg.target`; whether they pay is asked of the GPU that the option or `sched.target` names.
// RUN: rlx-opt %s --split-input-file --occupancy-filter="target='Apple M4 Pro'" --show-remarks 2>%t.err | filecheck %s
// RUN: filecheck %s --input-file=%t.err --check-prefix=REMARK
// RUN: rlx-opt %s --split-input-file --occupancy-filter="target='Apple M4 Pro'" | rlx-opt --split-input-file --occupancy-filter="target='Apple M4 Pro'" | filecheck %s

// Two slots of 32x16 and 16x32 elements of f32 on sm_80, which is a doubling. Nothing after the loop takes more than one.
// CHECK:       "scf.for"
// CHECK:         "tt.dot"
// CHECK:         "scf.yield"
// CHECK-NEXT:  }) {tt.num_stages = 1 : i32}
// CHECK:       sched.stripped = #sched.stripped<3, slower 0.905>
// CHECK-SAME:  sched.footprint = #sched.footprint<4096 -> 4096>
// CHECK-SAME:  sched.verdict = #sched.verdict<too_close_to_call>
// REMARK:      took 3 stages down to 1 (slower): 4096 -> 8192 bytes
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = "doubling"}> ({
  ^bb0(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
    %a = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<32x16x!tt.ptr<f32>>
    %b = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<16x32x!tt.ptr<f32>>
    %c = "tt.splat"(%out) : (!tt.ptr<f32>) -> tensor<32x32x!tt.ptr<f32>>
    %product = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%k: i32, %sum: tensor<32x32xf32>):
      %x = "tt.load"(%a) : (tensor<32x16x!tt.ptr<f32>>) -> tensor<32x16xf32>
      %y = "tt.load"(%b) : (tensor<16x32x!tt.ptr<f32>>) -> tensor<16x32xf32>
      %next = "tt.dot"(%x, %y, %sum) : (tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
      "scf.yield"(%next) : (tensor<32x32xf32>) -> ()
    }) {tt.num_stages = 3 : i32} : (i32, i32, i32, tensor<32x32xf32>) -> tensor<32x32xf32>
    "tt.store"(%c, %product) : (tensor<32x32x!tt.ptr<f32>>, tensor<32x32xf32>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:80"} : () -> ()

// -----

// To store 32x64 sums may take 8192 bytes, with one stage more than the tiles do (6144); three slots take 18432. It loses
// whatever the storing takes, so it goes; the far end of that is outside of what was measured.
// CHECK:       sym_name = "epilogue"
// CHECK:       }) {tt.num_stages = 1 : i32}
// CHECK:       sched.stripped = #sched.stripped<4, slower 0.888{{[0-9]+}}, extrapolated>
// CHECK-SAME:  sched.footprint = #sched.footprint<at_most 8192 -> at_most 8192>
// REMARK:      took 4 stages down to 1 (slower): at_most 8192 -> 18432 bytes
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = "epilogue"}> ({
  ^bb0(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<32x64xf32>}> : () -> tensor<32x64xf32>
    %a = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<32x16x!tt.ptr<f32>>
    %b = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<16x64x!tt.ptr<f32>>
    %c = "tt.splat"(%out) : (!tt.ptr<f32>) -> tensor<32x64x!tt.ptr<f32>>
    %product = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%k: i32, %sum: tensor<32x64xf32>):
      %x = "tt.load"(%a) : (tensor<32x16x!tt.ptr<f32>>) -> tensor<32x16xf32>
      %y = "tt.load"(%b) : (tensor<16x64x!tt.ptr<f32>>) -> tensor<16x64xf32>
      %next = "tt.dot"(%x, %y, %sum) : (tensor<32x16xf32>, tensor<16x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
      "scf.yield"(%next) : (tensor<32x64xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<32x64xf32>) -> tensor<32x64xf32>
    "tt.store"(%c, %product) : (tensor<32x64x!tt.ptr<f32>>, tensor<32x64xf32>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) {sched.target = #sched.target<"Apple M4 Pro">, ttg.target = "cuda:80"} : () -> ()

// -----

// On sm_90 a dot of so few rows reads registers and has a slot less, two of them; with two stages that would be one.
// CHECK:       sym_name = "warp_groups"
// CHECK:       }) {tt.num_stages = 1 : i32}
// CHECK:       sched.stripped = #sched.stripped<3, slower 0.905, extrapolated>
// REMARK:      took 3 stages down to 1 (slower): 4096 -> at_least 8192 bytes
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = "warp_groups"}> ({
  ^bb0(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
    %a = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<32x16x!tt.ptr<f32>>
    %b = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<16x32x!tt.ptr<f32>>
    %c = "tt.splat"(%out) : (!tt.ptr<f32>) -> tensor<32x32x!tt.ptr<f32>>
    %product = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%k: i32, %sum: tensor<32x32xf32>):
      %x = "tt.load"(%a) : (tensor<32x16x!tt.ptr<f32>>) -> tensor<32x16xf32>
      %y = "tt.load"(%b) : (tensor<16x32x!tt.ptr<f32>>) -> tensor<16x32xf32>
      %next = "tt.dot"(%x, %y, %sum) : (tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
      "scf.yield"(%next) : (tensor<32x32xf32>) -> ()
    }) {tt.num_stages = 3 : i32} : (i32, i32, i32, tensor<32x32xf32>) -> tensor<32x32xf32>
    "tt.store"(%c, %product) : (tensor<32x32x!tt.ptr<f32>>, tensor<32x32xf32>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:90"} : () -> ()

// -----

// Whether two-byte elements are copied ahead depends on where their addresses begin, and nothing is known of these.
// CHECK:       sym_name = "unaligned"
// CHECK:       }) {tt.num_stages = 3 : i32}
// CHECK-NOT:   sched.stripped
// CHECK:       sched.footprint = #sched.footprint<at_most 4096 -> about 4096>
// CHECK-SAME:  sched.verdict = #sched.verdict<unknown "the footprint is known only as at_most 4096 -> about 4096 bytes">
// REMARK:      at_most 4096 -> about 4096 bytes, unknown: the footprint is known only as at_most 4096 -> about 4096 bytes
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f16>, !tt.ptr<f32>, i32) -> (), sym_name = "unaligned"}> ({
  ^bb0(%in: !tt.ptr<f16>, %out: !tt.ptr<f32>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
    %a = "tt.splat"(%in) : (!tt.ptr<f16>) -> tensor<32x16x!tt.ptr<f16>>
    %b = "tt.splat"(%in) : (!tt.ptr<f16>) -> tensor<16x32x!tt.ptr<f16>>
    %c = "tt.splat"(%out) : (!tt.ptr<f32>) -> tensor<32x32x!tt.ptr<f32>>
    %product = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%k: i32, %sum: tensor<32x32xf32>):
      %x = "tt.load"(%a) : (tensor<32x16x!tt.ptr<f16>>) -> tensor<32x16xf16>
      %y = "tt.load"(%b) : (tensor<16x32x!tt.ptr<f16>>) -> tensor<16x32xf16>
      %next = "tt.dot"(%x, %y, %sum) : (tensor<32x16xf16>, tensor<16x32xf16>, tensor<32x32xf32>) -> tensor<32x32xf32>
      "scf.yield"(%next) : (tensor<32x32xf32>) -> ()
    }) {tt.num_stages = 3 : i32} : (i32, i32, i32, tensor<32x32xf32>) -> tensor<32x32xf32>
    "tt.store"(%c, %product) : (tensor<32x32x!tt.ptr<f32>>, tensor<32x32xf32>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:80"} : () -> ()

// -----

// No rule of Triton is known for the GPU that gives the verdict, and none is guessed.
// CHECK:       sym_name = "no_rule"
// CHECK:       }) {tt.num_stages = 3 : i32}
// CHECK-NOT:   sched.stripped
// CHECK-NOT:   sched.footprint
// CHECK:       sched.verdict = #sched.verdict<unknown "how many slots Triton keeps for tt.num_stages depends on its target: name it with ttg.target
// REMARK:      how many slots Triton keeps for tt.num_stages depends on its target
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = "no_rule"}> ({
  ^bb0(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<32x32xf32>}> : () -> tensor<32x32xf32>
    %a = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<32x16x!tt.ptr<f32>>
    %b = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<16x32x!tt.ptr<f32>>
    %c = "tt.splat"(%out) : (!tt.ptr<f32>) -> tensor<32x32x!tt.ptr<f32>>
    %product = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%k: i32, %sum: tensor<32x32xf32>):
      %x = "tt.load"(%a) : (tensor<32x16x!tt.ptr<f32>>) -> tensor<32x16xf32>
      %y = "tt.load"(%b) : (tensor<16x32x!tt.ptr<f32>>) -> tensor<16x32xf32>
      %next = "tt.dot"(%x, %y, %sum) : (tensor<32x16xf32>, tensor<16x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
      "scf.yield"(%next) : (tensor<32x32xf32>) -> ()
    }) {tt.num_stages = 3 : i32} : (i32, i32, i32, tensor<32x32xf32>) -> tensor<32x32xf32>
    "tt.store"(%c, %product) : (tensor<32x32x!tt.ptr<f32>>, tensor<32x32xf32>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

// -----

// It certainly does not fit as it is, but nobody knows whether it does with one stage: a warning, and nothing is changed.
// CHECK:       sym_name = "over"
// CHECK:       }) {tt.num_stages = 4 : i32}
// CHECK-NOT:   sched.stripped
// CHECK:       sched.footprint = #sched.footprint<at_most 65536 -> 98304, limit 32768>
// REMARK:      warning: kernel '@over' takes 98304 bytes of threadgroup memory, more than the limit of 32768 bytes, and is left as it is: its footprint with one stage is known only as at_most 65536 bytes
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f32>, i32) -> (), sym_name = "over"}> ({
  ^bb0(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32):
    %zero = "arith.constant"() <{value = dense<0.0> : tensor<128x128xf32>}> : () -> tensor<128x128xf32>
    %a = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<128x32x!tt.ptr<f32>>
    %b = "tt.splat"(%in) : (!tt.ptr<f32>) -> tensor<32x128x!tt.ptr<f32>>
    %c = "tt.splat"(%out) : (!tt.ptr<f32>) -> tensor<128x128x!tt.ptr<f32>>
    %product = "scf.for"(%n, %n, %n, %zero) ({
    ^bb1(%k: i32, %sum: tensor<128x128xf32>):
      %x = "tt.load"(%a) : (tensor<128x32x!tt.ptr<f32>>) -> tensor<128x32xf32>
      %y = "tt.load"(%b) : (tensor<32x128x!tt.ptr<f32>>) -> tensor<32x128xf32>
      %next = "tt.dot"(%x, %y, %sum) : (tensor<128x32xf32>, tensor<32x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
      "scf.yield"(%next) : (tensor<128x128xf32>) -> ()
    }) {tt.num_stages = 4 : i32} : (i32, i32, i32, tensor<128x128xf32>) -> tensor<128x128xf32>
    "tt.store"(%c, %product) : (tensor<128x128x!tt.ptr<f32>>, tensor<128x128xf32>) -> ()
    "tt.return"() : () -> ()
  }) : () -> ()
}) {ttg.target = "cuda:80"} : () -> ()
