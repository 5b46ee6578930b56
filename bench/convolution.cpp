// SPDX-License-Identifier: Apache-2.0
// A convolution as documents compute it: the windows of the image as rows, and their product with
// the kernel.
#include <algorithm>
#include <array>
#include <memory>

#include "bench/kernels.h"
#include "ops/images.h"
#include "ops/program.h"

namespace {

using namespace attend;

struct Convolution {
  std::array<unsigned, 3> sizes;  // side, channels, kernel
  Program program;
  Workspace work;

  Convolution(const std::array<unsigned, 3>& asked, Program made)
      : sizes(asked), program(std::move(made)), work(workspace_for(program)) {
    for (const char* name : {"image", "kernel"}) {
      const auto numbers = work.write(program.leaf(name));
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] = static_cast<real>(i % 97) / 97 - real(0.5);
      }
    }
  }
};

std::unique_ptr<Convolution> current;

std::unique_ptr<Convolution> compiled(const std::array<unsigned, 3>& sizes) {
  const auto [side, channels, size] = sizes;
  const auto graph = std::make_shared<Graph>();
  const Var image = graph->leaf({side, side, channels}, "image");
  const Var kernel = graph->leaf({size, size, channels, channels}, "kernel");
  const Var out = convolve(image, kernel, centred(side, side, size, size));
  return std::make_unique<Convolution>(sizes, Program(graph,
                                                      {{"image", image.id(), LeafKind::input},
                                                       {"kernel", kernel.id(), LeafKind::weight}},
                                                      {{"y", out.id()}}));
}

}  // namespace

extern "C" void bench_convolve(unsigned side, unsigned channels, unsigned size, unsigned repeats) {
  const std::array<unsigned, 3> sizes{side, channels, size};
  if (!current || current->sizes != sizes) current = compiled(sizes);
  const NodeId image = current->program.leaf("image");
  for (unsigned i = 0; i < repeats; ++i) {
    current->work.write(image)[0] = static_cast<real>(i % 7) / 8;  // so that it is computed again
    current->work.evaluate();
  }
}
