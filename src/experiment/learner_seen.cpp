// SPDX-License-Identifier: Apache-2.0
// What a model under training makes of held-out examples, one by one.
#include <algorithm>

#include "experiment/learner.h"

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
  const std::vector<Example>& all = data_->held_out();
  const std::size_t answer = lesson_.settings.task->answer(), size = lesson_.settings.batch;
  std::map<BucketKey, std::vector<std::size_t>> buckets;
  std::vector<Seen> list(std::min(count, all.size()));
  for (std::size_t i = 0; i < list.size(); ++i) buckets[bucket_of(all[i])].push_back(i);
  for (const auto& [key, places] : buckets) {
    LearnProgram& own = program(measure_, all[places.front()], size, Purpose::measures);
    write_weights(own);
    draw_noise(own);
    for (std::size_t at = 0; at < places.size(); at += size) {
      // The last batch of a shape is filled up with examples that do not count.
      const std::size_t real_ones = std::min(size, places.size() - at);
      Examples some;
      for (std::size_t i = 0; i < size; ++i)
        some.push_back(&all[places[at + std::min(i, real_ones - 1)]]);
      own.feed(lesson_, some, some);
      own.work().evaluate();
      Answers right, alone;
      if (own.logits()) right = answer_of(own, some);
      std::vector<Tensor> maps;
      for (std::size_t i = 0; i < real_ones && !own.maps().empty(); ++i)
        maps.push_back(mean_map(own, i));
      if (own.logits()) alone = written_alone(own, some);
      for (std::size_t i = 0; i < real_ones; ++i) {
        Seen& one = list[places[at + i]];
        one.links = some[i]->links;
        one.truth = tokens_of(*lesson_.source, answer, some[i]->fields[answer]);
        if (!maps.empty()) one.map = std::move(maps[i]);
        if (!own.logits()) continue;
        one.chance = right.chance[i];
        one.written = tokens_of(*lesson_.source, answer, {.words = alone.written[i]});
      }
    }
  }
  return list;
}

}  // namespace attend
