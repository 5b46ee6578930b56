// SPDX-License-Identifier: Apache-2.0
#include "export/idioms.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <vector>

#include "export/changeable.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

namespace p = primitives;

// "F.gelu(x, ..)"; `more` begins with a comma.
Text of_torch(const Expression& e, const std::string& function, const std::string& more = "") {
  return {"F." + function + "(" + tensor_operand(e, 0).text + more + ")"};
}

Text mean_text(const Expression& e) {
  return {tensor_operand(e, 0).at(Text::atom) + ".mean(axis=" + std::to_string(e.integer(0)) +
          (e.integer(1) != 0 ? ", keepdim=True)" : ")")};
}

// Operands: the rows, and the factors and the offsets of their features where there are some.
Text layer_norm_text(const Expression& e) {
  std::string text = ", (" + std::to_string(e.integer(0)) + ",)";
  for (std::size_t k = 1; k < e.in.size(); ++k) text += ", " + e.in[k].text;
  return of_torch(e, "layer_norm", text + ", eps=" + number_exact(e.node.attributes.number));
}

const Primitive mean{.name = "mean", .python = mean_text, .noun = "mean"};
const Primitive layer_norm{.name = "layer_norm", .python = layer_norm_text, .noun = "normed"};
const Primitive gelu{.name = "gelu",
                     .python = [](const Expression& e) { return of_torch(e, "gelu"); },
                     .noun = "activated"};
const Primitive gelu_tanh{
    .name = "gelu_tanh",
    .python = [](const Expression& e) { return of_torch(e, "gelu", ", approximate=\"tanh\""); },
    .noun = "activated"};
const Primitive silu{.name = "silu",
                     .python = [](const Expression& e) { return of_torch(e, "silu"); },
                     .noun = "activated"};
// PyTorch leaves the exponential out above the threshold; 2e-9 would be missing at its own of 20.
const Primitive softplus{
    .name = "softplus",
    .python = [](const Expression& e) { return of_torch(e, "softplus", ", threshold=40"); },
    .noun = "activated"};
const Primitive leaky_relu{.name = "leaky_relu",
                           .python =
                               [](const Expression& e) {
                                 return of_torch(e, "leaky_relu",
                                                 ", " + number_exact(e.node.attributes.number));
                               },
                           .noun = "activated"};
const Primitive elu{.name = "elu",
                    .python =
                        [](const Expression& e) {
                          const double alpha = e.node.attributes.number;
                          return of_torch(e, "elu", alpha == 1 ? "" : ", " + number_exact(alpha));
                        },
                    .noun = "activated"};
const Primitive selu{.name = "selu",
                     .python = [](const Expression& e) { return of_torch(e, "selu"); },
                     .noun = "activated"};

const Primitive binary_loss{.name = "binary_cross_entropy",
                            .python =
                                [](const Expression& e) {
                                  return of_torch(
                                      e, "binary_cross_entropy_with_logits",
                                      ", " + tensor_operand(e, 1).text + ", reduction=\"none\"");
                                },
                            .noun = "losses"};

// exp(x) up to 0 and x + 1 above it, without the rounding of elu(x) + 1 where exp(x) is small.
Text elu_plus_one_text(const Expression& e) {
  const std::string x = tensor_operand(e, 0).at(Text::atom);
  return {"torch.relu(" + x + ") + torch.exp(" + x + ".clamp(max=0.0))", Text::sum};
}
const Primitive elu_plus_one{
    .name = "elu_plus_one", .python = elu_plus_one_text, .noun = "features"};

// The largest number, of which no gradient is wanted.
Text largest_text(const Expression& e) {
  return {tensor_operand(e, 0).at(Text::atom) + ".detach().amax(axis=" +
          std::to_string(e.integer(0)) + (e.integer(1) != 0 ? ", keepdim=True)" : ")")};
}
const Primitive largest{.name = "largest", .python = largest_text, .noun = "largest"};

struct Idiom {
  const Primitive* primitive;
  std::vector<NodeId> inputs;
  Attributes attributes = {};
};

class IdiomReader {
 public:
  IdiomReader(const Graph& graph, const std::function<bool(double, std::size_t)>& counts)
      : graph_(graph), counts_(counts) {}

  [[nodiscard]] std::optional<Idiom> at(const Node& node) const {
    for (const auto form :
         {&IdiomReader::a_mean, &IdiomReader::a_norm, &IdiomReader::with_factors,
          &IdiomReader::a_gelu, &IdiomReader::a_silu, &IdiomReader::a_softplus,
          &IdiomReader::a_leaky_relu, &IdiomReader::an_elu, &IdiomReader::a_selu,
          &IdiomReader::an_elu_plus_one, &IdiomReader::a_largest, &IdiomReader::a_binary_loss}) {
      if (std::optional<Idiom> found = (this->*form)(node)) return found;
    }
    return std::nullopt;
  }

 private:
  using Found = std::optional<Idiom>;

  // The node if it is of this kind, else null.
  [[nodiscard]] const Node* of(NodeId id, const Primitive& primitive) const {
    return graph_[id].primitive == &primitive ? &graph_[id] : nullptr;
  }
  [[nodiscard]] std::optional<double> number(NodeId id) const {
    const Node& node = graph_[id];
    if (node.primitive != &p::fill || !node.shape.empty()) return std::nullopt;
    return node.attributes.number;
  }
  [[nodiscard]] bool is_number(NodeId id, double value) const { return number(id) == value; }
  // The operand beside a number with this value.
  [[nodiscard]] std::optional<NodeId> beside(const Node* node, double value) const {
    if (node == nullptr) return std::nullopt;
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
      if (is_number(node->inputs[k], value)) return node->inputs[1 - k];
    return std::nullopt;
  }
  // The operand beside one of this kind, and that one.
  struct Pair {
    const Node* found;
    NodeId other;
  };
  [[nodiscard]] std::optional<Pair> pair_with(const Node& node, const Primitive& primitive) const {
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}})
      if (const Node* one = of(node.inputs[k], primitive)) return Pair{one, node.inputs[1 - k]};
    return std::nullopt;
  }
  // What is compared with zero, where that is all the condition says.
  [[nodiscard]] std::optional<NodeId> above_zero(NodeId condition) const {
    const Node* greater = of(condition, p::greater);
    if (greater == nullptr || !is_number(greater->inputs[1], 0)) return std::nullopt;
    return greater->inputs[0];
  }

  [[nodiscard]] Found a_mean(const Node& node) const {
    if (node.primitive != &p::divide) return std::nullopt;
    const Node* sum = of(node.inputs[0], p::sum);
    const std::optional<double> count = number(node.inputs[1]);
    if (sum == nullptr || !count) return std::nullopt;
    const Shape& shape = graph_[sum->inputs[0]].shape;
    if (!counts_(*count, shape.end()[sum->attributes[0]])) return std::nullopt;
    return Idiom{&mean, {sum->inputs[0]}, sum->attributes};
  }

  // The rows of which this is the mean of every row, as a column.
  [[nodiscard]] std::optional<NodeId> mean_of_rows(NodeId id) const {
    const Node* node = of(id, mean);
    if (node == nullptr || node->attributes[0] != -1 || node->attributes[1] == 0)
      return std::nullopt;
    return node->inputs[0];
  }

  // (x - mean x) / sqrt(mean (x - mean x)^2 + eps)
  [[nodiscard]] Found a_norm(const Node& node) const {
    if (node.primitive != &p::divide) return std::nullopt;
    const Node* centred = of(node.inputs[0], p::subtract);
    const Node* root = of(node.inputs[1], p::sqrt);
    if (centred == nullptr || root == nullptr) return std::nullopt;
    const Node* inside = of(root->inputs[0], p::add);
    if (inside == nullptr || mean_of_rows(centred->inputs[1]) != centred->inputs[0])
      return std::nullopt;
    const std::optional<double> eps = number(inside->inputs[1]);
    const std::optional<NodeId> squares = mean_of_rows(inside->inputs[0]);
    const Node* square = squares ? of(*squares, p::multiply) : nullptr;
    const std::vector<NodeId> twice{centred->id, centred->id};
    if (!eps || square == nullptr || square->inputs != twice) return std::nullopt;
    return Idiom{&layer_norm, {centred->inputs[0]}, {{static_cast<long>(node.shape.back())}, *eps}};
  }

  // The tensor with one number for each feature that this one is, whatever axes of 1 lead it.
  [[nodiscard]] std::optional<NodeId> vector_behind(NodeId id, std::size_t width) const {
    while (graph_[id].primitive == &p::reshape && graph_[id].shape.size() != 1)
      id = graph_[id].inputs[0];
    const Shape& shape = graph_[id].shape;
    if (shape.size() != 1 || shape[0] != width) return std::nullopt;
    return id;
  }

  [[nodiscard]] Found with_factors(const Node& node) const {
    if (node.primitive != &p::add) return std::nullopt;
    const std::optional<Pair> scaled = pair_with(node, p::multiply);
    if (!scaled) return std::nullopt;
    const std::optional<Pair> normed = pair_with(*scaled->found, layer_norm);
    if (!normed || normed->found->inputs.size() != 1 || node.shape != normed->found->shape)
      return std::nullopt;
    const auto gamma = vector_behind(normed->other, node.shape.back());
    const auto beta = vector_behind(scaled->other, node.shape.back());
    if (!gamma || !beta) return std::nullopt;
    return Idiom{&layer_norm, {normed->found->inputs[0], *gamma, *beta}, normed->found->attributes};
  }

  // x / 2 times (1 + erf(x / sqrt 2)), or its approximation by tanh
  [[nodiscard]] Found a_gelu(const Node& node) const {
    if (node.primitive != &p::multiply) return std::nullopt;
    const std::optional<NodeId> x = beside(of(node.inputs[0], p::multiply), .5);
    const std::optional<NodeId> bent = beside(of(node.inputs[1], p::add), 1);
    if (!x || !bent) return std::nullopt;
    if (const Node* erf = of(*bent, p::erf)) {
      const Node* inside = of(erf->inputs[0], p::divide);
      if (inside == nullptr || inside->inputs[0] != *x ||
          !is_number(inside->inputs[1], std::numbers::sqrt2))
        return std::nullopt;
      return Idiom{&gelu, {*x}};
    }
    const Node* tanh = of(*bent, p::tanh);
    if (tanh == nullptr || cubic_of(tanh->inputs[0]) != x) return std::nullopt;
    return Idiom{&gelu_tanh, {*x}};
  }

  // The x of  sqrt(2 / pi) (x + 0.044715 x^3)
  [[nodiscard]] std::optional<NodeId> cubic_of(NodeId id) const {
    const double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
    const std::optional<NodeId> sum = beside(of(id, p::multiply), root);
    const Node* both = sum ? of(*sum, p::add) : nullptr;
    if (both == nullptr) return std::nullopt;
    const NodeId x = both->inputs[0];
    const std::optional<NodeId> cube = beside(of(both->inputs[1], p::multiply), 0.044715);
    const Node* third = cube ? of(*cube, p::multiply) : nullptr;
    const Node* square = third != nullptr ? of(third->inputs[0], p::multiply) : nullptr;
    const std::vector<NodeId> twice{x, x};
    if (square == nullptr || square->inputs != twice || third->inputs[1] != x) return std::nullopt;
    return x;
  }

  [[nodiscard]] Found a_silu(const Node& node) const {
    if (node.primitive != &p::multiply) return std::nullopt;
    const std::optional<Pair> gate = pair_with(node, p::sigmoid);
    if (!gate || gate->found->inputs[0] != gate->other) return std::nullopt;
    return Idiom{&silu, {gate->other}};
  }

  // max(x, 0) + log(1 + exp(-|x|))
  [[nodiscard]] Found a_softplus(const Node& node) const {
    if (node.primitive != &p::add) return std::nullopt;
    const Node* positive = of(node.inputs[0], p::where);
    const Node* log = of(node.inputs[1], p::log);
    if (positive == nullptr || log == nullptr) return std::nullopt;
    const std::optional<NodeId> x = above_zero(positive->inputs[0]);
    if (!x || positive->inputs[1] != *x || !is_number(positive->inputs[2], 0)) return std::nullopt;
    const std::optional<NodeId> power = beside(of(log->inputs[0], p::add), 1);
    const Node* exp = power ? of(*power, p::exp) : nullptr;
    const Node* less = exp != nullptr ? of(exp->inputs[0], p::where) : nullptr;
    if (less == nullptr || above_zero(less->inputs[0]) != x || less->inputs[2] != *x)
      return std::nullopt;
    const Node* negated = of(less->inputs[1], p::negative);
    if (negated == nullptr || negated->inputs[0] != *x) return std::nullopt;
    return Idiom{&softplus, {*x}};
  }

  // softplus(x) - x y
  [[nodiscard]] Found a_binary_loss(const Node& node) const {
    if (node.primitive != &p::subtract) return std::nullopt;
    const Node* total = of(node.inputs[0], softplus);
    const Node* right = of(node.inputs[1], p::multiply);
    if (total == nullptr || right == nullptr || right->inputs[0] != total->inputs[0])
      return std::nullopt;
    if (graph_[right->inputs[1]].shape != node.shape) return std::nullopt;
    return Idiom{&binary_loss, right->inputs};
  }

  [[nodiscard]] Found a_leaky_relu(const Node& node) const {
    if (node.primitive != &p::where) return std::nullopt;
    const std::optional<NodeId> x = above_zero(node.inputs[0]);
    const Node* below = of(node.inputs[2], p::multiply);
    if (!x || node.inputs[1] != *x || below == nullptr) return std::nullopt;
    const std::optional<double> slope = number(below->inputs[0]);
    if (!slope || below->inputs[1] != *x) return std::nullopt;
    return Idiom{&leaky_relu, {*x}, {{}, *slope}};
  }

  // x above 0, and alpha (exp x - 1) below
  [[nodiscard]] Found an_elu(const Node& node) const {
    if (node.primitive != &p::where) return std::nullopt;
    const std::optional<NodeId> x = above_zero(node.inputs[0]);
    const Node* scaled = of(node.inputs[2], p::multiply);
    if (!x || node.inputs[1] != *x || scaled == nullptr) return std::nullopt;
    const std::optional<double> alpha = number(scaled->inputs[0]);
    const Node* less = of(scaled->inputs[1], p::subtract);
    const Node* exp = less != nullptr ? of(less->inputs[0], p::exp) : nullptr;
    const Node* kept = exp != nullptr ? of(exp->inputs[0], p::where) : nullptr;
    if (!alpha || kept == nullptr || !is_number(less->inputs[1], 1)) return std::nullopt;
    if (above_zero(kept->inputs[0]) != x || !is_number(kept->inputs[1], 0) || kept->inputs[2] != *x)
      return std::nullopt;
    return Idiom{&elu, {*x}, {{}, *alpha}};
  }

  [[nodiscard]] Found a_selu(const Node& node) const {
    if (node.primitive != &p::multiply) return std::nullopt;
    const std::optional<NodeId> inside = beside(&node, 1.0507009873554804934);
    const Node* one = inside ? of(*inside, elu) : nullptr;
    if (one == nullptr || one->attributes.number != 1.6732632423543772848) return std::nullopt;
    return Idiom{&selu, one->inputs};
  }

  [[nodiscard]] Found an_elu_plus_one(const Node& node) const {
    if (node.primitive != &p::where) return std::nullopt;
    const std::optional<NodeId> x = above_zero(node.inputs[0]);
    const Node* exp = of(node.inputs[2], p::exp);
    const Node* kept = exp != nullptr ? of(exp->inputs[0], p::where) : nullptr;
    if (!x || beside(of(node.inputs[1], p::add), 1) != x || kept == nullptr) return std::nullopt;
    if (above_zero(kept->inputs[0]) != x || !is_number(kept->inputs[1], 0) || kept->inputs[2] != *x)
      return std::nullopt;
    return Idiom{&elu_plus_one, {*x}};
  }

  [[nodiscard]] Found a_largest(const Node& node) const {
    if (node.primitive != &p::detach) return std::nullopt;
    const Node* max = of(node.inputs[0], p::max);
    if (max == nullptr) return std::nullopt;
    return Idiom{&largest, {max->inputs[0]}, max->attributes};
  }

  const Graph& graph_;
  const std::function<bool(double, std::size_t)>& counts_;
};

}  // namespace

void use_idioms(Graph& graph, const std::function<bool(double, std::size_t)>& counts) {
  const IdiomReader reader(graph, counts);
  for (NodeId id = 0; id < graph.size(); ++id) {
    std::optional<Idiom> found = reader.at(graph[id]);
    if (!found) continue;
    Node& node = changeable(graph, id);
    node.primitive = found->primitive;
    node.inputs = std::move(found->inputs);
    node.attributes = std::move(found->attributes);
  }
}

}  // namespace attend
