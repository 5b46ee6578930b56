// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/learner.h"

#include <algorithm>
#include <cmath>

#include "experiment/learning/read_lesson.h"
#include "experiment/reading/frozen.h"
#include "training/optimiser.h"

namespace attend {
namespace {

// Of programs that are kept at once, of all shapes and forms together: their numbers, and likewise their recordings.
constexpr std::size_t most_kept_bytes = std::size_t{256} << 20U;
// A state is kept every so many steps, to go back to.
constexpr std::uint64_t good_every = 16;

RandomStream stream(std::uint64_t seed, const std::string& name, std::uint64_t step) {
  return {seed, name + "#" + std::to_string(step)};
}

}  // namespace

Learner::Learner(Json document, Terms terms)
    : lesson_(read_lesson(std::move(document))), terms_(terms) {
  try {
    data_ = std::make_unique<DataSet>(*lesson_.settings.task, *lesson_.source, lesson_.seed,
                                      lesson_.settings.batch);
  } catch (const Error& error) {
    throw Error("/training" + (error.path.empty() ? "/task" : error.path), error.what());
  }
  LearnProgram& first =
      program(learn_, data_->held_out().front(), examples_in_share(), Purpose::learns);
  take_weights(first);
  give_places(first);
  separate_forms(first);
  lesson_.document["inputs"] = inputs_of(lesson_, pinned_example().example);
  good_ = {weights_, 0, 0, 0};
  if (lesson_.scored) {
    scored_ = lesson_;
    scored_->document = *lesson_.scored;
    (void)program(score_, data_->held_out().front(), size_of_program(1, lesson_.settings.batch),
                  Purpose::scores);
  }
}

std::size_t Learner::learns_from() const {
  return lesson_.source->listed().empty() ? 0 : data_->epoch(0).examples.size();
}

std::size_t Learner::weights() const {
  std::size_t sum = 0;
  for (const Weight& weight : weights_)
    if (!is_frozen(weight.name, lesson_.settings.frozen)) sum += weight.numbers.size();
  return sum;
}

void Learner::take_weights(const LearnProgram& first) {
  const std::size_t lists = moments_of(lesson_.settings.optimiser);
  for (std::size_t k = 0; k < first.weights().size(); ++k) {
    Weight weight{first.weights()[k].name, first.weights()[k].shape, first.first_numbers(k), {}};
    if (lists > 0) weight.moments.first.assign(weight.numbers.size(), 0);
    if (lists > 1) weight.moments.second.assign(weight.numbers.size(), 0);
    weights_.push_back(std::move(weight));
    learned_.push_back(first.weights()[k].learns);
  }
  starts_ = first.starts();
}

void Learner::give_places(LearnProgram& program) const {
  std::vector<std::string> names;
  for (const Weight& weight : weights_) names.push_back(weight.name);
  program.give_places(names);
}

void Learner::check_same_weights(const LearnProgram& program) const {
  const auto check = [](bool same, const std::string& name) {
    if (!same)
      refuse("/training", "the weight \"" + name +
                              "\" depends on the length of the example, but the task has several "
                              "lengths: choose another mechanism or a single length");
  };
  std::set<std::string_view> found;
  for (const LearnProgram::Weight& one : program.weights()) {
    check(one.place && weights_[*one.place].shape == one.shape, one.name);
    found.insert(one.name);
  }
  for (const Weight& weight : weights_) check(found.contains(weight.name), weight.name);
}

LearnProgram& Learner::program(Programs& programs, const Example& like, std::size_t batch,
                               Purpose purpose) {
  const std::pair key(key_of_program(like), batch);
  auto found = programs.find(key);
  if (found == programs.end()) {
    make_room();
    auto made = std::make_unique<LearnProgram>(purpose == Purpose::scores ? *scored_ : lesson_,
                                               like, batch, purpose, terms_);
    give_places(*made);
    if (purpose == Purpose::learns && !weights_.empty()) check_same_weights(*made);
    found = programs.emplace(key, Held{std::move(made)}).first;
  }
  found->second.used = ++uses_;
  return *found->second.program;
}

// Removes the least recently used program while all of them take too much memory.
void Learner::make_room() {
  for (;;) {
    std::size_t numbers = 0, recordings = 0;
    Programs* in = nullptr;
    Programs::iterator oldest;
    for (Programs* programs : {&learn_, &measure_, &score_}) {
      for (auto one = programs->begin(); one != programs->end(); ++one) {
        numbers += one->second.program->work().bytes();
        recordings += one->second.program->recording_bytes();
        if (in != nullptr && oldest->second.used < one->second.used) continue;
        in = programs;
        oldest = one;
      }
    }
    // The program that was requested last is still in use.
    if (std::max(numbers, recordings) <= most_kept_bytes || in == nullptr ||
        oldest->second.used == uses_)
      return;
    in->erase(oldest);
  }
}

void Learner::write_weights(LearnProgram& program) const {
  for (const LearnProgram::Weight& one : program.weights()) {
    if (!one.place) continue;
    const std::vector<real>& numbers = weights_[*one.place].numbers;
    const std::span<real> room = program.work().write(one.leaf);
    if (room.size() == numbers.size()) std::copy(numbers.begin(), numbers.end(), room.begin());
  }
}

void Learner::draw_noise(LearnProgram& program, std::size_t first) const {
  for (const LearnProgram::Noise& noise : program.noise())
    draw_noise(noise, program.work().write(noise.node), program.batch(), first);
}

void Learner::draw_noise(const LearnProgram::Noise& noise, std::span<real> room,
                         std::size_t examples, std::size_t first) const {
  if (noise.dropout) {
    const double rate = lesson_.settings.dropout;
    const auto kept = static_cast<real>(1 / (1 - rate));
    const RandomStream draws = stream(lesson_.seed, noise.drawn.name, step_);
    draws.choose(first * (room.size() / examples), rate, 0, kept, room);
    return;
  }
  const std::size_t count = element_count(noise.drawn.shape);
  for (std::size_t at = 0; at < room.size(); at += count)
    draw(noise.drawn, {lesson_.seed, step_ + 1, first + at / count}, room.subspan(at, count));
}

// The fields of the examples as they are read: some words are unknown, some of the answer are the model's own.
void Learner::read_instead(const Examples& examples, std::size_t first,
                           std::vector<Example>& read) {
  const TrainingSettings& settings = lesson_.settings;
  read.resize(examples.size());
  for (std::size_t i = 0; i < read.size(); ++i) read[i].fields = examples[i]->fields;
  if (settings.teacher_forcing < 1) {
    LearnProgram& own = program(measure_, *examples.front(), examples.size(), Purpose::measures);
    if (own.logits() && own.reads_answer()) {
      write_weights(own);
      draw_noise(own, first);
      own.feed(lesson_, examples, examples);
      own.evaluate();
      const Answers said = answer_of(own, examples);
      const RandomStream draws = stream(lesson_.seed, "teacher-forcing", step_);
      const std::size_t answer = settings.task->answer();
      std::size_t k = first * read.front().fields[answer].words.size();
      for (std::size_t i = 0; i < read.size(); ++i) {
        auto& words = read[i].fields[answer].words;
        for (std::size_t t = 0; t < words.size(); ++t, ++k) {
          if (draws.uniform(k) >= settings.teacher_forcing) words[t] = said.written[i][t];
        }
      }
    }
  }
  for (const auto& [name, rate] : settings.word_dropout) {
    if (rate == 0) continue;
    const RandomStream draws = stream(lesson_.seed, "word-dropout:" + name, step_);
    std::size_t field = 0;
    while ((settings.task->fields.begin() + static_cast<long>(field))->name != name) ++field;
    std::size_t k = first * read.front().fields[field].words.size();
    for (Example& example : read) {
      for (std::uint16_t& word : example.fields[field].words) {
        if (draws.uniform(k++) < rate) word = unknown_word;
      }
    }
  }
}

StepReport Learner::step(const Together& together) {
  if (!failure_.empty()) return {step_, 0, 0, 0, failure_};
  while (!epoch_made_ || batch_ >= now_.batches.size()) {
    if (epoch_made_) {
      ++epoch_;
      batch_ = 0;
    }
    now_ = data_->epoch(epoch_);
    epoch_made_ = true;
  }
  keep_if_finite();
  const StepReport report = step_on(batch_of(now_, batch_), together);
  if (report.failure.empty() && report.taken) ++batch_;
  return report;
}

StepReport Learner::step_on(const Examples& examples, const Together& together) {
  if (together.worker >= together.workers)
    refuse("", "expected a worker from 0 to " + std::to_string(together.workers - 1) +
                   ", because " + std::to_string(together.workers) +
                   " take the steps; found worker " + std::to_string(together.worker));
  if (std::min(lesson_.settings.shares, examples.size()) > 1)
    return step_in_shares(examples, together);
  return advance(slopes_of(examples, {0, examples.size(), examples.size()}));
}

StepReport Learner::advance(const Slopes& slopes) {
  const TrainingSettings& settings = lesson_.settings;
  double loss = 0, squares = 0;
  for (const real one : slopes.losses)
    loss += static_cast<double>(one) / static_cast<double>(slopes.losses.size());
  for (const Numbers& gradient : slopes.of) squares += sum_of_squares(gradient);
  const double norm = std::sqrt(squares);
  if (!std::isfinite(loss)) return go_back("the loss is no longer a number");
  if (!std::isfinite(norm)) return go_back("the gradients are no longer numbers");
  judge_kept(loss);
  const double scale =
      settings.clip > 0 && norm > settings.clip ? settings.clip / (norm + 1e-6) : 1;
  const double rate = settings.optimiser.rate * settings.schedule.factor(step_, settings.steps);
  for (std::size_t k = 0; k < slopes.of.size(); ++k) {
    // Without a gradient the weight does not change, and no decay shrinks it (as in PyTorch).
    if (slopes.of[k].empty()) continue;
    Weight& weight = weights_[slopes.places[k]];
    optimise(settings.optimiser, rate, step_ + 1 - fresh_, scale, weight.numbers, slopes.of[k],
             weight.moments);
  }
  ++step_;
  return {step_, loss, norm, rate, {}};
}

void Learner::keep_if_finite() {
  if (step_ % good_every != 0 || step_ == good_.step) return;
  for (const Weight& weight : weights_) {
    if (!all_finite(weight.numbers)) return;
  }
  kept_ = {weights_, step_, epoch_, batch_, baseline_, fresh_};
}

// Weights that a step has just ruined may stay finite for some steps. Therefore a state is good only if its loss is at
// most about twice the worst loss so far.
void Learner::judge_kept(double loss) {
  if (!worst_) worst_ = loss;
  if (kept_ && kept_->step == step_ && loss <= 2 * *worst_ + 1) {
    worst_ = std::max(*worst_, loss);
    good_ = std::move(*kept_);
  }
  kept_.reset();
}

StepReport Learner::go_back(const std::string& what) {
  kept_.reset();
  const std::uint64_t from = step_ + 1;
  weights_ = good_.weights;
  step_ = good_.step;
  baseline_ = good_.baseline;
  fresh_ = good_.fresh;
  batch_ = good_.batch;
  if (epoch_ != good_.epoch) epoch_made_ = false;
  epoch_ = good_.epoch;
  failure_ = "at step " + std::to_string(from) + " " + what + "; the session is back at step " +
             std::to_string(step_) + ": choose a smaller rate, or clip the gradients";
  return {step_, 0, 0, 0, failure_};
}

}  // namespace attend
