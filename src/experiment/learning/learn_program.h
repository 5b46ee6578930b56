// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/vocabulary.h"
#include "experiment/reading/lesson.h"
#include "experiment/recording/compile.h"
#include "experiment/recording/draw.h"
#include "ops/cost.h"
#include "ops/plan.h"
#include "ops/program.h"
#include "training/data.h"

namespace attend {

// Where the numbers of a leaf come from that each example fills.
struct ExampleLeaf {
  NodeId node;
  std::size_t size;  // numbers of one example
  // Words: the field, the rows that they make, and the place in their vocabulary of each of the task's words.
  std::size_t field = 0;
  const WordRows* words = nullptr;
  std::vector<std::size_t> place_of = {};
  bool numbers = false;    // the field's numbers as they are
  std::string input = {};  // else the features of its tokens: read as a document's inputs are
};

// The leaves of a document as a training has them: tokens are inputs, one for each example, and what is 0 at the start
// of every example is a constant.
std::vector<Program::Leaf> trained_leaves(const Compiled& compiled);

// What one module hands to another, which a dropout acts on: all but losses and the logits of this name.
std::vector<std::string> results_dropped(const Compiled& compiled, const std::string& logits);

// A document compiled for one shape and size of batch.
class LearnProgram {
 public:
  // With the gradients of the loss; with what is measured; or with the gradients of `reward` (a leaf, one number an
  // example) times the log chance of all that was drawn.
  enum class Purpose { learns, measures, scores };
  LearnProgram(const Lesson& lesson, const Example& like, std::size_t batch, Purpose purpose,
               Terms terms = Terms::apart);

  struct Weight {
    std::string name;
    Shape shape;
    NodeId leaf, gradient;
    bool learns =
        true;  // the loss has a gradient by it; false where only choices without a slope read it, or it is frozen
    std::optional<std::size_t> place = {};  // in the list of give_places; none if it is not there
  };
  // Numbers drawn at every step: by a module for each example, unless the document gives them, or by a dropout for all
  // examples together.
  struct Noise {
    NodeId node;
    Drawn drawn;
    bool dropout = false;
  };
  struct Map {
    std::string name;
    NodeId node;
    std::size_t heads, rows, columns;
    bool by_labels;  // its axes are the task's answer and source by their names
    // Of an image: its pixels, and the coarser grid of places that the columns are, row by row. Of words: all 0.
    struct Side {
      std::size_t pixels = 0, places = 0;
    };
    Side high = {}, wide = {};
    // Links to pixels as links to places.
    [[nodiscard]] std::vector<Link> placed(const std::vector<Link>& links) const;
  };

  [[nodiscard]] std::size_t batch() const { return batch_; }
  [[nodiscard]] const std::vector<Weight>& weights() const { return weights_; }
  // Gives each weight its place in a list of names.
  void give_places(const std::vector<std::string>& names);
  // Leaves that are 0 at the start of every example, and no weights.
  [[nodiscard]] std::set<std::string> starts() const;
  // The tokens on whose form the program depends.
  [[nodiscard]] const std::vector<ReadForm>& forms() const { return compiled_->recording().forms; }
  [[nodiscard]] const std::vector<Noise>& noise() const { return noise_; }
  [[nodiscard]] const std::vector<ExampleLeaf>& fed() const { return fed_; }
  [[nodiscard]] const std::optional<NodeId>& guide() const { return guide_; }
  [[nodiscard]] NodeId reward() const { return *reward_; }
  [[nodiscard]] NodeId loss() const { return loss_; }
  // The name of that result in the document.
  [[nodiscard]] const std::string& loss_result() const { return loss_record_->name; }
  [[nodiscard]] const std::vector<Map>& maps() const { return maps_; }
  // The logits [batch rows classes], where there is a cross-entropy over the answer, and the word of each class.
  [[nodiscard]] const std::optional<NodeId>& logits() const { return logits_; }
  [[nodiscard]] const std::vector<std::string>& classes() const { return classes_; }
  // Whether what is written at a place reads the answer before it.
  [[nodiscard]] bool reads_answer() const { return reads_answer_; }
  [[nodiscard]] Workspace& work() { return *work_; }
  // What the loss of each of the first `count` examples counts for in the gradients; the others do not count. By
  // default, the mean of all losses is minimised.
  void weigh(double weight, std::size_t count);
  // Throws Error, naming the module that refuses its numbers.
  void evaluate();
  [[nodiscard]] const Program& program() const { return program_; }
  // About how much memory it takes besides its numbers.
  [[nodiscard]] std::size_t recording_bytes() const {
    return (compiled_->graph().size() + program_.graph().size()) * bytes_of_node;
  }
  // Of one evaluation for the whole batch: forward, and backward where the program has gradients.
  [[nodiscard]] Cost cost() const;
  // The first numbers of a weight: given, or drawn from the seed.
  [[nodiscard]] std::vector<real> first_numbers(std::size_t weight) const;

  // Fills all leaves that examples fill. `read` are the same examples with other words where words are read: the
  // source, and of the answer those before a place.
  void feed(const Lesson& lesson, const std::vector<const Example*>& examples,
            const std::vector<const Example*>& read);

 private:
  // As measured: nodes, their names, and the steps that compute them.
  static constexpr std::size_t bytes_of_node = 1300;
  [[nodiscard]] const WordRows* word_rows_of(const Leaf& leaf) const;
  [[nodiscard]] Program recorded() const;
  void list_leaves(const Lesson& lesson);
  void list_results(const Lesson& lesson);
  void find_logits(const Lesson& lesson);
  void make(const Lesson& lesson, Purpose purpose);
  void write_constants();
  void feed_guide(const std::vector<const Example*>& examples);
  [[nodiscard]] std::vector<std::string> moved(const std::vector<std::string>& weights,
                                               const std::vector<std::string>& frozen) const;

  std::unique_ptr<Compiled> compiled_;
  std::size_t batch_;
  Program program_;
  std::vector<Weight> weights_;
  std::vector<Noise> noise_;
  std::vector<ExampleLeaf> fed_;
  std::optional<NodeId> guide_, reward_, logits_;
  std::vector<std::string>
      chosen_;  // all maps of weights, whose sums have the slope of log chances
  std::vector<std::string> classes_;
  std::vector<Map> maps_;
  NodeId loss_ = 0;
  bool reads_answer_ = false;
  std::string loss_name_, logits_name_, map_name_;
  Record loss_record_;
  std::string cotangent_;                       // the leaf that the loss is multiplied by
  double weight_;                               // of the loss of each example that counts
  std::size_t counted_;                         // so many count
  std::set<std::string, std::less<>> dropped_;  // the leaves of noise of a dropout
  std::unique_ptr<Workspace> work_;
};

}  // namespace attend
