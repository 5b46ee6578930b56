// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiment/document.h"
#include "ops/evaluate.h"

namespace attend {

// The most memory that an experiment's numbers may take at once.
inline constexpr std::size_t max_memory_bytes = std::size_t{512} << 20U;

// A tensor of more numbers is kept only when the document asks for it by name.
inline constexpr std::size_t max_unasked_numbers = std::size_t{1} << 22U;

// A named intermediate; the name is unique within the recording.
struct Step {
  std::string name;
  NodeId node;
};

// A document turned into a graph: every shape is known, nothing has been computed.
class Recording {
 public:
  // Throws Error when sizes do not fit, a parameter is not known, or a requested output does not
  // exist.
  explicit Recording(Document source);

  [[nodiscard]] const Document& document() const { return *document_; }
  [[nodiscard]] Builder& builder() const { return *builder_; }
  [[nodiscard]] Graph& graph() const { return builder_->graph(); }

  // The document's outputs, "weights[3]" being one row; by default all that are not too large.
  [[nodiscard]] const std::vector<Output>& requested() const { return requested_; }
  [[nodiscard]] std::vector<Step> steps() const;
  [[nodiscard]] std::string output_names() const;  // "scores, weights, context"

  // An output, step, input ("inputs.x") or parameter by its name. Throws Error listing what there
  // is.
  [[nodiscard]] Var find(const std::string& name) const;

  // Plans and computes, with what `memo` knows of this graph. Throws Error when it would take more
  // than max_memory_bytes.
  [[nodiscard]] Values compute(const std::vector<Var>& wanted, Memo* memo = nullptr) const;

  // The numbers of a leaf: given, or drawn from the seed.
  [[nodiscard]] std::vector<real> leaf_data(NodeId node) const;
  // Equal for leaves with equal numbers: the numbers as bytes, or how they are drawn.
  [[nodiscard]] std::string leaf_description(NodeId node) const;

 private:
  [[nodiscard]] const Leaf& leaf_of(NodeId node) const;
  [[nodiscard]] std::vector<Output> read_requested() const;
  [[nodiscard]] Output output_named(const std::string& name) const;

  std::unique_ptr<Document> document_;
  std::unique_ptr<Builder> builder_;
  std::vector<Output> requested_;
};

}  // namespace attend
