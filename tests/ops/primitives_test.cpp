// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "ops/backward.h"
#include "ops/primitives/records.h"
#include "tests/each.h"
#include "tests/ops/run.h"

namespace attend::primitives_test {
namespace {

using testing::Data;
using testing::Each;
using testing::every_primitive;
using testing::Primitives;
using testing::Trial;

TEST_CASE("no primitive's name stands twice") {
  CHECK(all_primitives().size() >= 30);
  std::set<std::string_view> names;
  for (const Primitive* p : all_primitives()) CHECK(names.insert(p->name).second);
}

const Each complete("has a complete record", every_primitive, [](const Primitive& p) {
  CHECK(p.shape != nullptr);
  CHECK(p.forward != nullptr);
  CHECK(p.latex != nullptr);
  CHECK(p.python != nullptr);
  CHECK(p.cell != nullptr);
  CHECK((p.samples.size() > 0 || &p == &primitives::scan));  // which has its own tests
  if (p.vjp == nullptr && p.samples.begin()->shapes.size() > 0) CHECK(!p.smooth);
});

const Each foretold("computes the shape that its rule foretells, all of it finite", every_primitive,
                    [](const Primitive& p) {
                      for (const Sample& sample : p.samples) {
                        Trial trial(p, sample);
                        const auto numbers = testing::value(trial.out, trial.data);
                        CHECK(numbers.size() == element_count(trial.out.shape()));
                        for (const real x : numbers) CHECK(std::isfinite(x));
                      }
                    });

#ifdef ATTEND_DOUBLE
constexpr double step = 1e-5, tolerance = 1e-7;
#else
constexpr double step = 1e-2, tolerance = 2e-2;  // rounding leaves no more in float
#endif

double total(Var scalar_var, const Data& data) {
  return static_cast<double>(testing::value(scalar_var, data)[0]);
}

Var inner(Var a, Var b) {
  Var product = a * b;
  while (product.rank() > 0) product = sum(product, 0);
  return product;
}

// The derivative of a scalar by every cell of a leaf, against central differences.
void check_slopes(Var f, Var by, Var analytic, Data data) {
  const std::vector<real> slopes = testing::value(analytic, data);
  for (std::size_t cell = 0; cell < slopes.size(); ++cell) {
    const real at = data[by.id()][cell];
    data[by.id()][cell] = at + static_cast<real>(step);
    const double above = total(f, data), reach = static_cast<double>(data[by.id()][cell]);
    data[by.id()][cell] = at - static_cast<real>(step);
    const double numeric =
        (above - total(f, data)) / (reach - static_cast<double>(data[by.id()][cell]));
    data[by.id()][cell] = at;
    CAPTURE(cell);
    CAPTURE(numeric);
    CAPTURE(slopes[cell]);
    CHECK(std::abs(static_cast<double>(slopes[cell]) - numeric) <=
          tolerance * (1 + std::abs(numeric)));
  }
}

// Numbers of an own sequence for a cotangent or a direction.
Var weights_like(Var x, Data& data, std::uint64_t seed) {
  sweep::Numbers numbers(seed);
  return testing::leaf(x.graph(), data, x.shape(), numbers.list(element_count(x.shape()), -1, 1),
                       "g");
}

Primitives with_vjp() {
  Primitives list = every_primitive();
  std::erase_if(list,
                [](const Primitive* p) { return p->vjp == nullptr || p->samples.size() == 0; });
  return list;
}

Primitives smooth() {
  Primitives list = with_vjp();
  std::erase_if(list, [](const Primitive* p) { return !p->smooth; });
  return list;
}

Primitives flat() {
  Primitives list = every_primitive();
  std::erase_if(list, [](const Primitive* p) {
    const bool waves =
        p->name == "sinusoid";  // positions are indices: their gradient is left out on purpose
    return p->vjp != nullptr || waves || p->name == "detach";
  });
  return list;
}

const Each vjps("has a vjp that agrees with finite differences", with_vjp, [](const Primitive& p) {
  int checked = 0;
  for (const Sample& sample : p.samples) {
    Trial t(p, sample);
    const Var cotangent = weights_like(t.out, t.data, 5);
    const Var f = inner(t.out, cotangent);
    const auto slopes = gradients(t.out, cotangent, t.in);
    for (std::size_t k = 0; k < t.in.size(); ++k) {
      if (!testing::is_continuous(sample, k)) continue;
      CAPTURE(k);
      CHECK(slopes[k].shape() == t.in[k].shape());
      check_slopes(f, t.in[k], slopes[k], t.data);
      ++checked;
    }
  }
  CHECK(checked > 0);
});

const Each second_vjps("has a vjp whose own vjp agrees with finite differences", smooth,
                       [](const Primitive& p) {
                         for (const Sample& sample : p.samples) {
                           Trial t(p, sample);
                           const Var cotangent = weights_like(t.out, t.data, 6);
                           const auto slopes = gradients(t.out, cotangent, t.in);
                           // h: the slopes along a fixed direction, a function of operands and
                           // cotangent.
                           Var h = scalar(t.out, 0);
                           for (std::size_t k = 0; k < t.in.size(); ++k) {
                             if (testing::is_continuous(sample, k))
                               h = h + inner(slopes[k], weights_like(slopes[k], t.data, 20 + k));
                           }
                           std::vector<Var> by{cotangent};
                           for (std::size_t k = 0; k < t.in.size(); ++k) {
                             if (testing::is_continuous(sample, k)) by.push_back(t.in[k]);
                           }
                           const auto second = gradients(h, scalar(h, 1), by);
                           for (std::size_t k = 0; k < by.size(); ++k) {
                             CAPTURE(k);
                             check_slopes(h, by[k], second[k], t.data);
                           }
                         }
                       });

const Each level("has no gradient, and is flat around its samples", flat, [](const Primitive& p) {
  for (const Sample& sample : p.samples) {
    Trial t(p, sample);
    const auto before = testing::value(t.out, t.data);
    for (auto& [leaf, numbers] : t.data) {
      for (real& x : numbers) x += static_cast<real>(1e-6);
    }
    CHECK(testing::value(t.out, t.data) == before);
  }
});

TEST_CASE("a detached value is a constant to the gradient") {
  Graph graph;
  const Var x = graph.leaf({}, "x"), y = x * detach(x);
  const Var slope = gradients(y, scalar(x, 1), {x})[0];
  const std::map<NodeId, std::vector<real>> data{{x.id(), {3}}};
  CHECK(testing::value(y, data) == std::vector<real>{9});
  CHECK(testing::value(slope, data) == std::vector<real>{3});  // the whole slope would be 6
}

}  // namespace
}  // namespace attend::primitives_test
