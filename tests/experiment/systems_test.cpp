// SPDX-License-Identifier: Apache-2.0
// The systems of the literature: each document runs, has a finite gradient, and stands where its paper is said
// to stand, or the file says why not.
#include "experiment/describing/systems.h"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "experiment/service.h"
#include "tests/experiment/harness.h"

namespace attend::testing::systems_test {
namespace {

std::string name_of(const Json& system) { return system["id"].get<std::string>(); }

// The result that a gradient is asked of.
std::string result_of(const Ran& ran) {
  for (const char* name : {"loss", "output", "context"}) {
    if (ran.outputs.contains(name)) return name;
  }
  const auto ends = [&](const char* end) {
    return std::find_if(ran.outputs.rbegin(), ran.outputs.rend(),
                        [&](const auto& output) { return output.first.ends_with(end); });
  };
  for (const char* end : {".logits", ".output", ".context", ".reconstruction"}) {
    if (const auto found = ends(end); found != ran.outputs.rend()) return found->first;
  }
  return ran.outputs.begin()->first;
}

std::set<std::string> words_at(const Json& coordinates, const std::string& dimension) {
  std::set<std::string> words;
  for (const Json& one : coordinates) {
    if (one["name"] == dimension) words.insert(one["value"].get<std::string>());
  }
  return words;
}

}  // namespace

TEST_CASE("every system's document runs and has a finite gradient") {
  REQUIRE(all_systems().size() >= 95);
  for (const Json& system : all_systems()) {
    Json document = system["document"];
    const Ran plain = run_json(document);
    for (const auto& [name, output] : plain.outputs) {
      const bool finite = std::all_of(output.data.begin(), output.data.end(),
                                      [](double x) { return std::isfinite(x); });
      CHECK_MESSAGE(finite, name_of(system) << ", output " << name);
    }
    document["gradient"] = {{"of", result_of(plain)}};
    const Ran ran = run_json(document);
    CHECK_MESSAGE(!ran.gradients.empty(), name_of(system));
    for (const auto& [name, gradient] : ran.gradients) {
      const bool finite = std::all_of(gradient.data.begin(), gradient.data.end(),
                                      [](double x) { return std::isfinite(x); });
      CHECK_MESSAGE(finite, name_of(system) << ", gradient " << name);
    }
  }
}

#ifdef ATTEND_DOUBLE
TEST_CASE("gradients of all systems agree with finite differences") {
  std::size_t checked = 0;
  for (const Json& system : all_systems()) {
    Json document = with_parameters(system["document"], 1);
    const std::string of = result_of(run_json(document));
    Json asks = document;
    asks["gradient"] = {{"of", of}};
    const Ran ran = run_json(asks);
    const auto sum = [&](const Json& moved) {
      const Array output = run_json(moved).outputs.at(of);
      double total = 0;
      for (const double x : output.data) total += x;
      return total;
    };
    for (const auto& [name, gradient] : ran.gradients) {
      if (name.starts_with("inputs.")) continue;
      const std::size_t place = gradient.data.size() / 2;
      constexpr double step = 1e-5;
      Json moved = document;
      Json& number = moved["parameters"][name]["data"][place];
      const double base = number;
      number = base + step;
      const double above = sum(moved);
      number = base - step;
      const double slope = (above - sum(moved)) / (2 * step);
      CHECK_MESSAGE(std::abs(slope - gradient.data[place]) < 1e-6 * (1 + std::abs(slope)),
                    name_of(system) << ", " << name << ": slope " << slope << ", gradient "
                                    << gradient.data[place]);
    }
    ++checked;
  }
  CHECK(checked >= 95);
}
#endif

TEST_CASE("systems stand where the survey prints them, or their files say why not") {
  std::size_t printed = 0;
  for (const Json& system : all_systems()) {
    const Json& coordinates = system["coordinates"];
    const Json differs = system.value("differs", Json::object());
    if (coordinates.is_null()) {
      CHECK_MESSAGE(differs.empty(), name_of(system));
      continue;
    }
    ++printed;
    const Json computed = worded_coordinates(read_document(system["document"]));
    CHECK_MESSAGE(coordinates.size() == 8, name_of(system));
    for (const auto& [dimension, words] : coordinates.items()) {
      const std::set<std::string> survey(words.begin(), words.end());
      const bool agrees = survey == words_at(computed, dimension);
      CHECK_MESSAGE(agrees != differs.contains(dimension),
                    name_of(system) << ", " << dimension
                                    << (agrees ? ": agrees, and a reason is given"
                                               : ": differs, and no reason is given"));
    }
  }
  CHECK(printed >= 18);
}

TEST_CASE("a core that says nothing of its score has no additive one said for it") {
  std::size_t found = 0;
  for (const Json& system : all_systems()) {
    if (system["id"] != "linear-transformer" && system["id"] != "reformer-lm") continue;
    ++found;
    const Json computed = worded_coordinates(read_document(system["document"]));
    CHECK_MESSAGE(words_at(computed, "scoring").empty(), name_of(system));
  }
  CHECK(found == 2);
}

TEST_CASE("systems say what to notice and what to try, of a paper with a year and a link") {
  for (const Json& system : all_systems()) {
    const std::string says = system["says"];
    CHECK_MESSAGE(says.starts_with("What to notice: "), name_of(system));
    CHECK_MESSAGE(says.find(" Try this: ") != std::string::npos, name_of(system));
    const Json& paper = system["paper"];
    CHECK_MESSAGE(paper["year"].is_number_integer(), name_of(system));
    CHECK_MESSAGE(paper["link"].get<std::string>().starts_with("https://"), name_of(system));
    for (const char* member : {"authors", "where"})
      CHECK_MESSAGE(!paper[member].get<std::string>().empty(), name_of(system));
  }
}

TEST_CASE("a system is found at the coordinates of its own document, and nearest") {
  for (const Json& system : all_systems()) {
    const Json found = Json::parse(taxonomy_text(system["document"].dump()))["systems"];
    REQUIRE_MESSAGE(!found.empty(), name_of(system));
    const bool there = std::any_of(found.begin(), found.end(),
                                   [&](const Json& one) { return one["id"] == system["id"]; });
    CHECK_MESSAGE(there, name_of(system));
  }
  for (const Json& system : all_systems()) {
    if (system["id"] != "han") continue;
    const Json found = Json::parse(taxonomy_text(system["document"].dump()))["systems"];
    REQUIRE(found.size() > 1);  // the transfer network stands there too
    CHECK(found[0]["id"] == "han");
  }
}

TEST_CASE("a system's id gives its document, and its file says where the document stands") {
  const Json& system = all_systems().front();
  const std::string text = document_of(system["id"].get<std::string>());
  CHECK(parse_json(text) == system["document"]);
  CHECK_THROWS_WITH_AS((void)run_document(system.dump()), doctest::Contains("\"document\""), Error);
  CHECK_THROWS_AS((void)document_of("no-such-system"), Error);
}

}  // namespace attend::testing::systems_test
