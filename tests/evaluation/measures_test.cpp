// SPDX-License-Identifier: Apache-2.0
// Each measure against its paper's example or one by hand, and against the values that scikit-learn, scipy, nltk and
// scikit-image found (tests/python/measure_goldens.py).
#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sstream>

#include "evaluation/interval.h"
#include "experiment/describing/describe.h"
#include "ops/error.h"
#include "tests/checkout.h"
#include "tests/evaluation/measuring.h"
#include "tests/experiment/harness.h"

namespace attend::testing::measures_test {
namespace {

using doctest::Approx;

std::string file_text(const std::string& name) {
  std::ifstream file(testing::in_checkout(name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Json words(const std::string& sentence) {
  std::istringstream stream(sentence);
  Json list = Json::array();
  for (std::string word; stream >> word;) list.push_back(word);
  return list;
}

TEST_CASE(
    "there are the 32 measures of the catalogue, each with its words, in docs/measures.md too") {
  const Json list = describe_measures();
  CHECK(list.size() == 32);
  const std::string page = file_text("/docs/measures.md");
  std::set<std::string> ids;
  for (const Json& measure : list) {
    CAPTURE(measure["id"].dump());
    ids.insert(measure["id"].get<std::string>());
    for (const char* name : {"title", "formula", "sentence", "tells"})
      CHECK_FALSE(measure[name].get<std::string>().empty());
    CHECK(measure["tells"].get<std::string>().starts_with("Shows"));
    CHECK(measure["source"]["link"].get<std::string>().starts_with("https://"));
    CHECK_FALSE(measure["inputs"].empty());
    CHECK(page.find("`" + measure["id"].get<std::string>() + "`") != std::string::npos);
  }
  CHECK(ids.size() == 32);
}

TEST_CASE("measures equal those of scikit-learn, scipy, nltk and scikit-image") {
  const Json cases = parse_json(file_text("/tests/evaluation/measure_goldens.json"));
  CHECK(cases.size() > 60);
  for (const Json& one : cases) {
    CAPTURE(one["measurement"]["measure"].dump());
    CHECK(value_of(one["measurement"]) == Approx(one["value"].get<double>()).epsilon(1e-9));
  }
}

// Papineni et al. 2002: two candidates for one sentence, and the word that is said seven times.
TEST_CASE("bleu counts as in its paper") {
  const Json references = {
      words(
          "it is a guide to action that ensures that the military will forever heed party commands"),
      words(
          "it is the guiding principle which guarantees the military forces always being under the command of "
          "the party"),
      words("it is the practical guide for the army always to heed the directions of the party")};
  const auto precisions = [&](const Json& text, const Json& against) {
    return answer_measurement({{"measure", {{"type", "bleu"}, {"N", 2}}},
                               {"tokens", text},
                               {"references", against}})["details"]["precisions"]["data"];
  };
  const Json first = precisions(
      words(
          "it is a guide to action which ensures that the military always obeys the commands of the party"),
      references);
  CHECK(first[0].get<double>() == Approx(17. / 18));
  CHECK(first[1].get<double>() == Approx(10. / 17));
  const Json second = precisions(
      words("it is to insure the troops forever hearing the activity guidebook that party direct"),
      references);
  CHECK(second[0].get<double>() == Approx(8. / 14));
  CHECK(second[1].get<double>() == Approx(1. / 13));
  const Json the = precisions(words("the the the the the the the"),
                              {words("the cat is on the mat"), words("there is a cat on the mat")});
  CHECK(the[0].get<double>() == Approx(2. / 7));
}

TEST_CASE("bleu is 1 for equal texts, 0 for others, and punishes short ones") {
  const auto bleu = [](const std::string& text, const std::string& reference) {
    return value_of(Json{{"measure", "bleu"},
                         {"tokens", words(text)},
                         {"references", Json::array({words(reference)})}});
  };
  CHECK(bleu("a b c d e", "a b c d e") == Approx(1));
  CHECK(bleu("a b c d e", "f g h i j") == 0);
  CHECK(bleu("a b c d", "a b c d e f g h") == Approx(std::exp(1 - 8. / 4)));
  // Over a corpus counts are summed before anything is divided.
  const Json both = {
      {"measure", {{"type", "bleu"}, {"N", 1}}},
      {"examples",
       {{{"tokens", words("a b")}, {"references", Json::array({words("a x")})}},
        {{"tokens", words("c d e f")}, {"references", Json::array({words("c d e f")})}}}}};
  CHECK(value_of(both) == Approx(5. / 6));
}

TEST_CASE("meteor counts matches and chunks") {
  const auto meteor = [](const Json& text, const Json& reference) {
    return answer_measurement(
        {{"measure", "meteor"}, {"tokens", text}, {"references", Json::array({reference})}});
  };
  const Json one = meteor(words("the president spoke to the audience"),
                          words("the president then spoke to the audience"));
  CHECK(one["details"]["chunks"].get<double>() == 2);
  const double r = 6. / 7, f = 10 * r / (r + 9);
  CHECK(one["value"].get<double>() == Approx(f * (1 - std::pow(2. / 6, 3) / 2)));
  CHECK(meteor(words("a b c d"), words("a b c d"))["value"].get<double>() == Approx(1 - .5 / 64));
  CHECK(meteor(words("a b"), words("c d"))["value"].get<double>() == 0);
  // Words that stand twice are matched so that the fewest chunks remain.
  CHECK(meteor(words("b a a b"), words("a b b a"))["details"]["chunks"].get<double>() == 2);
  const Json synonyms = {{"measure", "meteor"},
                         {"tokens", words("big dog")},
                         {"references", Json::array({words("large dog")})},
                         {"synonyms", Json::array({words("big large")})}};
  CHECK(value_of(synonyms) == Approx(1 - .5 / 8));
}

TEST_CASE("error rates count edits, and can exceed 1") {
  const Json one = measured(
      R"({"measure": "wer", "tokens": ["the", "cat", "sat", "down"], "reference": ["the", "cat", "is", "sat"]})");
  CHECK(one["value"].get<double>() == Approx(.5));
  CHECK(one["details"]["path"] == Json({"match", "match", "substitute", "substitute"}));
  CHECK(value_of(R"({"measure": "wer", "tokens": ["a", "b", "c"], "reference": ["x"]})") ==
        Approx(3));
  CHECK(
      value_of(R"({"measure": "per", "tokens": ["k", "a", "t"], "reference": ["k", "ae", "t"]})") ==
      Approx(1. / 3));
  CHECK(measured(R"({"measure": "wer", "tokens": ["a"], "reference": []})")["value"].is_null());
}

TEST_CASE("perplexity of even guesses is the number of choices") {
  CHECK(value_of(R"({"measure": "perplexity", "probabilities": [0.25, 0.25, 0.25]})") == Approx(4));
  CHECK(value_of(R"({"measure": "perplexity", "probabilities": [1, 1]})") == Approx(1));
  CHECK(
      value_of(
          R"({"measure": "perplexity", "probabilities": [[0.9, 0.1], [0.5, 0.5]], "labels": ["no", "yes"],
                     "vocabulary": ["no", "yes"]})") == Approx(std::sqrt(1 / .45)));
  const Json never = measured(R"({"measure": "perplexity", "probabilities": [0, 1]})");
  CHECK(never["value"].is_null());
  CHECK(never["infinite"] == true);
}

TEST_CASE("classes of which nothing is to be counted have 0") {
  const Json one =
      measured(R"({"measure": "precision", "predictions": ["a", "a"], "labels": ["a", "b"]})");
  CHECK(one["value"].get<double>() == Approx(.25));
  CHECK(one["details"]["confusion"]["data"] == Json({1., 0., 1., 0.}));
  CHECK(one["details"]["confusion"]["words"] == Json({"a", "b"}));
}

TEST_CASE("image measures at their ends") {
  const std::string two = R"("image": [[0, 1], [0, 1]], "reference": [[0, 1], [0, 1]])";
  const Json psnr = measured(R"({"measure": "psnr", )" + two + "}");
  CHECK(psnr["infinite"] == true);
  CHECK(
      value_of(
          R"({"measure": {"type": "psnr", "L": 255}, "image": [[0, 10]], "reference": [[0, 0]]})") ==
      Approx(10 * std::log10(255. * 255 / 50)));
  CHECK(value_of(R"({"measure": {"type": "ssim", "size": 2}, )" + two + "}") == Approx(1));
  CHECK(value_of(R"({"measure": "iou", "image": [[1, 1, 0]], "reference": [[0, 1, 1]]})") ==
        Approx(1. / 3));
  CHECK(value_of(R"({"measure": "iou", "image": [[1, 0]], "reference": [[0, 1]]})") == 0);
}

TEST_CASE("maps are measured as their formulas say") {
  CHECK(value_of(R"({"measure": "aer", "map": [[0.9, 0.1, 0], [0, 0.2, 0.8]],
                     "gold": {"sure": [[0, 0], [1, 1]], "possible": [[1, 2]]}})") ==
        Approx(1 - 3. / 4));
  CHECK(
      value_of(
          R"({"measure": {"type": "aer", "links": "threshold", "threshold": 0.2}, "map": [[0.5, 0.5]],
                     "gold": [[0, 0], [0, 1]]})") == Approx(0));
  CHECK(value_of(R"({"measure": "attention-correctness", "map": [[0.1, 0.6, 0.3], [1, 0, 0]],
                     "region": [[0, 1, 1], [0, 0, 0]]})") == Approx(.9));
  CHECK(value_of(R"({"measure": "entropy", "map": [[0.25, 0.25, 0.25, 0.25], [1, 0, 0, 0]]})") ==
        Approx(.5));
  CHECK(
      value_of(
          R"({"measure": "entropy", "map": [[1, 0, 0], [0.5, 0.5, 0]], "mask": [[1, 0, 0], [1, 1, 0]]})") ==
      Approx(.5));
  CHECK(
      value_of(
          R"({"measure": "rank-correlation", "map": [[1, 2], [3, 4]], "reference": [[1, 5], [6, 9]]})") ==
      Approx(1));
  CHECK(
      value_of(
          R"({"measure": "rank-correlation", "map": [[1, 2, 3, 4]], "reference": [[4, 3, 2, 1]]})") ==
      Approx(-1));
  CHECK(measured(
            R"({"measure": "rank-correlation", "map": [[1, 1]], "reference": [[1, 2]]})")["value"]
            .is_null());
  CHECK(
      value_of(
          R"({"measure": {"type": "rank-correlation", "size": 2}, "map": [[1,1,2,2],[1,1,2,2],[3,3,4,4],[3,3,4,4]],
                     "reference": [[1,1,5,5],[1,1,5,5],[6,6,9,9],[6,6,9,9]]})") == Approx(1));
  CHECK(value_of(R"({"measure": "jsd", "map": [[1, 0]], "other": [[0, 1]]})") ==
        Approx(std::log(2)));
  CHECK(value_of(R"({"measure": "tvd", "output": [[1, 0]], "other": [[0.25, 0.75]]})") ==
        Approx(.75));
  const Json gaze = measured(
      R"({"measure": "human-gaze-overlay", "map": [[0.1, 0.2, 0.7]], "gaze": [[1, 5, 9]]})");
  CHECK(gaze["value"].get<double>() == Approx(1));
  CHECK(gaze["details"]["attention correctness"].get<double>() == Approx(.9));
  const Json heat =
      measured(R"({"measure": "word-heatmap", "map": [[0.2, 0.4]], "tokens": ["a", "b"]})");
  CHECK(heat["value"].is_null());
  CHECK(heat["details"]["opacity"]["data"] == Json({.5, 1.}));
}

// The measure in plain loops and the loss as a module, of which one does not know the other.
TEST_CASE("measures of supervised attention equal the losses of their names") {
  const std::string a = "[[0.7, 0.2, 0.1], [0, 0.5, 0.5]]", gold = "[[1, 0, 0], [0, 0.25, 0.75]]";
  for (const std::string id :
       {"supervised-mse", "supervised-xent", "supervised-mult", "transfer-loss"}) {
    for (const std::string form : {"mse", "xent", "mult"}) {
      if (id != "transfer-loss" && form != "mse") continue;
      CAPTURE(id + form);
      const std::string knobs =
          R"("lambda": 0.5)" + (id == "transfer-loss" ? R"(, "form": ")" + form + "\"" : "");
      const std::string name = id == "transfer-loss" ? "teacher" : "gold";
      const double value = value_of(R"({"measure": {"type": ")" + id + "\", " + knobs +
                                    R"(}, "map": )" + a + ", \"" + name + "\": " + gold + "}");
      const Ran ran = run_json(
          parse_json(R"({"schema": "attention-playground/1", "inputs": {"weights": {"matrix": )" +
                     a + "}, \"" + name + R"(": {"matrix": )" + gold +
                     R"(}}, "mechanism": {"type": ")" + id + "\", " + knobs + "}}"));
      CHECK(value == Approx(ran.outputs.at("loss").data[0]).epsilon(1e-5));
    }
  }
  CHECK(
      value_of(
          R"({"measure": {"type": "supervised-mse", "lambda": 1}, "map": [[0.5, 0.5]], "gold": [[1, 0]]})") ==
      Approx(.5));
  CHECK(
      value_of(
          R"({"measure": "supervised-mult", "map": [[1, 0], [0, 1]], "gold": [[1, 0], [0, 1]]})") ==
      Approx(0));
  CHECK(
      value_of(
          R"({"measure": {"type": "supervised-xent", "lambda": 1}, "map": [[0.5, 0.5]], "gold": [[0.5, 0.5]]})") ==
      Approx(std::log(2)));
}

TEST_CASE("intervals are Wilson's for shares, and else drawn anew from a seed") {
  // Wilson 1927 for 8 of 10 at 95 percent.
  const ConfidenceInterval eight = wilson(8, 10, .95);
  CHECK(eight.low == Approx(.4901625).epsilon(1e-6));
  CHECK(eight.high == Approx(.9433178).epsilon(1e-6));
  CHECK(wilson(0, 10, .95).low == 0);
  CHECK(wilson(10, 10, .95).high == 1);
  CHECK(normal_quantile(.975) == Approx(1.959963985));
  Json measurement = {{"measure", "entropy"}, {"examples", Json::array()}};
  for (int i = 0; i < 40; ++i) {
    const double p = .5 + .012 * i;
    measurement["examples"].push_back({{"map", Json::array({Json::array({p, 1 - p})})}});
  }
  const Json first = answer_measurement(measurement), second = answer_measurement(measurement);
  CHECK(first == second);
  const double low = first["interval"]["low"].get<double>(),
               high = first["interval"]["high"].get<double>();
  const double value = first["value"].get<double>();
  CHECK(low < value);
  CHECK(value < high);
  // The mean of 40 draws spreads by sigma / sqrt(40); sigma of these values is .233.
  CHECK(high - low == Approx(2 * 1.96 * .233 / std::sqrt(40.)).epsilon(.15));
  measurement["interval"] = {{"level", .5}};
  const Json narrow = answer_measurement(measurement)["interval"];
  CHECK(narrow["high"].get<double>() - narrow["low"].get<double>() < (high - low) * .5);
}

struct Wrong {
  const char *measurement, *path, *part;
};

TEST_CASE("a wrong measurement is refused with its path") {
  const std::vector<Wrong> all{
      {"[1]", "", "expected a measurement"},
      {"{}", "/measure", "found nothing"},
      {R"({"measure": "blue"})", "/measure", "unknown measure \"blue\""},
      {R"({"measure": []})", "/measure", "at least one"},
      {R"({"measure": {"type": "bleu", "M": 2}})", "/measure/M", "unknown field"},
      {R"({"measure": [{"type": "bleu", "N": 0}]})", "/measure/0/N", "at least 1"},
      {R"({"measure": "bleu", "tokens": ["a"]})", "/references", "found nothing"},
      {R"({"measure": "bleu", "tokens": "a b", "references": [["a"]]})", "/tokens",
       "a name means a result"},
      {R"({"measure": "bleu", "tokens": [1], "references": [["a"]]})", "/tokens/0",
       "expected a word"},
      {R"({"measure": "bleu", "tokens": ["a"], "references": []})", "/references",
       "a list of texts"},
      {R"({"measure": "entropy", "map": [[-1, 2]]})", "/map", "at least 0"},
      {R"({"measure": "entropy", "map": [[1, "x"]]})", "/map/0/1", "expected a number"},
      {R"({"measure": "jsd", "map": [[1, 0]], "other": [[1]]})", "/other", "expected shape [1 2]"},
      {R"({"measure": "aer", "map": [[1, 0]], "gold": [[0, 2]]})", "/gold", "outside the map"},
      {R"({"measure": "aer", "map": [[1, 0]], "gold": [[0]]})", "/gold/0", "a pair"},
      {R"({"measure": "accuracy", "predictions": [1], "labels": [1, 2]})", "/labels",
       "one per prediction"},
      {R"({"measure": "accuracy", "predictions": [], "labels": []})", "", "nothing to measure"},
      {R"({"measure": "ssim", "image": [[1]], "reference": [[1]]})", "/image",
       "smaller than the window"},
      {R"({"measure": "perplexity", "probabilities": [2]})", "/probabilities", "from 0 to 1"},
      {R"({"measure": "erasure"})", "/document", "reads a document"},
      {R"({"measure": "erasure", "document": {}})", "/document/schema", "expected"},
      {R"({"measure": "entropy", "examples": []})", "/examples", "at least one"},
      {R"({"measure": "entropy", "examples": [{"map": [[1, 0]], "gold": 1}]})", "/examples/0/gold",
       "unknown field"},
      {R"({"measure": "entropy", "map": [[1]], "interval": {"level": 2}})", "/interval/level",
       "between 0 and 1"},
  };
  for (const Wrong& wrong : all) {
    CAPTURE(wrong.measurement);
    try {
      answer_measurement(parse_json(wrong.measurement));
      FAIL_CHECK("it was taken");
    } catch (const Error& error) {
      CHECK(error.path == wrong.path);
      CHECK_MESSAGE(std::string(error.what()).find(wrong.part) != std::string::npos, error.what());
    }
  }
}

}  // namespace
}  // namespace attend::testing::measures_test
