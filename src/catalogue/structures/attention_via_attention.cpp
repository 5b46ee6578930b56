// SPDX-License-Identifier: Apache-2.0
// Attention via attention: the query asks the words (input 1), and with their context the characters
// (input 2)
//   c^w = att(q, K^w),  c^c = att([q; c^w], K^c) (variant B) or att(c^w, K^c) (variant G)
// Brauwers & Frasincar 2022, section 3.1.2, arXiv:2203.14263; Galassi, Lippi, Torroni 2021, section IV-A2
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::attention_via_attention_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"];  // [m dq]
  const Sides s = sides_of(in, inputs);
  in.label("m", q);
  const Tensors word =
      ask(in, {.slot = "word", .query = q, .key = s.key1, .value = s.value1, .m = "m", .n = "n1"});
  const Var c = word["context"];  // [m dv1]
  const Tensors letter = ask(in, {.slot = "char",
                                  .query = in.text("variant") == "B" ? concat({q, c}, -1) : c,
                                  .key = s.key2,
                                  .value = s.value2,
                                  .m = "m",
                                  .n = "n2"});
  return results_of_side(in, "1", "word", word, "m", "n1") +
         results_of_side(in, "2", "char", letter, "m", "n2") +
         Tensors{{out::output, let("[c^w; c^c]", concat({c, letter["context"]}, -1)), "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  const AttentionTables word =
      seen_by(additive(in, "word", q, in["key1"]), or_else(in, "value1", "key1"));
  const Array asks = in.text("variant") == "B" ? beside({q, word.context}) : word.context;
  const AttentionTables letter =
      seen_by(additive(in, "char", asks, in["key2"]), or_else(in, "value2", "key2"));
  Arrays out{{"output", beside({word.context, letter.context})}};
  put_side(out, "1", word);
  put_side(out, "2", letter);
  return out;
}

extern const Mechanism record{
    .id = "attention-via-attention",
    .knobs = {choice_knob("variant", "B", {"B", "G"})},
    .roles = {{"query", "m dq"},
              {"key1", "n1 d1"},
              {"key2", "n2 d2"},
              {"value1", "n1 dv1", false, "key1"},
              {"value2", "n2 dv2", false, "key2"}},
    .slots = {attention_slot("word", by_additive), attention_slot("char", by_additive)},
    .coordinates = {{"feature levels", "attention-via-attention"}},
    .behaviour = Structure{build}};
}  // namespace attend::attention_via_attention_entry
