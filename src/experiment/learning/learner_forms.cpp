// SPDX-License-Identifier: Apache-2.0
// A step's batch in parts that one program each computes: of one shape, and of one form where a program depends on more
// than shapes, as on where sentences end. What is drawn goes by an example's place in the batch, as it does for shares
// (docs/adr/0076), so the gradients of the parts add up to those of the batch.
#include <algorithm>

#include "experiment/learning/learner.h"
#include "training/optimiser.h"

namespace attend {

void Learner::separate_forms(const LearnProgram& first) {
  for (const ReadForm& one : first.forms()) {
    for (std::size_t field = 0; field < lesson_.settings.task->fields.size(); ++field) {
      if (lesson_.settings.input_of(field) == one.tokens) forms_.emplace_back(field, one.form);
    }
  }
  if (!forms_.empty()) learn_.clear();  // its program was found by another key
}

BucketKey Learner::key_of_program(const Example& example) const {
  BucketKey key = bucket_of(example);
  for (const auto& [field, form] : forms_) {
    const BucketKey own = form.of(tokens_of(*lesson_.source, field, example.fields[field]));
    key.push_back(own.size());
    key.insert(key.end(), own.begin(), own.end());
  }
  return key;
}

Learner::Examples Learner::batch_of(const Epoch& epoch, std::uint64_t batch) const {
  Examples examples;
  for (const std::size_t place : epoch.batches[static_cast<std::size_t>(batch)].examples)
    examples.push_back(&epoch.examples[place]);
  if (forms_.empty()) return examples;
  std::vector<std::pair<BucketKey, const Example*>> keyed;
  for (const Example* example : examples) keyed.emplace_back(key_of_program(*example), example);
  std::ranges::stable_sort(keyed, {},
                           [](const auto& one) -> const BucketKey& { return one.first; });
  std::ranges::transform(keyed, examples.begin(), [](const auto& one) { return one.second; });
  return examples;
}

// Two sizes for a form: most forms have few examples in a batch, and a program of each size for each of them would take
// more memory than is kept, so that every step would record some again.
std::size_t Learner::size_of_program(std::size_t count, std::size_t most) const {
  constexpr std::size_t few = 4;
  return forms_.empty() || 2 * count > most ? most : std::min(few, most);
}

std::vector<Learner::Run> Learner::runs_of(const Examples& batch, const Run& part) const {
  if (forms_.empty()) return {part};
  std::vector<Run> whole;
  BucketKey last;
  for (std::size_t i = part.first; i < part.first + part.count; ++i) {
    BucketKey own = key_of_program(*batch[i]);
    if (whole.empty() || own != last) whole.push_back({i, 0, 0});
    ++whole.back().count;
    last = std::move(own);
  }
  std::vector<Run> runs;
  for (const Run& run : whole) {
    const std::size_t size = size_of_program(run.count, part.size);
    for (std::size_t done = 0; done < run.count; done += size)
      runs.push_back({run.first + done, std::min(size, run.count - done), size});
  }
  return runs;
}

// The program of a run with all that it reads. The last example fills the program up and does not count.
LearnProgram& Learner::filled(Programs& programs, const Lesson& lesson, const Examples& batch,
                              const Run& run, Purpose purpose) {
  const auto from = batch.begin() + static_cast<std::ptrdiff_t>(run.first);
  Examples own(from, from + static_cast<std::ptrdiff_t>(run.count));
  own.resize(run.size, own.back());
  read_instead(own, run.first, read_);
  Examples read;
  for (const Example& example : read_) read.push_back(&example);
  LearnProgram& filled = program(programs, *own.front(), run.size, purpose);
  filled.feed(lesson, own, read);
  filled.weigh(1.0 / static_cast<double>(batch.size()), run.count);
  write_weights(filled);
  draw_noise(filled, run.first);
  return filled;
}

Learner::Slopes Learner::slopes_of(LearnProgram& program) {
  Slopes slopes{{}, program.work()[program.loss()], {}};
  for (const LearnProgram::Weight& one : program.weights()) {
    slopes.places.push_back(*one.place);
    slopes.of.push_back(one.learns ? program.work()[one.gradient] : Numbers{});
  }
  return slopes;
}

// Every learner of the same document has sums of the same sizes, whichever examples it computes.
Learner::Slopes Learner::empty_sums() {
  Slopes slopes;
  sums_.resize(weights_.size());
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    sums_[k].assign(learned_[k] ? weights_[k].numbers.size() : 0, 0);
    slopes.places.push_back(k);
    slopes.of.emplace_back(sums_[k]);
  }
  return slopes;
}

void Learner::add_to_sums(LearnProgram& program) {
  for (const LearnProgram::Weight& one : program.weights()) {
    // Rewards may have a gradient by a weight where the loss has none.
    if (!one.learns || !one.place || (!learned_[*one.place] && !scored_)) continue;
    std::vector<real>& sum = sums_[*one.place];
    const Numbers more = program.work()[one.gradient];
    sum.resize(more.size(), 0);
    add_gradients(sum, more);
  }
}

Learner::Slopes Learner::slopes_of(const Examples& batch, const Run& part) {
  const auto compute = [&](const Run& run) -> LearnProgram& {
    LearnProgram& learning = filled(learn_, lesson_, batch, run, Purpose::learns);
    learning.evaluate();
    return learning;
  };
  if (forms_.empty() && !scored_) return slopes_of(compute(part));
  Slopes slopes = empty_sums();
  losses_.clear();
  const std::vector<Run> runs = runs_of(batch, part);
  for (const Run& run : runs) {
    LearnProgram& learning = compute(run);
    const Numbers losses = learning.work()[learning.loss()].first(run.count);
    losses_.insert(losses_.end(), losses.begin(), losses.end());
    add_to_sums(learning);
    if (forms_.empty()) slopes.places = slopes_of(learning).places;
  }
  slopes.losses = losses_;
  if (scored_) {
    const double usual = usual_before(losses_);
    for (const Run& run : runs) add_to_sums(scored(batch, run, usual));
  }
  for (std::size_t k = 0; k < slopes.of.size(); ++k) slopes.of[k] = sums_[slopes.places[k]];
  return slopes;
}

}  // namespace attend
