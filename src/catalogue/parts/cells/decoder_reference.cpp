// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cells/decoder_reference.h"

#include <algorithm>
#include <cmath>

#include "catalogue/parts/cells/cell_reference.h"

namespace attend {
namespace {

// What the classes are read from, of state and context side by side and the word before.
Row read(const ReferenceIn& in, const Row& both, const Row& word) {
  const std::string& kind = in.text("readout");
  if (kind == "none") return both;
  Row r = mapped(kind == "maxout" ? joined(both, word) : both, in.parameter("W_r"));
  for (std::size_t i = 0; i < r.size(); ++i) {
    r[i] += in.parameter("b_r")(i);
    if (kind == "tanh") r[i] = std::tanh(r[i]);
    if (kind == "word") r[i] += word[i];
  }
  if (kind != "maxout") return r;
  return row_by(r.size() / 2, [&](std::size_t i) { return std::max(r[2 * i], r[2 * i + 1]); });
}

}  // namespace

Arrays decoder_by_loops(const ReferenceIn& in, const std::function<SeenRow(const Row&)>& look) {
  const auto& words = std::get<std::vector<std::string>>(in.knobs.at("vocabulary"));
  const std::vector<std::string>& tokens = in.labels.at("target");
  const bool greedy = in.text("feed") == "greedy", before = in.text("asks") == "before";
  const std::size_t steps = greedy ? in.integer("steps") : tokens.size();
  const Array &E = in.parameter("E"), &W_c = in.parameter("W_c"), &b_0 = in.parameter("b_0");
  Row s = mapped(in["initial"].row(0), in.parameter("W_0"));
  for (std::size_t i = 0; i < s.size(); ++i) s[i] = std::tanh(s[i] + b_0(i));
  const std::size_t dc = look(s).context.size(), n = look(s).weights.size(), v = W_c.cols();
  Array weights({steps, n}), context({steps, dc}), states({steps, s.size()}), logits({steps, v});
  const bool feeds_context = in.text("feeds") == "context";
  Row readout(W_c.rows(), 0), fed(feeds_context ? dc : W_c.rows(), 0);
  std::size_t word = 0;
  for (std::size_t t = 0; t < steps && (t == 0 || !greedy || word != 1); ++t) {
    SeenRow seen = look(s);
    const Row y = E.row(word);
    const Row x = before ? joined(y, seen.context) : in.flag("input-feeding") ? joined(y, fed) : y;
    s = gru_by_loops(in, "cell.", x, s);
    if (!before) seen = look(s);
    readout = read(in, joined(s, seen.context), y);
    fed = feeds_context ? seen.context : readout;
    const Row row = plus(mapped(readout, W_c), in.parameter("b_c").data);
    weights.set(seen.weights, t);
    context.set(seen.context, t);
    states.set(s, t);
    logits.set(row, t);
    const auto best = std::max_element(row.begin(), row.end()) - row.begin();
    const auto known = std::find(words.begin(), words.end(), greedy ? "" : tokens[t]);
    word = greedy                 ? static_cast<std::size_t>(best)
           : known == words.end() ? 2
                                  : static_cast<std::size_t>(known - words.begin());
  }
  Arrays out{{"context", context}, {"states", states}, {"logits", logits}};
  if (n > 0) out["weights"] = weights;
  return out;
}

}  // namespace attend
