// SPDX-License-Identifier: Apache-2.0
#include "export/symbolic.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "export/idioms.h"
#include "export/loss_idioms.h"
#include "export/plain_text.h"
#include "export/views.h"
#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"

namespace attend {
namespace {

// Far above every size, and never with a zero at its end, which would be written as a power of ten.
constexpr long first_stand_in = 700'000'001;
constexpr std::size_t digits_of_stand_in = 9;

std::string place_of(const Node& node) {
  return node.name.empty()
             ? "a step of the kind " +
                   std::string(node.primitive == nullptr ? "leaf" : node.primitive->name)
             : "the step \"" + node.name + "\"";
}

// A step whose numbers count cells of a scan's flat result: the loop makes that result, so they are never printed.
bool reads_flat_scan(const Node& node) {
  return node.primitive == &primitives::slice &&
         (*node.graph)[node.inputs[0]].primitive == &primitives::scan;
}

std::vector<std::vector<std::size_t>> points_of(
    const std::vector<SymbolicGraph::Recording>& recordings) {
  std::vector<std::vector<std::size_t>> points;
  for (const SymbolicGraph::Recording& one : recordings) points.push_back(one.sizes);
  return points;
}

}  // namespace

SymbolicGraph::SymbolicGraph(const std::vector<Recording>& recordings,
                             std::vector<std::string> names, Words words,
                             const std::set<NodeId>& rows_of_words)
    : names_(std::move(names)), words_(words), fit_(points_of(recordings)) {
  Graphs graphs;
  for (const Recording& one : recordings) graphs.push_back(one.graph);
  graph_ = made_of(graphs);
  if (words != Words::recorded) embed_words(*graph_, rows_of_words);
}

std::unique_ptr<Graph> SymbolicGraph::made_of(const Graphs& graphs) {
  const Graph& base = *graphs.front();
  for (const Graph* other : graphs) {
    if (other->size() != base.size())
      refuse("the number of its steps depends on the length: " + std::to_string(base.size()) +
             " and " + std::to_string(other->size()));
  }
  auto graph = std::make_unique<Graph>();
  for (NodeId id = 0; id < base.size(); ++id) {
    std::vector<const Node*> nodes;
    for (const Graph* one : graphs) nodes.push_back(&(*one)[id]);
    Node node = made_of(nodes);
    std::vector<NodeId> inputs = node.inputs;
    // A graph refuses tensors that are too large, and stand-ins are. This one is printed and never computed, so its
    // nodes get their sizes once they are in it; they are no constants, though a graph shows them as such.
    Node& own = const_cast<Node&>(graph->adopt(base[id], std::move(inputs)).node());
    own.shape = std::move(node.shape);
    own.attributes = std::move(node.attributes);
  }
  if (words_ != Words::recorded) join_views(*graph);
  if (words_ == Words::torch) {
    use_loss_idioms(*graph);
    use_idioms(*graph,
               [this](double number, std::size_t extent) { return counts(number, extent); });
  }
  return graph;
}

// Whether a number is this extent: a size that changes is written in brackets where it is a number.
bool SymbolicGraph::counts(double number, std::size_t extent) const {
  if (number == static_cast<double>(extent)) return true;
  const auto first = static_cast<double>(first_stand_in);
  if (static_cast<double>(extent) < first || number < first || number > 1e9) return false;
  return text_of(static_cast<std::size_t>(number)) == "(" + text_of(extent) + ")";
}

Node SymbolicGraph::made_of(const std::vector<const Node*>& nodes) {
  const Node& base = *nodes.front();
  for (const Node* one : nodes) {
    if (one->primitive != base.primitive || one->inputs != base.inputs ||
        one->shape.size() != base.shape.size() ||
        one->attributes.integers.size() != base.attributes.integers.size() ||
        (one->attributes.body == nullptr) != (base.attributes.body == nullptr))
      refuse("the length decides which steps are taken, first at " + place_of(base));
  }
  Node node = base;
  for (std::size_t axis = 0; axis < base.shape.size(); ++axis) {
    if (base.primitive == &primitives::scan) break;  // flat, never printed
    std::vector<long> values;
    for (const Node* one : nodes) values.push_back(static_cast<long>(one->shape[axis]));
    node.shape[axis] =
        reads_flat_scan(base) ? base.shape[axis] : static_cast<std::size_t>(whole(values, base));
  }
  for (std::size_t i = 0; i < base.attributes.integers.size() && !reads_flat_scan(base); ++i) {
    std::vector<long> values;
    for (const Node* one : nodes) values.push_back(one->attributes.integers[i]);
    node.attributes.integers[i] = whole(values, base);
  }
  std::vector<double> numbers;
  for (const Node* one : nodes) numbers.push_back(one->attributes.number);
  node.attributes.number = number(numbers, base);
  if (base.attributes.body != nullptr) {
    std::vector<const ScanBody*> bodies;
    for (const Node* one : nodes) bodies.push_back(one->attributes.body.get());
    node.attributes.body = made_of(bodies, base);
  }
  return node;
}

// The offsets of the parts stay those of the base, by which slices of the flat result find their part.
std::shared_ptr<const ScanBody> SymbolicGraph::made_of(const std::vector<const ScanBody*>& bodies,
                                                       const Node& where) {
  const ScanBody& base = *bodies.front();
  auto body = std::make_shared<ScanBody>(base);
  Graphs graphs;
  std::vector<long> counts;
  for (const ScanBody* one : bodies) {
    if (one->next != base.next || one->outputs != base.outputs || one->states != base.states ||
        one->rows != base.rows || one->captured != base.captured || one->keeps != base.keeps ||
        one->backwards != base.backwards)
      refuse("the states of its loop depend on the length, at " + place_of(where));
    graphs.push_back(one->graph.get());
    counts.push_back(static_cast<long>(one->count));
  }
  body->graph = made_of(graphs);
  body->count = static_cast<std::size_t>(whole(counts, where));
  for (std::size_t k = 0; k < base.parts.size(); ++k) {
    for (std::size_t axis = 0; axis < base.parts[k].shape.size(); ++axis) {
      std::vector<long> values;
      for (const ScanBody* one : bodies)
        values.push_back(static_cast<long>(one->parts[k].shape[axis]));
      body->parts[k].shape[axis] = static_cast<std::size_t>(whole(values, where));
    }
  }
  return body;
}

long SymbolicGraph::whole(const std::vector<long>& values, const Node& where) {
  if (std::all_of(values.begin(), values.end(), [&](long v) { return v == values.front(); }))
    return values.front();
  const std::optional<SizeExpression> e = fit_.fit(values);
  if (!e)
    refuse("no expression in the lengths gives the sizes " + std::to_string(values[0]) + ", " +
           std::to_string(values[1]) + ", .. of " + place_of(where));
  const bool alone = e->divisor == 1 && e->terms.size() == 1 && e->terms[0].coefficient == 1 &&
                     e->terms[0].of.size() == 1;
  return stand_in(e->text(names_), alone ? static_cast<long>(e->terms[0].of[0]) : -1);
}

std::size_t SymbolicGraph::extent_of(const std::vector<std::size_t>& values, NodeId node) {
  return static_cast<std::size_t>(whole({values.begin(), values.end()}, (*graph_)[node]));
}

// A number that depends on sizes: a size itself, its inverse, root or logarithm.
double SymbolicGraph::number(const std::vector<double>& values, const Node& where) {
  if (std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); }))
    return values.front();
  struct Form {
    double (*size)(double number);
    double (*number)(double size);
    const char *before, *behind;
  };
  static constexpr Form forms[] = {
      {[](double x) { return x; }, [](double n) { return n; }, "(", ")"},
      {[](double x) { return 1 / x; }, [](double n) { return 1 / n; }, "(1 / (", "))"},
      {[](double x) { return x * x; }, [](double n) { return std::sqrt(n); }, "(", ") ** 0.5"},
      {[](double x) { return 1 / (x * x); }, [](double n) { return 1 / std::sqrt(n); }, "(",
       ") ** -0.5"},
      {[](double x) { return std::exp(x); }, [](double n) { return std::log(n); }, "math.log(",
       ")"}};
  for (const Form& form : forms) {
    std::vector<long> sizes;
    bool good = true;
    for (const double value : values) {
      const double size = form.size(value);
      good = good && std::isfinite(size) && std::fabs(size) < 1e9;
      if (!good) break;
      sizes.push_back(std::lround(size));
      good = std::fabs(form.number(static_cast<double>(sizes.back())) - value) <=
             1e-12 * std::fabs(value);
    }
    const std::optional<SizeExpression> e = good ? fit_.fit(sizes) : std::nullopt;
    if (e) return static_cast<double>(stand_in(form.before + e->text(names_) + form.behind, -1));
  }
  refuse("no expression in the lengths gives the number of " + place_of(where));
}

long SymbolicGraph::stand_in(const std::string& text, long symbol) {
  const auto found = std::find_if(stand_ins_.begin(), stand_ins_.end(),
                                  [&](const StandIn& one) { return one.text == text; });
  const auto place = found - stand_ins_.begin();
  if (found == stand_ins_.end()) stand_ins_.push_back({text, symbol});
  return first_stand_in + 10 * place;
}

long SymbolicGraph::symbol_of(std::size_t extent) const {
  const long place = (static_cast<long>(extent) - first_stand_in) / 10;
  if (static_cast<long>(extent) < first_stand_in) return -1;
  return stand_ins_.at(static_cast<std::size_t>(place)).symbol;
}

std::string SymbolicGraph::text_of(std::size_t extent) const {
  return filled_in(std::to_string(extent));
}

std::string SymbolicGraph::filled_in(const std::string& code) const {
  std::string text;
  for (std::size_t i = 0; i < code.size();) {
    std::size_t end = i;
    while (end < code.size() && is_digit(code[end])) ++end;
    const bool part_of_number =
        i > 0 && (code[i - 1] == '.' || code[i - 1] == '_' ||
                  std::isalnum(static_cast<unsigned char>(code[i - 1])) != 0);
    if (end - i != digits_of_stand_in || part_of_number) {
      end = std::max(end, i + 1);
      text += code.substr(i, end - i);
      i = end;
      continue;
    }
    const long place = (std::stol(code.substr(i, end - i)) - first_stand_in);
    if (place < 0 || place % 10 != 0 || static_cast<std::size_t>(place / 10) >= stand_ins_.size()) {
      text += code.substr(i, end - i);
      i = end;
      continue;
    }
    if (code.compare(end, 2, ".0") == 0) end += 2;
    const std::string& one = stand_ins_[static_cast<std::size_t>(place / 10)].text;
    const std::size_t before = text.find_last_not_of(' '), behind = end;
    const bool apart =
        one.find(' ') == std::string::npos ||
        ((before == std::string::npos ||
          std::string("(,=").find(text[before]) != std::string::npos) &&
         (behind == code.size() || std::string("),").find(code[behind]) != std::string::npos));
    text += apart ? one : "(" + one + ")";
    i = end;
  }
  return text;
}

}  // namespace attend
