// SPDX-License-Identifier: Apache-2.0
// Forms that choose keys by their scores, and stick breaking, one row at a time: equal to the whole program, also where
// blocks do not divide the rows and where more is chosen than there is.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/learning/kept.h"
#include "experiment/learning/stepwise.h"
#include "experiment/service.h"
#include "ops/step_refusal.h"
#include "tests/experiment/harness.h"
#include "tests/experiment/stepwise.h"

namespace attend::testing::stepwise_choices_test {
namespace {

Json attention(Json core, std::size_t rows, Json more = Json::object()) {
  Json json = document_of_rows(R"({"type": "attention", "query": "self-attention"})", rows);
  if (!core.is_null()) json["mechanism"]["core"] = std::move(core);
  json["mechanism"].update(more);
  json["outputs"] = {"context"};
  return json;
}

// The largest difference between the steps and the whole, at cells that `counts` names.
double gap(const Json& document,
           const std::function<bool(std::size_t cell, std::size_t columns)>& counts = {}) {
  const Json whole = parse_json(run_document(document.dump()))["outputs"];
  const Json steps = stepped(document)["outputs"];
  REQUIRE(steps.size() == document["outputs"].size());
  double most = 0;
  for (const auto& [name, output] : steps.items()) {
    const std::vector<double> found = output["data"], wanted = whole[name]["data"];
    REQUIRE(found.size() == wanted.size());
    CHECK(output["shape"] == whole[name]["shape"]);
    const std::size_t columns = output["shape"].back();
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double one = std::abs(found[i] - wanted[i]) / (1 + std::abs(wanted[i]));
      if (!counts || counts(i, columns)) most = std::max(most, std::isnan(one) ? INFINITY : one);
    }
  }
  return most;
}

// Where the document is told to change.
std::string blamed(
    const char* slot, const char* id,
    const std::function<void(const Json&)>& compute = [](const Json& json) {
      (void)stepped(json);
    }) {
  Json json = document_of_rows(R"({"type": "attention", "query": "self-attention"})", 7);
  json["mechanism"]["mask"] = {"mask-causal"};
  if (std::string(slot) == "mask")
    json["mechanism"]["mask"].push_back(id);
  else
    json["mechanism"][slot] = id;
  try {
    compute(json);
  } catch (const Error& error) {
    return error.path;
  }
  return "";
}

std::vector<Json> choices() {
  std::vector<Json> list;
  for (const int top : {1, 2, 50}) {
    list.push_back({{"type", "dsa"}, {"top", top}});
    for (const int size : {1, 3, 4, 20}) {
      list.push_back({{"type", "moba"}, {"block", size}, {"top", top}});
      list.push_back({{"type", "quest"}, {"page", size}, {"top", top}});
      list.push_back({{"type", "nsa"}, {"block", size}, {"top", top}, {"window", size - 1}});
    }
  }
  return list;
}

}  // namespace

TEST_CASE("cores that choose keys give row by row what they give as a whole") {
  for (const Json& core : choices()) {
    for (const std::size_t rows : {1, 3, 7, 8}) {
      CAPTURE(core.dump());
      CAPTURE(rows);
      CHECK(gap(attention(core, rows)) <= exact_steps);
    }
  }
}

TEST_CASE("and so in heads, in heads that share keys, and with positions") {
  for (const char* type : {"dsa", "moba", "quest", "nsa"}) {
    CAPTURE(type);
    CHECK(gap(attention(type, 7, {{"heads", {{"type", "multi-head"}, {"count", 3}}}})) <=
          exact_steps);
    const Json shared{{"heads", {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}}},
                      {"position", "pos-rope"}};
    CHECK(gap(attention(type, 7, shared)) <= exact_steps);
    CHECK(gap(attention(type, 7, {{"mask", {"mask-causal"}}})) <= exact_steps);
  }
}

TEST_CASE("gates from the token are those of the row") {
  CHECK(gap(attention({{"type", "nsa"}, {"gates", "token"}, {"block", 2}}, 7)) <= exact_steps);
}

TEST_CASE("choices and weights come with each row, scores of blocks once they are there") {
  Json document = attention({{"type", "nsa"}, {"block", 3}, {"top", 2}}, 7);
  document["outputs"] = {"weights", "chosen", "compressed"};
  CHECK(gap(document) <= exact_steps);
  document = attention({{"type", "moba"}, {"block", 3}, {"top", 1}}, 7);
  document["outputs"] = {"weights", "chosen"};
  CHECK(gap(document) <= exact_steps);
  document = attention({{"type", "quest"}, {"page", 3}, {"top", 2}}, 7);
  document["outputs"] = {"index"};
  CHECK(gap(document, [](std::size_t cell, std::size_t columns) {
          return std::min<std::size_t>(3 * (cell % columns) + 2, 6) <= cell / columns;
        }) <= exact_steps);
  const std::vector<double> index = stepped(document)["outputs"]["index"]["data"];
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      CHECK((index[3 * i + c] != 0) == (std::min<std::size_t>(3 * c + 2, 6) <= i));
  }
}

TEST_CASE("more rows than are weighed at once as a whole run row by row, too") {
  Json document = attention({{"type", "moba"}, {"block", 64}, {"top", 2}}, 1030);
  CHECK(gap(document) <= exact_steps);
  CHECK(gap(attention({{"type", "flash"}, {"block", 3}, {"causal", true}}, 8)) <= exact_steps);
}

TEST_CASE("stick breaking gives row by row what it gives as a whole") {
  const Json stick{{"alignment", "stick-breaking"}};
  const auto with = [&](Json more) {
    more.update(stick);
    return attention(nullptr, 7, more);
  };
  Json causal = with({{"mask", {"mask-causal"}}});
  causal["outputs"] = {"context", "weights", "remainder"};
  CHECK(gap(causal) <= exact_steps);
  CHECK(gap(with({{"mask", {{{"type", "mask-sliding"}, {"window", 3}}}},
                  {"heads", {{"type", "multi-head"}, {"count", 2}}}})) <= exact_steps);
  CHECK(gap(with({{"mask", {{{"type", "mask-sink-window"}, {"sinks", 1}, {"window", 2}}}}})) <=
        exact_steps);
  Json one = attention(nullptr, 1, {{"mask", {"mask-causal"}}, {"alignment", "stick-breaking"}});
  CHECK(gap(one) <= exact_steps);
  try {
    (void)stepped(with(Json::object()));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism");
    CHECK(std::string(error.what()).find("one row at a time") != std::string::npos);
  }
}

TEST_CASE("one row is refused where two rows settle another default or draw other numbers") {
  const auto path_of = [](const Json& document) {
    try {
      (void)stepped(document);
    } catch (const Error& error) {
      return error.path;
    }
    return std::string("no error");
  };
  const auto sparse = [](Json mask) {
    mask.update({{"type", "mask-sparse-fixed"}, {"part", "second"}});
    return attention(nullptr, 1, {{"mask", {mask, "mask-causal"}}});
  };
  CHECK(path_of(sparse(Json::object())) == "/mechanism/mask/0/l");
  CHECK(gap(sparse({{"l", 1}})) <= exact_steps);
  Json core = attention("rfa", 1, {{"heads", {{"type", "fixed-head-size"}, {"count", 2}}}});
  core["mechanism"]["mask"] = {"mask-causal"};
  CHECK(path_of(core) == "/parameters/heads.W_Q");
}

TEST_CASE("what chooses keys keeps all of them, its index beside them, and no copies") {
  const auto kept = [](const Json& document) {
    Json plain = document;
    plain.erase("outputs");
    return parse_json(kept_text(plain.dump(), ""));
  };
  const auto numbers = [&](const Json& document) -> std::vector<std::size_t> {
    return kept(document)["numbers"];
  };
  const auto growing = [](std::size_t each) {
    std::vector<std::size_t> list;
    for (std::size_t t = 1; t <= 7; ++t) list.push_back(each * t);
    return list;
  };
  CHECK(numbers(attention({{"type", "moba"}, {"block", 3}}, 7)) == growing(2 * 6));
  CHECK(numbers(attention({{"type", "quest"}, {"page", 3}}, 7)) == growing(2 * 6));
  CHECK(numbers(attention({{"type", "nsa"}, {"block", 3}}, 7)) == growing(2 * 6));
  CHECK(numbers(attention({{"type", "dsa"}, {"index_width", 4}}, 7)) == growing(2 * 6 + 4));
  const Json shared{{"heads", {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}}}};
  CHECK(2 * numbers(attention("moba", 7, shared)).back() ==
        numbers(attention("moba", 7, {{"heads", {{"type", "multi-head"}, {"count", 4}}}})).back());
  // A window of stick breaking forgets what it no longer sees.
  const Json window{{"mask", {{{"type", "mask-sliding"}, {"window", 3}}}},
                    {"alignment", "stick-breaking"}};
  const Json sliding = kept(attention(nullptr, 7, window));
  CHECK(sliding["numbers"] == Json({12, 24, 36, 36, 36, 36, 36}));
}

TEST_CASE("a choice that needs all rows is refused at its own place") {
  CHECK(blamed("score", "key-linear") == "/mechanism/score");
  const auto kept = [](const Json& json) { (void)kept_text(json.dump(), ""); };
  CHECK(blamed("score", "key-linear", kept) == "/mechanism/score");
  CHECK(blamed("mask", "mask-routing", kept) == "/mechanism/mask/1");
  CHECK(blamed("alignment", "structured-chain") == "/mechanism/alignment");
  CHECK(blamed("mask", "mask-routing") == "/mechanism/mask/1");
  CHECK(blamed("mask", "mask-padding") == "/mechanism/mask/1/length");
}

}  // namespace attend::testing::stepwise_choices_test
