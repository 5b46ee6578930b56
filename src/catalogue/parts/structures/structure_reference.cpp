// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/structure_reference.h"

#include <algorithm>

namespace attend {

Array transposed(const Array& x) {
  Array y({x.cols(), x.rows()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < x.cols(); ++j) y(j, i) = x(i, j);
  }
  return y;
}

Array rows_times(const Array& x, const Array& W) {
  Array y({x.rows(), W.cols()});
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < y.cols(); ++c) {
      for (std::size_t k = 0; k < x.cols(); ++k) y(i, c) += x(i, k) * W(k, c);
    }
  }
  return y;
}

Array sum_of(const Array& a, const Array& b) {
  Array y = a;
  for (std::size_t i = 0; i < y.rows(); ++i) {
    for (std::size_t c = 0; c < y.cols(); ++c) y(i, c) += b(b.rows() == 1 ? 0 : i, c);
  }
  return y;
}

Array activated(const std::string& act, Array x) {
  for (double& number : x.data) number = activate(act, number);
  return x;
}

Array beside(const std::vector<Array>& tables) {
  std::size_t width = 0, rows = 1, at = 0;
  for (const Array& table : tables) {
    width += table.cols();
    rows = std::max(rows, table.rows());
  }
  Array all({rows, width});
  for (const Array& table : tables) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < table.cols(); ++c)
        all(i, at + c) = table(table.rows() == 1 ? 0 : i, c);
    }
    at += table.cols();
  }
  return all;
}

Array mean_of_rows(const Array& x) {
  Array mean({1, x.cols()});
  for (std::size_t c = 0; c < x.cols(); ++c) {
    for (std::size_t i = 0; i < x.rows(); ++i) mean(0, c) += x(i, c);
    mean(0, c) /= static_cast<double>(x.rows());
  }
  return mean;
}

Array rows_from_to(const Array& x, std::size_t start, std::size_t stop) {
  Array part({stop - start, x.cols()});
  for (std::size_t i = start; i < stop; ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) part(i - start, c) = x(i, c);
  }
  return part;
}

Array soft_rows(const Array& scores) {
  Array weights(scores.shape);
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    const Row row = soft(scores.row(i), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < row.size(); ++j) weights(i, j) = row[j];
  }
  return weights;
}

Answer seen_by(const Array& scores, const Array& values) {
  const Array weights = soft_rows(scores);
  return {scores, weights, weighted(weights, values)};
}

Array dots(const Array& q, const Array& k) {
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) e(i, j) = inner(q.row(i), k.row(j));
  }
  return e;
}

Array activated_general(const ReferenceIn& in, const std::string& module, const Array& q,
                        const Array& k) {
  Array e({q.rows(), k.rows()});
  for (std::size_t j = 0; j < e.cols(); ++j) {
    const Row asked = mapped(k.row(j), in.parameter(module + ".score.W"));
    for (std::size_t i = 0; i < e.rows(); ++i)
      e(i, j) = activate("tanh", inner(asked, q.row(i)) + in.parameter(module + ".score.b")());
  }
  return e;
}

Array additive(const ReferenceIn& in, const std::string& module, const Array& q, const Array& k) {
  const Array &b = in.parameter(module + ".score.b"), &w = in.parameter(module + ".score.w");
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const Row asks = mapped(q.row(i), in.parameter(module + ".score.W1"));
    for (std::size_t j = 0; j < e.cols(); ++j) {
      const Row has = mapped(k.row(j), in.parameter(module + ".score.W2"));
      for (std::size_t u = 0; u < has.size(); ++u)
        e(i, j) += w(u) * activate("tanh", asks[u] + has[u] + b(u));
    }
  }
  return e;
}

Array self_additive(const ReferenceIn& in, const std::string& prefix, const Array& k) {
  const Array &b = in.parameter(prefix + "b"), &w = in.parameter(prefix + "w");
  Array e({1, k.rows()});
  for (std::size_t j = 0; j < k.rows(); ++j) {
    const Row has = mapped(k.row(j), in.parameter(prefix + "W"));
    for (std::size_t u = 0; u < has.size(); ++u) e(0, j) += w(u) * activate("tanh", has[u] + b(u));
  }
  return e;
}

Array trilinear(const Array& w, const Array& q, const Array& k) {
  const std::size_t d = q.cols();
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      for (std::size_t c = 0; c < d; ++c)
        e(i, j) += w(c) * k(j, c) + w(d + c) * q(i, c) + w(2 * d + c) * k(j, c) * q(i, c);
    }
  }
  return e;
}

Array row_maxima(const Array& e) {
  Array largest({1, e.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    const Row row = e.row(i);
    largest(0, i) = *std::max_element(row.begin(), row.end());
  }
  return largest;
}

const Array& or_else(const ReferenceIn& in, const char* port, const char* otherwise) {
  return in[in.has(port) ? port : otherwise];
}

void put_side(Arrays& out, const std::string& side, const Answer& seen) {
  out["scores" + side] = seen.scores;
  out["weights" + side] = seen.weights;
  out["context" + side] = seen.context;
}

void put_sides(Arrays& out, const Answer& first, const Answer& second) {
  put_side(out, "1", first);
  put_side(out, "2", second);
}

Arrays joined_sides(const Answer& first, const Answer& second) {
  Arrays out{{"output", beside({first.context, second.context})}};
  put_sides(out, first, second);
  return out;
}

}  // namespace attend
