// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/lines.h"
#include "export/module.h"
#include "export/module_groups.h"
#include "export/names.h"

namespace attend {

// Names that a class of an exported module must not give to a step; `more` are taken, too.
Identifiers reserved_names(const std::vector<std::string>& more);
Identifiers reserved_class_names();
std::string quoted(const std::string& text);
std::string list_of(const std::vector<std::string>& words);
// The text as a line of a docstring, which ends at three quotes and reads a backslash.
std::string docstring_line(std::string text);
// In front of each line of a method.
inline const std::string indent(8, ' ');
// The parts of a dotted name.
std::vector<std::string> parts_of(const std::string& path);
// How a module or a parameter is read from the module that holds it, and how it is put there. A name that is no
// identifier is asked for by its text; one that torch.nn.Module has as a method goes behind that method.
enum class Member { module, parameter };
std::string member_text(const std::string& holder, const std::string& name, Member kind);
std::string member_line(const std::string& holder, const std::string& name, Member kind,
                        const std::string& value);

// The title, formula and source of a document, and what its code is bound to, for the head of a file.
std::string heading_text(const ModuleListing& listing);
std::string notes_text(const ModuleListing& listing);
// The words of each input in the order of their ids; `arguments`: the names of the inputs in code.
std::string vocabulary_text(const ModuleListing& listing,
                            const std::map<std::string, std::string>& arguments);
// Calls of functions that only the reader of the file calls: `encode`, if there are words.
std::string words_for_users(const ModuleListing& listing);
// Whether a decoder reads the words of this input, or of any, before each position.
bool decoder_reads(const ModuleListing& listing, const std::string& input = "");
// What code calls its lengths, which no argument may be called.
std::vector<std::string> names_of_sizes(const ModuleListing& listing);
// Functions behind two empty lines, or nothing.
std::string functions_below(const std::string& functions);
// The imports of those modules that code uses.
std::string imports_text(const std::string& code, const std::vector<std::string>& modules);
// What the function has that takes batches of unequal lengths: its arguments, "name": name, the length of each input
// that has a free one, a line about each argument, and what is refused at once.
struct EntryText {
  std::string arguments, options, passed_on, inputs, axes, inputs_described, checks, beside_lengths;
};
EntryText entry_text(const ModuleListing& listing,
                     const std::map<std::string, std::string>& arguments);

// One class: a module of the document, or the whole model, which calls the others.
class ClassPrinter {
 public:
  // How a class is called.
  struct Signature {
    std::vector<NodeId> reads;       // values from outside, in the order of the arguments
    std::vector<std::size_t> sizes;  // symbols that no argument shows
    std::vector<NodeId> gives;
    bool maps = false, draws = false;
    bool types = false;  // nothing in it says of which type its numbers are
  };
  struct Part {
    std::size_t group;
    std::string name, class_name;
    Signature signature;
  };

  ClassPrinter(const ModuleListing& listing, const ModuleGroups& groups, std::size_t group,
               const std::map<std::string, std::string>& inputs);

  [[nodiscard]] const Signature& signature() const { return signature_; }
  // __init__; `parts` are the modules that it holds.
  [[nodiscard]] std::string parameters(const std::vector<Part>& parts) const;
  // Tables of numbers that are no weights, as globals of a NumPy file.
  [[nodiscard]] std::string tables() const;
  // The method of a module, and that of the whole model.
  std::string forward();
  std::string run(const std::vector<Part>& parts);

 private:
  std::string argument(NodeId id);
  void know_weights();
  std::string draw(const ModuleListing::Leaf& leaf);
  std::string lines(bool maps);
  std::string step(NodeId id);
  std::string attention(const AttentionChain& chain);
  std::string map_block(const std::string& holder);
  std::string call(const Part& part);
  [[nodiscard]] std::string tensor_text(NodeId id) const;
  std::string value_name(NodeId id, const std::string& module);
  [[nodiscard]] std::string described() const;
  std::string size_lines(const std::string& code, std::vector<std::size_t>& missing) const;
  [[nodiscard]] std::string size_of_unread_input(std::size_t size) const;
  std::string type_line(const std::string& code);
  std::string checks() const;
  [[nodiscard]] std::string with_types(std::string code) const;
  std::optional<Text> special(const Expression& expression);
  [[nodiscard]] std::string ids_of(const ModuleListing::Leaf& leaf) const;
  [[nodiscard]] std::string words_name(const ModuleListing::Leaf& leaf) const;
  [[nodiscard]] std::string owned(const std::string& parameter) const;
  [[nodiscard]] std::string own_table(const std::string& name) const;
  [[nodiscard]] bool has_table(const ModuleListing::Leaf& leaf) const;
  [[nodiscard]] std::string word_tables() const;
  [[nodiscard]] bool has_maps() const;
  // Whether all maps of a group begin with the name of its module, which the model then writes before them.
  [[nodiscard]] bool names_own_maps(std::size_t group) const;
  [[nodiscard]] std::string result_name(NodeId id) const;

  const ModuleListing& l_;
  const ModuleGroups& groups_;
  const Graph& graph_;
  std::size_t group_;
  const std::map<std::string, std::string>& inputs_;
  Identifiers names_;
  bool torch_;
  Lines lines_;
  Signature signature_;
  std::vector<std::string> arguments_;
  // Where sizes and the type of numbers can be read: an argument, and the shape that it has.
  struct Shown {
    std::string text;
    Shape shape;
    bool numbers;
  };
  std::vector<Shown> shown_;
};

}  // namespace attend
