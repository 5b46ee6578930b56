// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/rotation.h"

namespace attend {

Rotation::Rotation(const Scope& in, const Tensors& inputs) : in_(in), inputs_(inputs) {
  in.label("nt", inputs["target"]);
  for (const char* port : {"left", "right"}) {
    if (const Var words = inputs.find(port)) in.label(std::string("n") + port[0], words);
  }
}

Tensors Rotation::side(const char* slot, Var query, const char* port, const char* n,
                       const std::string& suffix) const {
  const Var words = inputs_.find(port);
  if (words)
    return ask(in_, {.slot = slot,
                     .query = query,
                     .key = words,
                     .value = words,
                     .n = n,
                     .name = slot + suffix});
  const Var nothing = zeros(in_.graph(), {1, inputs_["target"].extent(-1)});
  return {{"context", nothing}};
}

Rotation::Turn Rotation::turn(Var asks_left, Var asks_right, const std::string& suffix) const {
  Turn turn;
  turn.tl = side("tl", asks_left, "left", "nl", suffix);
  turn.tr = side("tr", asks_right, "right", "nr", suffix);
  turn.lt = side("lt", turn.tl["context"], "target", "nt", suffix);
  turn.rt = side("rt", turn.tr["context"], "target", "nt", suffix);
  return turn;
}

Tensors Rotation::results(const Turn& last) const {
  for (const char* port : {"left", "right"}) {
    if (inputs_.find(port)) continue;
    const Var context = last.tl["context"];
    in_.caution("there is no input \"" + std::string(port) + "\", so zeros are used for that side",
                context, ones(in_.graph(), {1}));
  }
  return join("[r^l; r^r; r^{lt}; r^{rt}]",
              {last.tl["context"], last.tr["context"], last.lt["context"], last.rt["context"]});
}

}  // namespace attend
