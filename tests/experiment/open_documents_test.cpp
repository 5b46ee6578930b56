// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>

#include "experiment/service.h"
#include "tests/experiment/open_reader.h"
#include "tests/experiment/recording_count.h"

namespace attend::open_documents_test {
namespace {

const std::string& words() {
  static const std::string text =
      R"({"schema": "attention-playground/1", "inputs": {"x": {"tokens": ["a", "b", "c"],
    "features": {"type": "embedding", "dim": 4}}}, "parameters": {"query.W_Q": [[1, 2, 3, 4], [0, 1, 0, 1],
    [2, 0, 0, 1], [1, 1, 1, 1]]}, "mechanism": {"type": "attention", "query": "self-attention",
    "alignment": {"type": "softmax-temperature", "temperature": 1}}})";
  return text;
}

std::vector<std::string> changed_tensors(const std::string& change) {
  OpenDocument open(words());
  const Json whole = Json::parse(open.read().directory);
  open.change(change);
  const Json answer = Json::parse(open.read(whole["read"].get<std::size_t>()).directory);
  REQUIRE(answer.contains("same"));
  std::vector<std::string> names;
  for (const std::size_t at : answer["changed"])
    names.push_back(whole["tensors"][at]["group"].get<std::string>() + "/" +
                    whole["tensors"][at]["name"].get<std::string>());
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

TEST_CASE("an answer holds only what depends on the change") {
  const auto slid = changed_tensors(R"({"/mechanism/alignment/temperature": 2})");
  CHECK(holds(slid, "outputs/weights"));
  CHECK(holds(slid, "outputs/context"));
  CHECK_FALSE(holds(slid, "outputs/scores"));
  CHECK_FALSE(holds(slid, "inputs/x"));
  CHECK_FALSE(holds(slid, "parameters/query.W_Q"));
  const auto given = changed_tensors(R"({"/parameters/query.W_Q/1/2": 5})");
  CHECK(holds(given, "outputs/scores"));
  CHECK(holds(given, "parameters/query.W_Q"));
  CHECK_FALSE(holds(given, "inputs/x"));
  CHECK(changed_tensors("{}").empty());
}

TEST_CASE("numbers record nothing, anything else compiles again") {
  OpenDocument open(words());
  const auto records = [&](const std::string& change) {
    const testing::RecordingCount count;
    open.change(change);
    (void)open.read();
    return count.documents();
  };
  CHECK(records(R"({"/mechanism/alignment/temperature": 2})") == 0);
  CHECK(records(R"({"/parameters/query.W_Q/1/2": 5})") == 0);
  CHECK(
      records(
          R"({"/parameters/query.W_Q": [[1, 2, 3, 4], [0, 1, 0, 1], [2, 0, 0, 1], [1, 1, 1, 2]]})") ==
      0);
  CHECK(records(R"({"/seed": 5})") == 0);
  CHECK(records(R"({"/mechanism/score": "additive"})") == 1);
  CHECK(records(R"({"/inputs/x/tokens": ["a", "b"]})") == 1);
}

TEST_CASE("packed numbers keep the shape of the list that they replace") {
  OpenDocument open(words());
  std::vector<double> numbers(16);
  for (std::size_t i = 0; i < 16; ++i) numbers[i] = static_cast<double>(i) / 8;
  open.change("{\"/seed\": 3}", {"/parameters/query.W_Q"}, numbers);
  Json document = Json::parse(words());
  document["seed"] = 3;
  for (std::size_t i = 0; i < 16; ++i)
    document["parameters"]["query.W_Q"][i / 4][i % 4] = numbers[i];
  Reader reader(open);
  check_as_fresh(reader, document);
  CHECK(Json::parse(open.text()) == document);
}

// What a change is refused with; the document and its numbers are as before.
Error refusal_in(const std::string& text, const auto& change) {
  OpenDocument open(text);
  Reader reader(open);
  (void)reader.read();
  const std::optional<Error> refused = refusal_of([&] { change(open); });
  REQUIRE(refused.has_value());
  CHECK(Json::parse(open.text()) == Json::parse(text));
  check_as_fresh(reader, Json::parse(text));
  CHECK_FALSE(reader.whole());
  return *refused;
}

void check_refused(const std::string& changes, const std::string& path, const std::string& part) {
  CAPTURE(changes);
  const Error error = refusal_in(words(), [&](OpenDocument& open) { open.change(changes); });
  CHECK(error.path == path);
  CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, error.what());
}

TEST_CASE("a refused change alters nothing and says what to do") {
  check_refused(
      R"({"/mechanism/alinment/temperature": 2})", "/mechanism/alinment/temperature",
      "there is no \"alinment\" in the object at /mechanism, which has alignment, query, type");
  check_refused(R"({"/mechanism/query/type": "x"})", "/mechanism/query/type",
                "change /mechanism/query itself");
  check_refused(R"({"/inputs/x/tokens/3": "d"})", "/inputs/x/tokens/3", "change the whole list");
  check_refused(R"({"/inputs/x/tokens/01": "d"})", "/inputs/x/tokens/01", "change the whole list");
  check_refused(R"({"seed": 2})", "", "expected a JSON pointer");
  check_refused(R"({"/~seed": 2})", "", "expected a JSON pointer");
  check_refused("[]", "", "expected an object of changes");
  check_refused(R"({"/mechanism/alignment/temperature": -1})", "/mechanism/alignment/temperature",
                "must be a number above 0");
  check_refused(R"({"/mechanism/alignment/temperature": "hot"})",
                "/mechanism/alignment/temperature", "");
  check_refused(R"({"/seed": 2, "/mechanism/score": "no-such"})", "/mechanism/score",
                "unknown score");
  check_refused(R"({"/parameters/query.W_Q": [[1, 2]]})", "/parameters/query.W_Q",
                "expected shape");
  check_refused(R"({"/mechanism": "attention", "/mechanism/score": "dot"})", "/mechanism/score",
                "must not overlap, but this change is inside /mechanism");
  check_refused(R"({"": {}, "/seed": 2})", "/seed", "the whole document");
  check_refused(R"({"/inputs/__proto__": {}})", "/inputs/__proto__", "is not allowed");
  check_refused(R"({"/seed": {"a": 1, "a": 2}})", "/seed/a", "appears twice");
  check_refused(R"({"/inputs/x/features/dim": 3})", "/parameters/query.W_Q", "expected shape");
}

TEST_CASE("packed numbers of another count, or for what is no list of numbers, are refused") {
  const auto refused = [&](const std::string& pointer, std::size_t count) {
    return refusal_in(words(), [&](OpenDocument& open) {
      open.change("{}", {pointer}, std::vector<double>(count));
    });
  };
  CHECK(refused("/parameters/query.W_Q", 15).path == "/parameters/query.W_Q");
  CHECK(
      std::string(refused("/parameters/query.W_Q", 17).what()).find("there are 16 numbers here") !=
      std::string::npos);
  CHECK(std::string(refused("/inputs/x/tokens", 3).what()).find("give this value as JSON") !=
        std::string::npos);
  CHECK(refused("/inputs/y", 3).path == "/inputs/y");
  const Error twice = refusal_in(words(), [&](OpenDocument& open) {
    open.change(R"({"/parameters/query.W_Q/0/0": 1})", {"/parameters/query.W_Q"},
                std::vector<double>(16));
  });
  CHECK(twice.path == "/parameters/query.W_Q/0/0");
}

TEST_CASE("a document whose numbers are refused at the reading is mended by the next change") {
  Json document = Json::parse(words());
  OpenDocument open(document.dump());
  Reader reader(open);
  check_as_fresh(reader, document);
  const auto set = [&](double number) {
    return change_both(open, reader, document,
                       {{"/parameters/query.W_Q/0", std::vector<double>(4, number)}});
  };
  // Sums of such numbers are infinite.
  CHECK(set(static_cast<double>(std::numeric_limits<real>::max()) / 1.1));
  CHECK_THROWS_AS((void)open.read(), Error);
  CHECK(change_both(open, reader, document, {{"/mechanism/alignment/temperature", 3}}));
  CHECK(set(1));
  CHECK_FALSE(reader.whole());
}

std::string iterated(std::size_t words, std::size_t iterations) {
  Json document{{"schema", "attention-playground/1"},
                {"outputs", {"context", "weights"}},
                {"mechanism",
                 {{"type", "attention"},
                  {"query", "self-attention"},
                  {"score", {{"type", "scaled-dot"}}},
                  {"heads", {{"type", "multi-head"}, {"count", 2}}},
                  {"alignment", {{"type", "sinkhorn"}, {"iterations", iterations}}}}}};
  document["inputs"]["x"]["tokens"] = std::vector<std::string>(words, "a");
  document["inputs"]["x"]["features"] = {{"type", "embedding"}, {"dim", 8}};
  return document.dump();
}

TEST_CASE("in slices the numbers are the same, also where a change comes in between") {
  Json document = Json::parse(iterated(48, 5));
  OpenDocument open(document.dump());
  std::size_t slices = 1;
  double before = 0;
  for (double share = 0; (share = open.step(0)) < 1; ++slices) {
    CHECK(share >= before);
    before = share;
  }
  CHECK(slices > 5);
  Reader reader(open);
  check_as_fresh(reader, document);
  for (const std::size_t stop : {1U, 3U, 6U}) {
    const std::vector<Change> changes{{"/seed", stop}};
    open.change(changes);
    apply(document, changes);
    for (std::size_t k = 0; k < stop; ++k) CHECK(open.step(0) < 1);
    const std::vector<Change> other{{"/inputs/x/tokens/1", "b" + std::to_string(stop)}};
    open.change(other);
    apply(document, other);
    check_as_fresh(reader, document);
  }
  CHECK(open.step(0) == 1);
}

TEST_CASE("a reading by names gives these tensors alone") {
  OpenDocument open(words());
  const Packed some = open.read({"outputs/context", "inputs/x"});
  const Json directory = Json::parse(some.directory);
  REQUIRE(directory["tensors"].size() == 2);
  CHECK(directory["tensors"][0]["name"] == "context");
  CHECK(directory["tensors"][1]["offset"] == 12);
  CHECK(some.data.size() == 24);
  const Packed all = open.read();
  const Json everything = Json::parse(all.directory);
  for (const Json& entry : everything["tensors"]) {
    if (entry["group"] != "outputs" || entry["name"] != "context") continue;
    const auto first = all.data.begin() + entry["offset"].get<long>();
    CHECK(std::equal(first, first + 12, some.data.begin()));
  }
  CHECK_THROWS_WITH_AS((void)open.read({"outputs/wieghts"}),
                       doctest::Contains("there is no tensor \"outputs/wieghts\""), Error);
}

TEST_CASE("an explanation is that of the document as it is now") {
  OpenDocument open(words());
  (void)open.read();
  open.change(R"({"/mechanism/alignment/temperature": 2})");
  CHECK(open.explain("weights", {0, 1}) == explain_document(open.text(), "weights", "[0, 1]"));
  CHECK_THROWS_AS((void)open.explain("weights", {0, 9}), Error);
}

TEST_CASE("a handle is of one document, until it is closed") {
  OpenDocuments documents;
  const auto first = documents.open(words()), second = documents.open(iterated(3, 2));
  CHECK(first != second);
  CHECK(documents[first].text() != documents[second].text());
  CHECK_THROWS_AS((void)documents.open("{"), Error);
  documents.close(first);
  CHECK_THROWS_WITH_AS(
      (void)documents[first],
      "the document with the handle 1 is closed; open it again to get a new handle", Error);
  CHECK_THROWS_AS(documents.close(first), Error);
  CHECK_THROWS_WITH_AS((void)documents[99],
                       "no document has the handle 99; open returns the handle of a document",
                       Error);
  CHECK_THROWS_AS((void)documents[0], Error);
  CHECK(documents.open(words()) != first);
  CHECK_NOTHROW((void)documents[second].read());
}

TEST_CASE("only so many documents are open at once") {
  OpenDocuments documents;
  for (std::size_t i = 0; i < OpenDocuments::most; ++i) (void)documents.open(words());
  CHECK_THROWS_WITH_AS((void)documents.open(words()), doctest::Contains("close one"), Error);
  documents.close(1);
  CHECK_NOTHROW((void)documents.open(words()));
}

}  // namespace
}  // namespace attend::open_documents_test
