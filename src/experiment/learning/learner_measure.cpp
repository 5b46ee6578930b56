// SPDX-License-Identifier: Apache-2.0
// What a model under training knows: measured on held-out examples, and shown on the pinned one.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiment/learning/learner.h"
#include "experiment/reading/read_tensor.h"

namespace attend {
namespace {

// A row's largest entry.
template <class Row>
std::size_t largest(const Row& row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

// Counts of rows with links, and of those that look right.
struct Looks {
  double with_meaning = 0, right = 0, with_links = 0, right_or_agrees = 0;

  void add(const std::vector<Link>& links, std::size_t row, std::size_t column) {
    bool meaning = false, linked = false, means = false, any = false;
    for (const Link& link : links) {
      if (link.row != row) continue;
      linked = true;
      meaning = meaning || link.kind == LinkKind::means;
      any = any || link.column == column;
      means = means || (link.column == column && link.kind == LinkKind::means);
    }
    with_meaning += meaning ? 1 : 0;
    right += means ? 1 : 0;
    with_links += linked ? 1 : 0;
    right_or_agrees += any ? 1 : 0;
  }
  [[nodiscard]] double means() const { return with_meaning == 0 ? -1 : right / with_meaning; }
  [[nodiscard]] double agrees() const {
    return with_links == 0 ? -1 : right_or_agrees / with_links;
  }
};

// Row `row` of a map of one example, averaged over its heads.
std::vector<double> mean_row(const LearnProgram::Map& map, const real* weights, std::size_t row) {
  std::vector<double> sum(map.columns, 0);
  for (std::size_t h = 0; h < map.heads; ++h) {
    const real* from = weights + (h * map.rows + row) * map.columns;
    for (std::size_t c = 0; c < map.columns; ++c)
      sum[c] += static_cast<double>(from[c]) / static_cast<double>(map.heads);
  }
  return sum;
}

// What one map says over all examples: of the mean of its heads, and of each head.
struct MapLooks {
  Looks whole;
  std::vector<Looks> heads;
};
using LooksByMap = std::map<std::string, MapLooks>;

void add_looks(LearnProgram& program, const std::vector<const Example*>& examples,
               std::size_t real_ones, LooksByMap& looks) {
  for (const LearnProgram::Map& map : program.maps()) {
    const Numbers numbers = program.work()[map.node];
    MapLooks& own = looks[map.name];
    own.heads.resize(map.heads);
    for (std::size_t i = 0; i < real_ones; ++i) {
      const real* const weights = numbers.data() + i * map.heads * map.rows * map.columns;
      const std::vector<Link> links = map.placed(examples[i]->links);
      for (std::size_t row = 0; row < map.rows; ++row) {
        own.whole.add(links, row, largest(mean_row(map, weights, row)));
        for (std::size_t h = 0; h < map.heads; ++h) {
          const std::span<const real> one(weights + (h * map.rows + row) * map.columns,
                                          map.columns);
          own.heads[h].add(links, row, largest(one));
        }
      }
    }
  }
}

// The positions of its answer that count as right or wrong: what the source has beside them is only copied.
std::vector<std::size_t> asked_of(const Example& example, std::size_t rows) {
  if (!example.asked.empty()) return example.asked;
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

// What the model holds likeliest at every place, given the words that it was fed, and the chance that it gives to the
// right ones.
Learner::Answers Learner::answer_of(LearnProgram& program, const Examples& examples) {
  const std::size_t answer = lesson_.settings.task->answer();
  const std::vector<std::string>& words = lesson_.source->words(answer);
  std::vector<std::uint16_t> word_of;
  for (const std::string& one : program.classes()) {
    const auto found = std::find(words.begin(), words.end(), one);
    word_of.push_back(found == words.end() ? unknown_word
                                           : static_cast<std::uint16_t>(found - words.begin()));
  }
  const Numbers logits = program.work()[*program.logits()];
  const std::size_t classes = word_of.size(), rows = logits.size() / examples.size() / classes;
  Answers answers;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    answers.written.emplace_back();
    answers.chance.emplace_back();
    for (std::size_t t = 0; t < rows; ++t) {
      const std::span<const real> row = logits.subspan((i * rows + t) * classes, classes);
      const std::size_t best = largest(row);
      answers.written.back().push_back(word_of[best]);
      const std::uint16_t right = examples[i]->fields[answer].words[t];
      double sum = 0, own = 0;
      for (std::size_t c = 0; c < classes; ++c) {
        const double e = std::exp(static_cast<double>(row[c] - row[best]));
        sum += e;
        if (word_of[c] == right) own += e;
      }
      answers.chance.back().push_back(own / sum);
    }
  }
  return answers;
}

// What it writes by itself: each word after its own words before it.
Learner::Answers Learner::written_alone(LearnProgram& program, const Examples& examples) {
  if (!program.reads_answer()) return answer_of(program, examples);
  const std::size_t answer = lesson_.settings.task->answer();
  const std::size_t rows = examples.front()->fields[answer].words.size();
  std::vector<Example> own;
  Examples read;
  for (const Example* example : examples) own.push_back(*example);
  for (Example& example : own) {
    std::fill(example.fields[answer].words.begin(), example.fields[answer].words.end(),
              unknown_word);
    read.push_back(&example);
  }
  Answers answers;
  for (std::size_t t = 0; t < rows; ++t) {
    program.feed(lesson_, examples, read);
    program.evaluate();
    answers = answer_of(program, examples);
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i].fields[answer].words[t] = answers.written[i][t];
  }
  return answers;
}

void Learner::for_each_held_out(std::size_t count,
                                const std::function<void(const HeldOutBatch&)>& visit) {
  const std::vector<Example>& all = data_->held_out();
  std::map<BucketKey, std::vector<std::size_t>> buckets;
  for (std::size_t i = 0; i < std::min(count, all.size()); ++i)
    buckets[key_of_program(all[i])].push_back(i);
  for (const auto& [key, list] : buckets) {
    const std::size_t size = size_of_program(list.size(), lesson_.settings.batch);
    LearnProgram& own = program(measure_, all[list.front()], size, Purpose::measures);
    write_weights(own);
    draw_noise(own);
    for (std::size_t at = 0; at < list.size(); at += size) {
      const std::size_t real_ones = std::min(size, list.size() - at);
      HeldOutBatch batch{own, {}, {}};
      for (std::size_t i = 0; i < size; ++i) {
        batch.examples.push_back(&all[list[at + std::min(i, real_ones - 1)]]);
        if (i < real_ones) batch.places.push_back(list[at + i]);
      }
      own.feed(lesson_, batch.examples, batch.examples);
      own.evaluate();
      visit(batch);
    }
  }
}

Measures Learner::measure(std::size_t count) {
  const std::size_t answer = lesson_.settings.task->answer();
  Measures measures;
  measures.examples = std::min(count, data_->held_out().size());
  double loss = 0, right = 0, words = 0, exact = 0;
  LooksByMap looks;
  for_each_held_out(count, [&](const HeldOutBatch& batch) {
    LearnProgram& own = batch.program;
    const std::size_t real_ones = batch.places.size();
    for (std::size_t i = 0; i < real_ones; ++i)
      loss += static_cast<double>(own.work()[own.loss()][i]);
    add_looks(own, batch.examples, real_ones, looks);
    if (!own.logits()) return;
    const Answers answers = written_alone(own, batch.examples);
    for (std::size_t i = 0; i < real_ones; ++i) {
      const std::vector<std::uint16_t>& truth = batch.examples[i]->fields[answer].words;
      const std::vector<std::uint16_t>& written = answers.written[i];
      for (const std::size_t t : asked_of(*batch.examples[i], truth.size())) {
        right += written[t] == truth[t] ? 1 : 0;
        ++words;
      }
      exact += written == truth ? 1 : 0;
    }
  });
  const auto examples = static_cast<double>(std::max<std::size_t>(measures.examples, 1));
  measures.loss = loss / examples;
  measures.accuracy = words == 0 ? 0 : right / words;
  measures.exact = exact / examples;
  if (lesson_.maps.empty() || looks.empty()) return measures;
  const Looks& last = looks[lesson_.maps.back()].whole;
  measures.means = last.means();
  measures.agrees = last.agrees();
  for (const std::string& name : lesson_.maps) {
    const std::vector<Looks>& heads = looks[name].heads;
    for (std::size_t h = 0; h < heads.size(); ++h) {
      if (lesson_.maps.size() * heads.size() > 1)
        measures.heads.push_back({name, h, heads[h].means(), heads[h].agrees()});
    }
  }
  return measures;
}

// The document's own input that a field fills; null where there is none. read_lesson has checked what it holds.
const Json* Learner::own_input(std::size_t field) const {
  const Json* inputs = member(lesson_.document, "inputs");
  const Json* input = member(*inputs, lesson_.settings.input_of(field));
  return input != nullptr && input->is_object() ? input : nullptr;
}

// Its words; none where it holds numbers, or nothing.
std::vector<std::string> Learner::own_tokens(std::size_t field) const {
  const Json* input = own_input(field);
  const Json* tokens = input == nullptr ? nullptr : member(*input, "tokens");
  return tokens == nullptr ? std::vector<std::string>{} : tokens->get<std::vector<std::string>>();
}

// What the document's own input holds for a field: words, or an image of the task's kind; nothing where it is empty.
std::optional<Filling> Learner::own_filling(std::size_t field) const {
  const Json* found = own_input(field);
  if (found == nullptr) return std::nullopt;
  const std::vector<std::string>& words = lesson_.source->words(field);
  Filling filling;
  if (words.empty()) {
    const Filling& like = data_->held_out().front().fields[field];
    if (!found->contains("data") || found->value("shape", Json()) != Json(like.shape) ||
        (*found)["data"].size() != like.numbers.size())
      return std::nullopt;
    filling.shape = like.shape;
    filling.numbers = (*found)["data"].get<std::vector<float>>();
    return filling;
  }
  const std::vector<std::string> tokens = own_tokens(field);
  if (tokens.empty()) return std::nullopt;
  for (const std::string& token : tokens) {
    const auto at = std::find(words.begin(), words.end(), token);
    filling.words.push_back(at == words.end() ? unknown_word
                                              : static_cast<std::uint16_t>(at - words.begin()));
  }
  return filling;
}

// The content of the document's own inputs, with the truth where the task knows it; without content, a held-out
// example.
Learner::PinnedExample Learner::pinned_example() const {
  const Task& task = *lesson_.settings.task;
  Example example;
  example.fields.resize(task.fields.size());
  std::vector<std::vector<std::string>> sources;
  for (std::size_t k = 0; k < task.fields.size(); ++k) {
    const std::optional<Filling> own = own_filling(k);
    if (own) example.fields[k] = *own;
    if (k == task.answer()) continue;
    if (!own) return {data_->held_out().front()};
    sources.push_back(own_tokens(k));
  }
  if (auto known = lesson_.source->answer_to(sources)) return {*std::move(known)};
  // An image says nothing of its truth, but one that was held out has it.
  const std::string key = key_of(task, example);
  for (const Example& held : data_->held_out()) {
    if (key_of(task, held) == key) return {held};
  }
  std::vector<std::uint16_t>& answer = example.fields[task.answer()].words;
  if (answer.empty()) answer.push_back(end_word);
  const bool image = !example.fields[task.aligned()].shape.empty();
  return {std::move(example), !image && task.knows_every_source()};
}

namespace {
// Names of the places that a map's columns are: words, or row and column of an image, from 0.
std::vector<std::string> names_of(const LearnProgram::Map& map) {
  std::vector<std::string> names;
  for (std::size_t r = 0; r < map.high.places; ++r) {
    for (std::size_t c = 0; c < map.wide.places; ++c)
      names.push_back(std::to_string(r) + "," + std::to_string(c));
  }
  return names;
}
}  // namespace

Pinned Learner::pinned() {
  Pinned pinned;
  const PinnedExample own_example = pinned_example();
  const Example& example = own_example.example;
  pinned.outside = own_example.outside;
  const Task& task = *lesson_.settings.task;
  const std::size_t answer = task.answer();
  LearnProgram& own = program(measure_, example, 1, Purpose::measures);
  write_weights(own);
  draw_noise(own);
  const Examples one{&example};
  own.feed(lesson_, one, one);
  own.evaluate();
  pinned.links = own.maps().empty() ? example.links : own.maps().back().placed(example.links);
  for (std::size_t k = 0; k < example.fields.size(); ++k) {
    const std::vector<std::string> tokens = tokens_of(*lesson_.source, k, example.fields[k]);
    if (k == answer)
      pinned.truth = tokens;
    else if (k == task.aligned())
      pinned.source = tokens;
    else
      pinned.given.emplace_back((task.fields.begin() + static_cast<long>(k))->name, tokens);
  }
  pinned.image = example.fields[task.aligned()];
  for (const LearnProgram::Map& map : own.maps()) {
    const Numbers numbers = own.work()[map.node];
    pinned.maps.push_back(
        {map.name, map.heads, map.rows, map.columns, {numbers.begin(), numbers.end()}});
    if (map.wide.pixels != 0) pinned.source = names_of(map);
  }
  if (!own.logits()) return pinned;
  pinned.chance = answer_of(own, one).chance.front();
  pinned.written =
      tokens_of(*lesson_.source, answer, {.words = written_alone(own, one).written.front()});
  return pinned;
}

}  // namespace attend
