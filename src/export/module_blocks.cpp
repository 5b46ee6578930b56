// SPDX-License-Identifier: Apache-2.0
// Parts of a method of an exported class: attention in both forms, what only maps need, and what the method says of
// itself.
#include <algorithm>
#include <set>

#include "export/module_code.h"
#include "export/plain_text.h"
#include "ops/text.h"

namespace attend {
namespace {

std::string indented(const std::string& lines) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size() - 1) + 1;
    text += "    " + lines.substr(at, end - at);
    at = end;
  }
  return text;
}

}  // namespace

// Attention in one call, and step by step where its maps are asked for or PyTorch has no such call.
std::string ClassPrinter::attention(const AttentionChain& chain) {
  std::string spelled;
  for (const NodeId id : groups_.spelled_out(chain)) spelled += step(id);
  const std::string result = result_name(chain.context);
  lines_.call(chain.context, result.empty() ? "context" : result);
  spelled += step(chain.context);
  std::string scale;
  for (const AttentionChain::Factor& one : chain.scale) {
    const Text& text = lines_.text(one.number);
    if (scale.empty() && !one.divides)
      scale = text.text;
    else
      scale = (scale.empty() ? "1" : scale) + (one.divides ? " / " : " * ") + text.at(Text::prefix);
  }
  const Node& node = graph_[chain.context];
  std::string call = lines_.text(chain.q).text + ", " + lines_.text(chain.k).text + ", " +
                     lines_.text(chain.v).text;
  if (!scale.empty()) call += ", scale=" + scale;
  if (chain.bias) {
    const std::size_t axes = graph_[*chain.bias].shape.size();
    call += ", bias=" + tensor_text(*chain.bias) +
            (axes == 0   ? "[None, None]"
             : axes == 1 ? "[None, :]"
                         : "");
  }
  if (chain.causal)
    call += ", causal=True";
  else if (chain.mask)
    call += ", mask=" + tensor_text(*chain.mask);
  return indent + "if " + (signature_.maps ? "return_maps or " : "") + "FUSED is None:\n" +
         indented(spelled) + indent + "else:\n" + indent + "    " +
         lines_.text(chain.context).text + " = attend(" + call + ")  # " + to_text(node.shape) +
         "\n";
}

std::string ClassPrinter::tensor_text(NodeId id) const {
  return tensor_operand({graph_[id], {lines_.text(id)}, {}, true}, 0).text;
}

std::string ClassPrinter::map_block(const std::string& holder) {
  std::string text = lines(true);
  const std::size_t behind = names_own_maps(group_) ? groups_.name(group_).size() + 1 : 0;
  for (const ModuleListing::Result& result : l_.results) {
    if (!result.map || groups_.giver_of(result) != group_) continue;
    if (groups_.is_number(result.node)) text += lines_.line(result.node);
    text += indent + holder + "[" + quoted(result.name.substr(behind)) +
            "] = " + lines_.text(result.node).text + "\n";
  }
  return indent + "if return_maps:\n" + indented(text);
}

// What comes in and what goes out, with shapes.
std::string ClassPrinter::described() const {
  std::string text = indent + "\"\"\"";
  for (const Shown& one : shown_)
    text += one.text + (one.numbers ? ": " : ": word ids ") + to_text(one.shape) + "\n" + indent;
  std::vector<std::string> given;
  std::set<std::string> said;
  for (const NodeId id : signature_.gives) {
    const std::string name = result_name(id);
    std::string known = name.empty() ? lines_.text(id).text : name.substr(name.rfind('.') + 1);
    // Two modules call their result the output: the lines of the code tell them apart.
    if (!said.insert(known).second) known = lines_.text(id).text;
    given.push_back((is_name(known) ? known + " " : "") + to_text(graph_[id].shape));
  }
  if (signature_.maps) given.emplace_back("maps by name");
  return text + "Returns " + joined(given) + ".\"\"\"\n";
}

}  // namespace attend
