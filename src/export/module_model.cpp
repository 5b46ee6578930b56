// SPDX-License-Identifier: Apache-2.0
// The method of an exported model that calls its modules.
#include <algorithm>

#include "export/module_code.h"
#include "export/plain_text.h"
#include "ops/error.h"

namespace attend {
namespace {

using Leaf = ModuleListing::Leaf;
using Kind = Leaf::Kind;

}  // namespace

std::string ClassPrinter::value_name(NodeId id, const std::string& module) {
  const std::string result = result_name(id);
  if (!result.empty()) return names_.unique_name(result);
  const std::string& step = graph_[id].name;
  return names_.unique_name(module + "_" + (step.empty() ? "value" : identifier_of(step)));
}

std::string ClassPrinter::call(const Part& part) {
  std::vector<std::string> given, got;
  for (const NodeId id : part.signature.reads) {
    const Leaf* leaf = groups_.leaf(id);
    const std::string text =
        leaf != nullptr && leaf->kind == Kind::words ? words_name(*leaf) : lines_.text(id).text;
    const bool twice = leaf != nullptr && leaf->kind == Kind::words &&
                       std::find(given.begin(), given.end(), text) != given.end();
    if (!twice) given.push_back(text);
  }
  for (const std::size_t s : part.signature.sizes) given.push_back(l_.graph.names()[s]);
  if (part.signature.types) given.emplace_back("dtype, device");
  if (part.signature.maps) given.emplace_back("return_maps=return_maps");
  if (part.signature.draws) given.emplace_back("draws=draws");
  for (const NodeId id : part.signature.gives) {
    const std::string name = part.signature.gives.size() == 1 && result_name(id).empty()
                                 ? names_.unique_name(part.name)
                                 : value_name(id, part.name);
    lines_.know(id, {name});
    got.push_back(name);
  }
  if (part.signature.maps) got.emplace_back("maps");
  const std::string target = member_text("self", part.name, Member::module);
  std::string text =
      indent + joined(got) + (got.empty() ? "" : " = ") + target + "(" + joined(given) + ")\n";
  if (part.signature.maps && names_own_maps(part.group))
    text += indent + "results.update({" + quoted(part.name + ".") +
            " + name: one for name, one in maps.items()})\n";
  else if (part.signature.maps)
    text += indent + "results.update(maps)\n";
  return text;
}

// What is refused once the real rows are known: words that are none, and lengths that have no steps.
std::string ClassPrinter::checks() const {
  std::string text;
  for (const ModuleListing::Input& input : l_.inputs) {
    const auto leaf = std::find_if(l_.leaves.begin(), l_.leaves.end(), [&](const Leaf& one) {
      return one.input == input.name && (one.kind == Kind::input || one.kind == Kind::words);
    });
    if (leaf == l_.leaves.end()) continue;
    const std::string& name = inputs_.at(input.name);
    if (leaf->kind == Kind::words)
      text += indent + "check_ids(" + quoted(name) + ", " + name + ")\n";
    if (input.least > 1)
      text += indent + "if " + name + ".shape[1] < " + std::to_string(input.least) +
              ":\n            raise ValueError(f\"" + name + ": expected at least " +
              std::to_string(input.least) + " rows, found {" + name + ".shape[1]}\")\n";
    if (input.most > 0)
      text += indent + "if " + name + ".shape[1] > " + std::to_string(input.most) +
              ":\n            raise ValueError(f\"" + name + ": expected at most " +
              std::to_string(input.most) + " rows, found {" + name + ".shape[1]}\")\n";
    for (const ModuleListing::Input& other : l_.inputs) {
      if (&other == &input) break;
      if (input.symbol == 0 || other.symbol != input.symbol) continue;
      const std::string& first = inputs_.at(other.name);
      text += indent + "if " + name + ".shape[1] != " + first +
              ".shape[1]:\n            raise ValueError(f\"" + name +
              ": expected as many rows as " + first + " has, {" + first + ".shape[1]}, found {" +
              name + ".shape[1]}\")\n";
      break;
    }
  }
  return text;
}

// Of an input whose numbers nothing reads, the shape may still be needed.
std::string ClassPrinter::size_of_unread_input(std::size_t size) const {
  const std::string& name = l_.graph.names()[size];
  const bool batch = size == 0;
  for (const ModuleListing::Input& input : l_.inputs) {
    if (batch || input.symbol == size)
      return indent + name + " = " + inputs_.at(input.name) +
             (batch ? ".shape[0]\n" : ".shape[1]\n");
  }
  refuse("no input determines the length " + name + ", which the model needs");
}

std::string ClassPrinter::run(const std::vector<Part>& parts) {
  std::vector<std::string> arguments{"self"};
  for (const ModuleListing::Input& input : l_.inputs) arguments.push_back(inputs_.at(input.name));
  for (const Leaf& leaf : l_.leaves)
    if (leaf.kind == Kind::input || leaf.kind == Kind::words) (void)argument(leaf.node);
  std::string body = indent + "results = {}\n", before;
  for (const ModuleListing::Input& input : l_.inputs) {
    const std::string& name = inputs_.at(input.name);
    if (decoder_reads(l_, input.name))
      before += indent + name + "_before = after_start((read or {}).get(" + quoted(name) + ", " +
                name + "))\n";
  }
  for (const Part& part : parts) body += call(part);
  body += lines(false);
  if (signature_.maps) body += map_block("results");
  for (const ModuleListing::Result& result : l_.results) {
    if (result.map) continue;
    body +=
        indent + "results[" + quoted(result.name) + "] = " + lines_.text(result.node).text + "\n";
  }
  body = with_types(body + indent + "return results\n");
  std::vector<std::size_t> missing;
  const std::string types = type_line(body);
  std::string sizes = size_lines(body, missing);
  for (const std::size_t size : missing) sizes += size_of_unread_input(size);
  if (!torch_) arguments.front() = "parameters";
  return "    def run(" + joined(arguments) + ", return_maps=False, draws=None" +
         (decoder_reads(l_) ? ", read=None" : "") + "):\n" +
         "        \"\"\"Results for examples of equal lengths.\"\"\"\n" + checks() + before +
         types + sizes + body;
}

}  // namespace attend
