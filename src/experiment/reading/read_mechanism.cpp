// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/read_mechanism.h"

#include <algorithm>
#include <span>

#include "catalogue/check_knob.h"
#include "catalogue/mechanism.h"
#include "catalogue/parts/layers/causal_form.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/text/words.h"
#include "ops/error.h"
#include "ops/near_names.h"

namespace attend {
namespace {

// "a score", "an alignment".
std::string with_article(std::string_view noun) {
  const bool vowel = std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

const Mechanism& named(Kind kind, const Json& id, const std::string& path) {
  if (!id.is_string())
    refuse(path, "expected the id of " + with_article(kind_name(kind)) + ", found " + describe(id));
  const auto& text = id.get_ref<const std::string&>();
  const Mechanism* found = find_mechanism(kind, text);
  if (found != nullptr) return *found;
  std::vector<std::string> ids;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->kind() == kind) ids.emplace_back(mechanism->id);
  }
  refuse(path, "unknown " + std::string(kind_name(kind)) + " " + describe(id) + "; " +
                   names_for(text, ids, "known: "));
}

std::vector<std::string> read_words(const Json& json, const std::string& path) {
  if (!json.is_array()) refuse(path, "expected a list of words, found " + describe(json));
  std::vector<std::string> words;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_string())
      refuse(path + "/" + std::to_string(i), "expected a word, found " + describe(json[i]));
    words.push_back(json[i].get<std::string>());
  }
  return words;
}

// Switches in a table are numbers there: true is 1.
Json with_switches_as_numbers(Json json) {
  if (json.is_boolean()) return json.get<bool>() ? 1 : 0;
  if (json.is_array()) {
    for (Json& item : json) item = with_switches_as_numbers(item);
  }
  return json;
}

KnobValue value_of(const Json& json, const Knob& knob, const std::string& path) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string() && knob.type != Knob::Type::words) {
    const auto& word = json.get_ref<const std::string&>();
    const bool former = !knob.old_word.empty() && word == knob.old_word;
    return former ? std::string(knob.new_word) : word;
  }
  if (json.is_number()) {
    if (knob.or_number) return read_matrix(Json::array({json}), path);
    // A list that has a slider's range may also be one number, which holds for all heads.
    if (knob.type == Knob::Type::matrix && knob.maximum > knob.minimum)
      return Tensor{{1, 1}, {json.get<double>()}};
    return json.get<double>();
  }
  if (knob.type == Knob::Type::words) return read_words(json, path);
  if (json.is_array() && knob.type == Knob::Type::matrix)
    return read_matrix(with_switches_as_numbers(json), path, knob.null_is_minus_infinity);
  refuse(path,
         std::string(knob.name) + " must be " + kind_in_words(knob) + "; found " + describe(json));
}

KnobValue read_value(const Json& json, const Knob& knob, const std::string& path) {
  KnobValue value = value_of(json, knob, path);
  check_knob(knob, value, path);
  return value;
}

bool has(std::span<const std::string_view> list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// The default that a list names for a slot; empty if it names none.
std::string_view default_in(List<Default> list, std::string_view slot) {
  for (const Default& d : list) {
    if (d.slot == slot) return d.id;
  }
  return {};
}

constexpr const char* structure_prefix = "structure.";

// The prefix of a core's parameters: `structure.` for those of a `mechanism`, in both of its forms.
std::string core_prefix(const std::string& base) { return base.empty() ? structure_prefix : base; }

// The core that a module's type names, where no module has that id; null for anything else.
const Mechanism* core_as_module(const Json* type) {
  if (type == nullptr || !type->is_string()) return nullptr;
  const auto& id = type->get_ref<const std::string&>();
  return find_mechanism(Kind::structure, id) != nullptr ? nullptr : find_mechanism(Kind::core, id);
}

class MechanismReader {
 public:
  // `name` is empty for a `mechanism`.
  explicit MechanismReader(std::string name) : name_(std::move(name)) {}

  // `slot` is null for the whole mechanism.
  Choice choice(const Json& json, const Mechanism& mechanism, const Slot* slot,
                const std::string& path, const std::string& own, const std::string& base) {
    const std::string outer = module_;
    if (mechanism.kind() == Kind::structure) module_ = base;
    Choice choice{&mechanism, path, own, module_};
    if (json.is_object()) read_members(json, choice, slot, base);
    fill_defaults(choice, slot, base);
    check_filled(choice, slot);
    check_exclusions(choice);
    module_ = outer;
    return choice;
  }

  // A core's id in a module's place is short for the general module with that core.
  Choice short_form(const Json& json, const Mechanism& core, const Slot* slot,
                    const std::string& path, const std::string& own, const std::string& base) {
    const std::string outer = module_;
    module_ = base;
    Choice whole{&general_module(), path, own, base};
    whole.short_form = true;
    Choice inner{&core, path, core_prefix(base), base};
    if (json.is_object()) read_members(json, inner, slot, base);
    whole.slots["core"].push_back(std::move(inner));
    fill_defaults(whole, slot, base);
    check_exclusions(whole);
    module_ = outer;
    return whole;
  }

 private:
  static bool available(const Slot& inner, const Slot* outer) {
    return outer == nullptr || !has(outer->without, inner.name);
  }

  void read_members(const Json& json, Choice& choice, const Slot* outer, const std::string& base) {
    const Mechanism& mechanism = *choice.mechanism;
    std::vector<std::string_view> known{"type"};
    if (outer == nullptr) known.emplace_back("inputs");
    if (outer == nullptr && !name_.empty()) known.emplace_back("name");
    for (const Knob& knob : mechanism.knobs) {
      known.push_back(knob.name);
      const Json* value = member(json, knob.name);
      if (value != nullptr)
        choice.knobs[std::string(knob.name)] =
            read_value(*value, knob, choice.path + "/" + std::string(knob.name));
    }
    read_missing_causal(json, choice, known);
    for (const Slot& slot : mechanism.slots) {
      if (!available(slot, outer)) continue;
      known.push_back(slot.name);
      const Json* value = member(json, slot.name);
      if (value != nullptr) read_slot(*value, slot, choice, base);
    }
    check_members(json, choice.path, known);
  }

  // A core that is always or never causal has no knob for it; a document that sets it gets an error.
  static void read_missing_causal(const Json& json, const Choice& choice,
                                  std::vector<std::string_view>& known) {
    const Json* causal = has(known, "causal") ? nullptr : member(json, "causal");
    if (causal == nullptr) return;
    bool always = false;
    std::string_view never;
    if (const auto* core = std::get_if<Core>(&choice.mechanism->behaviour)) {
      always = core->always_causal;
      never = core->never_causal;
    }
    for (const Exclusion& e : choice.mechanism->excludes) {
      if (e.slot != causal_switch) continue;
      always = !e.only;
      never = e.reason;
    }
    if (never.empty() && !always) return;
    known.emplace_back("causal");
    if (*causal == always) return;
    const std::string id = "\"" + std::string(choice.mechanism->id) + "\"";
    refuse(choice.path + "/causal",
           always ? id + " is always causal: no row sees later rows; leave causal out"
                  : id + " has no causal form. " + sentence_of_reason(never));
  }

  void read_slot(const Json& json, const Slot& slot, Choice& parent, const std::string& base) {
    const std::string name(slot.name), path = parent.path + "/" + name;
    std::vector<Choice>& filled = parent.slots[name];
    if (json.is_null())
      return;  // emptied on purpose; check_filled refuses it if the slot is required
    if (!json.is_array() || !slot.list) {
      if (json.is_array())
        refuse(path,
               "expected one " + std::string(kind_name(slot.kind)) + ", found " + describe(json));
      // The general module's core has the module's own prefix; that of another module has its slot's.
      const bool whole = slot.kind == Kind::core && parent.mechanism == &general_module();
      const std::string prefix = whole ? core_prefix(base) : base + name + ".";
      filled.push_back(in_slot(json, slot, path, prefix));
      return;
    }
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string index = std::to_string(i);
      filled.push_back(in_slot(json[i], slot, path + "/" + index, base + name + "." + index + "."));
      filled.back().in_list = true;
    }
  }

  Choice in_slot(const Json& json, const Slot& slot, const std::string& path,
                 const std::string& prefix) {
    if (!json.is_string() && !json.is_object()) {
      refuse(path, "expected an id or an object with a type, found " + describe(json));
    }
    const Json* type = json.is_object() ? member(json, "type") : &json;
    const std::string type_path = json.is_object() ? path + "/type" : path;
    if (const Mechanism* core = slot.kind == Kind::structure ? core_as_module(type) : nullptr)
      return short_form(json, *core, &slot, path, prefix, prefix);
    const std::string_view fallback = slot.only.empty() ? slot.fallback : slot.only;
    if (type == nullptr && fallback.empty())
      refuse(type_path,
             "expected the id of " + with_article(kind_name(slot.kind)) + ", found none");
    const Mechanism& mechanism =
        type != nullptr ? named(slot.kind, *type, type_path) : *find_mechanism(slot.kind, fallback);
    if (slot.among.size() > 0 && !has(slot.among, mechanism.id)) {
      std::string list;
      for (const std::string_view id : slot.among)
        list += (list.empty() ? "" : ", ") + std::string(id);
      refuse(type_path, "\"" + std::string(mechanism.id) + "\" does not fit here; " + list + " do");
    }
    if (!slot.only.empty() && mechanism.id != slot.only) {
      refuse(type_path,
             "only \"" + std::string(slot.only) + "\" fits here, found " + describe(*type));
    }
    return choice(json, mechanism, &slot, path, prefix, prefix);
  }

  void fill_defaults(Choice& choice, const Slot* outer, const std::string& base) {
    for (const Slot& slot : choice.mechanism->slots) {
      if (!available(slot, outer) || choice.slots.contains(slot.name)) continue;
      std::string_view id = slot.fallback;
      if (outer != nullptr) {
        const std::string_view inner = default_in(outer->inner, slot.name);
        if (!inner.empty()) id = inner;
      }
      if (const std::string_view wanted = wanted_beside(choice, slot.name); !wanted.empty())
        id = wanted;
      if (id.empty() || must_stay_empty(choice, slot.name)) continue;
      const std::string name(slot.name), prefix = base + name + ".";
      choice.slots[name].push_back(this->choice(Json(std::string(id)),
                                                *find_mechanism(slot.kind, id), &slot,
                                                choice.path + "/" + name, prefix, prefix));
    }
  }

  // The default that another slot's mechanism brings for this one. Queries and heads decide first,
  // because some of them accept no other score.
  static std::string_view wanted_beside(const Choice& parent, std::string_view slot) {
    std::string_view found;
    for (const auto& [name, choices] : parent.slots) {
      for (const Choice& choice : choices) {
        const std::string_view wanted = default_in(choice.mechanism->beside, slot);
        if (!wanted.empty() && (name == "query" || name == "heads")) return wanted;
        if (found.empty()) found = wanted;
      }
    }
    return found;
  }

  static void check_filled(const Choice& choice, const Slot* outer) {
    for (const Slot& slot : choice.mechanism->slots) {
      const bool needed = !slot.fallback.empty() && available(slot, outer);
      if (!needed || choice.in(slot.name) != nullptr || must_stay_empty(choice, slot.name))
        continue;
      refuse(choice.path + "/" + std::string(slot.name),
             "expected " + with_article(kind_name(slot.kind)) +
                 ", found null; leave it out to use \"" + std::string(slot.fallback) + "\"");
    }
  }

  static bool must_stay_empty(const Choice& parent, std::string_view slot) {
    for (const auto& [name, choices] : parent.slots) {
      for (const Choice& choice : choices) {
        for (const Ban& e : exclusions_of(*choice.mechanism)) {
          if (e.slot == slot && e.only && e.ids.empty()) return true;
        }
      }
    }
    return false;
  }

  static void check_exclusions(const Choice& parent) {
    for (const auto& [name, choices] : parent.slots) {
      for (const Choice& choice : choices) {
        for (const Ban& e : exclusions_of(*choice.mechanism)) {
          for (const Choice& other : parent.all(e.slot)) {
            if (&other == &choice) continue;  // of a list: what else is in it
            if (has(e.ids, other.mechanism->id) == e.only) continue;
            refuse(other.path,
                   "\"" + std::string(other.mechanism->id) + "\" cannot be combined with \"" +
                       std::string(choice.mechanism->id) + "\". " + sentence_of_reason(e.reason));
          }
        }
      }
    }
  }

  std::string name_;    // of the module in a model
  std::string module_;  // the prefix of the module being read
};

// The record that a module's `type` names.
const Mechanism& type_of(const Json* type, const Json& json, const std::string& path) {
  return type == nullptr ? general_module()
                         : named(Kind::structure, *type, json.is_object() ? path + "/type" : path);
}

// A module at the top of a document; `base` empty: of a `mechanism`.
Choice read_top(const Json& json, const std::string& path, const std::string& name,
                const std::string& base) {
  const Json* type = json.is_object() ? member(json, "type") : &json;
  if (const Mechanism* core = core_as_module(type))
    return MechanismReader(name).short_form(json, *core, nullptr, path, base, base);
  const Mechanism& mechanism = type_of(type, json, path);
  const std::string prefix = base.empty() ? prefix_of_mechanism(mechanism) : base;
  return MechanismReader(name).choice(json, mechanism, nullptr, path, prefix, prefix);
}

}  // namespace

std::string prefix_of_mechanism(const Mechanism& mechanism) {
  return &mechanism == &general_module() ? "" : structure_prefix;
}

Choice read_mechanism(const Json& json, const std::string& path) {
  if (!json.is_object() && !json.is_string())
    refuse(path, "expected an object with a type, found " + describe(json));
  return read_top(json, path, "", "");
}

Choice read_module(const Json& json, const std::string& path, const std::string& name) {
  return read_top(json, path, name, name + ".");
}

}  // namespace attend
