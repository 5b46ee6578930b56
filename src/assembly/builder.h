// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "assembly/recording.h"
#include "catalogue/scope.h"
#include "ops/directory.h"
#include "ops/weight_store.h"

namespace attend {

// An input of the document, as numbers, with a label a row where it has tokens.
struct Input {
  Tensor tensor;
  std::vector<std::string> labels;
};

// An input's key among the leaves, which has also the keys of parameters.
inline std::string input_key(std::string_view name) { return "inputs." + std::string(name); }

// What a builder leaves when the recording has ended.
struct Recorded {
  std::shared_ptr<Graph> graph;
  Directory directory;  // of outputs, inputs and parameters
  Recording recording;
};

// Records one experiment: resolves sizes, knobs and parameters slot by slot, calls modules, and
// collects what comes out. It ends with the recording.
class Builder : public Assembler {
 public:
  using Given = std::map<std::string, Tensor, std::less<>>;  // parameters by name
  using Inputs = std::map<std::string, Input, std::less<>>;
  // By port, the input or the module's result that feeds it: "source", "encoder.last".
  using Wires = std::map<std::string, std::string, std::less<>>;
  // The parameter that is used instead of another one, unchanged or transposed.
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
  void add_loss();

  // What was recorded. The document's tensors must outlive it.
  Recorded end() &&;

  Scope enter(const Choice& choice, Dimensions dimensions, Family family = {},
              std::map<std::string, Var, std::less<>> replaced = {}) override;
  Tensors call(const Choice& module, const Call& call, const Tensors& inputs) override;
  Tensors attend(const Scope& in) override;
  Graph& graph() override { return *graph_; }
  Var scalar(const Scope& in, std::string_view name, double plus) override;
  void bake(const Scope& in, std::string_view knob) override;
  Var parameter(const Scope& in, const Parameter& parameter) override;
  [[nodiscard]] bool is_given(const Scope& in, std::string_view name) const override;
  Var port(const Scope& in, std::string_view name) override;
  void check_port(const Scope& in, const Role& role, Var var) override;
  PortSource source_of(const Scope& in, std::string_view port) override;
  [[noreturn]] void refuse_missing(const Choice& by, std::string_view port) override;
  Var constant(const std::string& key, const Tensor& tensor) override;
  // The same with its symbol in formulas.
  Var constant(const std::string& key, const Tensor& tensor, const std::string& symbol);
  void note_words(Var constant, WordRows rows) override;
  void note_form(Var rows, WordForm form) override;
  [[nodiscard]] std::vector<std::string> tokens_of(Var rows) const override;
  void label(std::string_view symbol, Var rows) override;
  void label(std::string_view symbol, std::vector<std::string> words) override;
  void label_rows(Var rows, std::string_view symbol) override;
  void output(const Choice& by, OutputKind kind, Var var, std::string_view axes) override;
  // The numbers inside one step of a scan are gone when the caution is read, so it is left out.
  void caution(const std::string& path, const std::string& message, Var of, Var when,
               bool by_row) override {
    if (&of.graph() == graph_.get() && &when.graph() == graph_.get())
      recording_.cautions.push_back({path, message, of.id(), when.id(), by_row});
  }

  [[nodiscard]] const std::vector<Leaf>& leaves() const { return recording_.leaves; }

  // Given parameters, ties and wires that no slot asked for: an error, naming those that exist.
  void check_all_used() const;

 private:
  // A module while it is being recorded: its name, its ports, its results so far. Entering makes
  // one, leaving restores the one around it.
  class Frame;
  friend class Frame;

  // The name of a parameter by its slot, and the name that the document ties that to.
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
  // Given knobs settle their sizes first, so that an error blames the tensor that does not fit them.
  static void settle_given_knobs(Scope& in);
  void settle_from_given(Scope& in) const;
  void settle_knobs(Scope& in) const;
  Scope enter_module(const Choice& choice, const Family& family);
  void run(Frame& frame);
  // Throws Error at the setting that makes the module repeat so often.
  [[noreturn]] void refuse_operations(const Choice& module, const std::string& message) const;
  // A tensor becomes a result of the module being recorded.
  void list(Tensors::One one, const Family& family);
  Var input(const std::string& name);
  // An input's axes are those of the first role that reads it.
  void name_axes(const Role& role, const Dimensions& sizes, Var var);
  Var fed(Frame& frame, std::string_view port);
  [[nodiscard]] bool is_tied(const std::string& key) const;
  Var source(const std::string& text, const std::string& path);

  // Lists a leaf of the graph with its record; a constant has none.
  void add_leaf(Leaf leaf, Var var, std::vector<NamedAxis> axes = {});
  // The leaf of an input; null if the variable is computed.
  Leaf* input_leaf(Var var);
  [[nodiscard]] const KnownTensor* output_behind(const std::string& source) const;

  std::shared_ptr<Graph> graph_ = std::make_shared<Graph>();
  mutable Recording recording_;  // it also notes whose words are asked for
  Directory directory_;          // of outputs
  Modules modules_;
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
  const Ties& ties_;
  Frame* frame_ = nullptr;
  std::map<std::string, Var> by_key_;
  std::set<std::string, std::less<>> names_;             // of parameters, by their slots
  std::map<std::string, std::string> owner_;             // of a parameter: the path of its slot
  std::map<const Node*, std::string> rows_;              // the input whose tokens label the rows
  std::map<std::string, Tensors, std::less<>> results_;  // of the modules of the document
  std::map<std::string, std::size_t, std::less<>> module_places_;  // by name, in the list
};

}  // namespace attend
