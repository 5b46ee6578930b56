// SPDX-License-Identifier: Apache-2.0
#include "experiment/session.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

#include "experiment/describing/example.h"
#include "experiment/recording/compile.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "tests/each.h"
#include "tests/experiment/recording_count.h"

namespace attend::session_test {
namespace {

std::size_t recorded_by(const auto& call) {
  const testing::RecordingCount count;
  call();
  return count.documents();
}

void check_as_fresh(Session& session, const std::string& document) {
  const Packed held = session.run(document), fresh = run_packed(document);
  CHECK(held.directory == fresh.directory);
  CHECK(held.data == fresh.data);
}

std::string with_temperature(const std::string& temperature) {
  return R"({"schema": "attention-playground/1", "inputs": {"x": {"matrix": [[1, 0, 2], [0, 1, 1]]}},
    "mechanism": {"type": "attention", "query": "self-attention", "score": "scaled-dot",
    "alignment": {"type": "softmax-temperature", "temperature": )" +
         temperature + "}}}";
}

const testing::Each same_again(
    "gives the same numbers in a session again, after another document and with other numbers",
    testing::every_mechanism, [](const Mechanism& mechanism) {
      Session session;
      const std::string document = example_text(std::string(mechanism.id));
      check_as_fresh(session, document);
      check_as_fresh(session, document);
      check_as_fresh(session, with_temperature("2"));
      check_as_fresh(session, document);
      check_as_fresh(session, example_document(mechanism, 8).dump());
    });

// The last word of each input is another one, which stands in no other place.
Json with_other_words(Json document) {
  for (auto& [name, input] : document["inputs"].items()) {
    for (const char* words : {"tokens", "labels"}) {
      if (input.contains(words) && !input[words].empty()) input[words].back() = "aardvark";
    }
  }
  return document;
}

const testing::Each other_words("gives the same numbers in a session where a word is another one",
                                testing::every_mechanism, [](const Mechanism& mechanism) {
                                  const Json document =
                                      Json::parse(example_text(std::string(mechanism.id)));
                                  Session session;
                                  (void)session.run(document.dump());
                                  check_as_fresh(session, with_other_words(document).dump());
                                  check_as_fresh(session, document.dump());
                                });

// A document, and a copy of it with another number for one knob, nothing else.
struct Moved {
  Json before, document;
  std::string knob;
};

void move_knobs(const Choice& choice, const Json& whole, std::vector<Moved>& moved) {
  for (const Knob& knob : choice.mechanism->knobs) {
    if (knob.type != Knob::Type::number) continue;
    Moved one{whole, whole, std::string(choice.mechanism->id) + " " + std::string(knob.name)};
    const auto slot_in = [&](Json& document) -> Json& {
      Json& place = document[Json::json_pointer(choice.path)];
      if (place.is_string()) place = Json{{"type", place}};
      return place;
    };
    // What a knob that may be left out is set to can move once it is there.
    if (knob.optional) slot_in(one.before)[std::string(knob.name)] = knob.maximum;
    Json& place = slot_in(one.document);
    const bool narrow = knob.maximum <= 1;
    place[std::string(knob.name)] =
        narrow ? knob.maximum / 3 : knob.minimum + .37 * (knob.maximum - knob.minimum);
    moved.push_back(std::move(one));
  }
  for (const auto& [slot, choices] : choice.slots) {
    for (const Choice& inner : choices) move_knobs(inner, whole, moved);
  }
}

// The example of a mechanism with each of its number-knobs moved.
std::vector<Moved> moved_examples(const Mechanism& mechanism, Json& full) {
  full = example_document(mechanism);
  if (full["mechanism"].is_string()) full["mechanism"] = Json{{"type", full["mechanism"]}};
  std::vector<Moved> moved;
  const Document read = read_document(full);
  move_knobs(read.mechanism(), full, moved);
  return moved;
}

// The shape of every node of a recording. A number that shapes depend on is recorded anew; any other is a leaf.
std::vector<Shape> shapes_of(const Json& document) {
  const Compiled compiled = compile(read_document(document));
  std::vector<Shape> shapes;
  for (NodeId id = 0; id < compiled.graph().size(); ++id)
    shapes.push_back(compiled.graph().var(id).shape());
  return shapes;
}

testing::Mechanisms with_number_knobs() {
  testing::Mechanisms list = testing::every_mechanism();
  std::erase_if(list, [](const Mechanism* mechanism) {
    Json full;
    return moved_examples(*mechanism, full).empty();
  });
  return list;
}

const testing::Each moved_numbers(
    "records nothing when a number-knob moves, and gives the right numbers", with_number_knobs,
    [](const Mechanism& mechanism) {
      Json full;
      for (const Moved& one : moved_examples(mechanism, full)) {
        CAPTURE(one.knob);
        const bool shapes_move = shapes_of(one.before) != shapes_of(one.document);
        Session session;
        (void)session.run(one.before.dump());
        const std::size_t recorded = recorded_by([&] { (void)session.run(one.document.dump()); });
        CHECK(recorded == (shapes_move ? 1 : 0));
        check_as_fresh(session, one.document.dump());
      }
    });

TEST_CASE("many mechanisms have number-knobs to move") { CHECK(with_number_knobs().size() > 25); }

TEST_CASE(
    "a seed, an input or a given parameter of equal shape changes leaves and records nothing") {
  const auto document = [](const char* seed, const char* x, const char* w) {
    return std::string(R"({"schema": "attention-playground/1", "seed": )") + seed +
           R"(, "inputs": {"x": {"matrix": )" + x +
           R"(}}, "mechanism": {"type": "attention", "query": "self-attention"}, "parameters":
           {"query.W_Q": )" +
           w + R"(}, "gradient": {"of": "context"}})";
  };
  const char *x = "[[1, 0], [0, 1]]", *w = "[[1, 2], [3, 4]]";
  Session session;
  (void)session.run(document("1", x, w));
  const auto records = [&](const std::string& text) {
    const std::size_t count = recorded_by([&] { (void)session.run(text); });
    check_as_fresh(session, text);
    return count;
  };
  CHECK(records(document("2", x, w)) == 0);
  CHECK(records(document("2", "[[1, 5], [0, 1]]", w)) == 0);
  CHECK(records(document("2", x, "[[1, 2], [3, 5]]")) == 0);
  CHECK(records(document("2", "[[1, 5], [0, 1], [1, 1]]", w)) == 1);
}

TEST_CASE("words that only label rows record nothing; words that are numbered do") {
  const auto document = [](const char* mechanism, const char* word) {
    return std::string(
               R"({"schema": "attention-playground/1", "inputs": {"x": {"tokens": ["a", ")") +
           word + R"("], "features": {"type": "one-hot", "dim": 4}}}, "mechanism": )" + mechanism +
           "}";
  };
  const char* attends = R"({"type": "attention", "query": "self-attention"})";
  const char* numbers = R"({"type": "fm-embedding"})";
  for (const auto& [mechanism, expected] : {std::pair(attends, 0), std::pair(numbers, 1)}) {
    Session session;
    (void)session.run(document(mechanism, "b"));
    CHECK(recorded_by([&] { (void)session.run(document(mechanism, "c")); }) ==
          static_cast<std::size_t>(expected));
    check_as_fresh(session, document(mechanism, "d"));
    check_as_fresh(session, document(mechanism, "a"));
  }
}

TEST_CASE("explaining, exporting and normalising use the program that is there") {
  Session session;
  (void)session.run(with_temperature("2"));
  const std::string next = with_temperature("3");
  CHECK(recorded_by([&] {
          CHECK(session.explain(next, "weights", "[0, 1]") ==
                explain_document(next, "weights", "[0, 1]"));
        }) == 1);  // the one that it is compared with
  CHECK(recorded_by([&] { CHECK(session.normalise(next) == normalise_document(next)); }) == 1);
  CHECK(recorded_by(
            [&] { CHECK(session.code(next, "numpy", "{}").find("3") != std::string::npos); }) == 0);
  check_as_fresh(session, next);
}

// Held or fresh, a document is refused at the same place for the same reason.
void check_refused_alike(const std::string& good, const std::string& bad, const std::string& path) {
  Session session;
  (void)session.run(good);
  std::string held;
  try {
    (void)session.run(bad);
  } catch (const Error& error) {
    CHECK(error.path == path);
    held = error.what();
  }
  CHECK_THROWS_WITH_AS((void)run_packed(bad), held.c_str(), Error);
  check_as_fresh(session, good);
}

TEST_CASE(
    "indices that are moved out of their range are refused like those that were never in it") {
  const auto landmarks = [](const Json& numbers) {
    Json document = Json::parse(example_text("soft"));
    document["parameters"]["structure.landmarks"] = numbers;
    return document.dump();
  };
  const auto classes = [](double number) {
    return Json{
        {"schema", "attention-playground/1"},
        {"inputs", {{"logits", {{"matrix", {{1, 2}}}}}, {"target", {{"matrix", {{number}}}}}}},
        {"mechanism", "cross-entropy"}}
        .dump();
  };
  for (const double wrong : {99., -1., .5}) {
    CAPTURE(wrong);
    check_refused_alike(landmarks({0, 1, 2}), landmarks({0, wrong, 2}),
                        "/parameters/structure.landmarks");
    check_refused_alike(classes(1), classes(wrong), "/inputs/target");
  }
}

TEST_CASE("a refused document leaves what is held as it was") {
  Session session;
  (void)session.run(with_temperature("2"));
  for (const char* bad : {"\"hot\"", "-1", "0", "1e400", "2, \"no-such\": 1"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS((void)session.run(with_temperature(bad)), Error);
  }
  CHECK_THROWS_AS((void)session.run("{"), Error);
  CHECK(recorded_by([&] { (void)session.run(with_temperature("4")); }) == 0);
  check_as_fresh(session, with_temperature("4"));
}

TEST_CASE("two documents in turn, as in a comparison, are both held") {
  Session session;
  const std::string other = example_text("additive");
  (void)session.run(with_temperature("2"));
  (void)session.run(other);
  CHECK(recorded_by([&] {
          (void)session.run(with_temperature("3"));
          (void)session.run(other);
        }) == 0);
}

// Sinkhorn's iterations over so many words.
std::string iterated(std::size_t words, std::size_t iterations) {
  std::string tokens;
  for (std::size_t k = 0; k < words; ++k) tokens += k == 0 ? "\"a\"" : ",\"a\"";
  return R"({"schema": "attention-playground/1", "outputs": ["context"], "inputs": {"x": {"tokens": [)" +
         tokens +
         R"(], "features": {"type": "embedding", "dim": 4}}}, "mechanism": {"type": "attention",
    "query": "self-attention", "score": "dot", "alignment": {"type": "sinkhorn", "iterations": )" +
         std::to_string(iterations) + "}}}";
}

TEST_CASE("a long run tells how far it is, a short one nothing") {
  Session session;
  std::vector<double> shares;
  session.watch([&](double share) { shares.push_back(share); });
  check_as_fresh(session, iterated(4, 3));
  CHECK(shares.empty());
  const Packed quiet = run_packed(iterated(400, 180));
  const Packed told = session.run(iterated(400, 180));
  CHECK(told.data == quiet.data);
  CHECK(shares.size() > 50);
  CHECK(std::is_sorted(shares.begin(), shares.end()));
  CHECK(shares.back() > .98);  // it is told in hundredths
}

}  // namespace
}  // namespace attend::session_test
