// SPDX-License-Identifier: Apache-2.0
// Whole modules put together at random from every slot of the general module: what the catalogue's
// data forbids is refused with its reason, everything else runs and keeps the universal laws.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "catalogue/dimensions.h"
#include "ops/random.h"
#include "tests/experiment/harness.h"

namespace attend::testing {
namespace {

#ifdef NDEBUG
constexpr std::size_t wanted_combinations = 2000;
#else
constexpr std::size_t wanted_combinations = 150;  // with sanitizers each is ten times as slow
#endif

using Chosen = std::vector<std::pair<std::string, const Mechanism*>>;  // slot name, mechanism

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : stream_(seed, "combination") {}
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(stream_.below(at_++, bound));
  }

 private:
  RandomStream stream_;
  std::uint64_t at_ = 0;
};

std::vector<const Mechanism*> of_kind(Kind kind) {
  std::vector<const Mechanism*> list;
  for (const Mechanism* m : all_mechanisms()) {
    if (m->kind() == kind) list.push_back(m);
  }
  return list;
}

// Every extent is 5 for tokens and 6 for features, so that whatever must be equal is.
std::size_t extent(const Chosen& chosen, std::string_view symbol) {
  // Two queries together are as wide as one.
  for (const auto& [slot, mechanism] : chosen) {
    for (const Extent& own : mechanism->extents) {
      if (own.symbol == symbol && slot == "query" && symbol.starts_with("dq")) return own.size;
    }
  }
  // Queries that the module makes from its keys are one row.
  const bool one_row = std::any_of(chosen.begin(), chosen.end(), [](const auto& one) {
    return one.second->id == "query-pooled-self" || one.second->id == "query-constant" ||
           one.second->id == "query-learned";
  });
  if (symbol == "m") return one_row ? 1 : 5;
  if (symbol == "n" || symbol == "n2") return 5;
  return symbol == "M" ? 2 : 6;
}

// What wants as many queries as keys.
bool is_square(const Chosen& chosen) {
  return std::any_of(chosen.begin(), chosen.end(), [](const auto& one) {
    const List<Extent>& sizes = one.second->extents;
    return std::any_of(sizes.begin(), sizes.end(), [](const Extent& e) { return e.symbol == "m"; });
  });
}

Json random_role(const Chosen& chosen, const Role& role, std::uint64_t seed) {
  const RandomStream stream(seed, "role:" + std::string(role.name));
  Shape shape;
  for (const std::string_view word : words_of(role.shape.substr(0, role.shape.find('|'))))
    shape.push_back(extent(chosen, word));
  std::vector<double> data(element_count(shape));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = stream.normal(i);
  return to_json({shape, data});
}

void add_roles(Json& document, const Chosen& chosen, std::uint64_t seed) {
  for (const auto& [slot, mechanism] : chosen) {
    for (const Role& role : mechanism->roles)
      document["inputs"][std::string(role.name)] = random_role(chosen, role, seed);
  }
}

Json member_of(const Mechanism& mechanism) {
  Json json = Json::parse("{" + std::string(mechanism.example) + "}");
  json["type"] = std::string(mechanism.id);
  if (mechanism.id == "query-specialized") json["pool"] = "none";
  return json;
}

Chosen choose(Dice& dice) {
  Chosen chosen;
  for (const Slot& slot : find_mechanism(Kind::structure, "attention")->slots) {
    const std::vector<const Mechanism*> list = of_kind(slot.kind);
    const bool needed = !slot.fallback.empty();
    const std::size_t count = needed ? 1 : slot.list ? dice.below(3) : dice.below(3) / 2;
    for (std::size_t i = 0; i < count; ++i)
      chosen.emplace_back(slot.name, list[dice.below(list.size())]);
  }
  return chosen;
}

Json document_of(const Chosen& chosen, std::uint64_t seed) {
  Json document{{"schema", "attention-playground/1"}, {"seed", seed}, {"inputs", Json::object()}};
  document["mechanism"] = {{"type", "attention"}};
  for (const auto& [slot, mechanism] : chosen) {
    const bool list = slot == "mask" || slot == "position" || slot == "penalties";
    if (list) {
      document["mechanism"][slot].push_back(member_of(*mechanism));
    } else {
      document["mechanism"][slot] = member_of(*mechanism);
    }
  }
  add_roles(document, chosen, seed);
  return document;
}

// The reason that the catalogue's data gives against this choice; empty when there is none.
std::string forbidden(const Chosen& chosen) {
  for (const auto& [slot, mechanism] : chosen) {
    for (const Ban& e : exclusions_of(*mechanism)) {
      for (const auto& [other_slot, other] : chosen) {
        if (other_slot != e.slot) continue;
        const bool listed = std::find(e.ids.begin(), e.ids.end(), other->id) != e.ids.end();
        if (listed != e.only) return std::string(e.reason);
      }
    }
  }
  return {};
}

std::string text_of(const Chosen& chosen) {
  std::string text;
  for (const auto& [slot, mechanism] : chosen)
    text += slot + ":" + std::string(mechanism->id) + " ";
  return text;
}

// A table for each pair has no column for the rows of a memory.
bool tables_miss_memory(const Chosen& chosen) {
  bool memory = false, table = false;
  for (const auto& [slot, mechanism] : chosen) {
    for (const Role& role : mechanism->roles) {
      memory = memory || role.name == "memory";
      table = table || role.shape == "m n";
    }
    for (const Knob& knob : mechanism->knobs)
      table = table || (slot == "mask" && knob.type == Knob::Type::matrix);
  }
  return memory && table;
}

bool all(const Chosen& chosen, bool Laws::*law) {
  return std::all_of(chosen.begin(), chosen.end(),
                     [&](const auto& one) { return one.second->laws.*law; });
}

bool has(const Chosen& chosen, const char* slot) {
  return std::any_of(chosen.begin(), chosen.end(),
                     [&](const auto& one) { return one.first == slot; });
}

// Rows of weights: U1 (nonnegative, sums), U2 (masked entries are 0), U6 (contexts in the hull).
void check_rows(const Ran& ran, const Chosen& chosen, const std::string& where) {
  const Array& weights = ran.outputs.at("weights");
  const bool features = std::any_of(chosen.begin(), chosen.end(), [](const auto& one) {
    return one.second->kind() == Kind::dimensionality && one.second->id != "single-dim";
  });
  const std::size_t inner = features ? weights.shape.back() : 1;
  const std::size_t n = features ? weights.shape.end()[-2] : weights.shape.back();
  const std::size_t m = weights.data.size() / inner / n;
  const auto mask = ran.outputs.find("mask");
  const std::size_t mask_rows = mask == ran.outputs.end() ? 1 : mask->second.rows();
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t f = 0; f < inner; ++f) {
      double sum = 0;
      bool any = false;
      for (std::size_t j = 0; j < n; ++j) {
        const double a = weights.data[(i * n + j) * inner + f];
        const bool allowed = mask == ran.outputs.end() || mask->second(i % mask_rows, j) != 0;
        any = any || allowed;
        CHECK_MESSAGE(std::isfinite(a), where);
        CHECK_MESSAGE(a >= 0, where);
        if (!allowed) CHECK_MESSAGE(a == 0, where);
        sum += a;
      }
      // A window may see nothing that the mask allows: then the row is 0, and that is said.
      if (any && sum == 0) CHECK_MESSAGE(!ran.warnings.empty(), where);
      if (any && sum != 0 && all(chosen, &Laws::rows_sum_to_one))
        CHECK_MESSAGE(std::abs(sum - 1) < 10 * tolerance, where << " row " << i << ": " << sum);
      if (!any) CHECK_MESSAGE(sum == 0, where);
    }
  }
}

#ifdef ATTEND_DOUBLE
double dot_all(const Arrays& a, const Arrays& b) {
  double sum = 0;
  for (const auto& [name, array] : a) {
    for (std::size_t i = 0; i < array.data.size(); ++i) sum += array.data[i] * b.at(name).data[i];
  }
  return sum;
}

// U7: the slope along one random direction through all inputs and parameters.
void check_slope(const Json& document, const Chosen& chosen, std::uint64_t seed,
                 const std::string& where) {
  for (const auto& [slot, mechanism] : chosen) {
    if (!words_of(*mechanism).learns.empty()) return;
  }
  Json full = with_parameters(document, seed);
  full["outputs"] = {"context"};
  full["gradient"] = {{"of", "context"}};
  const Ran ran = run_json(full);
  Arrays direction;
  for (const auto& [name, gradient] : ran.gradients) {
    const RandomStream stream(seed, "direction:" + name);
    direction[name] = Array(gradient.shape);
    for (std::size_t i = 0; i < gradient.data.size(); ++i)
      direction[name].data[i] = stream.normal(i);
  }
  const auto at = [&](double step) {
    Json moved = full;
    moved.erase("gradient");
    for (const auto& [name, along] : direction) {
      Json& data = (name.starts_with("inputs.") ? moved["inputs"][name.substr(7)]
                                                : moved["parameters"][name])["data"];
      for (std::size_t i = 0; i < along.data.size(); ++i)
        data[i] = data[i].get<double>() + step * along.data[i];
    }
    double sum = 0;
    const Array context = run_json(moved).outputs.at("context");
    for (const double x : context.data) sum += x;
    return sum;
  };
  const double slope = dot_all(ran.gradients, direction);
  const auto difference = [&](double step) { return (at(step) - at(-step)) / (2 * step); };
  const double near = difference(1e-6), far = difference(3e-6);
  // Where the two differences disagree, a kink (a relu, a threshold) lies between them.
  if (std::abs(near - far) > 1e-4 * (1 + std::abs(near))) return;
  CHECK_MESSAGE(std::abs(near - slope) < 2e-3 * (1 + std::abs(slope)),
                where << " slope " << near << ", gradient " << slope);
}
#endif

}  // namespace

TEST_CASE("modules put together at random run, or are refused with the catalogue's reason") {
  std::size_t done = 0, refused = 0;
  for (std::uint64_t seed = 1; done < wanted_combinations; ++seed) {
    Dice dice(seed);
    const Chosen chosen = choose(dice);
    const Json document = document_of(chosen, seed);
    const std::string where = "seed " + std::to_string(seed) + ": " + text_of(chosen);
    const std::string reason = forbidden(chosen);
    if (is_square(chosen) && extent(chosen, "m") != extent(chosen, "n")) continue;
    if (tables_miss_memory(chosen)) continue;
    if (!reason.empty()) {
      ++refused;
      std::string message;
      try {
        (void)read_document(document);
      } catch (const Error& error) {
        message = error.what();
      }
      CHECK_MESSAGE(message.find("cannot stand beside") != std::string::npos, where << message);
      continue;
    }
    ++done;
    try {
      const Ran ran = run_json(document);
      check_rows(ran, chosen, where);
#ifdef ATTEND_DOUBLE
      if (seed % 4 == 0) check_slope(document, chosen, seed, where);
#endif
    } catch (const Error& error) {
      FAIL_CHECK(where << " " << error.path << ": " << std::string(error.what()));
    }
  }
  CHECK(refused > 0);
  MESSAGE(done << " combinations ran, " << refused << " were refused");
}

TEST_CASE("in random modules without positions, order does not matter and one key is its value") {
  std::size_t done = 0;
  for (std::uint64_t seed = 1; done < wanted_combinations / 10; ++seed) {
    Dice dice(seed + 1'000'000);
    Chosen chosen = choose(dice);
    std::erase_if(chosen, [](const auto& one) {
      return one.first == "mask" || one.first == "position" || one.first == "key" ||
             one.first == "output" || one.first == "penalties" || one.first == "query";
    });
    chosen.emplace_back("query", find_mechanism(Kind::query, "query-basic"));
    // What chooses one key goes by the index where keys tie.
    const bool chooses = std::any_of(chosen.begin(), chosen.end(), [](const auto& one) {
      return !words_of(*one.second).learns.empty();
    });
    if (!forbidden(chosen).empty() || !all(chosen, &Laws::permutation) || chooses) continue;
    ++done;
    const std::string where = "seed " + std::to_string(seed) + ": " + text_of(chosen);
    const Json document = with_parameters(document_of(chosen, seed), seed);
    const Ran plain = run_json(document);
    Json turned = document;
    for (const char* role : {"key", "value"}) {
      std::vector<double> rows = turned["inputs"][role]["data"];
      std::rotate(rows.begin(), rows.begin() + 12, rows.end());
      turned["inputs"][role]["data"] = rows;
    }
    CHECK_MESSAGE(distance(run_json(turned).outputs.at("context"), plain.outputs.at("context")) <
                      100 * tolerance,
                  where);
    if (has(chosen, "heads") || has(chosen, "aggregate") || !all(chosen, &Laws::rows_sum_to_one))
      continue;
    Json alone = document_of(chosen, seed);
    alone["inputs"]["key"] = to_json(Array({1, 6}, 0.5));
    alone["inputs"]["value"] = to_json(Array({1, 6}, 2));
    for (const auto& [slot, mechanism] : chosen) {
      for (const Role& role : mechanism->roles) {
        if (role.shape.find(" n") != std::string_view::npos)
          alone["inputs"][std::string(role.name)] = to_json(Array({5, 1}, 0.1));
      }
    }
    if (is_square(chosen)) continue;  // there is one key for five queries
    const Ran one = run_json(alone);
    for (const double number : one.outputs.at("context").data)
      CHECK_MESSAGE(number == doctest::Approx(2), where);
  }
}

}  // namespace attend::testing
