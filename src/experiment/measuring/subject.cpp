// SPDX-License-Identifier: Apache-2.0
#include "experiment/measuring/subject.h"

#include <algorithm>
#include <utility>

#include "evaluation/rows.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/draw.h"
#include "experiment/running/run.h"
#include "ops/given.h"
#include "ops/needed.h"
#include "ops/primitives.h"
#include "ops/rewrite.h"

namespace attend {
namespace {

bool is_map(const KnownTensor& output) {
  const TensorRecord& record = *output.record;
  return record.role == TensorRole::weights && !record.when_asked && record.axes.size() >= 2 &&
         record.axes.back().role == AxisRole::key;
}

std::string names_of(const std::vector<KnownTensor>& outputs) {
  std::string list;
  for (const KnownTensor& output : outputs)
    list += (list.empty() ? "" : ", ") + output.record->name;
  return list;
}

Plan planned(const Compiled& compiled, const Program& program) {
  const ModulePlaces places(module_places(compiled));
  return plan_within_limits(compiled, program, Keep::wanted);
}

}  // namespace

DocumentSubject::Bound::Bound(const DocumentSubject& subject, Program program)
    : program_(std::move(program)),
      work_(program_.shared_graph(), planned(subject.compiled_, program_)) {
  for (const Program::Leaf& one : program_.leaves()) {
    const Leaf* const leaf = subject.compiled_.recording().leaf(one.name);
    if (leaf == nullptr) continue;  // a pass added it, and it is set later
    const std::span<real> room = work_.write(one.node);
    const std::size_t count = std::max<std::size_t>(element_count(leaf->shape), 1);
    for (std::size_t at = 0; at < room.size(); at += count) {
      const std::vector<real> numbers = subject.leaf_numbers(*leaf, at / count);
      std::ranges::copy(numbers, room.begin() + static_cast<long>(at));
    }
  }
}

void DocumentSubject::Bound::set(const std::string& leaf, std::span<const double> numbers) {
  const std::vector<real> own(numbers.begin(), numbers.end());
  work_.set(program_.leaf(leaf), own);
}

Tensor DocumentSubject::Bound::operator[](const std::string& result) const {
  const NodeId node = program_.find(result);
  const Numbers numbers = work_[node];
  return {program_.graph()[node].shape, {numbers.begin(), numbers.end()}};
}

DocumentSubject::DocumentSubject(Document document, SubjectWish wish, std::string path,
                                 const DocumentSubject* like)
    : wish_(std::move(wish)),
      path_(std::move(path)),
      compiled_(below(path_, [&] { return compile(std::move(document)); })) {
  if (like != nullptr) {
    for (const Leaf& leaf : compiled_.leaves()) {
      if (leaf.kind != Leaf::Kind::parameter || leaf.is_given()) continue;
      const Leaf* const other = like->compiled_.recording().leaf(leaf.key);
      if (other == nullptr || other->shape != leaf.shape) continue;
      const std::vector<real> numbers = like->leaf_numbers(*other, 0);
      taken_[leaf.key] = {leaf.shape, {numbers.begin(), numbers.end()}};
    }
  }
  choose_answer();
}

std::vector<real> DocumentSubject::leaf_numbers(const Leaf& leaf, std::size_t example) const {
  std::vector<real> numbers(element_count(leaf.shape));
  const auto taken = taken_.find(leaf.key);
  if (taken == taken_.end()) {
    compiled_.write_leaf(leaf, numbers, example);
  } else {
    std::ranges::transform(taken->second.data, numbers.begin(),
                           [](double x) { return static_cast<real>(x); });
  }
  return numbers;
}

// The answer that the document names; or else the last probabilities, the last numbers over
// classes, the last output or context.
void DocumentSubject::choose_answer() {
  const auto& outputs = compiled_.outputs();
  const auto over_classes = [](const TensorRecord& o) {
    return o.axes.size() >= 2 && o.axes.back().role == AxisRole::class_ &&
           o.role == TensorRole::output;
  };
  const auto rank = [&](const KnownTensor& output) {
    const TensorRecord& o = *output.record;
    if (compiled_.shape_of(output.node).empty() || o.numbers == NumberKind::index) return 0;
    if (o.numbers == NumberKind::probability && o.role == TensorRole::output) return 4;
    if (over_classes(o)) return 3;
    return o.role == TensorRole::output ? 2 : o.role == TensorRole::context ? 1 : 0;
  };
  const KnownTensor* best = nullptr;
  for (const KnownTensor& output : outputs) {
    if (rank(output) > 0 && (best == nullptr || rank(output) >= rank(*best))) best = &output;
  }
  if (!wish_.output.empty()) {
    best = compiled_.directory().output(wish_.output);
    if (best == nullptr)
      refuse("/output",
             "there is no output \"" + wish_.output + "\"; there are " + names_of(outputs));
  }
  if (best == nullptr) refuse(path_, "the document has no output that could be the answer");
  answer_ = *best;
  softmaxed_ = over_classes(*answer_.record) && answer_.record->numbers != NumberKind::probability;
}

const KnownTensor& DocumentSubject::weights_output() {
  if (weights_) return *weights_;
  std::vector<KnownTensor> maps;
  std::ranges::copy_if(compiled_.outputs(), std::back_inserter(maps), is_map);
  for (const KnownTensor& map : maps) {
    if (!wish_.weights.empty() && map.record->name != wish_.weights) continue;
    weights_ = map;
    return *weights_;
  }
  if (wish_.weights.empty()) refuse(path_, "the document has no weights with one row per query");
  refuse("/map", "there are no weights \"" + wish_.weights + "\"; there are " +
                     (maps.empty() ? "none" : names_of(maps)));
}

std::size_t DocumentSubject::examples() const {
  return std::max<std::size_t>(compiled_.examples(), 1);
}

Program DocumentSubject::batched_if(const Program& program) const {
  return compiled_.examples() == 0 ? program : batched(program, compiled_.examples());
}

// With the results "answer" and, where weights were chosen, "weights".
Program DocumentSubject::with_answer(const Program& program) const {
  const Program bare = program.with_results({});
  Rewrite to(bare);
  to.copy_whole();
  const Var answer = to.now(answer_.node);
  to.add_result(answer_name, softmaxed_ ? softmax(answer) : answer);
  if (weights_) to.add_result(weights_name, to.now(weights_->node));
  return to.program();
}

std::unique_ptr<DocumentSubject::Bound> DocumentSubject::bind(const Program& program) const {
  return below(path_, [&] { return std::make_unique<Bound>(*this, program); });
}

Tensor DocumentSubject::numbers(const std::string& name) const {
  const NodeId node = compiled_.find(name);
  const auto bound = bind(batched_if(compiled_.program().with_results({{"numbers", node}})));
  bound->evaluate();
  return (*bound)["numbers"];
}

Tensor DocumentSubject::answers() const {
  const Program program = with_answer(compiled_.program());
  const auto bound =
      bind(batched_if(program.with_results({{answer_name, program.find(answer_name)}})));
  bound->evaluate();
  return (*bound)[answer_name];
}

const Subject::Answer& DocumentSubject::usual() {
  if (usual_) return *usual_;
  static_cast<void>(weights_output());
  run_ = bind(batched_if(with_answer(compiled_.program())));
  run_->evaluate();
  usual_ = Answer{(*run_)[weights_name], (*run_)[answer_name]};
  return *usual_;
}

const Tensor& DocumentSubject::allowed() {
  if (allowed_) return *allowed_;
  const Tensor& weights = usual().weights;
  allowed_ = weights;
  std::ranges::fill(allowed_->data, 1);
  for (const KnownTensor& output : compiled_.outputs()) {
    const TensorRecord& record = *output.record;
    if (record.role != TensorRole::mask || record.module != weights_->record->module) continue;
    const Tensor mask = numbers(record.name);
    if (mask.shape.back() != weights.shape.back()) continue;
    const RowsOf rows(mask);
    const std::size_t maps = RowsOf(weights).count(), per = maps / examples();
    const std::size_t mask_per = rows.count() / examples();
    for (std::size_t i = 0; i < maps; ++i)  // heads have one mask
      std::ranges::copy(rows[i / per * mask_per + i % per % mask_per],
                        row_of(*allowed_, i).begin());
  }
  return *allowed_;
}

Tensor DocumentSubject::output_with(const Tensor& weights) {
  static_cast<void>(usual());
  if (!given_) {
    const Program program = with_given(with_answer(compiled_.program()), weights_name, given_name);
    const NodeId answer = program.find(answer_name);
    if (!needed_for(program.graph(), {answer})[program.leaf(given_name)])
      refuse(path_, "the answer \"" + answer_.record->name + "\" does not read the weights \"" +
                        weights_->record->name + "\": other weights would change nothing");
    given_ = bind(batched_if(program.with_results({{answer_name, answer}})));
  }
  given_->set(given_name, weights.data);
  given_->evaluate();
  return (*given_)[answer_name];
}

Tensor DocumentSubject::slopes(const Tensor& weights, const Tensor& cotangent) {
  static_cast<void>(usual());
  if (!sloped_) {
    const Program program = with_gradient(
        batched_if(with_given(with_answer(compiled_.program()), weights_name, given_name)),
        answer_name, {given_name});
    const std::string slope = gradient_key(given_name);
    sloped_ = bind(program.with_results({{slope, program.find(slope)}}));
  }
  sloped_->set(given_name, weights.data);
  sloped_->set(cotangent_key(answer_name), cotangent.data);
  sloped_->evaluate();
  return (*sloped_)[gradient_key(given_name)];
}

std::vector<const Leaf*> DocumentSubject::learned() const {
  std::vector<const Leaf*> list;
  for (const Leaf& leaf : compiled_.leaves()) {
    if (leaf.kind == Leaf::Kind::parameter && origin_of(leaf.distribution) == Origin::initialiser)
      list.push_back(&leaf);
  }
  return list;
}

std::vector<double> DocumentSubject::parameters() {
  std::vector<double> all;
  for (const Leaf* leaf : learned()) {
    const std::vector<real> numbers = leaf_numbers(*leaf, 0);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

std::vector<double> DocumentSubject::drawn(std::uint64_t seed) {
  std::vector<double> all;
  for (const Leaf* leaf : learned()) {
    std::vector<real> numbers(element_count(leaf->shape));
    draw(drawn_of(*leaf), {.seed = seed}, numbers);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

void DocumentSubject::set_parameters(Bound& bound, std::span<const double> parameters) const {
  std::size_t at = 0;
  for (const Leaf* leaf : learned()) {
    const std::size_t count = element_count(leaf->shape);
    bound.set(leaf->key, parameters.subspan(at, count));
    at += count;
  }
}

Subject::Answer DocumentSubject::answer(std::span<const double> parameters) {
  static_cast<void>(usual());
  set_parameters(*run_, parameters);
  run_->evaluate();
  return {(*run_)[weights_name], (*run_)[answer_name]};
}

std::vector<double> DocumentSubject::parameter_slopes(std::span<const double> parameters,
                                                      const Tensor& by_weights,
                                                      const Tensor& by_output) {
  static_cast<void>(usual());
  const std::vector<const Leaf*> leaves = learned();
  if (!trained_) {
    std::vector<std::string> by;
    std::vector<Program::Result> slopes;
    for (const Leaf* leaf : leaves) by.push_back(leaf->key);
    const std::vector<std::string> of{weights_name, answer_name};
    const Program program = with_gradient(batched_if(with_answer(compiled_.program())), of, by);
    for (const std::string& name : by)
      slopes.push_back({gradient_key(name), program.find(gradient_key(name))});
    trained_ = bind(program.with_results(std::move(slopes)));
  }
  set_parameters(*trained_, parameters);
  trained_->set(cotangent_key(weights_name), by_weights.data);
  trained_->set(cotangent_key(answer_name), by_output.data);
  trained_->evaluate();
  std::vector<double> slopes;
  for (const Leaf* leaf : leaves) {
    const Tensor one = (*trained_)[gradient_key(leaf->key)];
    slopes.insert(slopes.end(), one.data.begin(), one.data.end());
  }
  return slopes;
}

}  // namespace attend
