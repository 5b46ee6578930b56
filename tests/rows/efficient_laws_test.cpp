// SPDX-License-Identifier: Apache-2.0
// Laws of every efficient form, whether it is a core or a layer: each stands for all files of src/catalogue/efficient,
// so that a form that is added is held to them too.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>

#include "catalogue/dimensions.h"
#include "catalogue/mechanism.h"
#include "catalogue/parts/layers/causal_form.h"
#include "experiment/text/words.h"
#include "ops/error.h"
#include "tests/checkout.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::efficient_laws_test {
namespace {

// The forms are those that have a file of their name.
Mechanisms every_form() {
  Mechanisms list = every_mechanism();
  std::erase_if(list, [](const Mechanism* form) {
    std::string name(form->id);
    std::replace(name.begin(), name.end(), '-', '_');
    return !std::filesystem::exists(in_checkout("/src/catalogue/efficient/" + name + ".cpp"));
  });
  return list;
}

bool is_core(const Mechanism& form) { return form.kind() == Kind::core; }

Mechanisms every_layer() {
  Mechanisms list = every_form();
  std::erase_if(list, [](const Mechanism* form) { return is_core(*form); });
  return list;
}

bool has_knob(const Mechanism& form, std::string_view name) {
  return std::any_of(form.knobs.begin(), form.knobs.end(),
                     [&](const Knob& knob) { return knob.name == name; });
}

// What a layer without the knob says of its causal form.
const Exclusion* said_of_causal(const Mechanism& layer) {
  for (const Exclusion& e : layer.excludes) {
    if (e.slot == causal_switch) return &e;
  }
  return nullptr;
}

bool is_always_causal(const Mechanism& layer) {
  const Exclusion* const said = said_of_causal(layer);
  return said != nullptr && !said->only;
}

Mechanisms causal_layers() {
  Mechanisms list = every_layer();
  std::erase_if(list, [](const Mechanism* layer) {
    return !has_knob(*layer, "causal") && !is_always_causal(*layer);
  });
  return list;
}

Mechanisms layers_without_switch() {
  Mechanisms list = every_layer();
  std::erase_if(list, [](const Mechanism* layer) { return has_knob(*layer, "causal"); });
  return list;
}

Json& settings_of(Json& document, const Mechanism& form) {
  Json& mechanism = document["mechanism"];
  return is_core(form) ? mechanism["core"] : mechanism;
}

// With settings as an object, where the example has the id alone.
Json open_document(const Mechanism& form, std::uint64_t seed) {
  Json document = example_document(form, seed);
  Json& settings = settings_of(document, form);
  if (settings.is_string()) settings = {{"type", settings}};
  return document;
}

bool all_finite(const Ran& ran) {
  for (const auto& [name, array] : ran.outputs) {
    for (const double x : array.data) {
      if (!std::isfinite(x)) return false;
    }
  }
  return true;
}

// Runs it, or gets an error at a field of the mechanism. Whether it ran.
bool runs_or_tells(const Json& document, const std::string& at) {
  try {
    const Ran ran = run_json(document);
    CHECK(all_finite(ran));
    return true;
  } catch (const Error& error) {
    CAPTURE(error.what());
    if (at.empty()) {
      CHECK(error.path.starts_with("/mechanism"));
    } else {
      CHECK(error.path == at);
    }
    CHECK(std::string(error.what()).size() > 20);
    return false;
  }
}

const Each knobs_refused(
    "says at the field what a knob of 0, below 0, above every size or of another type does",
    every_form, [](const Mechanism& form) {
      for (const Knob& knob : form.knobs) {
        if (knob.type != Knob::Type::integer && knob.type != Knob::Type::number) continue;
        const std::string name(knob.name),
            at = std::string(is_core(form) ? "/mechanism/core/" : "/mechanism/") + name;
        const auto with = [&](const Json& value) {
          Json document = open_document(form, 2);
          settings_of(document, form)[name] = value;
          return document;
        };
        CAPTURE(name);
        // Where the mathematics forbids the number, the field itself is named; sizes that do not fit may be told at
        // what they do not fit.
        const bool whole = knob.type == Knob::Type::integer;
        const bool zero = knob.lowest < 0 || (knob.lowest == 0 && !knob.above_lowest);
        const bool ran = runs_or_tells(with(0), zero ? "" : at);
        if (!zero) CHECK_FALSE(ran);
        if (knob.lowest >= 0) CHECK_FALSE(runs_or_tells(with(-1), at));
        if (whole) CHECK_FALSE(runs_or_tells(with(1.5), at));
        CHECK_FALSE(runs_or_tells(with("many"), at));
        CHECK_FALSE(runs_or_tells(with(nullptr), at));
        runs_or_tells(with(whole ? 1000. : 1e6), "");
        runs_or_tells(with(7), "");
      }
    });

// The example with one token, or one place of an image, in every input.
Json of_one(const Mechanism& form) {
  Json document = open_document(form, 3);
  Json settings = {{"type", std::string(form.id)}};
  for (const Knob& knob : form.knobs)
    if (knob.type == Knob::Type::matrix) settings[std::string(knob.name)] = {{1}};
  settings_of(document, form) = settings;
  for (const Role& role : form.roles) {
    if (!document["inputs"].contains(std::string(role.name))) continue;
    Json& input = document["inputs"][std::string(role.name)];
    const auto words = symbols_in(role.shape.substr(0, role.shape.find('|')));
    std::size_t count = 1;
    for (std::size_t k = 0; k < words.size(); ++k) {
      const bool token = words[k] == "m" || words[k] == "n" || words[k] == "n1" ||
                         words[k] == "M" || words[k] == "H" || words[k] == "W";
      if (token) input["shape"][k] = 1;
      count *= input["shape"][k].get<std::size_t>();
    }
    Json data = Json::array();
    for (std::size_t k = 0; k < count; ++k) data.push_back(input["data"][k]);
    input["data"] = data;
  }
  return document;
}

const Each one_token("gives a finite answer to one token", every_form, [](const Mechanism& form) {
  const Ran ran = run_json(of_one(form));
  CHECK(all_finite(ran));
  const bool answers = ran.outputs.contains("output") || ran.outputs.contains("context") ||
                       ran.outputs.contains("output1");
  CHECK(answers);
});

const Each no_switch("says why it has no causal form, or always has one", layers_without_switch,
                     [](const Mechanism& layer) {
                       const Exclusion* const said = said_of_causal(layer);
                       REQUIRE(said != nullptr);
                       Json document = open_document(layer, 4);
                       document["mechanism"]["causal"] = is_always_causal(layer);
                       CHECK_NOTHROW(run_json(document));
                       document["mechanism"]["causal"] = !is_always_causal(layer);
                       try {
                         (void)run_json(document);
                         FAIL_CHECK("it ran");
                       } catch (const Error& error) {
                         CHECK(error.path == "/mechanism/causal");
                         const std::string why = is_always_causal(layer)
                                                     ? "always causal"
                                                     : sentence_of_reason(said->reason);
                         CHECK(std::string(error.what()).find(why) != std::string::npos);
                       }
                     });

const Each future("does not see the future in its causal form: not a bit of an earlier row changes",
                  causal_layers, [](const Mechanism& layer) {
                    Json document = open_document(layer, 5);
                    if (has_knob(layer, "causal")) document["mechanism"]["causal"] = true;
                    document = with_parameters(document, 5);
                    const Ran before = run_json(document);
                    std::size_t compared = 0;
                    for (const std::size_t first : {1UL, 3UL}) {
                      Json changed = document;
                      for (const Role& role : layer.roles) {
                        if (role.name == "memory" || role.name == "sequence") continue;
                        Json& input = changed["inputs"][std::string(role.name)];
                        const std::size_t width = input["shape"].back();
                        for (std::size_t i = first * width; i < input["data"].size(); ++i)
                          input["data"][i] = 1.7 - 2.3 * input["data"][i].get<double>();
                      }
                      const Ran after = run_json(changed);
                      for (const char* name : {"context", "output", "output1", "output2"}) {
                        if (!before.outputs.contains(name)) continue;
                        const Array &a = before.outputs.at(name), &b = after.outputs.at(name);
                        for (std::size_t i = 0; i < first; ++i) CHECK(a.row(i) == b.row(i));
                        CHECK(a.row(first) != b.row(first));
                        ++compared;
                      }
                    }
                    CHECK(compared > 0);
                  });

}  // namespace

TEST_CASE("every efficient form of the catalogue is one of those that these laws go over") {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(in_checkout("/src/catalogue/efficient")))
    files += entry.path().extension() == ".cpp" ? 1 : 0;
  CHECK(every_form().size() == files);
  CHECK(files >= 54);
}

}  // namespace attend::testing::efficient_laws_test
