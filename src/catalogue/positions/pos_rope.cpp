// SPDX-License-Identifier: Apache-2.0
// Rotary positions: of the first r = 2 floor(fraction p / 2) features of q_i and k_j, pair t turns by i theta_t,
//   (a, b) -> (a cos w - b sin w, a sin w + b cos w),  w = position theta_t,  theta_t = base^(-2t/r)
// Su et al. 2021, section 3.2, arXiv:2104.09864; `yarn`: Peng et al. 2023, arXiv:2309.00071; `linear`: Chen et al.
// 2023, arXiv:2306.15595; `ntk`, `dynamic` and `llama3` are known by the code that uses them.
#include <complex>
#include <numbers>

#include "catalogue/entry.h"
#include "catalogue/parts/heads/turned_pairs.h"
#include "ops/primitives/records.h"

namespace attend::pos_rope_entry {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

// A fraction such as 0.58 of 100 features is 58 of them, whatever its last bit.
std::size_t rotated_width(double fraction, std::size_t p) {
  return 2 * static_cast<std::size_t>(std::floor(fraction * static_cast<double>(p) / 2 + 1e-9));
}

Var highest_of(Var x, double bound) { return maximum(x, scalar(x, bound)); }
Var lowest_of(Var x, double bound) { return -highest_of(-x, -bound); }

// Base []; and [r/2] what divides the speed of each pair, empty where nothing does.
struct Speeds {
  Var base, divisor;
};

// base factor^(r/(r-2)) slows the last pair by the factor and leaves the first one alone.
Var stretched_base(Var base, Var factor, std::size_t r) {
  if (r == 2) return base;
  return base * power(factor, scalar(factor, static_cast<double>(r) / static_cast<double>(r - 2)));
}

// [r/2] from 0, where a pair turns often within `length` tokens, to 1, where it turns rarely.
Var yarn_ramp(const PositionIn& in, Var base, std::size_t r) {
  const auto pair_of_turns = [&](const char* knob) {  // the pair that turns so often
    const Var often = log(in.scalar("length") / (whole_turn * in.scalar(knob)));
    return static_cast<double>(r) * often / (2 * log(base));
  };
  Var low = pair_of_turns("fast"), high = pair_of_turns("slow");
  if (in.flag("truncate")) {
    low = floor(low);
    high = -floor(-high);
  }
  low = highest_of(low, 0);
  high = lowest_of(high, static_cast<double>(r) - 1);
  high = where(equal(low, high), high + .001, high);
  return clip((iota(in.graph(), r / 2) - low) / (high - low), 0, 1);
}

// [r/2] from 0, where a wave is shorter than length/high, to 1, where it is longer than length/low.
Var llama3_ramp(const PositionIn& in, Var base, std::size_t r) {
  const Var exponents = iota(in.graph(), r / 2) * (2 / static_cast<double>(r));
  const Var waves = in.scalar("length") / (whole_turn * power(base, exponents));  // in one length
  const Var low = in.scalar("low"), high = in.scalar("high");
  const Var between = 1 - (waves - low) / (high - low);
  return where(greater(waves, high), zeros(in.graph(), {r / 2}),
               where(greater(low, waves), ones(in.graph(), {r / 2}), between));
}

Speeds speeds(const PositionIn& in, std::size_t r, std::size_t n) {
  const std::string& scaling = in.text("scaling");
  const Var base = in.scalar("base");
  if (scaling == "none") return {base, {}};
  const Var factor = in.scalar("factor");
  if (scaling == "ntk") return {stretched_base(base, factor, r), {}};
  if (scaling == "dynamic") {
    if (in.rows != nullptr)
      refuse(in.choice.path + "/scaling",
             "\"dynamic\" depends on the number of tokens, but here tokens arrive one at a time; "
             "choose another scaling");
    const Var length = in.scalar("length");
    const Var longer = highest_of(length, static_cast<double>(n)) / length;
    return {stretched_base(base, 1 + factor * (longer - 1), r), {}};
  }
  if (scaling == "linear") return {base, broadcast_to(factor, {r / 2})};
  if (scaling == "yarn" && in.number("base") <= 1)
    refuse(in.choice.path + "/base", "\"yarn\" needs a base above 1");
  const Var g = let("g", scaling == "yarn" ? yarn_ramp(in, base, r) : llama3_ramp(in, base, r));
  return {base, 1 / (1 - g + g / factor)};
}

// What cosines and sines are multiplied by; empty: by nothing.
Var magnitude(const PositionIn& in) {
  if (in.has("mscale")) return in.scalar("mscale");
  return in.text("scaling") == "yarn" ? .1 * log(in.scalar("factor")) + 1 : Var{};
}

Triple projected(const PositionIn& in, Triple now) {  // q [.. m p]  k [.. n p]
  const std::size_t p = now.q.extent(-1);
  if (p != now.k.extent(-1))
    refuse(
        "it rotates queries and keys by the same angles, so they must be equally wide; they are " +
        std::to_string(p) + " and " + std::to_string(now.k.extent(-1)) + " wide");
  const std::size_t r = rotated_width(in.number("fraction"), p);
  if (r == 0) return now;
  const Speeds s = speeds(in, r, now.k.extent(-2));
  const Var size = magnitude(in);
  const auto turned = [&](const char* name, Var x, Var positions) {
    const std::size_t rows = element_count(positions.shape());
    std::vector<Var> operands{reshape(positions, {rows}) + in.scalar("start"), s.base};
    if (s.divisor) operands.push_back(s.divisor);
    const Var waves = apply(primitives::sinusoid, operands, {{static_cast<long>(r)}});  // [n r]
    const Var both = reshape(waves, {rows, r / 2, 2});  // sine, cosine
    const auto wave = [&](std::size_t k) {
      const Var one = squeeze(slice(both, -1, k, k + 1), -1);  // [n r/2]
      return size ? one * size : one;
    };
    const Var sine = let("\\sin p\\theta", wave(0)), cosine = let("\\cos p\\theta", wave(1));
    return let(name, turned_pairs(x, cosine, sine, in.text("pairs") == "neighbour"));
  };
  const bool same = &now.q.node() == &now.k.node() && in.rows == nullptr && now.memory == 0;
  now.q = turned("R_i q_i", now.q, in.row_index());
  now.k = same ? now.q : turned("R_j k_j", now.k, in.key_index());
  return now;
}

// The speed of pair t, by its wavelength and by how often it turns within the length.
double speed(const ReferenceIn& in, double t, double r, double n) {
  const std::string& scaling = in.text("scaling");
  const double factor = in.number("factor"), length = in.number("length");
  double base = in.number("base");
  const double longer = factor * std::max(n, length) / length - (factor - 1);
  if (r > 2 && scaling == "ntk") base *= std::pow(factor, r / (r - 2));
  if (r > 2 && scaling == "dynamic") base *= std::pow(longer, r / (r - 2));
  const double theta = std::exp(-2 * t / r * std::log(base)), slow = theta / factor;
  if (scaling == "linear") return slow;
  if (scaling == "yarn") {
    const auto place = [&](const char* knob) {
      return r * (std::log(length) - std::log(whole_turn * in.number(knob))) / (2 * std::log(base));
    };
    const bool whole = in.flag("truncate");
    const double lo = std::max(0., whole ? std::floor(place("fast")) : place("fast"));
    double hi = std::min(r - 1, whole ? std::ceil(place("slow")) : place("slow"));
    if (lo == hi) hi += .001;
    const double g = std::min(1., std::max(0., (t - lo) / (hi - lo)));
    return theta * (1 - g) + slow * g;
  }
  if (scaling == "llama3") {
    const double wave = whole_turn / theta, low = in.number("low"), high = in.number("high");
    if (wave < length / high) return theta;
    if (wave > length / low) return slow;
    const double s = (length / wave - low) / (high - low);
    return (1 - s) * slow + s * theta;
  }
  return theta;
}

}  // namespace

// A pair is a complex number, and a turn its product with e^{iw}; scores know the distance alone.
Arrays reference(const ReferenceIn& in) {
  const Array &q = in["inputs.query"], &k = in["inputs.key"];
  const std::size_t p = q.cols(), pairs = static_cast<std::size_t>(
                                      in.number("fraction") * static_cast<double>(p) / 2 + 1e-6);
  const bool neighbours = in.text("pairs") == "neighbour";
  const double size = in.knobs.contains("mscale")    ? in.number("mscale")
                      : in.text("scaling") == "yarn" ? .1 * std::log(in.number("factor")) + 1
                                                     : 1;
  const auto n = static_cast<double>(k.rows()), r = static_cast<double>(2 * pairs);
  const auto first = [&](std::size_t t) { return neighbours ? 2 * t : t; };
  const auto second = [&](std::size_t t) { return neighbours ? 2 * t + 1 : t + pairs; };
  const auto pair = [&](const Array& x, std::size_t i, std::size_t t) {
    return std::complex<double>(x(i, first(t)), x(i, second(t)));
  };
  const auto turned = [&](const Array& x) {
    Array y = x;
    for (std::size_t i = 0; i < x.rows(); ++i) {
      for (std::size_t t = 0; t < pairs; ++t) {
        const double w =
            (in.number("start") + static_cast<double>(i)) * speed(in, static_cast<double>(t), r, n);
        const std::complex<double> z = pair(x, i, t) * std::polar(size, w);
        y(i, first(t)) = z.real();
        y(i, second(t)) = z.imag();
      }
    }
    return y;
  };
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      const double distance = static_cast<double>(i) - static_cast<double>(j);
      for (std::size_t t = 0; t < pairs; ++t) {
        const double w = distance * speed(in, static_cast<double>(t), r, n);
        e(i, j) += (pair(q, i, t) * std::conj(pair(k, j, t)) * std::polar(size * size, w)).real();
      }
      for (std::size_t c = 2 * pairs; c < p; ++c) e(i, j) += q(i, c) * k(j, c);
      e(i, j) /= std::sqrt(static_cast<double>(p));
    }
  }
  return {{"query", turned(q)}, {"key", turned(k)}, {"scores", e}};
}

extern const Mechanism record{
    .id = "pos-rope",
    .aliases = {"rotary"},
    .knobs = {number_knob("base", 10000., 1, 1e6).above(0).log_scale(),
              choice_knob("pairs", "half", {"half", "neighbour"}),
              number_knob("fraction", 1., 0, 1).at_least(0).at_most(1),
              choice_knob("scaling", "none",
                          {"none", "linear", "ntk", "dynamic", "yarn", "llama3"}),
              number_knob("factor", 1., 1, 64).at_least(1).log_scale(),
              integer_knob("length", 2048., 16, 1e5).at_least(1),
              number_knob("fast", 32., 1, 64).above(0), number_knob("slow", 1., .1, 8).above(0),
              flag_knob("truncate", true),
              number_knob("mscale", "by the scaling", .5, 2).above(0).optionally(),
              number_knob("low", 1., .1, 8).above(0), number_knob("high", 4., 1, 64).above(0),
              integer_knob("start", 0., 0, 1000)},
    .needs_query = true,
    .laws = {.permutation = false},
    .behaviour = Position{.projected = projected}};
}  // namespace attend::pos_rope_entry
