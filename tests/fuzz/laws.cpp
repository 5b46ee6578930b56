// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/laws.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "catalogue/mechanism.h"
#include "experiment/running/packed.h"
#include "experiment/service.h"
#include "experiment/session.h"
#include "experiment/text/json_parse.h"

namespace attend::fuzz {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double tolerance = 1e-9;
#else
constexpr double tolerance = 1e-4;
#endif

struct Answer {
  Json directory;
  std::vector<real> data;

  [[nodiscard]] const Json* output(std::string_view name) const {
    for (const Json& tensor : directory["tensors"]) {
      if (tensor["group"] == "outputs" && tensor["name"] == name) return &tensor;
    }
    return nullptr;
  }
  [[nodiscard]] double at(const Json& tensor, std::size_t place) const {
    return data.at(tensor["offset"].get<std::size_t>() + place);
  }
};

Answer ask(const std::string& document) {
  Packed packed = answer_packed(document);
  return {Json::parse(packed.directory), std::move(packed.data)};
}

std::string bad_error(const Json& error) {
  const std::string path = error["path"], message = error["message"];
  if (!path.empty() && path.front() != '/') return "an error's path is " + path;
  if (message.size() < 10) return "an error says no more than: " + message;
  if (message.starts_with("the engine failed:")) return message;
  const auto control = [](char c) { return c >= 0 && c < ' '; };
  if (std::any_of(message.begin(), message.end(), control)) return "control characters: " + message;
  return {};
}

// Whether a path leads where this document has something: of its mechanism or its model, whichever it holds. Only its
// first steps are followed, for a default or a missing member has a path, too.
std::string bad_path(const std::string& document, const std::string& path) {
  const Json json = Json::parse(document, nullptr, false);
  if (!json.is_object()) return {};
  const bool model = json.contains("model"), mechanism = json.contains("mechanism");
  if (model && !mechanism && path.starts_with("/mechanism")) return "a model has no path " + path;
  if (mechanism && !model && path.starts_with("/model")) return "a mechanism has no path " + path;
  const std::string front = "/model/";
  if (!path.starts_with(front) || !model || !json["model"].is_array()) return {};
  const auto module =
      static_cast<std::size_t>(std::strtoull(path.c_str() + front.size(), nullptr, 10));
  return module < json["model"].size() ? std::string() : "there is no module at " + path;
}

// Every id that the mechanism of a normalised document names.
void collect_ids(const Json& choice, std::set<std::string>& ids) {
  if (choice.is_object() && choice.contains("type") && choice["type"].is_string())
    ids.insert(choice["type"].get<std::string>());
  if (!choice.is_structured()) return;
  for (const Json& inner : choice) collect_ids(inner, ids);
}

bool promises_sums(const Json& mechanism) {
  std::set<std::string> ids;
  collect_ids(mechanism, ids);
  return std::all_of(all_mechanisms().begin(), all_mechanisms().end(), [&](const Mechanism* m) {
    return !ids.contains(std::string(m->id)) || m->laws.rows_sum_to_one;
  });
}

std::string bad_weights(const Answer& answer) {
  const Json& mechanism = answer.directory["document"]["mechanism"];
  const Json *weights = answer.output("weights"), *mask = answer.output("mask");
  if (weights == nullptr || mechanism["type"] != "attention") return {};
  if ((*weights)["kind"] != "probability") return {};  // a core may weigh below 0, and says so
  const std::vector<std::size_t> shape = (*weights)["shape"];
  const bool by_feature = !(*weights)["axes"].empty() && (*weights)["axes"].back() == "dv";
  const std::size_t inner = by_feature ? shape.back() : 1;
  const std::size_t n = by_feature ? shape.at(shape.size() - 2) : shape.back();
  const std::size_t rows = element_count(shape) / inner / n;
  const std::size_t mask_rows = mask == nullptr ? 1 : (*mask)["shape"][0].get<std::size_t>();
  const bool sums = promises_sums(mechanism);
  for (std::size_t row = 0; row < rows * inner; ++row) {
    const std::size_t i = row / inner, feature = row % inner;
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double weight = answer.at(*weights, (i * n + j) * inner + feature);
      if (weight < 0) return "a weight is negative";
      if (mask != nullptr && weight != 0 && answer.at(*mask, i % mask_rows * n + j) == 0)
        return "a masked key has the weight " + std::to_string(weight);
      sum += weight;
    }
    if (sum == 0 && answer.directory["warnings"].empty()) return "a row of zeros without a warning";
    if (sums && sum != 0 && std::abs(sum - 1) > tolerance)
      return "row " + std::to_string(row) + " of the weights sums to " + std::to_string(sum);
  }
  return {};
}

std::string other_numbers(const Answer& one, const Answer& other, const std::string& what) {
  if (one.directory["tensors"] != other.directory["tensors"]) return what + " has other tensors";
  return one.data == other.data ? "" : what + " has other numbers";
}

std::string remembers_wrongly(const std::string& document, const Answer& answer) {
  Session session;
  (void)session.run(document);
  Packed packed = session.run(document);
  const Answer again{Json::parse(packed.directory), std::move(packed.data)};
  return other_numbers(answer, again, "a run with the memory of itself");
}

std::string normalises_wrongly(const std::string& document, const Answer& answer) {
  const std::string normal = normalise_document(document);
  if (normalise_document(normal) != normal) return "normalised twice it is another document";
  return other_numbers(answer, ask(normal), "the normalised document");
}

std::string explains_wrongly(const std::string& document, const Answer& answer, std::size_t pick) {
  const Json& tensors = answer.directory["tensors"];
  const Json& tensor = tensors[pick % tensors.size()];
  if (tensor["group"] != "outputs" || element_count(tensor["shape"].get<Shape>()) == 0) return {};
  // A row of a map, "weights[3]": its cells are explained as the map's.
  if (tensor["name"].get<std::string>().ends_with("]")) return {};
  const std::size_t place = pick / tensors.size() % element_count(tensor["shape"].get<Shape>());
  const Json index = unravel(place, tensor["shape"].get<Shape>());
  const std::string text = explain_document(document, tensor["name"], index.dump());
  const double value = Json::parse(text)["value"], wanted = answer.at(tensor, place);
  if (std::abs(value - wanted) <= tolerance * (1 + std::abs(wanted))) return {};
  return "the explanation of " + tensor["name"].get<std::string>() + index.dump() + " says " +
         std::to_string(value) + ", not " + std::to_string(wanted);
}

// An export may be refused with a reason, like any document.
std::string exports_wrongly(const std::string& document) {
  for (const char* format : {"pytorch", "numpy", "latex"}) {
    const std::string text = answer([&] { return export_document(document, format); });
    const Json error = Json::parse(text, nullptr, false);
    if (error.is_object() && error.contains("error")) return bad_error(error["error"]);
  }
  return {};
}

// The inputs of another example of the same shapes: given numbers the other way round.
Json other_inputs(Json inputs) {
  for (Json& input : inputs) {
    for (const char* numbers : {"data", "matrix"}) {
      if (input.is_object() && input.contains(numbers) && input[numbers].is_array())
        std::reverse(input[numbers].begin(), input[numbers].end());
    }
  }
  return inputs;
}

// As the first of two examples it has the same outputs. A batch may be refused with a reason.
std::string batches_wrongly(const Answer& answer) {
  Json document = answer.directory["document"];
  if (!document.contains("inputs") || document.contains("gradient")) return {};
  const Json inputs = document["inputs"];
  document.erase("inputs");
  document["examples"] = {inputs, other_inputs(inputs)};
  const Answer both = ask(document.dump());
  if (both.directory["ok"] != true) return bad_error(both.directory["error"]);
  for (const Json& tensor : answer.directory["tensors"]) {
    const Json* other = both.output(tensor["name"].get<std::string>());
    if (tensor["group"] != "outputs" || other == nullptr) continue;
    const std::size_t count = element_count(tensor["shape"].get<Shape>());
    if (element_count((*other)["shape"].get<Shape>()) != 2 * count)
      return tensor["name"].get<std::string>() + " of two examples is not twice as large";
    double largest = 1;
    for (std::size_t i = 0; i < count; ++i)
      largest = std::max(largest, std::abs(answer.at(tensor, i)));
    for (std::size_t i = 0; i < count; ++i) {
      const double gap = std::abs(answer.at(tensor, i) - both.at(*other, i));
      if (!(gap <= tolerance * largest))
        return tensor["name"].get<std::string>() + " beside another example is apart by " +
               std::to_string(gap);
    }
  }
  return {};
}

}  // namespace

std::string broken_law(const std::string& document, std::size_t check) {
  const Answer answer = ask(document);
  if (answer.directory["ok"] != true) {
    const Json& error = answer.directory["error"];
    const std::string bad = bad_error(error);
    return bad.empty() ? bad_path(document, error["path"]) : bad;
  }
  for (const Json& warning : answer.directory.value("warnings", Json::array())) {
    if (std::string bad = bad_path(document, warning["path"]); !bad.empty()) return bad;
  }
  const auto finite = [](real x) { return std::isfinite(x); };
  for (const Json& tensor : answer.directory["tensors"]) {
    if (tensor["group"] == "steps") continue;  // an intermediate may overflow harmlessly
    const auto first = answer.data.begin() + tensor["offset"].get<long>();
    if (!std::all_of(first, first + static_cast<long>(element_count(tensor["shape"].get<Shape>())),
                     finite))
      return tensor["name"].get<std::string>() + " is not finite";
  }
  if (std::string bad = bad_weights(answer); !bad.empty()) return bad;
  try {
    switch (check % slow_checks) {
      case 0:
        return remembers_wrongly(document, answer);
      case 1:
        return normalises_wrongly(document, answer);
      case 2:
        return explains_wrongly(document, answer, document.size());
      case 3:
        return batches_wrongly(answer);
      default:
        return exports_wrongly(document);
    }
  } catch (const Error& error) {
    return "what ran is refused: " + error.path + " " + error.what();
  }
}

}  // namespace attend::fuzz
