// SPDX-License-Identifier: Apache-2.0
#include "catalogue/rotation.h"

namespace attend {

Rotation::Rotation(const ModuleIn& in) : in_(in) {
  in.label("nt", in.need("target"));
  for (const char* port : {"left", "right"}) {
    if (const Var words = in.port(port)) in.label(std::string("n") + port[0], words);
  }
}

Results Rotation::side(const char* slot, Var query, const char* port, const char* n,
                       const std::string& suffix) const {
  const Var words = in_.port(port);
  if (words)
    return ask(in_, {.slot = slot,
                     .query = query,
                     .key = words,
                     .value = words,
                     .n = n,
                     .name = slot + suffix});
  const Var nothing = zeros(in_.graph(), {1, in_.need("target").extent(-1)});
  return {{"context", nothing}};
}

Rotation::Turn Rotation::turn(Var asks_left, Var asks_right, const std::string& suffix) const {
  Turn turn;
  turn.tl = side("tl", asks_left, "left", "nl", suffix);
  turn.tr = side("tr", asks_right, "right", "nr", suffix);
  turn.lt = side("lt", turn.tl.at("context"), "target", "nt", suffix);
  turn.rt = side("rt", turn.tr.at("context"), "target", "nt", suffix);
  return turn;
}

void Rotation::name(const Turn& last) const {
  join(
      in_, "[r^l; r^r; r^{lt}; r^{rt}]",
      {last.tl.at("context"), last.tr.at("context"), last.lt.at("context"), last.rt.at("context")});
  for (const char* port : {"left", "right"}) {
    if (in_.port(port)) continue;
    const Var context = last.tl.at("context");
    in_.caution("there is no input \"" + std::string(port) + "\": its side answers with zeros",
                context, ones(in_.graph(), {1}));
  }
}

}  // namespace attend
