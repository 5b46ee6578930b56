// SPDX-License-Identifier: Apache-2.0
// What a training reads, for programs that train the same document elsewhere.
#include "experiment/learning/learner.h"

namespace attend {

Learner::Reading Learner::reading_of(std::uint64_t step) {
  if (step == 0) refuse("--step", "steps are counted from 1, found 0");
  if (lesson_.settings.teacher_forcing < 1)
    refuse("/training/teacher-forcing",
           "below 1, the words that a step reads depend on what the model writes at that step, so "
           "they cannot be listed without training; use 1");
  if (!ahead_.made || step < ahead_.first) ahead_ = {data_->epoch(0), 0, 1, true};
  while (step >= ahead_.first + ahead_.data.batches.size()) {
    ahead_.first += ahead_.data.batches.size();
    ahead_.data = data_->epoch(++ahead_.epoch);
  }
  Reading reading;
  reading.epoch = ahead_.epoch;
  reading.batch = step - ahead_.first;
  const Examples examples = batch_of(ahead_.data, reading.batch);
  for (const Example* example : examples) reading.examples.push_back(*example);
  const LearnProgram& learning =
      program(learn_, *examples.front(), examples.size(), Purpose::learns);
  const std::uint64_t now = step_;
  step_ = step - 1;  // draws go by the number of steps taken before
  read_instead(examples, 0, reading.read);
  for (const LearnProgram::Noise& noise : learning.noise()) {
    Shape shape = noise.drawn.shape;
    if (!noise.dropout) shape.insert(shape.begin(), examples.size());
    Reading::Draw draw{noise.drawn.name, shape, std::vector<real>(element_count(shape))};
    draw_noise(noise, draw.numbers, examples.size());
    reading.draws.push_back(std::move(draw));
  }
  step_ = now;
  return reading;
}

std::vector<Example> Learner::training_examples(std::size_t count) const {
  std::vector<Example> list;
  for (std::uint64_t number = 0; list.size() < count; ++number) {
    const Epoch epoch = data_->epoch(number);
    for (const DataBatch& batch : epoch.batches) {
      for (const std::size_t place : batch.examples) {
        if (list.size() == count) return list;
        list.push_back(epoch.examples[place]);
      }
    }
  }
  return list;
}

}  // namespace attend
