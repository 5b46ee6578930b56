// SPDX-License-Identifier: Apache-2.0
#include "experiment/exporting/lengths.h"

#include <algorithm>
#include <array>

#include "experiment/exporting/recordable.h"
#include "export/names.h"
#include "export/symbolic.h"

namespace attend {
namespace {

// Sizes that hardly anything else has, so that no shape looks like another by chance.
constexpr std::array<std::size_t, 6> base_lengths{13, 11, 17, 19, 23, 29};
constexpr std::size_t base_batch = 7;
// How far each size is moved from its base.
constexpr std::array<std::size_t, 6> tried_moves{1, 2, 3, 5, 8, 10};
// A larger move shows what is the same number after all small moves, such as a count of blocks of many rows.
constexpr std::size_t far_move = 61;
constexpr std::size_t most_symbols = 4;
constexpr std::size_t most_rows = 29;  // the longest base length of so many symbols, moved
constexpr std::size_t far_rows = 64;   // a table with a limit has it below

class Recorder {
 public:
  Recorder(Json document, std::string fixed)
      : document_(std::move(document)), fixed_(std::move(fixed)) {}

  SizedRecordings made() {
    document_.check_words();
    find_symbols();
    for (;;) {
      std::vector<SizedRecording> list;
      if (!record_all(list)) continue;
      find_least(list);
      if (fix_long_least()) continue;
      find_most();
      return {document_.json(), symbols_, std::move(list), one_by_one_, document_.dropout()};
    }
  }

 private:
  Lengths lengths_at(const std::vector<std::size_t>& sizes) const {
    Lengths lengths;
    std::size_t next = 1;
    for (const LengthSymbol& symbol : symbols_) {
      if (!symbol.fixed.empty()) continue;
      for (const std::string& input : symbol.inputs) lengths[input] = sizes[next];
      ++next;
    }
    return lengths;
  }

  SizedRecording record(const std::vector<std::size_t>& sizes) const {
    return document_.recorded(lengths_at(sizes), sizes);
  }

  // What the document says to these inputs with other rows: one more, and as many as any recording has.
  std::string refusal_of(const std::vector<std::size_t>& which) const {
    std::string why;
    for (const std::size_t rows : {symbols_[which.front()].given + 1, most_rows}) {
      Lengths lengths;
      for (const std::size_t k : which)
        for (const std::string& input : symbols_[k].inputs) lengths[input] = rows;
      if (why.empty()) why = document_.refusal_at(lengths);
    }
    return why;
  }

  // Each input's length by itself, or that of two or of all inputs together where one alone is refused.
  void find_symbols() {
    const auto base = document_.compiled_at({});
    for (const auto& [name, input] : base->document().inputs) {
      const Shape& shape = input.tensor.shape;
      LengthSymbol symbol{"", {name}, shape.empty() ? 1 : shape[0], 1, 0, ""};
      if (shape.empty() || shape.size() > 2)
        symbol.fixed = "an input with " + std::to_string(shape.size()) +
                       " axes keeps the sizes of the document";
      symbols_.push_back(std::move(symbol));
    }
    for (LengthSymbol& symbol : symbols_)
      if (symbol.fixed.empty() && symbol.given > 1 && !fixed_.empty())
        symbol.fixed = std::to_string(symbol.given) + " rows; " + fixed_;
    for (std::size_t k = 0; k < symbols_.size() && fixed_.empty(); ++k) {
      const std::string why = symbols_[k].fixed.empty() ? refusal_of({k}) : "";
      if (!why.empty())
        symbols_[k].fixed = std::to_string(symbols_[k].given) +
                            (symbols_[k].given == 1 ? " row" : " rows") +
                            "; another length does not fit the model (" + why + ")";
    }
    if (fixed_.empty()) join_refused();
    std::size_t free = 0;
    for (LengthSymbol& symbol : symbols_) {
      if (symbol.fixed.empty() && ++free > most_symbols)
        symbol.fixed = "at most " + std::to_string(most_symbols) + " lengths can vary";
    }
    name_symbols(*base);
  }

  void join_refused() {
    for (std::size_t a = 0; a < symbols_.size(); ++a) {
      for (std::size_t b = 0; b < symbols_.size() && !symbols_[a].fixed.empty(); ++b) {
        if (a != b && symbols_[a].given == symbols_[b].given) try_joined(a, {b});
      }
      if (symbols_[a].fixed.empty()) continue;
      std::vector<std::size_t> all;
      for (std::size_t b = 0; b < symbols_.size(); ++b)
        if (b != a && symbols_[a].given == symbols_[b].given) all.push_back(b);
      if (all.size() > 1) try_joined(a, all);
    }
    std::erase_if(symbols_, [](const LengthSymbol& s) { return s.inputs.empty(); });
  }

  // All of these as one symbol, if their lengths can be moved together.
  void try_joined(std::size_t a, const std::vector<std::size_t>& others) {
    std::vector<std::size_t> which = others;
    which.push_back(a);
    for (const std::size_t k : which)
      if (symbols_[k].inputs.empty()) return;
    if (!refusal_of(which).empty()) return;
    for (const std::size_t k : others) {
      for (const std::string& input : symbols_[k].inputs) symbols_[a].inputs.push_back(input);
      symbols_[k].inputs.clear();
      symbols_[k].fixed.clear();
    }
    symbols_[a].fixed.clear();
  }

  // By the symbol that the first role gives the rows, where that is one for each; else by the input.
  void name_symbols(const Compiled& base) {
    const auto axis_of_input = [&](const std::string& input) -> std::string {
      const KnownTensor* known = base.directory().find(TensorGroup::inputs, input);
      if (known == nullptr || known->record->axes.empty()) return "";
      return known->record->axes.front().symbol;
    };
    std::map<std::string, int> count;
    for (LengthSymbol& symbol : symbols_) {
      symbol.name = axis_of_input(symbol.inputs.front());
      ++count[symbol.name];
    }
    for (LengthSymbol& symbol : symbols_) {
      const bool plain = symbol.name.size() == 1 && count[symbol.name] == 1;
      if (!plain && symbols_.size() == 1) symbol.name = "n";
      if (!plain && symbols_.size() > 1)
        symbol.name = identifier_of_name("length_of_" + symbol.inputs.front());
    }
  }

  [[nodiscard]] std::vector<std::size_t> base() const {
    std::vector<std::size_t> sizes{one_by_one_ ? 1 : base_batch};
    for (const LengthSymbol& symbol : symbols_)
      if (symbol.fixed.empty()) sizes.push_back(base_lengths.at(sizes.size() - 1));
    return sizes;
  }

  // The free symbol of an axis of the sizes, behind the batch.
  LengthSymbol& symbol_at(std::size_t axis) {
    for (LengthSymbol& symbol : symbols_)
      if (symbol.fixed.empty() && --axis == 0) return symbol;
    refuse("there is no such length");
  }

  // Records at the base, with each size moved, and with several moved. False where a length turned out to be fixed,
  // or the batch to be one example: then everything begins again.
  bool record_all(std::vector<SizedRecording>& list) {
    const std::vector<std::size_t> first = base();
    try {
      list.push_back(record(first));
    } catch (const Error& error) {
      return give_up(first.size() - 1, error.what());
    }
    for (std::size_t s = one_by_one_ ? 1 : 0; s < first.size(); ++s) {
      std::vector<SizedRecording> alone;
      std::string why;
      try {
        for (const std::size_t by : tried_moves) {
          if (s == 0 && by > 5) continue;  // only products have the batch in them
          std::vector<std::size_t> sizes = first;
          sizes[s] += by;
          alone.push_back(record(sizes));
        }
        why = what_moves_constants(list.front(), alone.front());
        if (s != 0) add_far(s, alone);
        if (why.empty()) (void)symbolic(list.front(), alone);
      } catch (const Error& error) {
        why = error.what();
      }
      if (!why.empty()) return give_up(s, why);
      std::move(alone.begin(), alone.end(), std::back_inserter(list));
    }
    std::vector<SizedRecording> several;
    std::string why;
    try {
      for (const std::vector<std::size_t>& sizes : mixed_points(first))
        several.push_back(record(sizes));
      std::move(several.begin(), several.end(), std::back_inserter(list));
      (void)SymbolicGraph(graphs_of(list), names());
      return true;
    } catch (const Error& error) {
      return give_up(first.size() - 1, error.what());
    }
  }

  // None where the document's tables have a limit. None where more rows take other steps, either: a core that computes
  // rows in chunks has one chunk below, which is the same computation.
  void add_far(std::size_t s, std::vector<SizedRecording>& alone) const {
    std::vector<std::size_t> sizes = base();
    sizes[s] += far_move;
    try {
      SizedRecording far = record(sizes);
      if (far.program.graph().size() == alone.front().program.graph().size())
        alone.push_back(std::move(far));
    } catch (const Error&) {
      return;
    }
  }

  bool give_up(std::size_t axis, const std::string& why) {
    if (axis == 0 && one_by_one_) refuse(why);
    if (axis == 0)
      one_by_one_ = true;
    else
      symbol_at(axis).fixed = why;
    return false;
  }

  [[nodiscard]] std::vector<std::vector<std::size_t>> mixed_points(
      const std::vector<std::size_t>& first) const {
    std::vector<std::vector<std::size_t>> points;
    const std::size_t from = one_by_one_ ? 1 : 0;
    for (std::size_t s = from; s < first.size(); ++s) {
      for (std::size_t t = s + 1; t < first.size(); ++t) {
        for (const std::size_t by : {std::size_t{1}, std::size_t{3}}) {
          points.push_back(first);
          points.back()[s] += by;
          points.back()[t] += by + 1;
        }
      }
    }
    for (const std::size_t by : {std::size_t{1}, std::size_t{3}, std::size_t{4}}) {
      points.push_back(first);
      for (std::size_t s = from; s < first.size(); ++s) points.back()[s] += by + s;
    }
    return points;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> list{"batch"};
    for (const LengthSymbol& symbol : symbols_)
      if (symbol.fixed.empty()) list.push_back(symbol.name);
    return list;
  }

  static std::vector<SymbolicGraph::Recording> graphs_of(const std::vector<SizedRecording>& list) {
    std::vector<SymbolicGraph::Recording> graphs;
    for (const SizedRecording& one : list) graphs.push_back({&one.program.graph(), one.sizes});
    return graphs;
  }

  // Throws Error where the recordings have no common form.
  [[nodiscard]] SymbolicGraph symbolic(const SizedRecording& first,
                                       const std::vector<SizedRecording>& others) const {
    std::vector<SymbolicGraph::Recording> graphs = graphs_of(others);
    graphs.insert(graphs.begin(), {&first.program.graph(), first.sizes});
    return {graphs, names()};
  }

  // Why the length that differs cannot be free: a weight or a given number depends on it. Empty where it can.
  static std::string what_moves_constants(const SizedRecording& a, const SizedRecording& b) {
    for (const Program::Leaf& leaf : a.program.leaves()) {
      const Leaf* own = a.compiled->recording().leaf(leaf.name);
      const Leaf* other = b.compiled->recording().leaf(leaf.name);
      const bool kept = leaf.kind == LeafKind::weight || leaf.kind == LeafKind::constant;
      if (!kept || own == nullptr || own->knob != nullptr) continue;
      // A build may name a table of numbers by its size.
      if (other == nullptr) return "the table \"" + leaf.name + "\" is made for one length";
      const bool computed = leaf.kind == LeafKind::constant && !own->is_given();
      if (computed) continue;
      if (own->shape != other->shape)
        return "\"" + leaf.name + "\" has a size that depends on the length";
      if (leaf.kind == LeafKind::constant &&
          a.compiled->leaf_data(*own) != b.compiled->leaf_data(*other))
        return "the numbers of \"" + leaf.name + "\" depend on the length";
    }
    return "";
  }

  // The shortest lengths that the common form serves. Their recordings join the list: an expression that fits only
  // the longer ones would give other sizes there.
  void find_least(std::vector<SizedRecording>& list) {
    const std::vector<std::size_t> first = base();
    std::vector<SizedRecording> shorter;
    for (std::size_t s = 1; s < first.size(); ++s) {
      std::vector<SizedRecording> alone;
      for (const SizedRecording& one : list) {
        std::vector<std::size_t> moved = first;
        moved[s] = one.sizes[s];
        if (moved == one.sizes && moved != first)
          alone.push_back({nullptr, one.program, one.sizes});
      }
      LengthSymbol& symbol = symbol_at(s);
      symbol.least = first[s];
      while (symbol.least > 1) {
        std::vector<std::size_t> sizes = first;
        sizes[s] = symbol.least - 1;
        try {
          SizedRecording one = record(sizes);
          alone.push_back({nullptr, one.program, one.sizes});
          (void)symbolic(list.front(), alone);
          shorter.push_back(std::move(one));
        } catch (const Error&) {
          break;
        }
        --symbol.least;
      }
    }
    std::move(shorter.begin(), shorter.end(), std::back_inserter(list));
  }

  // The longest length of a document whose tables have so many rows: a knob gives them, not the input.
  void find_most() {
    for (LengthSymbol& symbol : symbols_) {
      const auto refused = [&](std::size_t rows) {
        Lengths lengths;
        for (const std::string& input : symbol.inputs) lengths[input] = rows;
        return !document_.refusal_at(lengths).empty();
      };
      if (!symbol.fixed.empty() || !refused(far_rows)) continue;
      std::size_t good = std::max(most_rows, symbol.given), bad = std::max(far_rows, good + 1);
      while (bad - good > 1) {
        const std::size_t middle = (good + bad) / 2;
        (refused(middle) ? bad : good) = middle;
      }
      symbol.most = good;
    }
  }

  // A module must serve the document's own length; where the common form begins above it, that length is fixed.
  bool fix_long_least() {
    bool fixed = false;
    for (LengthSymbol& symbol : symbols_) {
      if (!symbol.fixed.empty() || symbol.least <= symbol.given) continue;
      symbol.fixed =
          "the steps are different for " + std::to_string(symbol.least) + " or more rows";
      symbol.least = 1;
      fixed = true;
    }
    return fixed;
  }

  RecordableDocument document_;
  std::string fixed_;
  std::vector<LengthSymbol> symbols_;
  bool one_by_one_ = false;
};

}  // namespace

std::vector<std::string> SizedRecordings::names() const {
  std::vector<std::string> all{"batch"};
  for (const LengthSymbol& symbol : symbols)
    if (symbol.fixed.empty()) all.push_back(symbol.name);
  return all;
}

SizedRecordings record_at_lengths(Json document, std::string fixed) {
  return Recorder(std::move(document), std::move(fixed)).made();
}

}  // namespace attend
