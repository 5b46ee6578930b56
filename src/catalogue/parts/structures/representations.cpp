// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/representations.h"

namespace attend {

std::vector<Var> mapped_sources(const Scope& sized, const Tensors& inputs) {
  std::vector<Var> sources;
  for (const Role& role : source_roles) {
    const Var x = inputs.find(role.name);  // [n d_e]
    if (!x) continue;
    const std::string number(role.name.substr(1));
    const Var mapped = matmul(x, sized.param("W" + number)) + sized.param("b" + number);
    sources.push_back(let("X^{t_" + number + "}", mapped));  // [n dt]
    if (sources.size() == 1) sized.label("m", x);
  }
  return sources;
}

Tensors weigh_sources(const Scope& sized, const std::vector<Var>& sources, Var scores) {
  const bool soft = sized.text("gate") == "softmax";
  const Var e = let("E", scores);                          // [n E]
  const Var a = let("A", soft ? softmax(e) : sigmoid(e));  // [n E]
  Var context;                                             // [n dt]
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Var part = slice(a, -1, s, s + 1) * sources[s];
    context = context ? context + part : part;
  }
  context = let("C", context);
  return {{out::scores, e, "m E:key"},
          {out::weights, a, "m E:key"},
          {out::context, context, "m dt"},
          {out::output, context, "m dt"}};
}

Arrays weighed_by_loops(const ReferenceIn& in,
                        const std::function<Array(const std::vector<Array>&)>& score) {
  std::vector<Array> sources;
  for (const Role& role : source_roles) {
    if (!in.has(role.name)) continue;
    const std::string number(role.name.substr(1));
    const Array& b = in.parameter("b" + number);
    sources.push_back(
        affine(in[role.name], in.parameter("W" + number), Array(Tensor{{1, b.cols()}, b.data})));
  }
  const Array scores = transposed(score(sources));
  Array weights = in.text("gate") == "softmax" ? soft_rows(scores) : activated(scores, "sigmoid");
  Array context(sources.front().shape);
  for (std::size_t i = 0; i < context.rows(); ++i) {
    for (std::size_t s = 0; s < sources.size(); ++s) {
      for (std::size_t c = 0; c < context.cols(); ++c)
        context(i, c) += weights(i, s) * sources[s](i, c);
    }
  }
  return {{"scores", scores}, {"weights", weights}, {"context", context}};
}

Tensors weigh_by_themselves(const Scope& in, const Tensors& inputs, bool squashed) {
  const Scope sized = in.sized();
  const std::vector<Var> sources = mapped_sources(sized, inputs);
  std::vector<Var> scores;  // [n 1] each
  for (const Var x : sources) {
    const Var e = matmul(x, sized.param("a"), false, true) + sized.param("b");
    scores.push_back(squashed ? tanh(e) : e);
  }
  return weigh_sources(sized, sources, scores.size() == 1 ? scores.front() : concat(scores, -1));
}

Arrays weighed_by_themselves(const ReferenceIn& in, bool squashed) {
  Arrays out = weighed_by_loops(in, [&](const std::vector<Array>& sources) {
    Array e({sources.size(), sources.front().rows()});
    for (std::size_t s = 0; s < e.rows(); ++s) {
      for (std::size_t i = 0; i < e.cols(); ++i) {
        const double plain = inner(sources[s].row(i), in.parameter("a").data) + in.parameter("b")();
        e(s, i) = squashed ? activate("tanh", plain) : plain;
      }
    }
    return e;
  });
  out["output"] = out["context"];
  return out;
}

}  // namespace attend
