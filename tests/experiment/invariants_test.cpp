// SPDX-License-Identifier: Apache-2.0
// Laws that hold for every combination: probabilities, masks, convex hulls, permutations; and a
// head or a feature by itself computes what it computes in the batch.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "tests/experiment/harness.h"

namespace attend::testing {
namespace {

std::vector<const Mechanism*> of_kind(Kind kind) {
  std::vector<const Mechanism*> list;
  for (const Mechanism* m : all_mechanisms()) {
    if (m->kind() == kind) list.push_back(m);
  }
  return list;
}

// The alignments that can stand beside a score.
std::vector<const Mechanism*> alignments_for(const Mechanism& score) {
  std::vector<const Mechanism*> list = of_kind(Kind::alignment);
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

void check_laws(const Ran& ran, const Mechanism& alignment, const std::string& where) {
  const Array &weights = ran.outputs.at("weights"), &value = ran.outputs.at("value"),
              &context = ran.outputs.at("context");
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    double sum = 0;
    bool any = false;
    for (std::size_t j = 0; j < weights.cols(); ++j) {
      const bool allowed = !ran.outputs.contains("mask") || ran.outputs.at("mask")(i, j) != 0;
      any = any || allowed;
      CHECK_MESSAGE(weights(i, j) >= 0, where);
      if (!allowed) CHECK_MESSAGE(weights(i, j) == 0, where);
      sum += weights(i, j);
    }
    if (alignment.laws.rows_sum_to_one && any)
      CHECK_MESSAGE(std::abs(sum - 1) < 10 * tolerance,
                    where << " row " << i << " sums to " << sum);
    if (!any) CHECK_MESSAGE(sum == 0, where);
    for (std::size_t c = 0; c < value.cols() && alignment.laws.rows_sum_to_one && any; ++c) {
      double low = 1e300, high = -1e300;
      for (std::size_t j = 0; j < value.rows(); ++j) {
        low = std::min(low, value(j, c));
        high = std::max(high, value(j, c));
      }
      CHECK_MESSAGE(context(i, c) >= low - 1e-5, where);
      CHECK_MESSAGE(context(i, c) <= high + 1e-5, where);
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

}  // namespace

TEST_CASE("every score with every alignment keeps the laws, with and without a mask") {
  for (const Mechanism* score : of_kind(Kind::score)) {
    for (const Mechanism* alignment : alignments_for(*score)) {
      for (const Json& mask : {Json::array(), Json::array({"mask-causal"}),
                               Json::parse(R"([{"type":"mask-padding","length":0}])")}) {
        const std::string where = std::string(score->id) + " with " + std::string(alignment->id) +
                                  ", mask " + mask.dump();
        check_laws(run_json(pair_document(*score, *alignment, mask)), *alignment, where);
      }
    }
  }
}

TEST_CASE("a head alone computes what it computes among others") {
  for (const Mechanism* score : of_kind(Kind::score)) {
    for (const Mechanism* alignment : alignments_for(*score)) {
      Json document = pair_document(*score, *alignment, Json::array({"mask-causal"}));
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
        const std::string where = std::string(score->id) + " with " + std::string(alignment->id);
        CHECK_MESSAGE(distance(one.outputs.at("weights"), part(batch.outputs.at("weights"), head)) <
                          tolerance,
                      where);
        CHECK_MESSAGE(
            distance(one.outputs.at("context"), part(batch.outputs.at("heads"), head)) < tolerance,
            where);
      }
    }
  }
}

TEST_CASE("a feature of multi-dimensional attention is an attention of its own") {
  for (const Mechanism* alignment : of_kind(Kind::alignment)) {
    Json document =
        example_document(*find_mechanism(Kind::dimensionality, "multi-dim"), 2, alignment);
    document["mechanism"]["alignment"] = std::string(alignment->id);
    document["mechanism"]["mask"] = "mask-causal";
    document = with_parameters(document, 6);
    const Ran whole = run_json(document);
    if (alignment->recurrent) continue;  // its next temperature sees the context of all features
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
        if (name.starts_with("alignment.")) alone["parameters"][name] = to_json(parameter);
      }
      const Ran one = run_json(alone);
      for (std::size_t i = 0; i < energy.data.size(); ++i) {
        CHECK_MESSAGE(std::abs(one.outputs.at("weights").data[i] -
                               whole.outputs.at("weights").data[i * scores.cols() + c]) < tolerance,
                      alignment->id);
      }
    }
  }
}

TEST_CASE(
    "permuting keys and values together permutes the weights' columns and leaves the context") {
  for (const Mechanism* score : of_kind(Kind::score)) {
    for (const Mechanism* alignment : alignments_for(*score)) {
      if (!score->laws.permutation || !alignment->laws.permutation) continue;
      const Json document = with_parameters(pair_document(*score, *alignment, Json::array()), 7);
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
      const std::string where = std::string(score->id) + " with " + std::string(alignment->id);
      CHECK_MESSAGE(
          distance(after.outputs.at("context"), plain.outputs.at("context")) < 10 * tolerance,
          where);
      for (std::size_t i = 0; i < plain.outputs.at("weights").rows(); ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          CHECK_MESSAGE(std::abs(after.outputs.at("weights")(i, j) -
                                 plain.outputs.at("weights")(i, (j + 2) % n)) < 10 * tolerance,
                        where);
        }
      }
    }
  }
}

TEST_CASE("a score of contents gives equal keys equal weights, and one key the whole weight") {
  for (const Mechanism* score : of_kind(Kind::score)) {
    if (!score->laws.content) continue;
    Json document = with_parameters(example_document(*score, 8), 8);
    const Array key = run_json(document).outputs.at("key");
    Array same(key.shape);
    for (std::size_t i = 0; i < same.data.size(); ++i) same.data[i] = key.data[i % key.cols()];
    document["inputs"]["key"] = to_json(same);
    const Ran ran = run_json(document);
    for (const double weight : ran.outputs.at("weights").data) {
      CHECK_MESSAGE(std::abs(weight - 1.0 / static_cast<double>(key.rows())) < tolerance,
                    score->id);
    }
    document["inputs"]["key"] = to_json(Array({1, key.cols()}, 0.5));
    document["inputs"]["value"] = to_json(Array({1, 3}, 2));
    const Ran alone = run_json(document);
    for (const double number : alone.outputs.at("context").data) {
      CHECK_MESSAGE(number == doctest::Approx(2), score->id);
    }
  }
}

TEST_CASE("a row that may attend to nothing is zero, and says so") {
  Json document = example_document(*find_mechanism(Kind::score, "dot"));
  document["mechanism"]["mask"] = Json::parse(
      R"([{"type": "mask-explicit", "allowed": [[1,1,1,1,1],[0,0,0,0,0],[0,1,0,0,0],[1,0,0,0,1]]}])");
  const Ran ran = run_json(document);
  for (std::size_t c = 0; c < 3; ++c) CHECK(ran.outputs.at("context")(1, c) == 0);
  REQUIRE(ran.warnings.size() == 1);
  CHECK(ran.warnings[0].message.find("row 1") != std::string::npos);
}

}  // namespace attend::testing
