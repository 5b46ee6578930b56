// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>

#include "ops/graph.h"

namespace attend {

class ScanRecorder;

// While it lives, it hears of every node that is recorded, in the order of recording, the steps of scans included. Only
// the innermost listener hears. A build is a function of its document, so the same document records the same nodes in
// the same order.
class RecordingListener {
 public:
  RecordingListener();
  virtual ~RecordingListener();
  RecordingListener(const RecordingListener&) = delete;
  RecordingListener& operator=(const RecordingListener&) = delete;
  RecordingListener(RecordingListener&&) = delete;
  RecordingListener& operator=(RecordingListener&&) = delete;

  // While it lives, no listener hears.
  class Silence {
   public:
    Silence();
    ~Silence();
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;
    Silence(Silence&&) = delete;
    Silence& operator=(Silence&&) = delete;

   private:
    RecordingListener* before_;
  };

 protected:
  // The node that the build gets instead of the one that it recorded, usually the same one.
  virtual Var recorded(Var var) = 0;

 private:
  friend Var heard(Var var);
  friend Var heard_leaf(Var leaf);
  friend Var stood_in(Var var);
  // By leaf: what is read in its place. A leaf itself stays where its numbers go.
  std::map<std::pair<const Graph*, NodeId>, NodeId> stand_ins_;
  RecordingListener* outer_;
};

// For a graph to tell what it recorded: what the build gets in its place.
Var heard(Var var);
// The same of a leaf, which the build gets as it is, and which is not read any more.
Var heard_leaf(Var leaf);
// The variable, or what is read in its place.
Var stood_in(Var var);

// Who records the step that a graph holds; null once it is closed, and for a graph that is no step.
ScanRecorder* recorder_of(const Graph& step);
void set_recorder(const Graph& step, ScanRecorder* recorder);

}  // namespace attend
