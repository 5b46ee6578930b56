// SPDX-License-Identifier: Apache-2.0
// Changes by pointer against fresh runs of the changed documents.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "experiment/describing/example.h"
#include "experiment/service.h"
#include "ops/json_pointer.h"
#include "tests/checkout.h"
#include "tests/each.h"
#include "tests/experiment/open_reader.h"

namespace attend::open_documents_law_test {
namespace {

void list_values(const Json& value, const std::string& pointer, std::vector<std::string>& list) {
  if (!pointer.empty()) list.push_back(pointer);
  if (value.is_object()) {
    for (const auto& [name, inner] : value.items())
      list_values(inner, pointer + "/" + as_pointer_part(name), list);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      list_values(value[i], pointer + "/" + std::to_string(i), list);
  }
}

class Changes {
 public:
  explicit Changes(const std::string& name) : random_(std::hash<std::string>{}(name)) {}

  std::vector<Change> next(const Json& document) {
    std::vector<std::string> pointers;
    list_values(document, "", pointers);
    std::vector<Change> changes;
    // Now and then a number below /inputs or /parameters, of which there are most, or of a mechanism, of which few.
    const char* below = std::array{"/mechanism", "/model", "/inputs", "/parameters", "/"}[draw(5)];
    std::vector<std::string> some;
    std::ranges::copy_if(pointers, std::back_inserter(some),
                         [&](const std::string& one) { return one.starts_with(below); });
    const std::vector<std::string>& list = some.empty() ? pointers : some;
    const std::string& pointer = list[draw(list.size())];
    changes.push_back({pointer, other(document[Json::json_pointer(pointer)])});
    if (draw(3) == 0 && pointer != "/seed") changes.push_back({"/seed", draw(100)});
    return changes;
  }

 private:
  std::size_t draw(std::size_t below) { return random_() % below; }

  Json other(const Json& value) {
    if (value.is_boolean()) return !value.get<bool>();
    if (value.is_number_integer()) return value.get<long>() + (draw(2) == 0 ? 1 : -1);
    if (value.is_number()) return value.get<double>() * (.5 + static_cast<double>(draw(100)) / 97);
    if (value.is_string()) return draw(3) == 0 ? Json("no-such") : Json("aardvark");
    if (value.is_array() && !value.empty() && draw(3) > 0) {
      Json list = value;
      if (draw(2) == 0) list.erase(list.size() - 1);
      for (Json& one : list) one = other(one);
      return list;
    }
    return value;
  }

  std::mt19937 random_;
};

void check_changes_of(const std::string& name, Json document, int count) {
  CAPTURE(name);
  OpenDocument open(document.dump());
  Reader reader(open);
  check_as_fresh(reader, document);
  Changes changes(name);
  for (int i = 0; i < count; ++i) {
    const std::vector<Change> list = changes.next(document);
    CAPTURE(list.front().pointer);
    CAPTURE(list.front().value.dump().substr(0, 200));
    (void)change_both(open, reader, document, list);
  }
}

const testing::Each law("gives after changes by pointer what the changed document gives",
                        testing::every_mechanism, [](const Mechanism& mechanism) {
                          const std::string id(mechanism.id);
                          const std::string text = normalise_document(example_text(id));
                          check_changes_of(id, Json::parse(text),
                                           testing::sweeps_in_full() ? 60 : 8);
                        });

// The example of a mechanism with every number of it that a reader can slide, one after the other.
const testing::Each knobs(
    "gives the right numbers after each of its numbers moved", testing::every_mechanism,
    [](const Mechanism& mechanism) {
      Json document = Json::parse(normalise_document(example_document(mechanism).dump()));
      OpenDocument open(document.dump());
      Reader reader(open);
      check_as_fresh(reader, document);
      std::vector<std::string> pointers;
      list_values(document["mechanism"], "/mechanism", pointers);
      for (const std::string& pointer : pointers) {
        const Json value = document[Json::json_pointer(pointer)];
        if (!value.is_number_float()) continue;
        CAPTURE(pointer);
        (void)change_both(open, reader, document, {{pointer, value.get<double>() * .75}});
      }
    });

TEST_CASE("the example files give after changes by pointer what the changed documents give") {
  std::size_t count = 0;
  for (const char* folder : {"/examples", "/examples/models"}) {
    for (const auto& entry : std::filesystem::directory_iterator(testing::in_checkout(folder))) {
      if (entry.path().extension() != ".json") continue;
      std::ifstream file(entry.path());
      const Json document = Json::parse(file);
      if (!document.contains("schema") || fresh(document).refused) continue;
      check_changes_of(entry.path().filename().string(), document, 5);
      ++count;
    }
  }
  CHECK(count > 20);
}

}  // namespace
}  // namespace attend::open_documents_law_test
