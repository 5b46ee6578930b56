// SPDX-License-Identifier: Apache-2.0
// The constructor of an exported class: its parameters by name, and the modules that it holds.
#include <algorithm>
#include <array>
#include <set>

#include "export/literal.h"
#include "export/module_code.h"
#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

using Leaf = ModuleListing::Leaf;
using Kind = Leaf::Kind;

// What torch.nn.Module and the exported model have under these names already.
constexpr std::array taken{"T_destination",
                           "add_module",
                           "apply",
                           "bfloat16",
                           "buffers",
                           "by_length",
                           "call_super_init",
                           "children",
                           "compile",
                           "cpu",
                           "cuda",
                           "double",
                           "dump_patches",
                           "eval",
                           "extra_repr",
                           "float",
                           "forward",
                           "half",
                           "ipu",
                           "load",
                           "modules",
                           "parameters",
                           "run",
                           "save",
                           "share_memory",
                           "to",
                           "train",
                           "training",
                           "type",
                           "xpu",
                           "zero_grad",
                           "state_dict",
                           "get_parameter",
                           "get_buffer",
                           "get_submodule"};

bool is_plain(const std::string& name) {
  return name == identifier_of_name(name) && !is_python_keyword(name);
}

bool is_taken(const std::string& name) {
  return std::find(taken.begin(), taken.end(), name) != taken.end();
}

std::string extents(const Shape& shape) {
  std::string text;
  for (const std::size_t extent : shape)
    text += (text.empty() ? "" : ", ") + std::to_string(extent);
  return shape.empty() ? "()" : text;
}

// How often a matrix is repeated to fill a shape: [2 3 4 4] is "2, 3, 1, 1".
std::string repeats(Shape shape) {
  shape.end()[-1] = shape.end()[-2] = 1;
  return extents(shape);
}

// The numbers that a weight begins with, as a document draws them.
std::string initial(const Leaf& leaf, const Shape& shape) {
  const std::string& distribution = leaf.distribution;
  const std::string sizes = extents(shape);
  if (distribution == "zero") return "torch.zeros(" + sizes + ")";
  if (distribution == "one") return "torch.ones(" + sizes + ")";
  if (distribution == "half" || distribution == "stated") {
    std::string number = distribution == "half" ? "0.5" : number_exact(leaf.values.front());
    if (number.find_first_of(".e") == std::string::npos) number += ".0";  // no whole number
    return "torch.full(" + python_tuple({shape.begin(), shape.end()}) + ", " + number + ")";
  }
  if (distribution == "identity") {
    const std::string square =
        "torch.eye(" + std::to_string(shape.end()[-2]) + ", " + std::to_string(shape.back()) + ")";
    return shape.size() == 2 ? square : square + ".repeat(" + repeats(shape) + ")";
  }
  if (distribution == "unit") return "torch.randn(" + sizes + ")";
  const std::size_t rows = shape.empty()       ? 1
                           : shape.size() == 1 ? shape[0]
                                               : shape[shape.size() - 2];
  return "torch.randn(" + sizes + ") / " + std::to_string(rows) + " ** 0.5";
}

}  // namespace

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts{""};
  for (const char c : path) {
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string member_text(const std::string& holder, const std::string& name, Member kind) {
  const bool module = kind == Member::module;
  if (is_taken(name))
    return holder + (module ? "._modules[" : "._parameters[") + quoted(name) + "]";
  if (is_plain(name)) return holder + "." + name;
  return holder + (module ? ".get_submodule(" : ".get_parameter(") + quoted(name) + ")";
}

std::string member_line(const std::string& holder, const std::string& name, Member kind,
                        const std::string& value) {
  if (is_plain(name) || is_taken(name))
    return indent + member_text(holder, name, kind) + " = " + value + "\n";
  return indent + holder + (kind == Member::module ? ".add_module(" : ".register_parameter(") +
         quoted(name) + ", " + value + ")\n";
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      out += " ";
    else
      out += c;
  }
  return out + "\"";
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + quoted(word);
  return "[" + text + "]";
}

std::string docstring_line(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < ' ' || c == '\\' ? ' ' : c;
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

Identifiers reserved_names(const std::vector<std::string>& more) {
  Identifiers names;
  for (const char* name :
       {"self",   "draws",     "maps",   "dtype",    "device",    "return_maps", "nn",
        "run",    "lengths",   "check",  "drawn",    "dropped",   "one_hot",     "after_start",
        "encode", "by_length", "struct", "os",       "functools", "range",       "reversed",
        "F",      "FUSED",     "attend", "in_heads", "check_ids"})
    (void)names.unique_name(name);
  for (const std::string& name : more) (void)names.unique_name(name);
  return names;
}

Identifiers reserved_class_names() {
  Identifiers names;
  for (const char* name : {"Model", "F", "VOCABULARY", "DOCUMENT"}) (void)names.unique_name(name);
  return names;
}

std::string ClassPrinter::parameters(const std::vector<Part>& parts) const {
  std::string text = "    def __init__(self):\n        super().__init__()\n";
  for (const Part& part : parts)
    text += member_line("self", part.name, Member::module, part.class_name + "()");
  std::set<std::string> made;
  for (const Leaf& leaf : l_.leaves) {
    if (has_table(leaf))
      text += indent + "self.register_buffer(" + quoted(identifier_of_name(leaf.name + "_given")) +
              ", torch.tensor(" + python_list(leaf.values, graph_[leaf.node].shape, {}) +
              ", dtype=torch.float64), persistent=False)\n";
    if (leaf.kind != Kind::weight || groups_.owner_of(leaf.name) != group_) continue;
    std::vector<std::string> path = parts_of(leaf.name);
    if (group_ != groups_.root()) path.erase(path.begin());
    std::string holder = "self", known;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      known += (known.empty() ? "" : ".") + path[k];
      if (made.insert(known).second)
        text += member_line(holder, path[k], Member::module, "nn.Module()");
      holder = member_text(holder, path[k], Member::module);
    }
    text += member_line(holder, path.back(), Member::parameter,
                        "nn.Parameter(" + initial(leaf, graph_[leaf.node].shape) + ")");
  }
  return text + word_tables();
}

bool ClassPrinter::has_table(const Leaf& leaf) const {
  return leaf.kind == Kind::constant && groups_.of(leaf.node) == group_ &&
         leaf.distribution == "given";
}

std::string ClassPrinter::tables() const {
  std::string text;
  for (const Leaf& leaf : l_.leaves) {
    if (has_table(leaf))
      text += own_table(leaf.name + "_given") + " = np.array(" +
              python_list(leaf.values, graph_[leaf.node].shape, {}) + ", dtype=x_type)\n";
  }
  return text + word_tables();
}

// Where modules number the words of one input differently: from the ids of the model to those of the module.
std::string ClassPrinter::word_tables() const {
  std::string text;
  for (const Leaf& leaf : l_.leaves) {
    if (leaf.kind != Kind::words) continue;
    const Leaf* first = nullptr;
    for (const Leaf& other : l_.leaves) {
      if (other.kind != Kind::words || other.input != leaf.input) continue;
      first = &other;
      break;
    }
    const auto read = groups_.read_by(group_);
    const bool here = std::find(read.begin(), read.end(), leaf.node) != read.end();
    if (!here || first->vocabulary == leaf.vocabulary) continue;
    std::string ids;
    for (const std::string& word : first->vocabulary) {
      const auto found = std::find(leaf.vocabulary.begin(), leaf.vocabulary.end(), word);
      const auto place = found == leaf.vocabulary.end() ? 2 : found - leaf.vocabulary.begin();
      ids += (ids.empty() ? "" : ", ") + std::to_string(place);
    }
    text += torch_ ? indent + "self.register_buffer(" +
                         quoted(identifier_of_name(leaf.name + "_ids")) + ", torch.tensor([" + ids +
                         "]), persistent=False)\n"
                   : own_table(leaf.name + "_ids") + " = np.array([" + ids + "])\n";
  }
  return text;
}

}  // namespace attend
