// SPDX-License-Identifier: Apache-2.0
#include "catalogue/tables.h"

#include <algorithm>
#include <cmath>

namespace attend {

Row row_by(std::size_t size, const std::function<double(std::size_t)>& number) {
  Row row(size);
  for (std::size_t j = 0; j < size; ++j) row[j] = number(j);
  return row;
}

Array table_by(std::size_t rows, std::size_t columns,
               const std::function<double(std::size_t, std::size_t)>& number) {
  Array table({rows, columns});
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) table(i, j) = number(i, j);
  }
  return table;
}

double sum_over(std::size_t count, const std::function<double(std::size_t)>& term) {
  double sum = 0;
  for (std::size_t j = 0; j < count; ++j) sum += term(j);
  return sum;
}

Array rows_by(std::size_t rows, const std::function<Row(std::size_t)>& row) {
  Array table;
  for (std::size_t i = 0; i < rows; ++i) {
    const Row one = row(i);
    table.data.insert(table.data.end(), one.begin(), one.end());
  }
  table.shape = {rows, rows == 0 ? 0 : table.data.size() / rows};
  return table;
}

Row plus(Row x, const Row& y, double factor) {
  for (std::size_t c = 0; c < x.size(); ++c) x[c] += factor * y[c];
  return x;
}

Row times(Row x, double factor) {
  for (double& number : x) number *= factor;
  return x;
}

Row times(Row x, const Row& factors) {
  for (std::size_t c = 0; c < x.size(); ++c) x[c] *= factors[c];
  return x;
}

Row joined(Row x, const Row& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

Array one_row(const Row& x) {
  return rows_by(1, [&](std::size_t) { return x; });
}

Row softened(const Row& scores) {
  return soft(scores, [](std::size_t) { return true; });
}

Array product(const Array& x, const Array& W) {
  return table_by(x.rows(), W.cols(), [&](std::size_t i, std::size_t o) {
    return sum_over(x.cols(), [&](std::size_t c) { return x(i, c) * W(c, o); });
  });
}

Array plus(Array x, const Array& y) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += y.data[i % y.data.size()];
  return x;
}

Array minus(Array x, const Array& y) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] -= y.data[i % y.data.size()];
  return x;
}

Array times(Array x, const Array& y) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] *= y.data[i % y.data.size()];
  return x;
}

Array affine(const Array& x, const Array& W, const Array& b) { return plus(product(x, W), b); }

Array activated(Array x, const std::string& act) {
  for (double& number : x.data) number = activate(act, number);
  return x;
}

Array transposed(const Array& x) {
  return table_by(x.cols(), x.rows(), [&](std::size_t i, std::size_t j) { return x(j, i); });
}

Array part_of(const Array& family, std::size_t t) {
  Array one(Shape(family.shape.begin() + 1, family.shape.end()));
  for (std::size_t i = 0; i < one.data.size(); ++i)
    one.data[i] = family.data[t * one.data.size() + i];
  return one;
}

void put_part(Array& family, std::size_t t, const Array& part) {
  std::copy(part.data.begin(), part.data.end(),
            family.data.begin() + static_cast<long>(t * part.data.size()));
}

Array standardised(Array x, double eps) {
  const auto d = static_cast<double>(x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double mean = sum_over(x.cols(), [&](std::size_t c) { return x(i, c) / d; });
    const double spread =
        sum_over(x.cols(), [&](std::size_t c) { return std::pow(x(i, c) - mean, 2) / d; });
    for (std::size_t c = 0; c < x.cols(); ++c) x(i, c) = (x(i, c) - mean) / std::sqrt(spread + eps);
  }
  return x;
}

Array normed(const Array& x, const Array& gamma, const Array& beta, double eps) {
  return plus(times(standardised(x, eps), gamma), beta);
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

Array stacked(const std::vector<Row>& rows) {
  return rows_by(rows.size(), [&](std::size_t i) { return rows[i]; });
}

Array below(const Array& x, const Array& y) {
  return rows_by(x.rows() + y.rows(),
                 [&](std::size_t i) { return i < x.rows() ? x.row(i) : y.row(i - x.rows()); });
}

Array sum_of_rows(const Array& x) {
  return table_by(1, x.cols(), [&](std::size_t, std::size_t c) {
    return sum_over(x.rows(), [&](std::size_t i) { return x(i, c); });
  });
}

Array mean_of_rows(const Array& x) {
  return one_row(times(sum_of_rows(x).data, 1 / static_cast<double>(x.rows())));
}

Array row_maxima(const Array& x) {
  return table_by(1, x.rows(), [&](std::size_t, std::size_t i) {
    const Row row = x.row(i);
    return *std::max_element(row.begin(), row.end());
  });
}

Array rows_from_to(const Array& x, std::size_t start, std::size_t stop) {
  return table_by(stop - start, x.cols(),
                  [&](std::size_t i, std::size_t c) { return x(start + i, c); });
}

Array dots(const Array& q, const Array& k) {
  return table_by(q.rows(), k.rows(),
                  [&](std::size_t i, std::size_t j) { return inner(q.row(i), k.row(j)); });
}

bool everywhere(std::size_t, std::size_t) { return true; }
bool not_after(std::size_t i, std::size_t j) { return j <= i; }

Array soft_rows(const Array& scores, const Allowed& allowed) {
  return rows_by(scores.rows(), [&](std::size_t i) {
    return soft(scores.row(i), [&](std::size_t j) { return allowed(i, j); });
  });
}

Array soft_columns(const Array& scores) { return transposed(soft_rows(transposed(scores))); }

AttentionTables seen_by(const Array& scores, const Array& values, const Allowed& allowed) {
  const Array weights = soft_rows(scores, allowed);
  return {scores, weights, product(weights, values)};
}

AttentionTables attended(const Array& q, const Array& k, const Array& v, const Allowed& allowed) {
  Array scores = dots(q, k);
  scores.data = times(scores.data, 1 / std::sqrt(static_cast<double>(q.cols())));
  return seen_by(scores, v, allowed);
}

Arrays results(const AttentionTables& seen) {
  return {{"scores", seen.scores}, {"weights", seen.weights}, {"context", seen.context}};
}

Array additive_scores(const Array& asks, const Array& keys, const Array& w) {
  return table_by(asks.rows(), keys.rows(), [&](std::size_t i, std::size_t j) {
    return sum_over(keys.cols(), [&](std::size_t c) {
      return w.data[c] * activate("tanh", asks(i, c) + keys(j, c));
    });
  });
}

Arrays scores_plus(const ReferenceIn& in,
                   const std::function<double(std::size_t, std::size_t)>& term) {
  const Array &q = in["query"], &k = in["key"];
  return {{"scores", table_by(q.rows(), k.rows(), [&](std::size_t i, std::size_t j) {
             return inner(q.row(i), k.row(j)) / std::sqrt(static_cast<double>(k.cols())) +
                    term(i, j);
           })}};
}

AttentionTables attended_in_heads(const Array& q, const Array& k, const HeadTables& maps,
                                  const Allowed& allowed) {
  const std::size_t heads = maps.W_Q.shape[0];
  AttentionTables out{Array({heads, q.rows(), k.rows()}), Array({heads, q.rows(), k.rows()}),
                      Array({q.rows(), 0})};
  for (std::size_t t = 0; t < heads; ++t) {
    const AttentionTables one =
        attended(product(q, part_of(maps.W_Q, t)), product(k, part_of(maps.W_K, t)),
                 product(k, part_of(maps.W_V, t)), allowed);
    put_part(out.scores, t, one.scores);
    put_part(out.weights, t, one.weights);
    out.context = beside({out.context, one.context});
  }
  return out;
}

}  // namespace attend
