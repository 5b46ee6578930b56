// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every combination: probabilities, masks, convex hulls, permutations; and a
// head or a feature by itself computes what it computes in the batch.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::invariants_test {
namespace {

// The alignments that can stand beside a score.
Mechanisms alignments_for(const Mechanism& score) {
  Mechanisms list = every_alignment();
  std::erase_if(list, [&](const Mechanism* alignment) {
    const std::vector<Ban> excludes = exclusions_of(*alignment);
    return std::any_of(excludes.begin(), excludes.end(), [&](const Ban& e) {
      const bool named = std::find(e.ids.begin(), e.ids.end(), score.id) != e.ids.end();
      return e.slot == "score" && named != e.only;
    });
  });
  return list;
}

Json pair_document(const Mechanism& score, const Mechanism& alignment, const Json& mask) {
  Json document = example_document(score, 3, &alignment);
  document["mechanism"]["alignment"] = std::string(alignment.id);
  document["mechanism"]["mask"] = mask;
  return document;
}

void check_laws(const Ran& ran, const Mechanism& alignment) {
  const Array &weights = ran.outputs.at("weights"), &value = ran.outputs.at("value"),
              &context = ran.outputs.at("context");
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    double sum = 0;
    bool any = false;
    for (std::size_t j = 0; j < weights.cols(); ++j) {
      const bool allowed = !ran.outputs.contains("mask") || ran.outputs.at("mask")(i, j) != 0;
      any = any || allowed;
      if (alignment.laws.nonnegative) CHECK(weights(i, j) >= 0);
      if (!allowed) CHECK(weights(i, j) == 0);
      sum += weights(i, j);
    }
    if (alignment.laws.rows_sum_to_one && any)
      CHECK_MESSAGE(std::abs(sum - 1) < 10 * tolerance, "row " << i << " sums to " << sum);
    if (!any) CHECK(sum == 0);
    for (std::size_t c = 0; c < value.cols() && alignment.laws.rows_sum_to_one && any; ++c) {
      double low = 1e300, high = -1e300;
      for (std::size_t j = 0; j < value.rows(); ++j) {
        low = std::min(low, value(j, c));
        high = std::max(high, value(j, c));
      }
      CHECK(context(i, c) >= low - 1e-5);
      CHECK(context(i, c) <= high + 1e-5);
    }
  }
}

// Every parameter's slice of one head.
Json head_parameters(const Ran& batch, std::size_t head, const std::string& prefix) {
  Json parameters = Json::object();
  for (const auto& [name, array] : batch.parameters) {
    if (name.starts_with(prefix)) parameters[name] = to_json(part(array, head));
  }
  return parameters;
}

// The check for one score with each alignment that fits: a failure names both, and hides no other.
template <class Check>
auto with_each_alignment(Check check) {
  return [check](const Mechanism& score) {
    for (const Mechanism* alignment : alignments_for(score))
      SUBCASE(std::string(alignment->id).c_str()) { check(score, *alignment); }
  };
}

const Each laws("keeps the laws with every alignment, with and without a mask", every_score,
                with_each_alignment([](const Mechanism& score, const Mechanism& alignment) {
                  for (const Json& mask :
                       {Json::array(), Json::array({"mask-causal"}),
                        Json::parse(R"([{"type":"mask-padding","length":0}])")}) {
                    const std::string masked = mask.dump();
                    CAPTURE(masked);
                    check_laws(run_json(pair_document(score, alignment, mask)), alignment);
                  }
                }));

const Each heads("computes in a head alone what it computes among others", every_score,
                 with_each_alignment([](const Mechanism& score, const Mechanism& alignment) {
                   Json document = pair_document(score, alignment, Json::array({"mask-causal"}));
                   document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
                   document = with_parameters(document, 5);
                   const Ran batch = run_json(document);
                   for (std::size_t head = 0; head < 2; ++head) {
                     Json alone = document;
                     alone["mechanism"].erase("heads");
                     for (const char* role : {"query", "key", "value"})
                       alone["inputs"][role] = to_json(part(batch.outputs.at(role), head));
                     alone["parameters"] = head_parameters(batch, head, "score.");
                     alone["parameters"].update(head_parameters(batch, head, "alignment."));
                     const Ran one = run_json(alone);
                     CAPTURE(head);
                     CHECK(distance(one.outputs.at("weights"),
                                    part(batch.outputs.at("weights"), head)) < tolerance);
                     CHECK(distance(one.outputs.at("context"),
                                    part(batch.outputs.at("heads"), head)) < tolerance);
                   }
                 }));

const Each features("is an attention of its own for each feature of multi-dimensional attention",
                    every_alignment, [](const Mechanism& alignment) {
                      Json document = example_document(
                          *find_mechanism(Kind::dimensionality, "multi-dim"), 2, &alignment);
                      document["mechanism"]["alignment"] = std::string(alignment.id);
                      document["mechanism"]["mask"] = "mask-causal";
                      document = with_parameters(document, 6);
                      const Ran whole = run_json(document);
                      if (alignment.recurrent)
                        return;  // its next temperature sees the context of all features
                      const Array& scores = whole.outputs.at("scores");
                      for (std::size_t c = 0; c < scores.cols(); ++c) {
                        Array energy({scores.shape[0], scores.shape[1]});
                        for (std::size_t i = 0; i < energy.data.size(); ++i)
                          energy.data[i] = scores.data[i * scores.cols() + c];
                        Json alone = document;
                        alone["mechanism"].erase("dimensionality");
                        alone["mechanism"]["score"] = "external-energy";
                        alone["inputs"]["energy"] = to_json(energy);
                        alone["parameters"] = Json::object();
                        for (const auto& [name, parameter] : whole.parameters) {
                          if (name.starts_with("alignment."))
                            alone["parameters"][name] = to_json(parameter);
                        }
                        const Ran one = run_json(alone);
                        for (std::size_t i = 0; i < energy.data.size(); ++i) {
                          CHECK(std::abs(one.outputs.at("weights").data[i] -
                                         whole.outputs.at("weights").data[i * scores.cols() + c]) <
                                tolerance);
                        }
                      }
                    });

Mechanisms orderless_scores() {
  Mechanisms list = every_score();
  std::erase_if(list, [](const Mechanism* score) { return !score->laws.permutation; });
  return list;
}

const Each permuted(
    "has weights that move with the keys, and a context that does not", orderless_scores,
    with_each_alignment([](const Mechanism& score, const Mechanism& alignment) {
      if (!alignment.laws.permutation) return;
      const Json document = with_parameters(pair_document(score, alignment, Json::array()), 7);
      const Ran plain = run_json(document);
      Json turned = document;
      const std::size_t n = plain.outputs.at("key").rows();
      for (const char* role : {"key", "value"}) {
        Array rows = plain.outputs.at(role);
        std::rotate(rows.data.begin(), rows.data.begin() + static_cast<long>(2 * rows.cols()),
                    rows.data.end());
        turned["inputs"][role] = to_json(rows);
      }
      const Ran after = run_json(turned);
      CHECK(distance(after.outputs.at("context"), plain.outputs.at("context")) < 10 * tolerance);
      for (std::size_t i = 0; i < plain.outputs.at("weights").rows(); ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          CHECK(std::abs(after.outputs.at("weights")(i, j) -
                         plain.outputs.at("weights")(i, (j + 2) % n)) < 10 * tolerance);
        }
      }
    }));

Mechanisms scores_of_contents() {
  Mechanisms list = every_score();
  std::erase_if(list, [](const Mechanism* score) { return !score->laws.content; });
  return list;
}

const Each contents("gives equal keys equal weights, and one key the whole weight",
                    scores_of_contents, [](const Mechanism& score) {
                      Json document = with_parameters(example_document(score, 8), 8);
                      const Array key = run_json(document).outputs.at("key");
                      Array same(key.shape);
                      for (std::size_t i = 0; i < same.data.size(); ++i)
                        same.data[i] = key.data[i % key.cols()];
                      document["inputs"]["key"] = to_json(same);
                      const Ran ran = run_json(document);
                      for (const double weight : ran.outputs.at("weights").data)
                        CHECK(std::abs(weight - 1.0 / static_cast<double>(key.rows())) < tolerance);
                      document["inputs"]["key"] = to_json(Array({1, key.cols()}, 0.5));
                      document["inputs"]["value"] = to_json(Array({1, 3}, 2));
                      const Ran alone = run_json(document);
                      for (const double number : alone.outputs.at("context").data)
                        CHECK(number == doctest::Approx(2));
                    });

}  // namespace

TEST_CASE("a row that may attend to nothing is zero, and says so") {
  Json document = example_document(*find_mechanism(Kind::score, "dot"));
  document["mechanism"]["mask"] = Json::parse(
      R"([{"type": "mask-explicit", "allowed": [[1,1,1,1,1],[0,0,0,0,0],[0,1,0,0,0],[1,0,0,0,1]]}])");
  const Ran ran = run_json(document);
  for (std::size_t c = 0; c < 3; ++c) CHECK(ran.outputs.at("context")(1, c) == 0);
  REQUIRE(ran.warnings.size() == 1);
  CHECK(ran.warnings[0].message.find("row 1") != std::string::npos);
}

}  // namespace attend::testing::invariants_test
