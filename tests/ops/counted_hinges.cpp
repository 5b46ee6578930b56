// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/counted_hinges.h"

namespace attend::testing {

using In = std::vector<CountedTensor>;
using Out = CountedTensor;

void hinges(In& in, Out& out, const Node&) {
  const std::size_t units = in[2].size(), h = in[4].size();
  for (std::size_t i = 0; i < in[0].size(); ++i) {
    for (std::size_t t = 0; t < h; ++t) out.at(i * h + t) = in[4].at(t);
    for (std::size_t a = 0; a < units; ++a) {
      const Counted unit = multiply_add(in[0].at(i), in[1].at(a), in[2].at(a));
      const Counted open = unit > 0 ? unit : Counted(0);
      for (std::size_t t = 0; t < h; ++t)
        out.at(i * h + t) = multiply_add(open, in[3].at(a * h + t), out.at(i * h + t));
    }
  }
}

void hinge_slopes(In& in, Out& out, const Node&) {
  const std::size_t count = in[0].size(), units = in[2].size(), h = in[4].size();
  const std::size_t w = count, b = w + units, v = b + units, c = v + units * h;
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t t = 0; t < h; ++t) out.at(c + t) = out.at(c + t) + in[5].at(i * h + t);
    for (std::size_t a = 0; a < units; ++a) {
      const Counted unit = multiply_add(in[0].at(i), in[1].at(a), in[2].at(a));
      if (!(unit > 0)) continue;
      Counted slope = 0;
      for (std::size_t t = 0; t < h; ++t) {
        const Counted g = in[5].at(i * h + t);
        slope = multiply_add(g, in[3].at(a * h + t), slope);
        out.at(v + a * h + t) = multiply_add(g, unit, out.at(v + a * h + t));
      }
      out.at(i) = multiply_add(slope, in[1].at(a), out.at(i));
      out.at(w + a) = multiply_add(slope, in[0].at(i), out.at(w + a));
      out.at(b + a) = out.at(b + a) + slope;
    }
  }
}

}  // namespace attend::testing
