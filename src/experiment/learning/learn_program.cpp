// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/learn_program.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "experiment/learning/answer.h"
#include "experiment/learning/learn_maps.h"
#include "experiment/reading/frozen.h"
#include "experiment/reading/read_inputs.h"
#include "experiment/reading/task_parts.h"
#include "experiment/recording/blame.h"
#include "experiment/recording/draw.h"
#include "experiment/running/run.h"
#include "experiment/running/word_cost.h"
#include "fused/layer_norm.h"
#include "ops/hoist.h"
#include "ops/keep_steps.h"
#include "ops/needed.h"
#include "ops/primitives/records.h"
#include "training/passes.h"

namespace attend {
namespace {

bool is_answer(const Lesson& lesson, const std::string& input) {
  return lesson.settings.input_of(lesson.settings.task->answer()) == input;
}

}  // namespace

Compiled compiled_like(const Lesson& lesson, const Example& like) {
  Json json = lesson.document;
  json["inputs"] = inputs_of(lesson, like);
  json.erase("training");  // it may hold a long text
  return compile(read_document(std::move(json)));
}

LearnProgram::LearnProgram(const Lesson& lesson, const Example& like, std::size_t batch,
                           Purpose purpose, Terms terms)
    : compiled_(std::make_unique<Compiled>(compiled_like(lesson, like))),
      batch_(batch),
      weight_(1.0 / static_cast<double>(batch)),
      counted_(batch) {
  list_results(lesson);
  find_logits(lesson);
  make(lesson, purpose);
  list_leaves(lesson);
  const ModulePlaces places(module_places(*compiled_));
  Plan plan = plan_within_limits(*compiled_, program_, Keep::wanted);
  plan.terms = terms;
  work_ = std::make_unique<Workspace>(program_.shared_graph(), plan);
  write_constants();
}

// The loss, the maps of weights that the truth can be compared with, and all weights that choose.
void LearnProgram::list_results(const Lesson& lesson) {
  const KnownTensor* loss = compiled_->directory().main_result(std::array{MainResult::loss});
  if (loss == nullptr || !compiled_->shape_of(loss->node).empty())
    refuse("/training",
           "there is nothing to minimise: add a loss to the model, such as a module of the type "
           "\"cross-entropy\" that reads the logits and the target");
  loss_record_ = loss->record;
  loss_name_ = loss->record->key();
  for (const KnownTensor& output : compiled_->outputs()) {
    const TensorRecord& record = *output.record;
    if (record.role == TensorRole::weights && record.numbers == NumberKind::probability &&
        compiled_->shape_of(output.node).size() >= 2)
      chosen_.push_back(record.key());
  }
  maps_ = maps_that_fit(lesson, *compiled_);
  std::erase_if(maps_, [&](const Map& map) {
    return std::ranges::find(lesson.maps, map.name) == lesson.maps.end();
  });
  if (!maps_.empty()) map_name_ = output_key(maps_.back().name);
}

void LearnProgram::find_logits(const Lesson& lesson) {
  const auto place =
      find_answer(*compiled_, [&](const std::string& input) { return is_answer(lesson, input); });
  if (!place) return;
  classes_ = place->classes;
  reads_answer_ = place->reads;
  logits_name_ = place->logits->key();
}

// The words of a leaf that represents tokens; null for all others.
const WordRows* LearnProgram::word_rows_of(const Leaf& leaf) const {
  const auto& words = compiled_->words();
  const auto found = words.find(leaf.node);
  return found == words.end() ? nullptr : &found->second;
}

std::vector<Program::Leaf> trained_leaves(const Compiled& compiled) {
  std::vector<Program::Leaf> leaves = compiled.program().leaves();
  for (Program::Leaf& leaf : leaves) {
    const Leaf* const recorded = compiled.recording().leaf(leaf.name);
    if (compiled.words().contains(leaf.node))
      leaf.kind = LeafKind::input;
    else if (leaf.kind == LeafKind::weight && recorded != nullptr && starts_at_zero(*recorded))
      leaf.kind = LeafKind::constant;
  }
  return leaves;
}

Program LearnProgram::recorded() const {
  return compiled_->program().with_leaves(trained_leaves(*compiled_));
}

std::set<std::string> LearnProgram::starts() const {
  std::set<std::string> names;
  for (const Leaf& leaf : compiled_->leaves()) {
    if (starts_at_zero(leaf)) names.insert(leaf.key);
  }
  return names;
}

std::vector<std::string> results_dropped(const Compiled& compiled, const std::string& logits) {
  std::vector<std::string> names;
  const Directory& directory = compiled.directory();
  for (const ModuleNode& module : directory.modules()) {
    if (!module.parent.empty()) continue;
    for (const ModuleNode::Wire& wire : module.inputs) {
      const KnownTensor* output = directory.output_behind(wire.source);
      if (output == nullptr || output->record->role == TensorRole::loss) continue;
      const std::string name = output->record->key();
      if (name != logits && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
  }
  return names;
}

// Those of the weights that no pattern freezes. A pattern may name one that the loss does not read.
std::vector<std::string> LearnProgram::moved(const std::vector<std::string>& weights,
                                             const std::vector<std::string>& frozen) const {
  if (frozen.empty()) return weights;
  std::vector<std::string> known;
  for (const Program::Leaf& leaf : compiled_->program().leaves()) {
    if (leaf.kind == LeafKind::weight) known.push_back(leaf.name);
  }
  return without_frozen(weights, known, frozen);
}

void LearnProgram::make(const Lesson& lesson, Purpose purpose) {
  const TrainingSettings& settings = lesson.settings;
  const bool learns = purpose != Purpose::measures, scores = purpose == Purpose::scores;
  const bool guided = learns && !scores && settings.guide > 0 && !map_name_.empty();
  const std::vector<std::string> drops = learns && settings.dropout > 0
                                             ? results_dropped(*compiled_, logits_name_)
                                             : std::vector<std::string>{};
  const Program recording = recorded();
  std::vector<Program::Result> results;
  const auto want = [&](const std::string& name) {
    if (name.empty() ||
        std::any_of(results.begin(), results.end(), [&](const auto& r) { return r.name == name; }))
      return;
    results.push_back({name, recording.find(name)});
  };
  if (scores && chosen_.empty())
    refuse("/training/estimator", "the document gives no weights, so no choice can be rewarded");
  if (scores) loss_name_ = "rewarded";
  for (const std::string& name : scores ? chosen_ : std::vector<std::string>{loss_name_})
    want(name);
  if (guided) want(map_name_);
  for (const std::string& name : drops) want(name);
  if (!learns) {
    want(logits_name_);
    for (const Map& map : maps_) want(output_key(map.name));
  }
  std::vector<std::string> names;
  for (const Program::Result& result : results) names.push_back(result.name);
  program_ = batched(pruned(recording.with_results(std::move(results)), names), batch_);
  if (!drops.empty()) program_ = with_dropout(program_, drops);
  for (const std::string& name : drops) dropped_.insert(dropout_key(name));
  if (guided) program_ = with_guide(program_, loss_name_, map_name_, settings.guide);
  if (scores) program_ = with_reward(program_, chosen_);
  if (learns) {
    const std::string root = guided ? "guided" : loss_name_;
    std::vector<std::string> by;
    for (const Program::Leaf& leaf : program_.leaves()) {
      if (leaf.kind == LeafKind::weight) by.push_back(leaf.name);
    }
    if (by.empty()) refuse("/training", "there is nothing to learn: the document has no weights");
    by = moved(by, settings.frozen);
    program_ = with_gradient(fused::with_layer_norms(program_), root, by);
    cotangent_ = cotangent_key(root);
    std::set<std::string> wanted{loss_name_};
    for (const std::string& name : by) wanted.insert(gradient_key(name));
    std::vector<Program::Result> kept;
    std::ranges::copy_if(program_.results(), std::back_inserter(kept),
                         [&](const auto& result) { return wanted.contains(result.name); });
    program_ = program_.with_results(std::move(kept));
  }
  if (learns) program_ = with_kept_steps(program_);
  program_ = hoisted(program_);
  loss_ = program_.find(loss_name_);
  if (!learns && !logits_name_.empty()) logits_ = program_.find(logits_name_);
  for (Map& map : maps_) map.node = learns ? 0 : program_.find(output_key(map.name));
  if (guided) guide_ = program_.leaf("guide");
  if (scores) reward_ = program_.leaf("reward");
}

void LearnProgram::list_leaves(const Lesson& lesson) {
  std::map<std::string_view, NodeId> results;
  for (const Program::Result& result : program_.results())
    results.emplace(result.name, result.node);
  for (const Program::Leaf& one : program_.leaves()) {
    const Leaf* const found = compiled_->recording().leaf(one.name);
    if (found == nullptr) {
      if (dropped_.contains(one.name))
        noise_.push_back(
            {one.node, {one.name, Distribution::uniform, program_.graph()[one.node].shape}, true});
      continue;
    }
    const Leaf& leaf = *found;
    if (one.kind == LeafKind::weight) {
      Weight weight{leaf.key, leaf.shape, one.node, 0, lesson.settings.frozen.empty()};
      if (const auto slope = results.find(gradient_key(leaf.key)); slope != results.end()) {
        weight.gradient = slope->second;
        weight.learns = program_.graph()[slope->second].primitive != &primitives::fill;
      }
      weights_.push_back(std::move(weight));
    } else if (one.kind == LeafKind::noise) {
      if (!leaf.is_given()) noise_.push_back({one.node, drawn_of(leaf)});
    } else if (one.kind == LeafKind::input) {
      ExampleLeaf fed{one.node, element_count(leaf.shape)};
      const WordRows* words = word_rows_of(leaf);
      const auto field = field_of(lesson, words != nullptr ? words->input : leaf.name());
      if (!field) continue;
      fed.field = *field;
      if (words != nullptr) {
        fed.words = words;
        for (const std::string& word : lesson.source->words(*field))
          fed.place_of.push_back(words->index_of(word));
      } else if (lesson.source->words(*field).empty()) {
        fed.numbers = true;
      } else {
        fed.input = leaf.name();
      }
      fed_.push_back(std::move(fed));
    }
  }
}

void LearnProgram::give_places(const std::vector<std::string>& names) {
  std::map<std::string_view, std::size_t> places;
  for (std::size_t k = 0; k < names.size(); ++k) places.emplace(names[k], k);
  for (Weight& weight : weights_) {
    const auto found = places.find(weight.name);
    if (found != places.end()) weight.place = found->second;
  }
}

std::vector<real> LearnProgram::first_numbers(std::size_t weight) const {
  return compiled_->leaf_data(*compiled_->recording().leaf(weights_[weight].name));
}

// All that neither examples nor steps change.
void LearnProgram::write_constants() {
  for (const Program::Leaf& one : program_.leaves()) {
    std::span<real> room = work_->write(one.node);
    const Leaf* const found = compiled_->recording().leaf(one.name);
    if (found == nullptr) {
      if (one.name == cotangent_) std::fill(room.begin(), room.end(), static_cast<real>(weight_));
      continue;
    }
    const std::size_t count = element_count(found->shape);
    for (std::size_t at = 0; at < room.size(); at += count)
      compiled_->write_leaf(*found, room.subspan(at, count));
  }
}

void LearnProgram::weigh(double weight, std::size_t count) {
  if (weight == weight_ && count == counted_) return;
  weight_ = weight;
  counted_ = count;
  const std::span<real> room = work_->write(program_.leaf(cotangent_));
  if (room.empty()) return;  // no weight has a gradient
  std::fill_n(room.begin(), count, static_cast<real>(weight));
  std::fill(room.begin() + static_cast<std::ptrdiff_t>(count), room.end(), real{0});
}

void LearnProgram::evaluate() {
  const ModulePlaces places(module_places(*compiled_));
  work_->evaluate();
}

Cost LearnProgram::cost() const {
  std::vector<NodeId> wanted;
  for (const Program::Result& result : program_.results()) wanted.push_back(result.node);
  std::vector<bool> words(program_.graph().size(), false);
  for (const ExampleLeaf& leaf : fed_) words[leaf.node] = leaf.words != nullptr;
  return cost_of(program_.graph(), needed_for(program_.graph(), wanted), std::move(words));
}

void LearnProgram::feed_guide(const std::vector<const Example*>& examples) {
  const std::span<real> room = work_->write(*guide_);
  // Without a weight that can learn, no gradient reads the truth.
  if (room.empty()) return;
  std::fill(room.begin(), room.end(), real{0});
  const Map& map = maps_.back();
  for (std::size_t i = 0; i < batch_; ++i) {
    real* const truth = room.data() + i * map.rows * map.columns;
    const std::vector<Link> links = map.placed(examples[i]->links);
    for (const Link& link : links) {
      // A word without a meaning of its own looks at what it agrees with.
      const auto same = [&](const Link& other, LinkKind kind) {
        return other.row == link.row && other.kind == kind;
      };
      const auto meanings = std::count_if(links.begin(), links.end(),
                                          [&](const Link& o) { return same(o, LinkKind::means); });
      const auto all = std::count_if(links.begin(), links.end(),
                                     [&](const Link& o) { return same(o, link.kind); });
      if (link.row >= map.rows || link.column >= map.columns ||
          (link.kind == LinkKind::agrees && meanings != 0))
        continue;
      truth[link.row * map.columns + link.column] =
          static_cast<real>(1.0 / static_cast<double>(all));
    }
  }
}

void LearnProgram::feed(const Lesson& lesson, const std::vector<const Example*>& examples,
                        const std::vector<const Example*>& read) {
  const std::size_t answer = lesson.settings.task->answer();
  for (const ExampleLeaf& leaf : fed_) {
    const bool reads = leaf.field != answer || (leaf.words != nullptr && leaf.words->after_start);
    const std::span<real> room = work_->write(leaf.node);
    if (room.empty()) continue;
    for (std::size_t i = 0; i < batch_; ++i) {
      const std::span<real> own = room.subspan(i * leaf.size, leaf.size);
      const Filling& filling = (reads ? read : examples)[i]->fields[leaf.field];
      if (leaf.words != nullptr) {
        const std::size_t size = leaf.words->vocabulary.size();
        std::fill(own.begin(), own.end(), real{0});
        for (std::size_t t = 0; t < filling.words.size(); ++t) {
          const std::size_t place = !leaf.words->after_start ? leaf.place_of[filling.words[t]]
                                    : t == 0                 ? WordList::start
                                                             : leaf.place_of[filling.words[t - 1]];
          own[t * size + place] = 1;
        }
      } else if (leaf.numbers) {
        std::copy(filling.numbers.begin(), filling.numbers.end(), own.begin());
      } else {
        Json one = Json::object();
        one[leaf.input] = inputs_of(lesson, *(reads ? read : examples)[i])[leaf.input];
        std::vector<Warning> warnings;
        const Builder::Inputs made = read_inputs(one, lesson.seed, "/inputs", warnings);
        const std::vector<double>& data = made.at(leaf.input).tensor.data;
        std::transform(data.begin(), data.end(), own.begin(),
                       [](double x) { return static_cast<real>(x); });
      }
    }
  }
  if (guide_) feed_guide(examples);
}

}  // namespace attend
