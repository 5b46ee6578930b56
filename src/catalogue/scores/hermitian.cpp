// SPDX-License-Identifier: Apache-2.0
// Hermitian score:  q -> qR + i qI,  k -> kR + i kI,
//   e_ij = Re<q, k> = qR.kR + qI.kI,  or with a middle matrix  Re((qR + i qI) M (kR - i kI)^T)
// Tay, Luu, Hui 2018; Galassi, Lippi, Torroni 2021, section IV-D
#include <complex>

#include "catalogue/entry.h"

namespace attend::hermitian_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m dq]  k [n dk]
  const bool shared = in.flag("shared");
  if (shared) in.need_same_width();
  Var q_re = let("Q_R", matmul(in.q, in.param("R_Q")));                              // [m p]
  Var q_im = let("Q_I", matmul(in.q, in.param("I_Q")));                              // [m p]
  const Var k_re = let("K_R", matmul(in.k, in.param(shared ? "R_Q" : "R_K")));       // [n p]
  const Var k_im = let("K_I", matmul(in.k, in.param(shared ? "I_Q" : "I_K")));       // [n p]
  const Var M_R = in.param_if("M_R", "middle"), M_I = in.param_if("M_I", "middle");  // [p p]
  if (M_R || M_I) {
    const Var none = zeros(in.graph(), (M_R ? M_R : M_I).shape());
    const Var A = M_R ? M_R : none, B = M_I ? M_I : none;
    const Var re = q_re, im = q_im;
    q_re = let("(Q M)_R", matmul(re, A) - matmul(im, B));
    q_im = let("(Q M)_I", matmul(re, B) + matmul(im, A));
  }
  return let("E_R", matmul(q_re, k_re, false, true)) +
         let("E_I", matmul(q_im, k_im, false, true));  // [m n]
}

using Complex = std::complex<double>;

std::vector<Complex> complex_map(const Row& x, const Array& R, const Array& I) {
  const Row re = mapped(x, R), im = mapped(x, I);
  std::vector<Complex> z;
  for (std::size_t c = 0; c < re.size(); ++c) z.emplace_back(re[c], im[c]);
  return z;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::string side = in.flag("shared") ? "Q" : "K";
  const auto entry = [&](const char* name, std::size_t r, std::size_t c) {
    return in.parameters.contains(name) ? in.parameter(name)(r, c) : 0;
  };
  const bool middle = in.parameters.contains("M_R") || in.parameters.contains("M_I");
  return each_score(in, [&](const Row& x, const Row& y) {
    const auto q = complex_map(x, in.parameter("R_Q"), in.parameter("I_Q"));
    const auto k = complex_map(y, in.parameter("R_" + side), in.parameter("I_" + side));
    Complex e = 0;
    for (std::size_t r = 0; r < q.size(); ++r) {
      for (std::size_t c = 0; c < k.size(); ++c) {
        const Complex M = middle ? Complex(entry("M_R", r, c), entry("M_I", r, c)) : r == c;
        e += q[r] * M * std::conj(k[c]);
      }
    }
    return e.real();
  });
}

extern const Mechanism record{.id = "hermitian",
                              .aliases = {"complex-inner-product"},
                              .parameters = {{"R_Q", "dq p"},
                                             {"I_Q", "dq p"},
                                             {"R_K", "dk p"},
                                             {"I_K", "dk p"},
                                             {"M_R", "p p"},
                                             {"M_I", "p p"}},
                              .knobs = {flag_knob("shared", false), flag_knob("middle", false),
                                        size_knob("hidden", "p", "dq", 1, 256)},
                              .behaviour = Score{build}};
}  // namespace attend::hermitian_entry
