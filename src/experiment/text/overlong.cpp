// SPDX-License-Identifier: Apache-2.0
#include "experiment/text/overlong.h"

#include <algorithm>
#include <array>
#include <vector>

#include "experiment/text/json_parse.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

constexpr std::size_t key_depth = 2;  // "/inputs/image"

class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) {}

  LongestValue longest() {
    for (at_ = 0; at_ < text_.size(); ++at_) {
      switch (text_[at_]) {
        case '"':
          read_string();
          break;
        case '{':
        case '[':
          open(text_[at_] == '[');
          break;
        case '}':
        case ']':
          close();
          break;
        case ',':
          end_value();
          if (here()) ++levels_.back().index;
          break;
        case ':':
          begin_value();
          break;
        default:
          break;
      }
    }
    // The inner one, unless it is a small part of the outer; none where all are small.
    const LongestValue& most = 2 * best_[1].bytes >= best_[0].bytes ? best_[1] : best_[0];
    return 4 * most.bytes >= text_.size() ? most : LongestValue{};
  }

 private:
  struct Level {
    bool list;
    std::size_t index;
    std::string name;   // of the member that is being read
    std::size_t start;  // of its value
    bool value;         // whether one has begun
  };

  // Whether it is at a level whose values are looked at.
  [[nodiscard]] bool here() const { return !levels_.empty() && deeper_ == 0; }

  void open(bool list) {
    if (levels_.size() == key_depth)
      ++deeper_;
    else
      levels_.push_back({list, 0, {}, at_ + 1, list});
  }

  void close() {
    end_value();
    if (deeper_ > 0)
      --deeper_;
    else if (!levels_.empty())
      levels_.pop_back();
  }

  void read_string() {
    const std::size_t start = at_ + 1;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    if (!here() || levels_.back().list) return;
    last_string_ = text_.substr(start, std::min(at_, text_.size()) - start);
  }

  void begin_value() {
    if (!here() || levels_.back().list) return;
    levels_.back().name = std::string(last_string_);
    levels_.back().start = at_ + 1;
    levels_.back().value = true;
  }

  void end_value() {
    if (!here()) return;
    Level& level = levels_.back();
    LongestValue& best = best_.at(levels_.size() - 1);
    if (level.value && at_ - level.start > best.bytes) best = {path(), at_ - level.start};
    level.start = at_ + 1;
    level.value = level.list;
  }

  // Names that no message should repeat end the path.
  [[nodiscard]] std::string path() const {
    constexpr std::size_t longest_name = 80;
    std::string path;
    for (const Level& level : levels_) {
      const bool plain = std::all_of(level.name.begin(), level.name.end(),
                                     [](char c) { return c >= ' ' && c <= '~'; });
      if (!level.list && (!plain || level.name.size() > longest_name)) break;
      path += "/" + (level.list ? std::to_string(level.index) : as_pointer_part(level.name));
    }
    return path;
  }

  std::string_view text_, last_string_;
  std::size_t at_ = 0, deeper_ = 0;
  std::vector<Level> levels_;
  std::array<LongestValue, key_depth> best_;
};

}  // namespace

LongestValue longest_value(std::string_view text) { return Walk(text).longest(); }

}  // namespace attend
