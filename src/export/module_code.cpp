// SPDX-License-Identifier: Apache-2.0
#include "export/module_code.h"

#include <algorithm>
#include <array>

#include "export/literal.h"
#include "export/loss_idioms.h"
#include "export/needed.h"
#include "export/nouns.h"
#include "export/plain_text.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

using Leaf = ModuleListing::Leaf;
using Kind = Leaf::Kind;

std::string tuple_of(const Shape& shape) {
  return python_tuple(std::vector<long>(shape.begin(), shape.end()));
}

bool is_in_name(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// Whether the code has this word, not as a part of another or of an attribute.
bool has_word(const std::string& code, const std::string& word) {
  for (std::size_t at = code.find(word); at != std::string::npos; at = code.find(word, at + 1)) {
    const bool begins = at == 0 || (!is_in_name(code[at - 1]) && code[at - 1] != '.');
    const std::size_t end = at + word.size();
    if (begins && (end == code.size() || !is_in_name(code[end]))) return true;
  }
  return false;
}

std::string without_comments(const std::string& code) {
  std::string text;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size() - 1) + 1;
    const std::string line = code.substr(at, end - at);
    const std::size_t comment = line.find("  # ");
    text += comment == std::string::npos ? line : line.substr(0, comment) + "\n";
    at = end;
  }
  return text;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

// A choice between a tensor and a number fills the number in.
std::optional<Text> number_chosen(const Expression& e) {
  if (e.node.primitive != &primitives::where) return std::nullopt;
  std::string condition = condition_of(e.in[0].text);
  if (condition.empty()) condition = e.in[0].at(Text::product) + " != 0";
  for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
    const std::size_t other = 3 - k;
    if (e.in[k].binding != Text::literal || e.in[other].binding == Text::literal ||
        *e.in_shapes[other] != e.node.shape)
      continue;
    if (k == 2) condition = "~(" + condition + ")";
    return Text{e.in[other].at(Text::atom) + ".masked_fill(" + condition + ", " +
                unbracketed(e.in[k].text) + ")"};
  }
  return std::nullopt;
}

}  // namespace

ClassPrinter::ClassPrinter(const ModuleListing& listing, const ModuleGroups& groups,
                           std::size_t group, const std::map<std::string, std::string>& inputs)
    : l_(listing),
      groups_(groups),
      graph_(listing.graph.graph()),
      group_(group),
      inputs_(inputs),
      names_(reserved_names(listing.graph.names())),
      torch_(listing.library == ModuleListing::Library::torch),
      lines_(graph_, groups.uses(), names_, torch_, indent) {
  if (!torch_) (void)names_.unique_name("parameters");
  for (const auto& [input, name] : inputs_) {
    (void)names_.unique_name(name);
    (void)names_.unique_name(name + "_before");
  }
  lines_.instead = [this](const Expression& e) { return special(e); };
  lines_.naming = name_of_step;
  if (torch_) lines_.everywhere = number_chosen;
  signature_.reads = groups_.read_by(group);
  signature_.gives = groups_.given_by(group);
  signature_.maps = has_maps();
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (groups_.is_number(id) && groups_.needed(id) && graph_[id].name.empty()) {
      lines_.line(id);
    }
  }
  know_weights();
  for (const Leaf& leaf : l_.leaves) {
    const bool draws = leaf.kind == Kind::noise || leaf.kind == Kind::dropout;
    signature_.draws = signature_.draws || (draws && groups_.of(leaf.node) == group_);
  }
}

bool ClassPrinter::has_maps() const {
  return std::any_of(l_.results.begin(), l_.results.end(), [&](const auto& result) {
    return result.map && groups_.giver_of(result) == group_;
  });
}

bool ClassPrinter::names_own_maps(std::size_t group) const {
  const std::string own = group == groups_.root() ? "" : groups_.name(group) + ".";
  return !own.empty() && std::all_of(l_.results.begin(), l_.results.end(), [&](const auto& one) {
    return !one.map || groups_.giver_of(one) != group || one.name.starts_with(own);
  });
}

std::string ClassPrinter::result_name(NodeId id) const {
  for (const ModuleListing::Result& result : l_.results)
    if (result.node == id) return result.name;
  return "";
}

// The text of a parameter inside of the class that holds it.
std::string ClassPrinter::owned(const std::string& parameter) const {
  if (!torch_) return "parameters[" + quoted(parameter) + "]";
  const std::string path = group_ == groups_.root() || groups_.owner_of(parameter) != group_
                               ? parameter
                               : parameter.substr(parameter.find('.') + 1);
  const std::vector<std::string> parts = parts_of(path);
  std::string text = "self";
  for (std::size_t k = 0; k < parts.size(); ++k)
    text = member_text(text, parts[k], k + 1 == parts.size() ? Member::parameter : Member::module);
  return text;
}

void ClassPrinter::know_weights() {
  for (const Leaf& leaf : l_.leaves) {
    const bool own = groups_.owner_of(leaf.name) == group_ || group_ == groups_.root();
    if (leaf.kind == Kind::weight && own) lines_.know(leaf.node, {owned(leaf.name)});
    if (leaf.kind == Kind::dropout) lines_.know(leaf.node, {"mask"});
  }
}

std::string ClassPrinter::ids_of(const Leaf& leaf) const {
  const std::string name = words_name(leaf);
  std::string ids = name;
  for (const Leaf& other : l_.leaves) {
    if (other.kind != Kind::words || other.input != leaf.input) continue;
    // The first leaf of an input gives its ids their meaning.
    if (other.vocabulary != leaf.vocabulary) ids = own_table(leaf.name + "_ids") + "[" + name + "]";
    break;
  }
  return ids;
}

// A table of numbers that is no weight: a buffer of the class, or a global of the file.
std::string ClassPrinter::own_table(const std::string& name) const {
  return (torch_ ? "self." : "") + identifier_of_name(name);
}

// Words that a decoder reads before each position come in as ids of their own: training may replace some of them.
std::string ClassPrinter::words_name(const Leaf& leaf) const {
  return inputs_.at(leaf.input) + (leaf.after_start ? "_before" : "");
}

// The argument by which a value comes in. Words of one input come in once, however many modules read them.
std::string ClassPrinter::argument(NodeId id) {
  const Leaf* leaf = groups_.leaf(id);
  if (leaf != nullptr && leaf->kind == Kind::words) {
    const std::string name = words_name(*leaf);
    const std::string size = std::to_string(graph_[id].shape.back());
    lines_.know(id, {"one_hot(" + ids_of(*leaf) + ", " + size + (torch_ ? ", dtype)" : ")")});
    const bool known = std::any_of(shown_.begin(), shown_.end(),
                                   [&](const Shown& one) { return one.text == name; });
    Shape shape = graph_[id].shape;
    shape.pop_back();
    if (!known) shown_.push_back({name, shape, false});
    return known ? "" : name;
  }
  const bool input = leaf != nullptr && leaf->kind == Kind::input;
  // A class does not say which modules feed it, so that several modules may share it.
  std::string result = result_name(id);
  result.erase(0, result.rfind('.') + 1);
  std::string name = input                      ? inputs_.at(leaf->input)
                     : leaf != nullptr          ? names_.unique_name(leaf->name)
                     : result == "output"       ? names_.unique("x")
                     : !result.empty()          ? names_.unique_name(result)
                     : !graph_[id].name.empty() ? names_.unique(graph_[id].name)
                                                : names_.unique("x");
  lines_.know(id, {name});
  shown_.push_back({name, graph_[id].shape, true});
  return name;
}

std::optional<Text> ClassPrinter::special(const Expression& e) {
  const Node& node = e.node;
  const auto leaf_at = [&](std::size_t k) { return groups_.leaf(node.inputs[k]); };
  if (node.primitive == &primitives::matmul && e.integer(0) == 0 && e.integer(1) == 0 &&
      leaf_at(0) != nullptr && leaf_at(0)->kind == Kind::words && e.in_shapes[1]->size() == 2)
    return Text{torch_ ? "F.embedding(" + ids_of(*leaf_at(0)) + ", " + e.in[1].text + ")"
                       : e.in[1].at(Text::atom) + "[" + ids_of(*leaf_at(0)) + "]"};
  if (node.primitive == &row_cross_entropy && leaf_at(1) != nullptr &&
      leaf_at(1)->kind == Kind::words)
    return Text{"F.cross_entropy(" + e.in[0].at(Text::atom) + ".transpose(1, 2), " +
                ids_of(*leaf_at(1)) + ".long(), reduction=\"none\")"};
  // Under a causal mask each query sees its own place, so no row is empty. To check that takes a pass over all weights.
  if (torch_ && node.primitive == &primitives::softmax && l_.causal.contains(node.inputs.back()))
    return Text{"softmax(" + tensor_operand(e, 0).text + ", " + tensor_operand(e, 1).text +
                ", some=True)"};
  if (node.primitive == &primitives::multiply) {
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
      const Leaf* mask = leaf_at(k);
      if (mask == nullptr || mask->kind != Kind::dropout) continue;
      const std::string rate =
          torch_ ? ", " + number_exact(l_.dropout) + ", self.training" : std::string();
      return Text{"dropped(" + e.in[1 - k].text + rate + ", draws, " + quoted(mask->name) + ")"};
    }
  }
  return std::nullopt;
}

std::string ClassPrinter::draw(const Leaf& leaf) {
  const Shape& shape = graph_[leaf.node].shape;
  if (leaf.kind == Kind::dropout) return "";
  if (leaf.kind == Kind::constant && leaf.distribution == "given") {
    lines_.know(leaf.node, {own_table(leaf.name + "_given") + (torch_ ? ".to(dtype)" : "")});
    return "";
  }
  const std::string name = names_.unique_name(leaf.name);
  lines_.know(leaf.node, {name});
  if (leaf.kind == Kind::constant) {
    const auto range = [&](std::size_t from_end) {
      const std::string count = std::to_string(shape.end()[-static_cast<long>(from_end)]);
      return torch_ ? "torch.arange(" + count + ", dtype=dtype, device=device)"
                    : "np.arange(" + count + ", dtype=x_type)";
    };
    if (leaf.distribution == "zero") {
      std::string extents;
      for (const std::size_t extent : shape) extents += std::to_string(extent) + ", ";
      return indent + name + " = " +
             (torch_ ? "torch.zeros((" + extents + "), dtype=dtype, device=device)"
                     : "np.zeros((" + extents + "), dtype=x_type)") +
             "  # before the first step\n";
    }
    if (shape.size() < 2) return indent + name + " = " + range(1) + "  # from the first token\n";
    const std::string gaps = range(2) + "[:, None] - " + range(1);
    std::string table = torch_ ? "(" + gaps + ").abs()" : "np.abs(" + gaps + ")";
    if (shape.size() > 2)
      table = torch_ ? table + ".expand(" + tuple_of(shape) + ")"
                     : "np.broadcast_to(" + table + ", " + tuple_of(shape) + ")";
    return indent + name + " = " + table + "  # |i - j|\n";
  }
  std::string text = indent + name + " = drawn(draws, " + quoted(leaf.name) + ", " +
                     quoted(leaf.below != 0 ? "indices" : leaf.distribution) + ", " +
                     tuple_of(shape) + (torch_ ? ", dtype, device" : "");
  if (leaf.below != 0) text += ", " + std::to_string(leaf.below);
  return text + ")\n";
}

// The steps of this class: those of every call, or those that only maps need.
std::string ClassPrinter::lines(bool maps) {
  std::string text;
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (!groups_.needed(id) || groups_.of(id) != group_ || groups_.always(id) == maps) continue;
    const AttentionChain* chain = groups_.chain(id);
    text += chain != nullptr ? attention(*chain) : step(id);
  }
  return text;
}

std::string ClassPrinter::step(NodeId id) {
  std::string text;
  for (const NodeId input : graph_[id].inputs)
    if (groups_.is_number(input)) text += lines_.line(input);
  const Leaf* leaf = groups_.leaf(id);
  if (lines_.knows(id)) return text;
  return text + (leaf != nullptr ? draw(*leaf) : lines_.line(id));
}

// The sizes that the code names, from the shapes of the arguments. `missing`: those that no argument shows.
std::string ClassPrinter::size_lines(const std::string& code,
                                     std::vector<std::size_t>& missing) const {
  const std::string filled = without_comments(l_.graph.filled_in(code));
  std::string text;
  for (std::size_t s = 0; s < l_.graph.names().size(); ++s) {
    const std::string& name = l_.graph.names()[s];
    if (!has_word(filled, name)) continue;
    std::string from;
    for (const Shown& one : shown_) {
      for (std::size_t axis = 0; axis < one.shape.size() && from.empty(); ++axis) {
        if (l_.graph.symbol_of(one.shape[axis]) == static_cast<long>(s))
          from = one.text + ".shape[" + std::to_string(axis) + "]";
      }
    }
    if (from.empty())
      missing.push_back(s);
    else
      text += indent + name + " = " + from + "\n";
  }
  return text;
}

std::string ClassPrinter::type_line(const std::string& code) {
  if (!torch_) return "";
  if (!has_word(code, "dtype") && !has_word(code, "device")) return "";
  for (const Shown& one : shown_)
    if (one.numbers)
      return indent + "dtype, device = " + one.text + ".dtype, " + one.text + ".device\n";
  for (const Leaf& leaf : l_.leaves) {
    if (leaf.kind != Kind::weight) continue;
    if (groups_.owner_of(leaf.name) != group_ && group_ != groups_.root()) continue;
    const std::string text = owned(leaf.name);
    return indent + "dtype, device = " + text + ".dtype, " + text + ".device\n";
  }
  // No number is read. The model says to its parts which type the results have; it sees that at an input that it does
  // not read.
  signature_.types = group_ != groups_.root();
  if (signature_.types) return "";
  for (const ModuleListing::Input& input : l_.inputs) {
    const std::string& name = inputs_.at(input.name);
    if (std::ranges::find(shown_, name, &Shown::text) != shown_.end()) continue;
    return indent + "dtype, device = " + name + ".dtype, " + name + ".device\n" + indent +
           "dtype = dtype if dtype.is_floating_point else torch.get_default_dtype()\n";
  }
  const std::string device = shown_.empty() ? "None" : shown_.front().text + ".device";
  return indent + "dtype, device = torch.get_default_dtype(), " + device + "\n";
}

// The type of numbers is that of the arguments, where a script has one for all.
std::string ClassPrinter::with_types(std::string code) const {
  if (!torch_) return code;
  replace_all(code, "dtype=x_type", "dtype=dtype, device=device");
  std::string text;
  for (std::size_t at = 0; at < code.size();) {
    const bool call = code.compare(at, 5, "real(") == 0 &&
                      (at == 0 || (!is_in_name(code[at - 1]) && code[at - 1] != '.'));
    text += call ? "real(dtype, " : code.substr(at, 1);
    at += call ? 5 : 1;
  }
  return text;
}

std::string ClassPrinter::forward() {
  std::vector<std::string> arguments{"self"};
  for (const NodeId id : signature_.reads) {
    const std::string name = argument(id);
    if (!name.empty()) arguments.push_back(name);
  }
  std::string body = lines(false);
  if (signature_.maps) body += indent + "maps = {}\n" + map_block("maps");
  std::vector<std::string> returned;
  for (const NodeId id : signature_.gives) returned.push_back(lines_.text(id).text);
  if (signature_.maps) returned.emplace_back("maps");
  body = with_types(body + indent + "return " + joined(returned) + "\n");
  const std::string types = type_line(body);
  const std::string sizes = size_lines(body, signature_.sizes);
  for (const std::size_t s : signature_.sizes) arguments.push_back(l_.graph.names()[s]);
  if (signature_.types) arguments.emplace_back("dtype, device");
  if (signature_.maps) arguments.emplace_back("return_maps=False");
  if (signature_.draws) arguments.emplace_back("draws=None");
  return "    def forward(" + joined(arguments) + "):\n" + described() + types + sizes + body;
}

}  // namespace attend
