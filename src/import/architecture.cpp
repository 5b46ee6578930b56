// SPDX-License-Identifier: Apache-2.0
#include "import/architecture.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "experiment/text/text_files.h"
#include "import/classes.h"
#include "import/config_lists.h"
#include "import/example_text.h"
#include "import/family_functions.h"
#include "import/layout.h"
#include "import/missing_tensors.h"
#include "import/template.h"
#include "import/tensor_names.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::size_t most_names_listed = 8;
// A size that divides more than this is not requested, because the list would be too long to read.
constexpr std::size_t most_divided = 1U << 16U;

// "a, b and 3 more"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most_names_listed; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return names.size() <= most_names_listed
             ? text
             : text + " and " + std::to_string(names.size() - most_names_listed) + " more";
}

// "h.12.ln_1.bias" as "h.#.ln_1.bias".
std::string without_numbers(const std::string& name) {
  std::string text;
  for (std::size_t i = 0; i < name.size();) {
    std::size_t end = i;
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) ++end;
    const bool whole =
        end > i && (i == 0 || name[i - 1] == '.') && (end == name.size() || name[end] == '.');
    if (end == i) ++end;
    text += whole ? "#" : name.substr(i, end - i);
    i = end;
  }
  return text;
}

class ArchitecturePlan {
 public:
  ArchitecturePlan(const Checkpoint& checkpoint, const Json& family, TensorNames names)
      : checkpoint_(checkpoint),
        family_(family),
        names_(std::move(names)),
        template_({[&](const std::string&) { return Json(); },
                   [&](const std::string& f, const std::vector<Json>& a) { return call(f, a); }}) {}

  ImportPlan plan() {
    template_.set("format", checkpoint_.format);
    refuse_effects();
    refuse_forms("refuses", "this looks like a model of the family " + id() + ", but ");
    settle_sizes();
    refuse_forms("contradictions", "\"" + checkpoint_.config_name + "\" cannot be right: ");
    ImportPlan plan;
    collect(plan);
    read_text();
    plan.document = template_.expand(family_["document"]);
    if (family_.contains("writes")) plan.writes = template_.expand(family_["writes"]);
    check_picture(plan.writes, sizes_.value("channels", Json()), checkpoint_);
    report(plan);
    return plan;
  }

 private:
  [[nodiscard]] std::string id() const { return family_["id"]; }

  Json call(const std::string& function, const std::vector<Json>& arguments) {
    if (function == "root" && arguments.size() == 1) return whole_root(arguments[0]);
    if (function == "sqrt" && arguments.size() == 1) return square_root(arguments[0]);
    if (function == "piece" && arguments.size() == 1) return piece_text(checkpoint_, arguments[0]);
    if (arguments.empty() || !arguments[0].is_string()) return nullptr;
    const std::string name = arguments[0];
    if (function == "config" && (name == "sentence_pooling" || name == "readable_pooling")) {
      Json by = sentence_pooling(checkpoint_, name == "sentence_pooling");
      pools_ = pools_ || !by.is_null();
      return by;
    }
    if (function == "config" && name == "sentence_unit") return checkpoint_.pooling.unit;
    if (function == "config") return config_at(checkpoint_.config, name);
    if (function == "given") return is_given(checkpoint_.config, name);
    if (function == "preprocessor") return config_at(checkpoint_.preprocessor, name);
    if (function == "labels" && arguments.size() == 2)
      return class_labels(config_at(checkpoint_.config, name), arguments[1], checkpoint_, name);
    if (function == "count") {  // of layers: "h.#.ln_1.weight" for 0, 1, ..
      const std::size_t mark = name.find('#');
      std::int64_t count = 0;
      while (mark != std::string::npos && names_.find(name.substr(0, mark) + std::to_string(count) +
                                                      name.substr(mark + 1)) != nullptr)
        ++count;
      return count == 0 ? Json() : Json(count);
    }
    if (const Json list = config_at(checkpoint_.config, name); function == "entries") {
      const auto count = entries_in(list);
      return count ? Json(*count) : Json();
    } else if (function == "entry" && arguments.size() == 2 && arguments[1].is_number_integer()) {
      return entry_of(list, arguments[1].get<std::uint64_t>());
    } else if (function == "only") {
      return has_only(list, std::span(arguments).subspan(1));
    } else if (function == "alike" && arguments.size() == 3 && arguments[1].is_string() &&
               arguments[2].is_number_integer()) {
      return alike(list, config_at(checkpoint_.config, arguments[1].get<std::string>()),
                   arguments[2].get<std::uint64_t>());
    }
    if (function == "any") return names_.any(name);
    const StoredTensor* tensor = names_.find(name);
    if (function == "has") return tensor != nullptr;
    if (function == "same" && arguments.size() == 2 && arguments[1].is_string()) {
      const StoredTensor* other = names_.find(arguments[1].get<std::string>());
      return tensor != nullptr && other != nullptr && same_numbers(*tensor, *other);
    }
    if (function == "shape" && tensor != nullptr && arguments.size() == 2 &&
        arguments[1].is_number_integer()) {
      const auto axis = arguments[1].get<std::size_t>();
      return axis < tensor->shape.size() ? Json(tensor->shape[axis]) : Json();
    }
    if (function == "shape") return nullptr;
    refuse("", "architectures/" + id() + ".json calls \"" + function + "\", which does not exist");
  }

  void settle_sizes() {
    for (const Json& size : family_["sizes"]) {
      const std::string name = size["name"];
      Json by_config, by_tensors;
      std::string key;
      if (size.contains("config") && !is_true(template_.evaluate(size.value("unless", "false")))) {
        for (const Json& one : size["config"]) {
          by_config = config_at(checkpoint_.config, one.get<std::string>());
          key = one;
          if (!by_config.is_null()) break;
        }
      }
      if (size.contains("tensors"))
        by_tensors = template_.evaluate(size["tensors"].get<std::string>());
      if (by_tensors.is_number()) by_config = one_of_all(by_config);
      if (!by_config.is_null() && !by_tensors.is_null() && by_config != by_tensors)
        refuse("", "\"" + checkpoint_.config_name + "\" contradicts the tensors: its \"" + key +
                       "\" is " + describe(by_config) + ", but the tensors give " +
                       describe(by_tensors));
      Json value = by_config.is_null() ? by_tensors : by_config;
      if (value.is_null() && size.contains("default")) {
        value = template_.evaluate(size["default"].get<std::string>());
        if (size.value("assumed", false) && !value.is_null()) assumed_[name] = value;
      }
      if (value.is_null() && !size.value("optional", false)) refuse_missing(size);
      check_size(size, value, key);
      template_.set(name, value);
      sizes_[name] = std::move(value);
    }
  }

  [[noreturn]] void refuse_missing(const Json& size) const {
    const std::string says = size["says"];
    const std::string called = size.contains("config") ? size["config"][0] : size["name"];
    const std::string message = "the shapes do not determine the " + says + ": " +
                                (checkpoint_.config_name.empty()
                                     ? "add config.json, which gives it as \""
                                     : "write it into \"" + checkpoint_.config_name + "\" as \"") +
                                called + "\"";
    if (!size.contains("divides")) refuse("", message);
    const Json whole = template_.evaluate(size["divides"].get<std::string>());
    std::vector<std::size_t> divisors;
    const std::size_t most = whole.is_number_unsigned() || whole.is_number_integer()
                                 ? std::min(whole.get<std::size_t>(), most_divided)
                                 : 0;
    // A head has at least two features.
    for (std::size_t k = 1; 2 * k <= most; ++k) {
      if (whole.get<std::size_t>() % k == 0) divisors.push_back(k);
    }
    throw SizeMissing(message, says, called, std::move(divisors));
  }

  void check_size(const Json& size, const Json& value, const std::string& key) {
    const int least = size.value("least", 1);
    const bool counts = (size.contains("divides") || size.contains("least")) && !value.is_null();
    if (counts && (!value.is_number_integer() || value.get<std::int64_t>() < least))
      refuse("", "\"" + checkpoint_.config_name + "\" gives " + describe(value) + " for \"" + key +
                     "\", the " + size["says"].get<std::string>() +
                     "; expected a whole number of at least " + std::to_string(least));
    if (!size.contains("one-of") || value.is_null()) return;
    if (std::ranges::find(size["one-of"], value) != size["one-of"].end()) return;
    refuse("", "\"" + checkpoint_.config_name + "\" gives " + describe(value) + " for \"" + key +
                   "\", which is not known here; the known ones are " + size["one-of"].dump());
  }

  void read_text() {
    if (!family_.contains("text")) return;
    const auto size = [&](const char* name) {
      const Json value = sizes_.value(name, Json());
      const bool count = value.is_number_integer() && value.get<std::int64_t>() >= 0;
      return count ? value.get<std::size_t>() : 0;
    };
    const ExampleText text = example_text(checkpoint_, template_.expand(family_["text"]),
                                          size("vocabulary"), size("length"));
    template_.set("tokens", text.ids.size());
    template_.set("ids", text.ids);
    template_.set("labels", text.labels);
  }

  // The tensor of each parameter, as the file of the family lists them. What is optional is missing all the same where
  // another layer has it.
  void collect(ImportPlan& plan) {
    std::vector<std::string> missing;
    std::map<std::string, std::vector<std::string>> absent;  // by the name without the layer
    std::set<std::string> present;
    for (const Json& entry : template_.expand(family_["parameters"])) {
      const std::string from = entry["from"];
      const StoredTensor* tensor = names_.find(from);
      if (tensor == nullptr) {
        if (entry.value("optional", false)) {
          absent[without_numbers(from)].push_back(from);
        } else {
          missing.push_back(from);
        }
        continue;
      }
      present.insert(without_numbers(from));
      used_.insert(tensor->name);
      plan.parameters.push_back({entry["to"], tensor, entry.value("layout", Json())});
      if (!entry.contains("times")) continue;
      const std::string times = entry["times"];
      plan.parameters.back().times = names_.find(times);
      if (plan.parameters.back().times == nullptr) {
        missing.push_back(times);
      } else {
        used_.insert(plan.parameters.back().times->name);
      }
    }
    for (const auto& [pattern, names] : absent) {
      if (present.contains(pattern)) missing.insert(missing.end(), names.begin(), names.end());
    }
    // Three parameters may come from one tensor.
    std::vector<std::string> once;
    for (const std::string& name : missing) {
      if (std::ranges::find(once, name) == once.end()) once.push_back(name);
    }
    if (!once.empty())
      refuse("", "this looks like a model of the family " + id() + ", but " +
                     std::to_string(once.size()) + " of its tensors are missing: " + listed(once));
  }

  [[noreturn]] void refuse_changing(const std::vector<std::string>& names) const {
    refuse("", "the family " + id() + " does not use " +
                   (names.size() == 1
                        ? "this tensor, which may"
                        : "these " + std::to_string(names.size()) + " tensors, which may") +
                   " change the result: " + listed(names));
  }

  // Tensors of which it is known what they do, and that this family's document does not do it.
  void refuse_effects() const {
    std::vector<std::string> changing;
    std::set<std::string> effects;
    for (const auto& [name, tensor] : checkpoint_.tensors) {
      const std::string effect = names_.is_ignored(name) ? "" : names_.effect_of(name);
      if (effect.empty()) continue;
      // What several layers have is explained once.
      changing.push_back(effects.insert(effect).second ? name + " (" + effect + ")" : name);
    }
    if (!changing.empty()) refuse_changing(changing);
  }

  // Forms of the family that its document does not compute, and configs that do not go together with the tensors.
  void refuse_forms(const char* list, const std::string& why) {
    for (const Json& one : family_.value(list, Json::array())) {
      if (template_.evaluate(one["when"].get<std::string>()) == true)
        refuse("", why + one["says"].get<std::string>());
    }
  }

  // Whether it repeats a tensor that is used, as files do where the table of words predicts.
  [[nodiscard]] bool is_repeated(const StoredTensor& tensor) const {
    return std::ranges::any_of(used_, [&](const std::string& name) {
      return same_numbers(tensor, checkpoint_.tensors.at(name));
    });
  }

  // Tensors that no parameter reads. Only those are left that hold no weights or belong to the head of another task:
  // any other may change what the model computes.
  [[nodiscard]] std::vector<std::string> left_over() const {
    std::vector<std::string> left, changing;
    for (const auto& [name, tensor] : checkpoint_.tensors) {
      if (used_.contains(name) || names_.is_ignored(name)) continue;
      const bool beside = names_.is_beside(name);
      if (!beside) changing.push_back(name);
      if (beside && !is_repeated(tensor)) left.push_back(name);
    }
    if (!changing.empty()) refuse_changing(changing);
    return left;
  }

  void report(ImportPlan& plan) {
    std::vector<std::string> left = left_over();
    if (!pools_ && !checkpoint_.pooling.file.empty()) left.push_back(checkpoint_.pooling.file);
    for (const std::string& module : checkpoint_.pooling.left) left.push_back(module);
    Json tied = Json::array();
    if (plan.document.contains("tie")) {
      for (const auto& [name, target] : plan.document["tie"].items()) tied.push_back(name);
    }
    plan.report = {
        {"architecture", id()},       {"title", family_["title"]}, {"format", checkpoint_.format},
        {"files", checkpoint_.files}, {"sizes", sizes_},           {"assumed", assumed_},
        {"used", used_.size()},       {"tied", std::move(tied)},   {"left", left}};
  }

  const Checkpoint& checkpoint_;
  const Json& family_;
  TensorNames names_;
  Template template_;
  Json sizes_ = Json::object(), assumed_ = Json::object();
  std::set<std::string> used_;
  bool pools_ = false;  // whether the document has a sentence, which 1_Pooling/config.json settles
};

std::string known_families() {
  std::string text;
  for (const Json& family : all_architectures())
    text += (text.empty() ? "" : ", ") + family["id"].get<std::string>();
  return text;
}

}  // namespace

const std::vector<Json>& all_architectures() {
  static const std::vector<Json> all = [] {
    std::vector<Json> list;
    for (const TextFile& file : architecture_files()) list.push_back(Json::parse(file.text));
    return list;
  }();
  return all;
}

ImportPlan plan_import(const Checkpoint& checkpoint) {
  check_known_type(checkpoint, all_architectures());
  check_one_model(checkpoint, all_architectures());
  const Json type = checkpoint.config.value("model_type", Json());
  std::string seen;
  for (const Json& family : all_architectures()) {
    TensorNames names(checkpoint, family);
    if (!names.recognise()) continue;
    const Json& types = family["recognise"]["model_types"];
    if (type.is_null() || std::ranges::find(types, type) != types.end())
      return ArchitecturePlan(checkpoint, family, names).plan();
    seen += (seen.empty() ? "" : ", ") + family["id"].get<std::string>() + " (model_type " +
            types.dump() + ")";
  }
  if (!seen.empty())
    refuse("", "\"" + checkpoint.config_name + "\" gives the model_type " + type.dump() +
                   ", but the tensors are named as in " + seen +
                   ". If the model computes in the same way as that family, write the family's "
                   "model_type into \"" +
                   checkpoint.config_name + "\"");
  check_recognisable(checkpoint, all_architectures());
  const bool known = std::ranges::any_of(all_architectures(), [&](const Json& family) {
    const Json& types = family["recognise"]["model_types"];
    return std::ranges::find(types, type) != types.end();
  });
  if (known && checkpoint.format == "gguf")
    refuse("", "\"" + checkpoint.config_name + "\" gives the model_type " + type.dump() +
                   ": models of its kind are not read from GGUF; give their safetensors and "
                   "config.json");
  std::vector<std::string> some;
  for (const auto& [name, tensor] : checkpoint.tensors) some.push_back(name);
  const std::string named =
      type.is_string()
          ? "\"" + checkpoint.config_name + "\" gives the model_type " + type.dump() + ", and "
          : "";
  refuse("", named + "no known family has tensors of these names: " + listed(some) +
                 ". Known families: " + known_families());
}

}  // namespace attend
