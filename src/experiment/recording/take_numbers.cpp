// SPDX-License-Identifier: Apache-2.0
// What happens when a document differs from the last one in numbers only: they go into the leaves.
#include <algorithm>
#include <optional>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "assembly/settle.h"
#include "experiment/reading/class_numbers.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/recording/compile.h"

namespace attend {
namespace {

bool same(const KnobValue& a, const KnobValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using Kind = std::decay_t<decltype(x)>;
        const Kind& y = std::get<Kind>(b);
        if constexpr (std::is_same_v<Kind, Tensor>) {
          return x.shape == y.shape && x.data == y.data;
        } else {
          return x == y;
        }
      },
      a);
}

// Whether two maps have the same names, and `agree` holds for their values.
template <class Map, class Agree>
bool alike(const Map& a, const Map& b, Agree agree) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(), [&](const auto& x, const auto& y) {
           return x.first == y.first && agree(x.second, y.second);
         });
}

// Compares a document with the one that was recorded, and collects the numbers of its knobs.
class Comparison {
 public:
  explicit Comparison(const Recording& recording) : recording_(recording) {}

  bool same_form(const Document& a, const Document& b) {
    const bool gradient = a.gradient.has_value() == b.gradient.has_value() &&
                          (!a.gradient || same_request(*a.gradient, *b.gradient));
    return gradient && same_interventions(a, b) && a.ties == b.ties && a.outputs == b.outputs &&
           alike(a.inputs, b.inputs, same_shape) && same_words(a.inputs, b.inputs) &&
           std::equal(a.examples.begin(), a.examples.end(), b.examples.begin(), b.examples.end(),
                      same_inputs) &&
           a.stored == b.stored &&
           alike(a.parameters, b.parameters,
                 [](const Tensor& x, const Tensor& y) { return x.shape == y.shape; }) &&
           std::equal(a.modules.begin(), a.modules.end(), b.modules.begin(), b.modules.end(),
                      [&](const ModuleUse& x, const ModuleUse& y) {
                        return x.name == y.name && x.wires == y.wires &&
                               same_form(x.choice, y.choice);
                      });
  }

  // The new number of each knob that the recording does not depend on. Throws Error for one out of its range.
  const std::map<std::string, double>& numbers() const { return numbers_; }

 private:
  static bool same_shape(const Input& a, const Input& b) {
    return a.tensor.shape == b.tensor.shape && a.labels.size() == b.labels.size();
  }

  static bool same_inputs(const Builder::Inputs& a, const Builder::Inputs& b) {
    return alike(a, b, [](const Input& x, const Input& y) {
      return same_shape(x, y) && x.labels == y.labels;
    });
  }

  // Of the same names. Words that only label rows may be others.
  bool same_words(const Builder::Inputs& a, const Builder::Inputs& b) const {
    return std::all_of(a.begin(), a.end(), [&](const auto& one) {
      return one.second.labels == b.find(one.first)->second.labels ||
             !recording_.words_read.contains(one.first);
    });
  }

  // Their numbers are a part of the recording, and a patch from an example holds the numbers of that example.
  static bool same_interventions(const Document& a, const Document& b) {
    if (a.interventions.empty() && b.interventions.empty()) return true;
    const Json* before = member(a.json, "interventions");
    const Json* after = member(b.json, "interventions");
    return before != nullptr && after != nullptr && *before == *after &&
           std::none_of(a.interventions.begin(), a.interventions.end(),
                        [](const Intervention& one) { return one.example.has_value(); });
  }

  static bool same_request(const GradientRequest& a, const GradientRequest& b) {
    return a.of == b.of && a.outputs == b.outputs &&
           a.cotangent.has_value() == b.cotangent.has_value() &&
           (!a.cotangent || a.cotangent->shape == b.cotangent->shape);
  }

  bool same_form(const Choice& a, const Choice& b) {
    if (a.mechanism != b.mechanism || a.path != b.path) return false;
    for (const Knob& knob : a.mechanism->knobs) {
      const auto x = a.knobs.find(knob.name), y = b.knobs.find(knob.name);
      const std::string key = a.path + "/" + std::string(knob.name);
      if (knob.type == Knob::Type::number && !recording_.baked.contains(key)) {
        const auto* number = std::get_if<double>(&knob.fallback);
        if (y == b.knobs.end() && x != a.knobs.end() && number == nullptr) return false;
        if (y == b.knobs.end() && number == nullptr) continue;  // its default, as before
        Dimensions none;
        const KnobValue* given = y == b.knobs.end() ? nullptr : &y->second;
        numbers_[key] = std::get<double>(settle_knob(none, knob, given, a.path));
        continue;
      }
      if ((x == a.knobs.end()) != (y == b.knobs.end())) return false;
      if (x != a.knobs.end() && !same(x->second, y->second)) return false;
    }
    return alike(a.slots, b.slots, [&](const auto& x, const auto& y) {
      return x.size() == y.size() &&
             std::equal(x.begin(), x.end(), y.begin(), [&](const Choice& one, const Choice& other) {
               return same_form(one, other);
             });
    });
  }

  const Recording& recording_;
  std::map<std::string, double> numbers_;
};

void check_parameters(const std::vector<Leaf>& leaves, const Document& next) {
  for (const Leaf& leaf : leaves) {
    if (leaf.kind != Leaf::Kind::parameter || leaf.given == nullptr) continue;
    Parameter record{};
    record.distribution = leaf.distribution;
    record.values = leaf.values;
    const std::string path = "/parameters/" + leaf.key;
    const auto given = next.parameters.find(leaf.key);
    if (given == next.parameters.end())
      continue;  // stored in a file, and checked when that was taken
    check_given(record, given->second, leaf.shape, path);
    if (leaf.below > 0) check_indices(given->second, leaf.below, path);
  }
}

// In place: leaves point at the tensors.
template <class Map, class Tensor_of>
void take(Map& into, Map& from, Tensor_of tensor_of) {
  for (auto& [name, value] : into)
    std::swap(tensor_of(value).data, tensor_of(from.find(name)->second).data);
}

// Trees of the same form.
void take_knobs(Choice& into, Choice& from) {
  into.knobs = std::move(from.knobs);
  for (auto& [slot, choices] : into.slots) {
    std::vector<Choice>& others = from.slots.find(slot)->second;
    for (std::size_t i = 0; i < choices.size(); ++i) take_knobs(choices[i], others[i]);
  }
}

}  // namespace

bool Compiled::take_numbers(Document& next) {
  Comparison comparison(recording_);
  if (!comparison.same_form(*document_, next)) return false;
  check_parameters(leaves(), next);
  check_classes(leaves(), next);

  take(document_->inputs, next.inputs, [](Input& input) -> Tensor& { return input.tensor; });
  for (auto& [name, input] : document_->inputs) {
    std::vector<std::string>& words = next.inputs.find(name)->second.labels;
    if (input.labels == words) continue;
    input.labels = std::move(words);
    recording_.relabel(name, input.labels);
  }
  for (std::size_t i = 0; i < document_->examples.size(); ++i)
    take(document_->examples[i], next.examples[i],
         [](Input& input) -> Tensor& { return input.tensor; });
  take(document_->parameters, next.parameters, [](Tensor& tensor) -> Tensor& { return tensor; });
  if (document_->gradient) document_->gradient->cotangent = std::move(next.gradient->cotangent);
  document_->seed = next.seed;
  document_->json = std::move(next.json);
  document_->warnings = std::move(next.warnings);
  for (std::size_t i = 0; i < document_->modules.size(); ++i)
    take_knobs(document_->modules[i].choice, next.modules[i].choice);

  show(comparison.numbers());
  return true;
}

}  // namespace attend
