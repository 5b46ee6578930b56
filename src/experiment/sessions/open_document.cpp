// SPDX-License-Identifier: Apache-2.0
#include "experiment/sessions/open_document.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "experiment/reading/lesson.h"
#include "experiment/running/explain.h"
#include "experiment/sessions/named.h"
#include "ops/error.h"

namespace attend {
namespace {

Document document_of(const Json& given) { return read_document(with_task(given)); }

}  // namespace

OpenDocument::OpenDocument(std::string_view text) { compile_again(parse_json(text)); }

void OpenDocument::compile_again(Json next) {
  auto compiled = std::make_unique<Compiled>(compile(document_of(next)));
  std::optional<Runner> runner(std::in_place, *compiled, Detail::everything, true);
  given_ = std::move(next);
  compiled_ = std::move(compiled);
  runner_ = std::move(runner);
  listen();
  due_.reset();
  written_ = current_ = false;
  told_.forget();
}

void OpenDocument::listen() {
  runner_->watch([this](double share) {
    share_ = share;
    if (listener_) listener_(share);
  });
}

void OpenDocument::change(std::string_view changes, const std::vector<std::string>& pointers,
                          std::span<const double> numbers) {
  std::vector<Change> all = read_changes(changes);
  for (Change& packed : number_changes(given_, pointers, numbers)) all.push_back(std::move(packed));
  change(all);
}

void OpenDocument::change(const std::vector<Change>& changes) {
  check_changes(given_, changes);
  if (changes.empty() || take_leaves(changes)) return;
  Json next = given_;
  apply(next, changes);
  Document document = document_of(next);
  if (!compiled_->take_numbers(document)) {
    const std::size_t bytes = next.dump().size();
    if (bytes > max_document_bytes)
      refuse("the document would have " + std::to_string(bytes) + " bytes, more than the " +
             std::to_string(max_document_bytes) + " allowed");
    compile_again(std::move(next));
    return;
  }
  given_ = std::move(next);
  due_.reset();
  written_ = current_ = false;
  told_.look_at_all();
}

bool OpenDocument::take_leaves(const std::vector<Change>& changes) {
  std::vector<LeafChange> leaves;
  for (const Change& change : changes) {
    std::optional<LeafChange> leaf = compiled_->leaf_change(change.pointer, change.value);
    if (!leaf) return false;
    leaves.push_back(std::move(*leaf));
  }
  compiled_->take_leaves(leaves);
  apply(given_, changes);
  // Leaves that still wait for an earlier change are written, too; after an evaluation none does.
  if (written_) due_.emplace();
  for (const LeafChange& leaf : leaves) {
    if (due_) due_->insert(leaf.leaves.begin(), leaf.leaves.end());
    told_.changed(leaf);
  }
  written_ = current_ = false;
  return true;
}

Runner& OpenDocument::runner() {
  if (runner_) return *runner_;
  runner_.emplace(*compiled_, Detail::everything, true);
  listen();
  due_.reset();
  written_ = current_ = false;
  told_.forget_numbers();
  return *runner_;
}

double OpenDocument::step(double milliseconds) {
  Runner& runner = this->runner();
  if (current_) return 1;
  if (!written_) {
    runner.write(*compiled_, due_ ? &*due_ : nullptr);
    written_ = true;
    share_ = 0;
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const std::chrono::duration<double, std::milli> most(milliseconds);
  current_ = runner.evaluate_some(*compiled_, [&] { return Clock::now() - begin > most; });
  return current_ ? 1 : std::min(share_, .99);
}

Result OpenDocument::finished() {
  (void)step(std::numeric_limits<double>::infinity());
  return runner_->collect(*compiled_);
}

void OpenDocument::let_go_of_much() {
  if (runner_->numbers().bytes() > max_kept_bytes) runner_.reset();
}

Packed OpenDocument::read(std::size_t last) {
  const Result result = finished();
  Packed packed = told_.tell(*compiled_, result, last);
  let_go_of_much();
  return packed;
}

Packed OpenDocument::read(const std::vector<std::string>& names) {
  const Result result = finished();
  Packed packed = pack_named(*compiled_, result, names);
  let_go_of_much();
  return packed;
}

std::string OpenDocument::explain(const std::string& tensor, const std::vector<std::size_t>& cell) {
  if (runner_ && !current_) (void)step(std::numeric_limits<double>::infinity());
  const Workspace* at_hand = runner_ ? runner_->at_hand() : nullptr;
  return explain_cell(*compiled_, tensor, cell, at_hand).dump();
}

}  // namespace attend
