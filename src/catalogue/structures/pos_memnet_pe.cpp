// SPDX-License-Identifier: Apache-2.0
// Position encoding of end-to-end memory networks: a sentence is the sum of its words, each channel
// weighted by the word's place, and a learned row for the sentence's place,
//   l_kj = (1 - j/J) - (k/d)(1 - 2 j/J),  m_i = sum_j l_j * x_ij + T_A(i),  c_i with T_C(i)
// Sukhbaatar et al. 2015, arXiv:1503.08895
#include "catalogue/entry.h"

namespace attend::pos_memnet_pe_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  Var x = inputs["x"];  // [I J d], or one sentence [J d]
  if (x.rank() == 2) x = expand(x, 0);
  Dimensions sizes;
  sizes.set("I", x.extent(0));
  sizes.set("d", x.extent(2));
  const Scope sized = in.assembler.enter(in.choice, sizes);
  const auto J = static_cast<double>(x.extent(1)), d = static_cast<double>(x.extent(2));
  const Var j = (iota(in.graph(), x.extent(1), 2) + 1) / J;         // [J 1]: j/J, j from 1
  const Var k = (iota(in.graph(), x.extent(2)) + 1) / d;            // [d]: k/d, k from 1
  const Var l = let("l", (1 - j) - k * (1 - 2 * j));                // [J d]
  const Var bag = let("\\sum_j l_j \\odot x_{ij}", sum(x * l, 1));  // [I d]
  const Var memory = let("m", bag + sized.param("T_A"));
  return {{out::weights, l, "J d"},
          {out::key, memory, "I d"},
          {out::value, let("c", bag + sized.param("T_C")), "I d"},
          {out::result, memory, "I d"}};
}

}  // namespace

// The weight as a straight line between its ends: channel k of word j runs from 1 - j/J (k = 0) to
// j/J (k = d).
Arrays reference(const ReferenceIn& in) {
  Array x = in["x"];
  if (x.shape.size() == 2) x.shape.insert(x.shape.begin(), 1);
  const std::size_t I = x.shape[0], J = x.shape[1], d = x.shape[2];
  Array l({J, d}), key({I, d}), value({I, d});
  for (std::size_t c = 0; c < d; ++c) {
    const double way = static_cast<double>(c + 1) / static_cast<double>(d);
    for (std::size_t j = 0; j < J; ++j) {
      const double place = static_cast<double>(j + 1) / static_cast<double>(J);
      l(j, c) = (1 - way) * (1 - place) + way * place;
    }
    for (std::size_t i = 0; i < I; ++i) {
      key(i, c) = in.parameter("T_A")(i, c);
      value(i, c) = in.parameter("T_C")(i, c);
      for (std::size_t j = 0; j < J; ++j) {
        key(i, c) += l(j, c) * x(i, j, c);
        value(i, c) += l(j, c) * x(i, j, c);
      }
    }
  }
  return {{"weights", l}, {"key", key}, {"value", value}, {"context", key}};
}

extern const Mechanism record{
    .id = "pos-memnet-pe",
    .parameters = {{"T_A", "I d", Distribution::zero}, {"T_C", "I d", Distribution::zero}},
    .roles = {{"x", "I J d | J d"}},
    .laws = {.permutation = false},
    .behaviour = Structure{build}};
}  // namespace attend::pos_memnet_pe_entry
