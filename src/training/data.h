// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "training/task.h"

namespace attend {

// The sizes that a program is made for: the number of entries in each field.
using BucketKey = std::vector<std::size_t>;
BucketKey bucket_of(const Example& example);

// Examples of equal shapes, by their places in an epoch.
struct DataBatch {
  BucketKey bucket;
  std::vector<std::size_t> examples;
};

struct Epoch {
  std::vector<Example> examples;
  std::vector<DataBatch> batches;
};

// The examples of a task; held-out examples are kept apart by their key. The same seed gives the same data.
class DataSet {
 public:
  // So many are held out of a task that draws its examples.
  static constexpr std::size_t held_out_of_drawn = 500;
  // Throws Error when the task has too few different examples, or fewer than a batch.
  DataSet(const Task& task, const TaskSource& source, std::uint64_t seed, std::size_t batch);

  [[nodiscard]] const std::vector<Example>& held_out() const { return held_out_; }
  // One round of training data: all listed examples, or new draws.
  [[nodiscard]] Epoch epoch(std::uint64_t number) const;

 private:
  static constexpr std::size_t drawn_at_once = 4096;
  void hold_out_listed();
  void hold_out_drawn();
  [[nodiscard]] std::vector<Example> examples_of(std::uint64_t number) const;
  [[nodiscard]] Draws draws(const std::string& name) const;

  const Task& task_;
  const TaskSource& source_;
  std::uint64_t seed_;
  std::size_t batch_;
  std::vector<Example> held_out_;
  std::unordered_set<std::string> held_out_keys_;
};

}  // namespace attend
