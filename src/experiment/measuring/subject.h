// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "evaluation/subject.h"
#include "experiment/recording/compile.h"
#include "ops/workspace.h"

namespace attend {

// Which results of a document a measure looks at; empty: the first weights, and the last answer.
struct SubjectWish {
  std::string weights, output;
};

// An experiment document as the measures ask it.
class DocumentSubject : public Subject {
 public:
  // The names of its results in the programs that are made of it.
  static constexpr const char *answer_name = "answer", *weights_name = "weights",
                              *given_name = "given.weights";

  // `path` is the document's place in what a user wrote. `like`: parameters that have the
  // names and shapes of this one's have its numbers too.
  DocumentSubject(Document document, SubjectWish wish, std::string path,
                  const DocumentSubject* like = nullptr);

  [[nodiscard]] const Compiled& compiled() const { return compiled_; }
  // The numbers of a result, step, input or parameter; one of a batch leads with the examples.
  [[nodiscard]] Tensor numbers(const std::string& name) const;
  // The tensors that are the model's weights and answers.
  [[nodiscard]] const KnownTensor& weights_output();
  [[nodiscard]] const KnownTensor& answer_output() const { return answer_; }
  // The answers alone, of a document that may have no weights.
  [[nodiscard]] Tensor answers() const;
  // Whether the answers are made by a softmax of what the document gives.
  [[nodiscard]] bool softmaxed() const { return softmaxed_; }
  // The words that the classes of the answer stand for; empty where its module counts none.
  [[nodiscard]] std::vector<std::string> answer_words() const;

  [[nodiscard]] std::size_t examples() const override;
  [[nodiscard]] const Answer& usual() override;
  [[nodiscard]] const Tensor& allowed() override;
  [[nodiscard]] Tensor output_with(const Tensor& weights) override;
  [[nodiscard]] Tensor slopes(const Tensor& weights, const Tensor& cotangent) override;
  [[nodiscard]] TokenSlopes token_slopes(const Tensor& cotangent) override;
  [[nodiscard]] Tensor output_without(std::size_t example, std::size_t token) override;
  [[nodiscard]] std::vector<double> parameters() override;
  [[nodiscard]] std::vector<double> drawn(std::uint64_t seed) override;
  [[nodiscard]] Answer answer(std::span<const double> parameters) override;
  [[nodiscard]] std::vector<double> parameter_slopes(std::span<const double> parameters,
                                                     const Tensor& by_weights,
                                                     const Tensor& by_output) override;

 private:
  // A program whose leaves hold what the document gives, until others are set.
  class Bound {
   public:
    Bound(const DocumentSubject& subject, Program program);
    void set(const std::string& leaf, std::span<const double> numbers);
    void evaluate() { work_.evaluate(); }
    [[nodiscard]] Tensor operator[](const std::string& result) const;

   private:
    Program program_;
    Workspace work_;
  };

  void choose_answer();
  [[nodiscard]] Program with_answer(const Program& program) const;
  [[nodiscard]] Program batched_if(const Program& program) const;
  [[nodiscard]] std::unique_ptr<Bound> bind(const Program& program) const;
  [[nodiscard]] std::vector<real> leaf_numbers(const Leaf& leaf, std::size_t example) const;
  [[nodiscard]] std::vector<const Leaf*> learned() const;
  void set_parameters(Bound& bound, std::span<const double> parameters) const;
  [[nodiscard]] std::string key_labels();
  [[nodiscard]] NodeId token_vectors(const std::string& labels) const;
  [[nodiscard]] Document without_token(std::size_t example, std::size_t token,
                                       const std::string& labels) const;

  SubjectWish wish_;
  std::string path_;
  Compiled compiled_;
  std::map<std::string, Tensor, std::less<>> taken_;  // parameters taken from another
  KnownTensor answer_;
  bool softmaxed_ = false;
  std::optional<KnownTensor> weights_;
  std::optional<Answer> usual_;
  std::optional<Tensor> allowed_;
  std::unique_ptr<Bound> run_, given_, sloped_, tokens_, trained_;
};

// Does the work; the path of what is refused begins with `path`.
template <class Work>
auto below(const std::string& path, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(path + error.path, error.what());
  }
}

}  // namespace attend
