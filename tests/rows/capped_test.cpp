// SPDX-License-Identifier: Apache-2.0
// Alignments under caps: what comes out is allowed, is the best of what is allowed, and is the
// plain alignment where the caps do not bind.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/experiment/harness.h"
#include "tests/rows/energies.h"

namespace attend::testing::capped_test {
namespace {

const std::vector<std::string> capped{"constrained-softmax", "constrained-sparsemax"};

Json document_of(const std::string& id, const Array& e, const Json& mask, const Array& u) {
  Json document = on_energies(e, R"({"type": ")" + id + R"("})", mask);
  if (!u.shape.empty()) document["parameters"]["alignment.u"] = to_json(u);
  return document;
}

Array uniform_caps(const Shape& shape, double low, double high) {
  Array u = normal(shape, 21, 1);
  for (double& x : u.data) x = low + (high - low) / (1 + std::exp(-x));
  return u;
}

double objective(const std::string& id, const Row& e, const Row& p) {
  double sum = 0;
  for (std::size_t j = 0; j < e.size(); ++j) {
    if (id == "constrained-sparsemax") {
      sum += (p[j] - e[j]) * (p[j] - e[j]);
    } else if (p[j] > 0) {
      sum += p[j] * (std::log(p[j]) - e[j]);
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("capped weights are feasible, and moving weight between two keys makes them worse") {
  for (const std::string& id : capped) {
    for (const Json& mask : masks(4, 6)) {
      const Array e = normal({4, 6}, 31, 1.5), u = uniform_caps({4, 6}, .15, .9);
      const Array a = run_json(document_of(id, e, mask, u)).outputs.at("weights");
      for (std::size_t i = 0; i < 4; ++i) {
        double room = 0, sum = 0;
        for (std::size_t j = 0; j < 6; ++j) {
          CHECK(a(i, j) >= 0);
          CHECK(a(i, j) <= (allows(mask, i * 6 + j) ? u(i, j) + tolerance : 0));
          room += allows(mask, i * 6 + j) ? u(i, j) : 0;
          sum += a(i, j);
        }
        CHECK(std::abs(sum - std::min(1.0, room)) < tolerance);
        const double best = objective(id, e.row(i), a.row(i));
        for (std::size_t from = 0; from < 6; ++from) {
          for (std::size_t to = 0; to < 6; ++to) {
            Row moved = a.row(i);
            const double step = std::min({1e-3, moved[from], u(i, to) - moved[to]});
            if (from == to || step <= tolerance || !allows(mask, i * 6 + to)) continue;
            moved[from] -= step;
            moved[to] += step;
            CHECK(objective(id, e.row(i), moved) > best - tolerance);
          }
        }
      }
    }
  }
}

TEST_CASE("caps of 1 and more bind nobody") {
  for (const std::string& id : capped) {
    const std::string plain = id == "constrained-softmax" ? "softmax" : "sparsemax";
    for (const double cap : {1.0, 3.0}) {
      for (const double size : {1.0, 1e4}) {
        for (const Json& mask : masks(3, 7)) {
          const Array e = normal({3, 7}, 32, size);
          const Array a = run_json(document_of(id, e, mask, Array({7}, cap))).outputs.at("weights");
          Json without = on_energies(e, R"({"type": ")" + plain + R"("})", mask);
          CHECK(distance(a, run_json(without).outputs.at("weights")) < tolerance);
        }
      }
    }
  }
}

TEST_CASE("below its cap, a weight of constrained softmax goes with exp(e)") {
  const Array e = normal({3, 8}, 33, 1), u = uniform_caps({8}, .1, .25);
  const Array a = run_json(document_of("constrained-softmax", e, Json(), u)).outputs.at("weights");
  std::size_t free = 0, bound = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double ratio = 0;
    for (std::size_t j = 0; j < 8; ++j) {
      if (a(i, j) > u(j) - tolerance) {
        ++bound;
        continue;
      }
      const double here = a(i, j) / std::exp(e(i, j));
      if (ratio > 0) CHECK(std::abs(here / ratio - 1) < 10 * tolerance);
      ratio = here;
      ++free;
    }
  }
  CHECK(free > 6);
  CHECK(bound > 3);
}

TEST_CASE("what a key has given is spent, and never more than its fertility") {
  for (const std::string& id : capped) {
    for (const double fertility : {1.0, 1.5, 2.0}) {
      const std::size_t m = 9, n = 4;
      Json document = document_of(id, normal({m, n}, 34, 2), Json(), {});
      document["mechanism"]["alignment"]["fertility"] = fertility;
      const Ran ran = run_json(document);
      const Array& a = ran.outputs.at("weights");
      double all = 0;
      for (std::size_t j = 0; j < n; ++j) {
        double given = 0;
        for (std::size_t t = 0; t < m; ++t) given += a(t, j);
        CHECK(given <= fertility + 10 * tolerance);
        all += given;
      }
      CHECK(std::abs(all - std::min(9.0, 4 * fertility)) < 50 * tolerance);
      CHECK(ran.warnings.empty() == (4 * fertility >= 9));
      CHECK(off_reference(*find_mechanism(Kind::alignment, id), document) < 10 * tolerance);
    }
  }
}

TEST_CASE("caps that sum to less than 1 are the weights, with a warning") {
  for (const std::string& id : capped) {
    Array u({2, 3}, .2);
    u(1, 0) = u(1, 1) = u(1, 2) = .5;
    const Ran ran = run_json(document_of(id, normal({2, 3}, 35, 1), Json(), u));
    for (std::size_t j = 0; j < 3; ++j)
      CHECK(ran.outputs.at("weights")(0, j) == doctest::Approx(.2));
    REQUIRE(ran.warnings.size() == 1);
    CHECK(ran.warnings[0].path == "/mechanism/alignment");
    CHECK(ran.warnings[0].message.find("row 0") == 0);
    Json scores_only = document_of(id, normal({2, 3}, 35, 1), Json(), u);
    scores_only["outputs"] = {"scores"};
    CHECK(run_json(scores_only).warnings.empty());
  }
}

TEST_CASE("capped rows equal their references with caps of a row, of all rows, and great scores") {
  for (const std::string& id : capped) {
    for (const Json& mask : masks(3, 5)) {
      for (const double size : {1.0, 40.0, 1e4}) {
        for (const Array& u : {uniform_caps({5}, .05, 1.2), uniform_caps({3, 5}, .05, 1.2)}) {
          CHECK(off_reference(*find_mechanism(Kind::alignment, id),
                              document_of(id, normal({3, 5}, 36, size), mask, u)) <
                std::max(tolerance, 1e-13 * size));
        }
      }
    }
  }
}

#ifdef ATTEND_DOUBLE
TEST_CASE("gradients under masks, caps and on the tape agree with finite differences") {
  const Json mask = masks(4, 5)[1];
  const Array e = normal({4, 5}, 37, 1);
  for (const std::string& id : capped) {
    for (const Array& u : {uniform_caps({5}, .1, .6), uniform_caps({4, 5}, .1, .6), Array()}) {
      Json document = document_of(id, e, mask, u);
      if (u.shape.empty()) document["mechanism"]["alignment"]["fertility"] = 1.1;
      CHECK(off_slope(document, "context") < 1e-6);
    }
  }
  Json tape = on_energies(e, R"({"type": "ntm-addressing"})", mask);
  tape["parameters"] = {
      {"alignment.g", {.3, .6, .8, .5}},
      {"alignment.gamma", {1.0, 1.5, 2.0, 4.0}},
      {"alignment.initial", {.1, .2, .3, .2, .2}},
      {"alignment.shift", {{.1, .7, .2}, {.3, .3, .4}, {.5, .4, .1}, {.2, .2, .6}}}};
  CHECK(off_slope(tape, "context") < 1e-6);
  for (const bool normalise : {false, true}) {
    Json chain = on_energies(e, R"({"type": "structured-chain"})", mask);
    chain["mechanism"]["alignment"]["normalise"] = normalise;
    CHECK(off_slope(chain, "context") < 1e-6);
  }
  Json tree = on_energies(normal({6, 6}, 38, 1), R"({"type": "structured-tree"})", causal_rows(6));
  CHECK(off_slope(tree, "context") < 1e-6);
}
#endif

}  // namespace attend::testing::capped_test
