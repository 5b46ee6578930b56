// SPDX-License-Identifier: Apache-2.0
#include "training/data.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "ops/error.h"

namespace attend {

BucketKey bucket_of(const Example& example) {
  BucketKey key;
  for (const Filling& filling : example.fields) {
    if (filling.shape.empty()) key.push_back(filling.words.size());
    for (const std::size_t extent : filling.shape) key.push_back(extent);
  }
  return key;
}

DataSet::DataSet(const Task& task, const TaskSource& source, std::uint64_t seed, std::size_t batch)
    : task_(task), source_(source), seed_(seed), batch_(batch) {
  source.listed().empty() ? hold_out_drawn() : hold_out_listed();
}

Draws DataSet::draws(const std::string& name) const {
  return Draws(RandomStream(seed_, "task:" + name));
}

// A tenth, and no more than of a task that draws.
void DataSet::hold_out_listed() {
  const auto listed = source_.listed();
  std::vector<std::size_t> order(listed.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Draws order_draws = draws("held-out");
  order_draws.shuffle(order);
  const std::size_t wanted = std::clamp<std::size_t>(listed.size() / 10, 1, held_out_of_drawn);
  std::size_t left = listed.size();
  for (const std::size_t place : order) {
    if (held_out_.size() == wanted) break;
    if (!held_out_keys_.insert(key_of(task_, listed[place])).second) continue;
    held_out_.push_back(listed[place]);
  }
  for (const Example& example : listed)
    left -= held_out_keys_.contains(key_of(task_, example)) ? 1 : 0;
  if (left == 0)
    refuse("", "expected at least two different examples, because one is held out; found " +
                   std::to_string(held_out_keys_.size()));
  if (left < batch_)
    refuse("/batch", "a batch of " + std::to_string(batch_) + " is larger than the data: " +
                         std::to_string(left) + " examples are left after the held-out ones");
}

void DataSet::hold_out_drawn() {
  // As many again are the least to learn from.
  const double space = source_.space();
  if (space < 2.0 * held_out_of_drawn) {
    refuse("", "with these settings the task has about " +
                   std::to_string(static_cast<std::size_t>(space)) + " different examples; " +
                   std::to_string(held_out_of_drawn) +
                   " are held out, and at least as many must be left to learn from: allow longer "
                   "examples or more symbols");
  }
  const double left = space - static_cast<double>(held_out_of_drawn);
  if (left < static_cast<double>(batch_))
    refuse("/batch", "a batch of " + std::to_string(batch_) + " is larger than the data: about " +
                         std::to_string(static_cast<std::size_t>(left)) +
                         " different examples are left after the held-out ones");
  Draws some = draws("held-out");
  for (std::size_t tries = 0;
       held_out_.size() < held_out_of_drawn && tries < 100 * held_out_of_drawn; ++tries) {
    Example example = source_.draw(some);
    if (held_out_keys_.insert(key_of(task_, example)).second)
      held_out_.push_back(std::move(example));
  }
  if (held_out_.size() < held_out_of_drawn)
    refuse("", "the task makes too few different examples: it found only " +
                   std::to_string(held_out_.size()) + " of the " +
                   std::to_string(held_out_of_drawn) + " held-out examples that are needed");
}

std::vector<Example> DataSet::examples_of(std::uint64_t number) const {
  std::vector<Example> examples;
  const auto keep = [&](Example example) {
    if (!held_out_keys_.contains(key_of(task_, example))) examples.push_back(std::move(example));
  };
  if (!source_.listed().empty()) {
    for (const Example& example : source_.listed()) keep(example);
    return examples;
  }
  Draws some = draws("epoch#" + std::to_string(number));
  // Images take room.
  const bool images = !held_out_.front().fields.front().numbers.empty();
  const std::size_t wanted = std::max(images ? drawn_at_once / 4 : drawn_at_once, 4 * batch_);
  examples.reserve(wanted);
  // Where few examples are not held out, many draws are in vain.
  for (std::size_t tries = 0; examples.size() < wanted && tries < 20 * wanted; ++tries)
    keep(source_.draw(some));
  return examples;
}

// Batches of equal shapes, in a random order. What is left over of a shape waits for the next epoch where examples are
// drawn; of a list, or of a shape that never fills a batch, some come twice.
Epoch DataSet::epoch(std::uint64_t number) const {
  Epoch epoch{examples_of(number), {}};
  Draws some = draws("batches#" + std::to_string(number));
  std::vector<std::size_t> order(epoch.examples.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  some.shuffle(order);
  std::map<BucketKey, std::vector<std::size_t>> buckets;
  for (const std::size_t place : order) buckets[bucket_of(epoch.examples[place])].push_back(place);
  const bool listed = !source_.listed().empty();
  for (const auto& [key, places] : buckets) {
    const bool fills = places.size() >= batch_;
    const std::size_t whole = places.size() / batch_;
    const std::size_t count = whole + (places.size() % batch_ != 0 && (listed || !fills) ? 1 : 0);
    for (std::size_t k = 0; k < count; ++k) {
      DataBatch batch{key, {}};
      for (std::size_t i = 0; i < batch_; ++i)
        batch.examples.push_back(places[(k * batch_ + i) % places.size()]);
      epoch.batches.push_back(std::move(batch));
    }
  }
  some.shuffle(epoch.batches);
  return epoch;
}

}  // namespace attend
