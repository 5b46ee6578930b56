// SPDX-License-Identifier: Apache-2.0
// The rules of a step where keys are not the rows themselves: blocks of rows, keys that are moved, chosen or picked. A
// program either gives row by row what it gives as a whole, or is refused with a reason.
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <optional>

#include "ops/compose.h"
#include "ops/step_refusal.h"
#include "ops/stepwise.h"

namespace attend::step_keys_test {
namespace {

constexpr std::size_t n = 7, d = 3, block = 3, count = 3;

using Build = std::function<Var(Graph& graph, Var x)>;

#ifdef ATTEND_DOUBLE
constexpr double exact = 1e-12;
#else
constexpr double exact = 2e-5;
#endif

// The largest difference between the rows of the steps and those of the whole; infinite where shapes differ.
double gap(const Build& build) {
  const auto graph = std::make_shared<Graph>();
  const Var x = graph->leaf({n, d}, "X"), out = build(*graph, x);
  const Program program(graph, {{"x", x.id(), LeafKind::input}}, {{"out", out.id()}});
  std::vector<real> numbers(n * d);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    numbers[k] = static_cast<real>(std::sin(static_cast<double>(k * k + 1)));
  Workspace whole = workspace_for(program);
  std::copy(numbers.begin(), numbers.end(), whole.write(x.id()).begin());
  whole.evaluate();
  StepRunner steps(stepwise(program, {x.id()}, [](Workspace&) {}));
  REQUIRE(out.extent(0) == n);
  const Numbers wanted = whole[out.id()];
  const std::size_t width = wanted.size() / n;
  double most = 0;
  for (std::size_t t = 0; t < n; ++t) {
    std::copy_n(numbers.begin() + static_cast<long>(t * d), d, steps.row(0).begin());
    steps.step();
    const Numbers row = steps.result(0);
    if (row.size() != width) return INFINITY;
    for (std::size_t c = 0; c < width; ++c)
      most = std::max(most, std::abs(static_cast<double>(row[c] - wanted[t * width + c])));
  }
  return most;
}

std::optional<StepReason> refusal(const Build& build) {
  try {
    (void)gap(build);
  } catch (const StepRefused& refused) {
    CHECK(std::string(refused.what()).find("one row at a time") != std::string::npos);
    return refused.reason;
  }
  return std::nullopt;
}

// [n d] -> [C b d], filled up with zeros.
Var in_blocks(Var x, std::size_t b = block) {
  const std::size_t rows = x.extent(0), blocks = (rows + b - 1) / b;
  const Var rest = zeros(x.graph(), {blocks * b - rows, x.extent(-1)});
  return reshape(concat({x, rest}, 0), {blocks, b, x.extent(-1)});
}

Var row(Graph& graph) { return iota(graph, n, 2); }
Var past(Graph& graph) { return greater(row(graph) + 1, iota(graph, n)); }
Var scores(Var x) { return matmul(x, x, false, true); }
// [n C], of blocks that are there as a whole, and of those that have begun.
Var complete(Graph& graph) {
  return greater(row(graph) + 1, (iota(graph, count) + 1) * double{block} - 1);
}
Var begun(Graph& graph) { return greater(row(graph) + 1, iota(graph, count) * double{block}); }

}  // namespace

TEST_CASE("queries read blocks of rows that are there as a whole") {
  const auto reads = [](const std::function<Var(Var)>& summary) {
    return [=](Graph& graph, Var x) {
      const Var blocks = summary(in_blocks(x));  // [C d]
      return matmul(softmax(matmul(x, blocks, false, true), complete(graph)), blocks);
    };
  };
  CHECK(gap(reads([](Var x) { return sum(x, 1); })) <= exact);
  CHECK(gap(reads([](Var x) { return exp(max(x, 1)) / 2; })) <= exact);
  CHECK(gap(reads([](Var x) { return sum(softmax(x), 1); })) <= exact);
}

TEST_CASE("a row that a block is made of may be read by every later step") {
  const auto graph = std::make_shared<Graph>();
  const Var x = graph->leaf({n, d}, "X"), blocks = sum(in_blocks(x), 1);
  const Var out = matmul(softmax(matmul(x, blocks, false, true), complete(*graph)), blocks);
  const Program program(graph, {{"x", x.id(), LeafKind::input}}, {{"out", out.id()}});
  const StepProgram steps = stepwise(
      program, {x.id()}, [](Workspace&) {}, true);
  REQUIRE(steps.states.size() == 1);
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t j = 0; j < n; ++j) CHECK((steps.states[0].reads[t * n + j] != 0) == (j <= t));
  }
}

TEST_CASE("a block that is there in part is refused, unless what it has is replaced") {
  const auto weights = [](Var x) { return matmul(x, sum(in_blocks(x), 1), false, true); };
  const auto with_begun = [&](Graph& graph, Var x) { return softmax(weights(x), begun(graph)); };
  CHECK(refusal(with_begun) == StepReason::later_keys);
  CHECK(helped_by_a_mask(StepReason::later_keys));
  const auto own_first = [&](Graph& graph, Var x) {
    const Var e = weights(x), own = begun(graph) - complete(graph);
    const Var ranked = where(own, scalar(e, 1e30), where(begun(graph), e, scalar(e, -1e30)));
    const Var first = slice(argsort(ranked), -1, 0, 2);
    return put(ones(graph, {n, 2}), first, count) * begun(graph);
  };
  CHECK(gap(own_first) <= exact);
  const auto unmasked = [&](Graph&, Var x) { return argsort(weights(x)); };
  CHECK(refusal(unmasked) == StepReason::later_keys);
}

TEST_CASE("a choice of keys without the later ones is a mask") {
  const auto attends = [](bool choice_of_past) {
    return [=](Graph& graph, Var x) {
      const Var ranked = where(past(graph), scores(x), scalar(x, -1e30));
      const Var first = slice(argsort(ranked), -1, 0, 2);
      const Var choice = put(ones(graph, {n, 2}), first, n);
      return matmul(softmax(scores(x), choice_of_past ? choice * past(graph) : choice), x);
    };
  };
  CHECK(gap(attends(true)) <= exact);
  // Also where it is the weights themselves.
  const auto picks = [](Graph& graph, Var x) {
    const Var ranked = where(past(graph), scores(x), scalar(x, -1e30));
    const Var best = slice(argsort(ranked), -1, 0, 1);
    return matmul(put(ones(graph, {n, 1}), best, n) * past(graph), x);
  };
  CHECK(gap(picks) <= exact);
  CHECK(refusal(attends(false)) == StepReason::later_keys);
}

TEST_CASE("blocks of weights become weights of keys, beside those of the keys themselves") {
  const auto mixed = [](Graph& graph, Var x) {
    const Var p = softmax(matmul(x, sum(in_blocks(x), 1), false, true), complete(graph));
    const Var list = broadcast_to(floor(iota(graph, n) / double{block}), {n, n});
    return matmul(take(p, list) + softmax(scores(x), past(graph)), x);
  };
  CHECK(gap(mixed) <= exact);
  const auto alone = [](Graph& graph, Var x) {
    const Var p = softmax(matmul(x, sum(in_blocks(x), 1), false, true), complete(graph));
    return matmul(take(p, broadcast_to(floor(iota(graph, n) / double{block}), {n, n})), x);
  };
  CHECK(gap(alone) <= exact);
  // Keys in the opposite order: those that a query may see are the last ones then.
  const auto turned = [](Graph& graph, Var x) {
    const Var p = softmax(scores(x), past(graph));
    return matmul(take(p, broadcast_to(double{n - 1} - iota(graph, n), {n, n})), x);
  };
  CHECK(refusal(turned) == StepReason::later_values);
}

TEST_CASE("sums over the keys from the last one back, moved by one") {
  const auto behind = [](double rest) {
    return [=](Graph& graph, Var x) {
      const Var e = exp(scores(x)) * past(graph);
      const Var moved = concat({slice(e, -1, 1, n), fill(graph, {n, 1}, rest)}, -1);
      return matmul((cumsum(moved, -1, true) + scores(x)) * past(graph), x);
    };
  };
  CHECK(gap(behind(0)) <= exact);
  // What is put behind the keys counts for all of them.
  CHECK(gap(behind(2)) <= exact);
  const auto unmasked = [](Graph& graph, Var x) {
    const Var e = exp(scores(x));
    return cumsum(concat({slice(e, -1, 1, n), zeros(graph, {n, 1})}, -1), -1, true) * past(graph);
  };
  CHECK(refusal(unmasked) == StepReason::last_key_back);
}

TEST_CASE("what is made of all rows is refused where a row reads it") {
  const auto mean = [](Graph&, Var x) { return x - sum(x, 0, true) / double{n}; };
  CHECK(refusal(mean) == StepReason::needs_rows);
  CHECK_FALSE(helped_by_a_mask(StepReason::needs_rows));
  const auto of_blocks = [](Graph&, Var x) { return x + sum(sum(in_blocks(x), 1), 0, true); };
  CHECK(refusal(of_blocks) == StepReason::needs_rows);
  const auto normed = [](Graph&, Var x) { return matmul(softmax(transpose(x)), x); };
  CHECK(refusal(normed) == StepReason::weighs_rows);
}

TEST_CASE("each reason has a sentence of its own, which names what it is about") {
  CHECK(sentence_of(StepReason::later_keys) ==
        "it cannot run one row at a time: a query sees keys that come later; add a causal mask");
  CHECK(sentence_of(StepReason::needs_rows, "\"K\"") ==
        "it cannot run one row at a time: it needs all rows of \"K\" at once");
  std::vector<std::string> seen;
  for (int k = 0; k <= static_cast<int>(StepReason::state_of_rows); ++k) {
    const std::string text = sentence_of(static_cast<StepReason>(k), "%");
    CHECK(text.size() > std::string("it cannot run one row at a time: ").size());
    CHECK(std::find(seen.begin(), seen.end(), text) == seen.end());
    seen.push_back(text);
  }
}

}  // namespace attend::step_keys_test
