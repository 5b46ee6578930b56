// SPDX-License-Identifier: Apache-2.0
// Perceiver: N learned latents read the tokens, then each other, again and again by one set of
// weights,  Z <- MAB_cross(Z, X),  Z <- MAB_self(Z, Z)
// Jaegle et al. 2021, arXiv:2103.03206; blocks as in Lee et al. 2019, arXiv:1810.00825
#include "catalogue/blocks.h"
#include "catalogue/causal_form.h"
#include "catalogue/entry.h"
#include "catalogue/loops.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var x = in["x"];  // [n d]
  in.label("n", x);
  Var z = in.param("Z");  // [N D]
  Block cross, self;
  const std::size_t repeats = in.integer("repeats");
  for (std::size_t s = 0; s < repeats; ++s) {
    const std::string number = std::to_string(s);
    {
      const StepSuffix suffix(in.graph(), "^{\\text{cross }" + number + "}");
      cross = attention_block(in, "cross.", z, x);
    }
    const StepSuffix suffix(in.graph(), "^{\\text{self }" + number + "}");
    self = attention_block(in, "self.", cross.output, cross.output);
    z = self.output;
    in.output(out::weights.as("weights." + number), cross.weights, "h r n");
    in.output(out::weights.as("self.weights." + number), self.weights, "h r r");
  }
  in.output(out::scores, cross.scores, "h r n");
  in.output(out::weights, cross.weights, "h r n");
  in.result(z, "r d");
}

Arrays reference(const ReferenceIn& in) {
  Array z = in.parameter("Z");
  Arrays out;
  for (int s = 0; s < static_cast<int>(in.number("repeats")); ++s) {
    const loops::BlockSeen cross = loops::block_by_loops(in, "cross.", z, in["x"]);
    const loops::BlockSeen self = loops::block_by_loops(in, "self.", cross.output, cross.output);
    z = self.output;
    out["weights." + std::to_string(s)] = out["weights"] = cross.weights;
    out["self.weights." + std::to_string(s)] = self.weights;
  }
  out["output"] = out["context"] = z;
  return out;
}

}  // namespace

namespace catalogue {
extern const Entry perceiver_entry;
const Entry perceiver_entry{
    .words =
        {.title = "Perceiver",
         .formula =
             R"(Z \leftarrow \operatorname{MAB}_{\text{cross}}(Z, X),\quad Z \leftarrow \operatorname{MAB}_{\text{self}}(Z, Z))",
         .sentence =
             "A small learned table reads a long input again and again; the cost of each reading "
             "grows with the input's length, not with its square.",
         .note =
             "One block of self-attention after each look, and one set of weights for all repeats, "
             "the first as well. The paper gives the input Fourier features of the positions; "
             "without them the order of the tokens does not matter.",
         .source = {"Jaegle et al.", 2021, "Perceiver", "https://arxiv.org/abs/2103.03206"}},
    .record = {.id = "perceiver",
               .parameters = {{"Z", "N D", Distribution::unit},
                              {"cross.W_Q", "h D p"},
                              {"cross.W_K", "h d p"},
                              {"cross.W_V", "h d pv"},
                              {"cross.W_O", "h*pv D"},
                              {"cross.gamma1", "D", Distribution::one},
                              {"cross.beta1", "D", Distribution::zero},
                              {"cross.W", "D D"},
                              {"cross.b", "D", Distribution::zero},
                              {"cross.gamma2", "D", Distribution::one},
                              {"cross.beta2", "D", Distribution::zero},
                              {"self.W_Q", "h D p"},
                              {"self.W_K", "h D p"},
                              {"self.W_V", "h D pv"},
                              {"self.W_O", "h*pv D"},
                              {"self.gamma1", "D", Distribution::one},
                              {"self.beta1", "D", Distribution::zero},
                              {"self.W", "D D"},
                              {"self.b", "D", Distribution::zero},
                              {"self.gamma2", "D", Distribution::one},
                              {"self.beta2", "D", Distribution::zero}},
               .symbols = {{"p", "ceil(D/h)"}, {"pv", "p"}},
               .knobs = {size_knob("latents", "Latents N", "N", 4., 1, 64),
                         size_knob("D", "Width of a latent D", "D", "d", 1, 256),
                         size_knob("count", "Heads", "h", 2., 1, 16),
                         integer_knob("repeats", "Looks", 2., 1, 8).at_least(1)},
               .roles = {{"x", "n d"}},
               .excludes = {never_causal("Its latents read all tokens, later ones too.")},
               .coordinates = {{"scoring", "scaled multiplicative"},
                               {"alignment", "global"},
                               {"multiplicity", "multi-head"}},
               .example = R"("D": 4)",
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
