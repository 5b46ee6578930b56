// SPDX-License-Identifier: Apache-2.0
// Cores that can compute many rows at once promise that this changes nothing: the result is that of the steps for
// chunks of any size, whatever fades and whatever is erased, with all gradients, and no row sees a later one.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/each.h"
#include "tests/rows/cores.h"

namespace attend::testing::chunks_test {
namespace {

constexpr std::size_t n = 13, steps = 99;  // a chunk of more rows than there are: row by row
constexpr double equal = sizeof(real) == 8 ? 1e-12 : 2e-5;

bool has_knob(const Mechanism& core, std::string_view name) {
  for (const Knob& knob : core.knobs) {
    if (knob.name == name) return true;
  }
  return false;
}

Mechanisms chunked_cores() {
  Mechanisms list = of_kind(Kind::core);
  std::erase_if(list, [](const Mechanism* core) {
    return !std::get<Core>(core->behaviour).always_causal || !has_knob(*core, "chunk");
  });
  return list;
}

std::vector<const char*> sources_of_gates(const Mechanism& core) {
  if (!has_knob(core, "gates") || core.id == std::string_view("gdn-2")) return {"given"};
  return {"given", "token"};
}

Json document_of(const Mechanism& core, const char* gates, bool heads, std::size_t rows = n) {
  Json knobs = {{"type", core.id}, {"chunk", steps}};
  if (has_knob(core, "gates")) knobs["gates"] = gates;
  Json document = tokens(std::move(knobs), rows);
  if (heads)
    document["mechanism"]["heads"] = {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}};
  return with_parameters(document, 6);
}

// Gates of rows that keep nothing, everything and almost nothing, and one that no formula of gates gives.
void set_rows(Json& document, const std::vector<std::pair<std::size_t, double>>& gates) {
  for (auto& [name, parameter] : document["parameters"].items()) {
    const std::vector<std::size_t> shape = parameter["shape"];
    const auto axis = std::find(shape.begin(), shape.end(), n);
    if (!name.starts_with("structure.") || axis == shape.end()) continue;
    std::size_t each = 1;
    for (auto next = axis + 1; next != shape.end(); ++next) each *= *next;
    for (const auto& [row, gate] : gates) {
      for (std::size_t i = row * each; i < parameter["data"].size(); i += n * each) {
        for (std::size_t c = 0; c < each; ++c) parameter["data"][i + c] = gate;
      }
    }
  }
}

void equal_in_chunks(Json document, double allowed) {
  document["gradient"] = {{"of", "context"}};
  const Ran by_steps = run_json(document);
  for (const std::size_t chunk : {1, 2, 3, 5, 8, 12, 13, 14, 16}) {
    CAPTURE(chunk);
    document["mechanism"]["core"]["chunk"] = chunk;
    const Ran ran = run_json(document);
    for (const char* name : {"context", "implied", "state", "states"})
      CHECK_MESSAGE(distance(ran.outputs.at(name), by_steps.outputs.at(name)) < allowed, name);
    CHECK(ran.gradients.size() == by_steps.gradients.size());
    for (const auto& [name, slope] : by_steps.gradients)
      CHECK_MESSAGE(distance(ran.gradients.at(name), slope) < 10 * allowed, name);
  }
}

const Each same_result("gives in chunks of any size what its steps give", chunked_cores,
                       [](const Mechanism& core) {
                         for (const char* gates : sources_of_gates(core)) {
                           for (const bool heads : {false, true}) {
                             CAPTURE(gates);
                             CAPTURE(heads);
                             equal_in_chunks(document_of(core, gates, heads), equal);
                           }
                         }
                       });

const Each any_gate("gives in chunks what its steps give for gates of 0, of 1 and below 0",
                    chunked_cores, [](const Mechanism& core) {
                      for (const bool heads : {false, true}) {
                        Json document = document_of(core, "given", heads);
                        set_rows(document, {{4, 0}, {7, 1}, {8, -.3}, {9, 1e-30}, {10, 1e-30}});
                        equal_in_chunks(document, equal);
                      }
                    });

const Each little_left("computes chunks of rows of which next to nothing stays", chunked_cores,
                       [](const Mechanism& core) {
                         Json document = document_of(core, "given", false);
                         for (std::size_t row = 0; row < n; ++row)
                           set_rows(document, {{row, 1e-12}});
                         equal_in_chunks(document, equal);
                       });

const Each future("does not see the future in chunks: not a bit of an earlier row changes",
                  chunked_cores, [](const Mechanism& core) {
                    Json document = document_of(core, sources_of_gates(core).back(), false);
                    for (const std::size_t chunk : {3, 4, 8}) {
                      document["mechanism"]["core"]["chunk"] = chunk;
                      const Ran plain = run_json(document);
                      for (std::size_t first = 1; first < n; ++first) {
                        Json changed = document;
                        for (auto& [name, input] : changed["inputs"].items()) {
                          const std::size_t width = input["shape"].back();
                          for (std::size_t i = first * width; i < n * width; ++i)
                            input["data"][i] = 1.7 - 2.3 * input["data"][i].get<double>();
                        }
                        const Ran ran = run_json(changed);
                        const Array &before = plain.outputs.at("context"),
                                    &now = ran.outputs.at("context");
                        CAPTURE(chunk);
                        CAPTURE(first);
                        for (std::size_t i = 0; i < first; ++i) CHECK(before.row(i) == now.row(i));
                        CHECK(before.row(n - 1) != now.row(n - 1));
                      }
                    }
                  });

}  // namespace

TEST_CASE("every core whose steps form one matrix and that fades or erases has chunks") {
  CHECK(chunked_cores().size() >= 13);
}

}  // namespace attend::testing::chunks_test
