// SPDX-License-Identifier: Apache-2.0
#include "ops/recording.h"

namespace attend {
namespace {

thread_local RecordingListener* hears = nullptr;
thread_local std::map<const Graph*, ScanRecorder*> recorders;

}  // namespace

RecordingListener::RecordingListener() : outer_(hears) { hears = this; }
RecordingListener::~RecordingListener() { hears = outer_; }

RecordingListener::Silence::Silence() : before_(hears) { hears = nullptr; }
RecordingListener::Silence::~Silence() { hears = before_; }

Var heard(Var var) { return hears == nullptr ? var : hears->recorded(var); }

Var heard_leaf(Var leaf) {
  RecordingListener* const listener = hears;
  if (listener == nullptr) return leaf;
  const Var other = listener->recorded(leaf);
  if (other.id() != leaf.id()) listener->stand_ins_[{&leaf.graph(), leaf.id()}] = other.id();
  return leaf;
}

Var stood_in(Var var) {
  if (hears == nullptr || hears->stand_ins_.empty()) return var;
  const auto other = hears->stand_ins_.find({&var.graph(), var.id()});
  return other == hears->stand_ins_.end() ? var : var.graph().var(other->second);
}

ScanRecorder* recorder_of(const Graph& step) {
  const auto found = recorders.find(&step);
  return found == recorders.end() ? nullptr : found->second;
}

void set_recorder(const Graph& step, ScanRecorder* recorder) {
  if (recorder == nullptr)
    recorders.erase(&step);
  else
    recorders[&step] = recorder;
}

}  // namespace attend
