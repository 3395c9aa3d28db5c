// Launches the kernel KERNEL of the MSL source SOURCE, whose matrices hold ELEMENT.
#include "metal_shim.hpp"

namespace source {
#include SOURCE
} // namespace source

static const ELEMENT *left, *right;
static ELEMENT *result;
static source::Parameters parameters;
static uint2 threads, group;
static uint current;

static void one_thread() {
  const uint2 thread = {current % threads.x, current / threads.x};
  source::KERNEL(left, right, result, parameters, thread, group);
}

extern "C" void launch(const void *a, const void *b, void *c, const uint *sizes, const uint *groups,
                       const uint *threads_of_group, int falling) {
  left = static_cast<const ELEMENT *>(a);
  right = static_cast<const ELEMENT *>(b);
  result = static_cast<ELEMENT *>(c);
  parameters = {sizes[0], sizes[1], sizes[2], 0};
  threads = {threads_of_group[0], threads_of_group[1]};
  for (group.y = 0; group.y < groups[1]; ++group.y)
    for (group.x = 0; group.x < groups[0]; ++group.x)
      metal::run_threadgroup(threads.x * threads.y, falling, &current, one_thread);
}
