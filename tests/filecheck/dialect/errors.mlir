// RUN: rlx-opt %s --split-input-file --verify-diagnostics

// Every error of the dialect, at its place.

sched.kernel @a {
  // expected-error @+1 {{'alignment' must be a power of two, got 3}}
  sched.buffer @x alignment 3 : memref<4xf32>
}

// -----

sched.kernel @a {
  // expected-error @+1 {{expected integer >= 1, got 0}}
  sched.buffer @x alignment 0 : memref<4xf32>
}

// -----

sched.kernel @a {
  // expected-error @+1 {{'slots' needs 'rotating': a resident buffer has one slot}}
  sched.buffer @x slots(stages - 1) : memref<4xf32>
}

// -----

sched.kernel @a {
  sched.buffer @x : memref<4xf32>
  // expected-error @+1 {{Redefinition of symbol "x"}}
  sched.buffer @x : memref<4xf32>
}

// -----

// expected-error @+1 {{buffer '@x' is declared twice in kernel '@a'}}
sched.kernel @a {
  sched.buffer @x : memref<4xf32>
  sched.phase {
    sched.buffer @x : memref<4xf32>
  }
}

// -----

// expected-error @+1 {{'sched.kernel' holds 'sched.buffer' and 'sched.phase' only, got 'test.op'}}
sched.kernel @a {
  "test.op"() : () -> ()
}

// -----

sched.kernel @a {
  sched.phase {
    // expected-error @+1 {{'sched.phase' expects parent op 'sched.kernel'}}
    sched.phase {
    }
  }
}

// -----

sched.kernel @a {
  // expected-error @+1 {{'sched.phase' holds 'sched.buffer' only, got 'test.op'}}
  sched.phase {
    "test.op"() : () -> ()
  }
}

// -----

// expected-error @+1 {{'sched.candidates' holds 'sched.kernel' only, got 'test.op'}}
sched.candidates @a {
  "test.op"() : () -> ()
}

// -----

// expected-error @+1 {{'sched.buffer' expects parent op to be one of 'sched.kernel', 'sched.phase'}}
sched.buffer @x : memref<4xf32>

// -----

// expected-error @+1 {{'sched.phase' expects parent op 'sched.kernel'}}
sched.phase {
}

// -----

// expected-error @+1 {{expected at least 1 stage and fewer than 2^63, got 0}}
sched.kernel @a stages 0 {
}

// -----

// expected-error @+1 {{expected integer >= 1, got 0}}
"sched.kernel"() <{sym_name = "a", stages = 0 : i64}> ({
^bb0:
}) : () -> ()

// -----

sched.kernel @a {
  // expected-error @+1 {{expected a memref type, got f32}}
  sched.buffer @x : f32
}

// -----

sched.kernel @a {
  // expected-error @+1 {{Expected 'stages' in the number of slots}}
  sched.buffer @x rotating slots(3) : memref<4xf32>
}

// -----

// expected-error @+1 {{expected one of 'faster', 'slower', 'too_close_to_call', 'unknown', got 'fast'}}
sched.kernel @a verdict <fast> {
}

// -----

// expected-error @+1 {{expected a finite ratio that is not negative, got -0.5}}
sched.kernel @a verdict <slower -0.5> {
}

// -----

// expected-error @+1 {{string literal expected for the reason}}
sched.kernel @a verdict <unknown> {
}

// -----

// expected-error @+1 {{expected one of 'slower', 'over_limit', got 'illegal'}}
sched.kernel @a stripped <3, illegal> {
}

// -----

// expected-error @+1 {{Expected '->' between the two footprints}}
sched.kernel @a footprint <2048> {
}

// -----

// expected-error @+1 {{expected a number of bytes from 0 to 18446744073709551615, got 18446744073709551616}}
sched.kernel @a footprint <2048 -> 18446744073709551616> {
}

// -----

// expected-error @+1 {{expected a stage count from 1 to 9223372036854775807, got 0}}
sched.kernel @a stripped <0, slower 0.5> {
}

// -----

// expected-error @+1 {{string literal expected for the device name}}
builtin.module attributes {sched.target = #sched.target<M4>} {
}

// -----

// expected-error @+1 {{expected a number of bytes from 1 to 18446744073709551615, got 0}}
builtin.module attributes {sched.target = #sched.target<"Apple M4", max_threadgroup_bytes = 0>} {
}

// -----

sched.kernel @a {
}
// expected-error @+1 {{Redefinition of symbol "a"}}
sched.kernel @a {
}

// -----

// expected-error @+1 {{expected 'stages', 'target', 'stripped', 'footprint', 'verdict', 'attributes' or '{', in this order, found 'stage'; did you mean 'stages'?}}
sched.kernel @a stage 2 {
}

// -----

sched.kernel @a {
  // expected-error @+1 {{expected 'rotating', 'slots', 'dynamic', 'alignment', 'attributes' or ':', in this order, found 'rotate'; did you mean 'rotating'?}}
  sched.buffer @x rotate : memref<4xf32>
}

// -----

// expected-error-re @+1 {{expected 'stages', {{.*}} in this order, found 'stages'{{$}}}}
sched.kernel @a verdict <faster 2.0> stages 2 {
}

// -----

// expected-error @+1 {{expected a decimal number for the ratio, got 0x3F}}
sched.kernel @a verdict <slower 0x3F> {
}

// -----

// expected-error @+1 {{expected a decimal number for the ratio, got 0x3F800000}}
sched.kernel @a stripped <3, slower 0x3F800000> {
}

// -----

sched.kernel @a {
  // expected-error @+1 {{expected an alignment below 2^63, got 9223372036854775808}}
  sched.buffer @x alignment 9223372036854775808 : memref<4xf32>
}

// -----

// expected-error @+1 {{unknown operation 'sched.kernl'; did you mean 'sched.kernel'?}}
sched.kernl @a {
}

// -----

sched.kernel @a {
  // expected-error @+1 {{unknown operation 'sched.bufer'; did you mean 'sched.buffer'?}}
  sched.bufer @x : memref<4xf32>
}

// -----

// expected-error @+1 {{unknown operation 'sched.completely_else'}}
sched.completely_else
