// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "experiment/learning/learner.h"
#include "experiment/running/packed.h"

namespace attend {

// The trainings of a page, by number. Each has its own program, weights and data: nothing that is asked of one, or
// refused, touches another. All throw Error; docs/training.md says what the answers hold.
class TrainingSessions {
 public:
  // From the first weights, or from a checkpoint's bytes where there are any.
  std::string open(std::string_view document, std::string_view checkpoint);
  void close(int session) { sessions_.erase(session); }

  // Up to so many steps, and no new one after so many milliseconds; at least one.
  // `together`: with others; the answer has fewer steps where they are gone and this learner does not lead.
  Packed step(int session, int steps, double milliseconds, const Together& together = {});
  std::string measure(int session, int count);
  // Measures of docs/measures.md: experiment/evaluate_learner.h says what may be asked.
  std::string evaluate(int session, std::string_view request);
  Packed pinned(int session);
  // The first `count` held-out examples, each with what the model writes to it.
  std::string examples(int session, int count);
  // `what`: "checkpoint", or the weights alone as "float", "half" or "bytes".
  std::string save(int session, std::string_view what);
  std::string restore(int session, std::string_view checkpoint);
  // Weights of another model, as far as they fit: {"taken", "own", "left"}.
  std::string take(int session, std::string_view weights);

 private:
  static constexpr std::size_t most_sessions = 64;
  Learner& at(int session);
  std::map<int, std::unique_ptr<Learner>> sessions_;
  int next_ = 1;
};

}  // namespace attend
