// Enough of the Metal Shading Language to run its kernels on a CPU: one threadgroup at a time, its threads as coroutines
// that switch at barriers only, in rising or in falling order. Threadgroup arrays are static, so they start with what the
// threadgroup before left in them.
#pragma once

#include <cstdint>
#include <ucontext.h>
#include <vector>

#define kernel
#define device
#define constant const
#define threadgroup static

typedef std::uint32_t uint;
typedef _Float16 half;

struct uint2 {
  uint x, y;
};

namespace metal {

enum class mem_flags { mem_none, mem_threadgroup };

// Metal rounds once. WGSL may round the product too, and ROUND_PRODUCT makes the shim do what the adapter does.
#ifdef ROUND_PRODUCT
inline float fma(float a, float b, float c) { return a * b + c; }
#else
inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#endif

struct Coroutine {
  ucontext_t context;
  std::vector<char> stack;
  bool done = false;
};

inline ucontext_t scheduler;
inline Coroutine *running;
inline void (*entry)();

inline void threadgroup_barrier(mem_flags) { swapcontext(&running->context, &scheduler); }

inline void start() {
  entry();
  running->done = true;
}

// Runs `body` once for every thread; all threads reach a barrier before one passes it.
inline void run_threadgroup(uint threads, bool falling, uint *current, void (*body)()) {
  const std::size_t stack_bytes = 1 << 16;
  std::vector<Coroutine> coroutines(threads);
  entry = body;
  for (auto &coroutine : coroutines) {
    coroutine.stack.resize(stack_bytes);
    getcontext(&coroutine.context);
    coroutine.context.uc_stack.ss_sp = coroutine.stack.data();
    coroutine.context.uc_stack.ss_size = stack_bytes;
    coroutine.context.uc_link = &scheduler;
    makecontext(&coroutine.context, start, 0);
  }
  for (bool waiting = true; waiting;) {
    waiting = false;
    for (uint i = 0; i < threads; ++i) {
      *current = falling ? threads - 1 - i : i;
      running = &coroutines[*current];
      if (!running->done) {
        swapcontext(&scheduler, &running->context);
        waiting |= !running->done;
      }
    }
  }
}

} // namespace metal
