// SPDX-License-Identifier: Apache-2.0
// What a model under training makes of held-out examples, one by one.
#include <algorithm>

#include "experiment/learning/learner.h"

namespace attend {
namespace {

// The last map of example i, averaged over its heads.
Tensor mean_map(LearnProgram& program, std::size_t i) {
  const LearnProgram::Map& map = program.maps().back();
  const std::size_t size = map.rows * map.columns;
  const real* const weights = program.work()[map.node].data() + i * map.heads * size;
  Tensor mean{{map.rows, map.columns}, std::vector<double>(size, 0)};
  for (std::size_t h = 0; h < map.heads; ++h) {
    for (std::size_t k = 0; k < size; ++k)
      mean.data[k] += static_cast<double>(weights[h * size + k]) / static_cast<double>(map.heads);
  }
  return mean;
}

}  // namespace

std::vector<Learner::Seen> Learner::seen(std::size_t count) {
  const std::size_t answer = lesson_.settings.task->answer();
  std::vector<Seen> list(std::min(count, data_->held_out().size()));
  for_each_held_out(count, [&](const HeldOutBatch& batch) {
    LearnProgram& own = batch.program;
    for (std::size_t i = 0; i < batch.places.size(); ++i) {
      Seen& one = list[batch.places[i]];
      one.links = batch.examples[i]->links;
      for (std::size_t k = 0; k < batch.examples[i]->fields.size(); ++k) {
        if (k != answer)
          one.asked.emplace_back(
              (lesson_.settings.task->fields.begin() + static_cast<long>(k))->name,
              tokens_of(*lesson_.source, k, batch.examples[i]->fields[k]));
      }
      one.truth = tokens_of(*lesson_.source, answer, batch.examples[i]->fields[answer]);
      if (!own.maps().empty()) one.map = mean_map(own, i);
    }
    if (!own.logits()) return;
    const Answers right = answer_of(own, batch.examples);
    const Answers alone = written_alone(own, batch.examples);
    for (std::size_t i = 0; i < batch.places.size(); ++i) {
      Seen& one = list[batch.places[i]];
      one.chance = right.chance[i];
      one.written = tokens_of(*lesson_.source, answer, {.words = alone.written[i]});
    }
  });
  return list;
}

}  // namespace attend
