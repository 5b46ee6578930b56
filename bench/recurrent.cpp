// SPDX-License-Identifier: Apache-2.0
// attend_bench_recurrent TOKENS WIDTH ROUNDS CORE[:KNOB=NUMBER]..
// Natively, one head: what the context of each core takes in chunks and token by token, beside two kernels on as many
// rows, causal linear attention and the delta rule; in turns, by the processor's time, of which the best round counts.
// Prints a line for each core: its name, the milliseconds in chunks, token by token, of linear attention and of the
// delta rule in the same rounds, then the megabytes that are held at most beyond inputs, parameters and the context,
// in chunks and token by token. Rows are drawn vectors of tokens, so that no document holds their numbers.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiment/running/run.h"
#include "fused/delta.h"
#include "fused/features.h"
#include "ops/random.h"

namespace attend::bench {
namespace {

template <class Work>
double milliseconds(Work work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * static_cast<double>(std::clock() - start) / static_cast<double>(CLOCKS_PER_SEC);
}

struct Size {
  std::size_t n, width;
};

Json document_of(const std::string& core, const Size& size, bool chunks) {
  Json tokens = Json::array();
  for (std::size_t i = 0; i < size.n; ++i) tokens.push_back("w" + std::to_string(i));
  const Json rows = {{"tokens", tokens},
                     {"features", {{"type", "embedding"}, {"dim", size.width}}}};
  Json document = {{"schema", "attention-playground/1"},
                   {"outputs", {"context"}},
                   {"inputs", {{"query", rows}, {"key", rows}, {"value", rows}}},
                   {"mechanism", {{"type", "attention"}, {"core", {{"type", core}}}}}};
  Json& knobs = document["mechanism"]["core"];
  if (const std::size_t colon = core.find(':'); colon != std::string::npos) {
    const std::size_t equals = core.find('=');
    knobs["type"] = core.substr(0, colon);
    knobs[core.substr(colon + 1, equals - colon - 1)] = std::stod(core.substr(equals + 1));
  }
  if (!chunks) knobs["chunk"] = size.n;
  return document;
}

// A core with its memory; every run computes everything.
class Recorded {
 public:
  explicit Recorded(const Json& document)
      : compiled_(compile(read_document(document))),
        prepared_(prepare(compiled_, Detail::outputs)),
        plan_(plan(prepared_.program.graph(), wanted())),
        work_(prepared_.program.graph(), plan_) {
    Runner drawn(compiled_, Detail::outputs);
    drawn.evaluate(compiled_);
    for (NodeId id = 0; id < prepared_.program.graph().size(); ++id) {
      if (is_read(id)) work_.set(id, drawn.numbers()[id]);
    }
  }

  double run() {
    for (NodeId id = 0; id < prepared_.program.graph().size(); ++id) {
      if (is_read(id)) static_cast<void>(work_.write(id));
    }
    return milliseconds([&] { work_.evaluate(); });
  }

  [[nodiscard]] double megabytes() const {
    const Graph& graph = prepared_.program.graph();
    double bytes = static_cast<double>(plan_.peak_bytes + plan_.hidden * sizeof(real));
    for (NodeId id = 0; id < graph.size(); ++id) {
      if (is_read(id) && graph[id].numbers == nullptr)
        bytes -= static_cast<double>(element_count(graph[id].shape) * sizeof(real));
    }
    for (const Var v : wanted()) {
      if (!v.node().leaf) bytes -= static_cast<double>(element_count(v.shape()) * sizeof(real));
    }
    return bytes / 1e6;
  }

 private:
  [[nodiscard]] std::vector<Var> wanted() const { return prepared_.program.wanted(); }
  [[nodiscard]] bool is_read(NodeId id) const {
    return plan_.needed[id] && prepared_.program.graph()[id].leaf;
  }

  Compiled compiled_;
  Prepared prepared_;
  Plan plan_;
  Workspace work_;
};

class Kernels {
 public:
  explicit Kernels(const Size& size) : out_(size.n * size.width), beta_(size.n, real(.5)) {
    const RandomStream stream(1, "rows");
    const double length = 1 / std::sqrt(static_cast<double>(size.width));
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t i = 0; i < out_.size(); ++i)
        rows_[k].push_back(static_cast<real>(length * stream.normal(k * out_.size() + i)));
    }
    const std::size_t d = size.width;
    const auto rows = [&](std::size_t k) { return fused::Rows{rows_[k].data(), d, size.n * d}; };
    form_.m = form_.n = size.n;
    form_.d = form_.dv = form_.r = d;
    form_.q = rows(0);
    form_.k = rows(1);
    form_.v = rows(2);
    form_.map = fused::FeatureMap::given;
    form_.causal = true;
    form_.divides = false;
  }

  double features() {
    return milliseconds([&] { fused::attend_by_features(form_, place()); });
  }
  double delta() {
    return milliseconds([&] { fused::attend_by_delta({form_, beta_.data(), 0}, place()); });
  }

 private:
  fused::Place place() { return {out_.data(), form_.dv, out_.size()}; }

  std::vector<real> out_, beta_, rows_[3];
  fused::FeatureAttention form_;
};

int measure(const std::vector<std::string>& words) {
  if (words.size() < 4) throw std::runtime_error("four arguments or more, see bench/recurrent.cpp");
  const Size size{std::stoul(words[0]), std::stoul(words[1])};
  const unsigned long rounds = std::stoul(words[2]);
  Kernels kernels(size);
  for (std::size_t k = 3; k < words.size(); ++k) {
    Recorded chunks(document_of(words[k], size, true)), steps(document_of(words[k], size, false));
    double best[4] = {1e30, 1e30, 1e30, 1e30};
    for (unsigned long round = 0; round < rounds; ++round) {
      const double found[4] = {chunks.run(), steps.run(), kernels.features(), kernels.delta()};
      for (std::size_t i = 0; i < 4; ++i) best[i] = std::min(best[i], found[i]);
    }
    std::printf("%s %.3f %.3f %.3f %.3f %.3f %.3f\n", words[k].c_str(), best[0], best[1], best[2],
                best[3], chunks.megabytes(), steps.megabytes());
  }
  return 0;
}

}  // namespace
}  // namespace attend::bench

int main(int count, char** words) {
  try {
    return attend::bench::measure({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
}
