// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "catalogue/scope.h"
#include "ops/weight_store.h"

namespace attend {

// An input of the document, as numbers, with a label a row where it has tokens.
struct Input {
  Tensor tensor;
  std::vector<std::string> labels;
};

// A leaf of the graph, and where its numbers come from: an input, a given parameter, or the seed.
struct Leaf {
  std::string key;  // "inputs.x" or the parameter's dotted name
  Var var;
  const Tensor* given = nullptr;  // numbers of the document
  Distribution distribution = Distribution::weight;
  enum class Kind { input, parameter, constant } kind = Kind::parameter;
  const Knob* knob = nullptr;            // of a number that a knob gives; `key` is its JSON pointer
  double plus = 0;                       // added to that
  std::size_t below = 0;                 // of indices: the number that they lie below
  double start = 0;                      // of a stated parameter: its number
  Interval values = {};                  // what a document may give
  std::vector<NamedAxis> axes = {};      // none of an input that no role reads
  std::string input = {};                // of an input: its name in the document
  const WeightTensor* stored = nullptr;  // numbers of a file of weights

  // Whether somebody says its numbers; others are drawn, or stated by the mechanism.
  [[nodiscard]] bool is_given() const { return given != nullptr || stored != nullptr; }
  // The name that a document has for it.
  [[nodiscard]] const std::string& name() const { return kind == Kind::input ? input : key; }
};

// An input's key among the leaves, where parameters stand, too.
inline std::string input_key(std::string_view name) { return "inputs." + std::string(name); }

// Something that a reader should know when it happens: said after a run in which `of` was computed
// and `when` is not all 0.
struct Caution {
  std::string path, message;
  Var of, when;
  bool by_row = false;  // `when` has an axis of rows in front, each warned of by itself
};

// Records one experiment: resolves sizes, knobs and parameters slot by slot, calls modules, and
// collects what comes out.
class Builder : public Assembler {
 public:
  using Given = std::map<std::string, Tensor, std::less<>>;  // parameters by name
  using Inputs = std::map<std::string, Input, std::less<>>;
  // By port, the input or the module's result that feeds it: "source", "encoder.last".
  using Wires = std::map<std::string, std::string, std::less<>>;
  // What stands in a parameter's place: another one, as it is or transposed.
  struct Tie {
    std::string target;
    bool transposed = false;
    bool operator==(const Tie&) const = default;
  };
  using Ties = std::map<std::string, Tie, std::less<>>;

  // What is given in the document goes before what is stored in a file. The references, and what is
  // stored, must outlive the builder.
  Builder(const Inputs& inputs, const Given& given, const Ties& ties,
          const WeightStore* stored = nullptr);

  // Records a module of the document. `name` is empty for the one of `mechanism`; `wires_path` is
  // the JSON path of its wires. A port without a wire takes the input of its name.
  void record(const Choice& choice, const std::string& name, const Wires& wires,
              const std::string& wires_path);

  // After the last module of a model: its loss, the sum of all losses and penalties.
  void finish();

  Scope enter(const Choice& choice, Dimensions dimensions, Family family = {},
              std::map<std::string, Var, std::less<>> replaced = {}) override;
  Tensors call(const Choice& module, const Call& call, const Tensors& inputs) override;
  Tensors attend(const Scope& in) override;
  Graph& graph() override { return graph_; }
  Var scalar(const Scope& in, std::string_view name, double plus) override;
  void bake(const Scope& in, std::string_view knob) override;
  Var parameter(const Scope& in, const Parameter& parameter) override;
  [[nodiscard]] bool is_given(const Scope& in, std::string_view name) const override;
  Var port(const Scope& in, std::string_view name) override;
  void check_port(const Scope& in, const Role& role, Var var) override;
  std::string source_of(const Scope& in, std::string_view port) override;
  [[noreturn]] void refuse_missing(const Scope& in, std::string_view port) override;
  Var constant(const std::string& key, const Tensor& tensor) override;
  [[nodiscard]] std::vector<std::string> tokens_of(Var rows) const override;
  void label(std::string_view symbol, Var rows) override;
  void label(std::string_view symbol, std::vector<std::string> words) override;
  void label_rows(Var rows, std::string_view symbol) override;
  void output(const Choice& by, OutputKind kind, Var var, std::string_view axes) override;
  // Whether the recording depends on the words of an input, and not only on how many there are.
  [[nodiscard]] bool reads_words(const std::string& input) const {
    return words_read_.contains(input);
  }
  // Other words for the rows of an input whose words nothing depends on.
  void relabel(const std::string& input, const std::vector<std::string>& words);
  // What is recorded inside of one step of a scan has numbers that nobody sees afterwards.
  void caution(const std::string& path, const std::string& message, Var of, Var when,
               bool by_row) override {
    if (&of.graph() == &graph_ && &when.graph() == &graph_)
      cautions.push_back({path, message, of, when, by_row});
  }

  // What a wire that names a module alone reads.
  static constexpr std::array wired_alone{MainResult::output, MainResult::context,
                                          MainResult::loss};
  // The result that stands for a module of the list, the first kind in `order` that it has; null if none.
  [[nodiscard]] const Output* main_result(std::size_t module,
                                          std::span<const MainResult> order) const;
  // The same of the document itself.
  [[nodiscard]] const Output* main_result(std::span<const MainResult> order) const;
  // The name of the document's module that a module of the list is, or stands in.
  [[nodiscard]] const std::string& document_module(std::size_t module) const;
  // The result that a wire reads, "decoder" or "decoder.logits"; null where the source is none.
  [[nodiscard]] const Output* output_behind(const std::string& source) const;

  // Given parameters, ties and wires that no slot asked for: an error, naming those that exist.
  void check_all_used() const;

  std::set<std::string> baked;  // JSON pointers of knobs that the recording itself depends on
  std::vector<Leaf> leaves;
  std::vector<Output> outputs;
  std::vector<Caution> cautions;
  std::vector<ModuleNode> modules;
  std::vector<std::string> module_paths;  // where the document chooses each of them
  std::map<std::string, std::vector<std::string>>
      labels;  // by the symbol of an axis of a document of one module
  std::map<std::string, std::vector<std::string>, std::less<>>
      tokens;  // by input, or the list that a module made
  std::map<std::string, std::map<std::string, KnobValue, std::less<>>>
      resolved;  // knobs by the slot's path

 private:
  // A module while it is being recorded: its name, its ports, its results so far. Entering makes
  // one, leaving restores the one around it.
  class Frame;
  friend class Frame;

  // The name of a parameter by where it stands, and what the document ties that to.
  [[nodiscard]] std::string own_name(const Scope& in, std::string_view name) const;
  [[nodiscard]] std::string full_name(const Scope& in, std::string_view name) const;
  // Where the document gives a parameter its shape: itself, or the tie to another.
  [[nodiscard]] std::string place_of(const Scope& in, std::string_view name) const;
  // The document's tie of a parameter; null where it has none.
  [[nodiscard]] const Tie* tie_of(const Scope& in, std::string_view name) const;
  // A shape as what a tie names has it: the other way round where the tie says so.
  [[nodiscard]] Shape across(const Scope& in, std::string_view name, const Shape& shape) const;
  // Throws where two tied parameters have two shapes: that of the one that is there, and the one
  // that is needed of it here.
  void lay(Var leaf, const WeightTensor& tensor);
  void refuse_tie(const Scope& in, const Parameter& parameter, const Shape& there,
                  const Shape& here) const;
  void settle_from_given(Scope& in) const;
  void settle_knobs(Scope& in) const;
  Scope enter_module(const Choice& choice, const Family& family);
  void run(Frame& frame);
  // A tensor becomes a result of the module being recorded.
  void list(Tensors::One one, const Family& family);
  Var input(const std::string& name);
  // An input's axes are those of the first role that reads it.
  void name_axes(const Role& role, const Dimensions& sizes, Var var);
  Var fed(Frame& frame, std::string_view port);
  [[nodiscard]] bool is_tied(const std::string& key) const;
  Var source(const std::string& text, const std::string& path);

  Graph graph_;
  const Inputs& inputs_;
  // A parameter's numbers, of the document or of the file; one of the two.
  struct Source {
    const Tensor* given = nullptr;
    const WeightTensor* stored = nullptr;
    [[nodiscard]] const Shape& shape() const {
      return given != nullptr ? given->shape : stored->shape();
    }
    [[nodiscard]] Tensor numbers() const;
  };
  std::map<std::string, Source, std::less<>> given_;
  std::map<std::string, std::string>
      labelled_;  // by the symbol in `labels`: the input whose words they are
  mutable std::set<std::string> words_read_;
  const Ties& ties_;
  Frame* frame_ = nullptr;
  std::map<std::string, Var> by_key_;
  std::set<std::string, std::less<>> names_;  // of parameters, by where they stand
  std::map<std::string, std::string> owner_;  // of a parameter: the path of its slot
  std::map<const Node*, std::string> rows_;   // the input whose tokens stand along the rows
  std::map<std::string, Tensors, std::less<>> results_;            // of the modules of the document
  std::map<std::string, std::size_t, std::less<>> module_places_;  // by name, in the list
  std::deque<Tensor> constants_;                                   // a deque: leaves point into it
};

}  // namespace attend
