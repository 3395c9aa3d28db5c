// expected-error-re @+1 {{'max_threadgroup_bytes' of the device "GPU" must be from 1 to 2^64 - 1 bytes, got {{-5 : i64}}}}
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"name" = "NVIDIA H200", "max_threadgroup_bytes" = -5 : i64>>} {
  sched.kernel @k {
    sched.buffer @a : memref<320x480xf32>
  }
}
// -----
// expected-error-re @+1 {{'max_threadgroup_bytes' of the device "GPU" must be from 1 to 2^64 - 1 bytes, got {{0.*}}}}
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"name" = "NVIDIA H200", "max_threadgroup_bytes" = 0>>} {
  sched.kernel @k {
    sched.buffer @a : memref<320x480xf32>
  }
}
// -----
// expected-error-re @+1 {{'max_threadgroup_bytes' of the device "GPU" must be from 1 to 2^64 - 1 bytes, got {{.*49152.*}}}}
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"name" = "NVIDIA H200", "max_threadgroup_bytes" = "49152">>} {
  sched.kernel @k {
    sched.buffer @a : memref<320x480xf32>
  }
}
// -----
// expected-error-re @+1 {{'max_threadgroup_bytes' of the device "GPU" must be from 1 to 2^64 - 1 bytes, got {{4.*}}}}
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"name" = "NVIDIA H200", "max_threadgroup_bytes" = 4.0 : f64>>} {
  sched.kernel @k {
    sched.buffer @a : memref<320x480xf32>
  }
}
// -----
// expected-error-re @+1 {{'max_threadgroup_bytes' of the device "GPU" must be from 1 to 2^64 - 1 bytes, got {{true}}}}
builtin.module attributes {dlti.target_system_spec = #dlti.target_system_spec<"GPU" = #dlti.target_device_spec<"name" = "NVIDIA H200", "max_threadgroup_bytes" = true>>} {
  sched.kernel @k {
    sched.buffer @a : memref<320x480xf32>
  }
}
