// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/files/tensor_file.h"
#include "experiment/learning/learn_program.h"
#include "training/data.h"

namespace attend {

// What held-out examples say.
struct Measures {
  std::size_t examples = 0;
  double loss = 0;      // with the true words before each place
  double accuracy = 0;  // share of words right, each after the model's own words
  double exact = 0;     // share of answers right to the last word
  // Share of rows whose largest weight lies on what the word means, and on that or on what its form depends on; less
  // than 0 where no map can be compared.
  double means = -1, agrees = -1;
  struct Head {
    std::string map;
    std::size_t head;
    double means, agrees;
  };
  std::vector<Head> heads;  // of maps with several heads
};

struct StepReport {
  std::uint64_t step = 0;  // how many have been taken
  double loss = 0, gradient_norm = 0, rate = 0;
  std::string failure;  // why the session went back; empty: it did not
  bool taken = true;    // false: the others were gone, and the one that leads takes the step alone
};

// Learners of the same document that take their steps together: each computes some shares of a batch, and all add the
// gradients of all shares in the same order, so that they stay equal bit for bit, and equal to a learner alone.
struct Together {
  // This learner computes the shares k with k % workers = worker: none if there are fewer shares.
  std::size_t worker = 0, workers = 1;
  // Called when its own are there: `all` has room for `each` numbers of each share, one share after another. Writes
  // those of the others; false if they do not come. The first worker then computes them itself.
  std::function<bool(std::span<real> all, std::size_t each)> meet = {};
};

// The pinned example: what is read, what should be written, what was, and where the model looked.
struct Pinned {
  // `source`: the words that links lead to, or the places of an image, "row,column" from 1.
  std::vector<std::string> source, truth, written;
  std::vector<std::pair<std::string, std::vector<std::string>>>
      given;      // other fields that are read
  Filling image;  // empty where words are read
  // The task makes no such source: `truth` is only what the document has as an answer.
  bool outside = false;
  std::vector<double> chance;  // given to the right word, the true words before it
  struct Map {
    std::string name;
    std::size_t heads, rows, columns;
    std::vector<real> weights;  // [heads rows columns], the true words before each row
  };
  std::vector<Map> maps;
  std::vector<Link> links;
};

// A training in progress: the weights, the optimiser's moments, and the position in the data. A restored training
// continues bit for bit.
class Learner {
 public:
  // `terms` fused: faster, and then the last digits depend on the machine.
  explicit Learner(Json document, Terms terms = Terms::apart);

  // One step. After a failure it stays where it went back to.
  StepReport step(const Together& together = {});
  [[nodiscard]] std::uint64_t steps_taken() const { return step_; }
  [[nodiscard]] const Lesson& lesson() const { return lesson_; }
  [[nodiscard]] std::size_t weights() const;  // how many numbers are learned
  // Into how many shares a batch is divided: no more than it has examples.
  [[nodiscard]] std::size_t shares() const;
  // How many numbers a share hands on: its gradients and the loss of each of its examples.
  [[nodiscard]] std::size_t share_size() const;
  // How many programs it holds for steps: one for each shape of an example that was met.
  [[nodiscard]] std::size_t programs() const { return learn_.size(); }

  // Over the first `count` of the held-out examples.
  Measures measure(std::size_t count);
  Pinned pinned();

  // A held-out example as the model sees it: the map is that of the last attention, averaged over its heads, with the
  // true words before each row; empty where there is none. `chance` is what it gives to each right word.
  struct Seen {
    // What is read, by field; an image is no word.
    std::vector<std::pair<std::string_view, std::vector<std::string>>> asked;
    std::vector<std::string> written, truth;
    std::vector<double> chance;
    Tensor map;
    std::vector<Link> links;
  };
  std::vector<Seen> seen(std::size_t count);

  // A checkpoint: weights, moments, counters and the document; or what is to be shipped, without moments and counters.
  [[nodiscard]] TensorFile checkpoint() const;
  [[nodiscard]] TensorFile shipped() const;
  // Takes a checkpoint over. Throws Error, and changes nothing, when it is one of another model.
  void restore(const TensorFile& file);
  // Begins again at step 0 with those weights of another model whose names and shapes are here too: to swap a score or
  // an alignment in a trained model and watch. Throws Error, and changes nothing, when none fits.
  struct Taken {
    std::vector<std::string> taken, own, left;  // from the file; not in it; in it and not here
  };
  Taken take(const TensorFile& file);

  // One step on examples of equal shapes, in place of the data's own.
  StepReport step_on(const std::vector<const Example*>& examples, const Together& together = {});
  // How many examples it learns from; 0 where new ones are drawn without end.
  [[nodiscard]] std::size_t learns_from() const;
  [[nodiscard]] const std::vector<Example>& held_out() const { return data_->held_out(); }

  // What a step reads and draws: everything that the loss and its gradients depend on besides the weights.
  struct Reading {
    std::vector<Example> examples,
        read;  // as the task made them; with words replaced where they are read
    struct Draw {
      std::string name;
      Shape shape;  // with the axis over the examples in front
      std::vector<real> numbers;
    };
    std::vector<Draw> draws;
    std::uint64_t epoch = 0, batch = 0;  // the position of the step's batch in the data
  };
  // Of the `step`-th step, counted from 1, which is not taken. Throws Error where the words that are read depend on
  // weights (teacher forcing below 1), which only a training knows.
  Reading reading_of(std::uint64_t step);
  // The first `count` training examples, of as many rounds of the data as it takes.
  [[nodiscard]] std::vector<Example> training_examples(std::size_t count) const;

 private:
  struct Weight {
    std::string name;
    Shape shape;
    std::vector<real> numbers;
    Moments moments;
  };
  struct State {
    std::vector<Weight> weights;
    std::uint64_t step = 0, epoch = 0, batch = 0;
    std::optional<double> baseline = {};
    std::uint64_t fresh = 0;  // the step at which the optimiser remembered nothing yet
  };
  struct Held {
    std::unique_ptr<LearnProgram> program;
    std::uint64_t used = 0;
  };
  using Programs = std::map<std::pair<BucketKey, std::size_t>, Held>;
  using Examples = std::vector<const Example*>;

  using Purpose = LearnProgram::Purpose;
  LearnProgram& program(Programs& programs, const Example& like, std::size_t batch,
                        Purpose purpose);
  void make_room();
  // From now on, a program is made only for examples whose tokens have the form that it depends on.
  void separate_forms(const LearnProgram& first);
  // All that a program is made for: the sizes of an example's fields, and the form of its tokens.
  [[nodiscard]] BucketKey key_of_program(const Example& example) const;
  // A batch of an epoch, sorted so that examples of one form follow each other and one program computes them.
  [[nodiscard]] Examples batch_of(const Epoch& epoch, std::uint64_t batch) const;
  // Examples of a batch that one program computes. `size` is that of the program.
  struct Run {
    std::size_t first, count, size;
  };
  // Divides some examples of a batch by their form. Without forms, one program of this size computes all of them.
  [[nodiscard]] std::vector<Run> runs_of(const Examples& batch, const Run& part) const;
  [[nodiscard]] std::size_t size_of_program(std::size_t count, std::size_t most) const;
  void give_places(LearnProgram& program) const;
  // Throws Error where a program of another length has other weights.
  void check_same_weights(const LearnProgram& program) const;
  void take_weights(const LearnProgram& first);
  void write_weights(LearnProgram& program) const;
  // `first`: the place of the program's first example in its batch, by which it draws.
  void draw_noise(LearnProgram& program, std::size_t first = 0) const;
  void draw_noise(const LearnProgram::Noise& noise, std::span<real> room, std::size_t examples,
                  std::size_t first = 0) const;
  void read_instead(const Examples& examples, std::size_t first, std::vector<Example>& read);
  // The mean loss that was expected before these losses of a whole batch, which it then takes in.
  double usual_before(Numbers losses);
  // The gradients that rewards add: the same draws as those of the losses, scored by another program.
  LearnProgram& scored(const Examples& batch, const Run& run, double usual);
  // What a step follows: the loss of each example, and the gradients by the weights at these places, empty where there
  // is none.
  struct Slopes {
    std::vector<std::size_t> places;
    Numbers losses;
    std::vector<Numbers> of;
  };
  // Those of a program; or, where several programs compute a part of a batch, their sums in `sums_`.
  [[nodiscard]] static Slopes slopes_of(LearnProgram& program);
  Slopes slopes_of(const Examples& batch, const Run& part);
  [[nodiscard]] Slopes empty_sums();
  void add_to_sums(LearnProgram& program);
  LearnProgram& filled(Programs& programs, const Lesson& lesson, const Examples& batch,
                       const Run& run, Purpose purpose);
  void compute_share(const Examples& batch, std::size_t share);
  [[nodiscard]] std::size_t examples_in_share() const;
  StepReport step_in_shares(const Examples& examples, const Together& together);
  StepReport advance(const Slopes& slopes);
  StepReport go_back(const std::string& what);
  void keep_if_finite();
  void judge_kept(double loss);
  struct Answers {
    std::vector<std::vector<std::uint16_t>> written;
    std::vector<std::vector<double>> chance;
  };
  // A batch of held-out examples of one shape, that the program has just computed: filled up to its whole size with
  // examples that do not count.
  struct HeldOutBatch {
    LearnProgram& program;
    Examples examples;
    std::vector<std::size_t> places;  // of those that count, among the held-out ones
  };
  void for_each_held_out(std::size_t count, const std::function<void(const HeldOutBatch&)>& visit);
  Answers answer_of(LearnProgram& program, const Examples& examples);
  Answers written_alone(LearnProgram& program, const Examples& examples);
  [[nodiscard]] const Json* own_input(std::size_t field) const;
  [[nodiscard]] std::vector<std::string> own_tokens(std::size_t field) const;
  [[nodiscard]] std::optional<Filling> own_filling(std::size_t field) const;
  struct PinnedExample {
    Example example;
    bool outside = false;  // as in Pinned
  };
  [[nodiscard]] PinnedExample pinned_example() const;

  Lesson lesson_;
  Terms terms_;
  std::optional<Lesson> scored_;         // with choices that can be rewarded
  std::optional<double> baseline_;       // what a loss is expected to be
  std::vector<std::vector<real>> sums_;  // by weight: the gradients of several programs
  std::vector<real> losses_;             // of examples that several programs compute
  std::vector<bool> learned_;            // by weight: whether the loss has a gradient by it
  std::vector<real> shares_;             // what each share of a step hands on
  std::vector<Example> read_;            // what a step reads, in the same room at every step
  std::unique_ptr<DataSet> data_;
  std::vector<Weight> weights_;
  std::set<std::string> starts_;  // names of leaves that are 0 at the start of every example
  std::uint64_t step_ = 0, epoch_ = 0, batch_ = 0, fresh_ = 0;
  Epoch now_;
  bool epoch_made_ = false;
  State good_;
  std::optional<State> kept_;    // good, if what it loses turns out to be no more than usual
  std::optional<double> worst_;  // what the first weights lost, and good ones since
  std::string failure_;
  // Tokens on whose form programs depend, by their field.
  std::vector<std::pair<std::size_t, WordForm>> forms_;
  Programs learn_, measure_, score_;
  std::uint64_t uses_ = 0;
  // The round of the data that was read last without a step, and the number of its first step.
  struct Ahead {
    Epoch data;
    std::uint64_t epoch = 0, first = 1;
    bool made = false;
  };
  Ahead ahead_;
};

}  // namespace attend
