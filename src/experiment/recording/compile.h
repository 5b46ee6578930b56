// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/reading/document.h"
#include "experiment/recording/leaf_change.h"
#include "ops/program.h"

namespace attend {

// The most memory that an experiment's numbers may take at once.
inline constexpr std::size_t max_memory_bytes = std::size_t{512} << 20U;

// A tensor of more numbers is kept only when the document asks for it by name.
inline constexpr std::size_t max_unasked_numbers = std::size_t{1} << 22U;

// So many numbers of a drawn parameter come back without being asked for.
inline constexpr std::size_t max_unasked_drawn = 65'536;

class Editor;

// A document turned into a program: every shape is known, nothing has been computed. The program's
// results are all outputs and the rows of them that the document asks for.
class Compiled {
 public:
  [[nodiscard]] const Document& document() const { return *document_; }
  // What the recording left behind: leaves, labels, cautions, resolved knobs.
  [[nodiscard]] const Recording& recording() const { return recording_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const Graph& graph() const { return program_.graph(); }
  // The outputs, inputs, parameters and steps, and the modules.
  [[nodiscard]] const Directory& directory() const { return program_.directory(); }
  [[nodiscard]] const std::vector<KnownTensor>& outputs() const { return directory().outputs(); }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return recording_.leaves; }

  // The leaves that represent an input's tokens, with other numbers for each example.
  [[nodiscard]] const std::map<NodeId, WordRows>& words() const { return recording_.words; }
  // What is known of the document's inputs and interventions before they run.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  // How many examples the document has beside its inputs; 0 where it is one experiment.
  [[nodiscard]] std::size_t examples() const { return document_->examples.size(); }
  // The document's outputs, "weights[3]" being one row; by default all that are not too large.
  [[nodiscard]] const std::vector<KnownTensor>& requested() const { return requested_; }
  // Whether the document asks for a parameter or an input by name: "parameters.score.W1", "inputs.x".
  [[nodiscard]] bool asks_for(const Leaf& leaf) const;
  // Empty where the number is no module's, as that of an input.
  [[nodiscard]] std::string module_name(std::size_t module) const;

  // The node of an output, step, input ("inputs.x") or parameter by its name. Throws Error listing what there is.
  [[nodiscard]] NodeId find(const std::string& name) const;
  [[nodiscard]] const Shape& shape_of(NodeId node) const { return graph()[node].shape; }

  // Writes the numbers of a leaf, given or drawn from the seed, to `place`.
  void write_leaf(const Leaf& leaf, std::span<real> place, std::size_t example = 0) const;
  [[nodiscard]] std::vector<real> leaf_data(const Leaf& leaf) const;

  // Takes over the numbers of a document that differs in nothing else: nothing is recorded. False
  // when it does differ. Throws Error, and changes nothing, when a number is refused.
  bool take_numbers(Document& next);

  // What another value at a pointer of the document comes to where it only gives leaves other
  // numbers; none for any other change, and where those numbers need more checks. The pointer leads
  // to a value. Throws Error when a knob refuses its number.
  [[nodiscard]] std::optional<LeafChange> leaf_change(const std::string& pointer,
                                                      const Json& value) const;
  // Takes over such changes, which were made for the numbers as they are.
  void take_leaves(const std::vector<LeafChange>& changes);

  // The document back, with all its numbers, for another run with other inputs.
  [[nodiscard]] Document document_again() && { return std::move(*document_); }

 private:
  friend Compiled compile(Document document);
  // The graph's leaves show these numbers of knobs, by JSON pointer, and so does the list of settled knobs.
  void show(const std::map<std::string, double>& numbers);
  // The editor applies the document's interventions; none where it is null.
  Compiled(Document document, Editor* editor);
  std::unique_ptr<Document> document_;
  Recording recording_;
  std::vector<KnownTensor> requested_;
  std::vector<Warning> warnings_;
  Program program_;
};

// Throws Error when sizes do not fit, a parameter is not known, or a requested output does not
// exist.
Compiled compile(Document document);
}  // namespace attend
