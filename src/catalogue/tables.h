// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalogue/reference.h"

// The tables of the references, computed by plain loops in double. No build uses any of this.
namespace attend {

// A row, a table and a sum, by a formula for each number.
Row row_by(std::size_t size, const std::function<double(std::size_t j)>& number);
Array table_by(std::size_t rows, std::size_t columns,
               const std::function<double(std::size_t i, std::size_t j)>& number);
double sum_over(std::size_t count, const std::function<double(std::size_t j)>& term);
// A table whose row i is row(i).
Array rows_by(std::size_t rows, const std::function<Row(std::size_t i)>& row);

Row plus(Row x, const Row& y, double factor = 1);  // x + factor y
Row times(Row x, double factor);
Row times(Row x, const Row& factors);           // element by element
Row joined(Row x, const Row& y);                // y behind x
Array one_row(const Row& x);                    // [1 n]
Row softened(const Row& scores);                // softmax over all keys
Array product(const Array& x, const Array& W);  // [n a] [a c] -> [n c]
Array plus(Array x, const Array& y);            // of one shape, or y one row for all
Array minus(Array x, const Array& y);           // the same
Array times(Array x, const Array& y);           // element by element, or y one row for all
Array affine(const Array& x, const Array& W, const Array& b);  // x W + b
Array activated(Array x, const std::string& act);              // act(x)
Array transposed(const Array& x);
Array part_of(const Array& family, std::size_t t);  // [h ..] -> [..]
void put_part(Array& family, std::size_t t, const Array& part);
// Rows less their mean, by their spread; layer normalisation.
Array standardised(Array x, double eps = 1e-5);
Array normed(const Array& x, const Array& gamma, const Array& beta, double eps = 1e-5);
Array beside(const std::vector<Array>& tables);  // columns of all; a table of one row repeats it
Array stacked(const std::vector<Row>& rows);     // a row each
Array below(const Array& x, const Array& y);     // [n d] [m d] -> [n+m d]
Array sum_of_rows(const Array& x);               // [1 d]
Array mean_of_rows(const Array& x);              // [1 d]
Array row_maxima(const Array& x);                // the largest of each row, [m n] -> [1 m]
Array rows_from_to(const Array& x, std::size_t start, std::size_t stop);
Array dots(const Array& q, const Array& k);  // q_i . k_j, [m n]

using Allowed = std::function<bool(std::size_t i, std::size_t j)>;
bool everywhere(std::size_t i, std::size_t j);
bool not_after(std::size_t i, std::size_t j);  // j <= i
// Softmax of each row, or of each column, over the allowed pairs.
Array soft_rows(const Array& scores, const Allowed& allowed = everywhere);
Array soft_columns(const Array& scores);

// What attention gives: [m n] [m n] [m dv].
struct AttentionTables {
  Array scores, weights, context;
};
AttentionTables seen_by(const Array& scores, const Array& values,
                        const Allowed& allowed = everywhere);
// softmax(Q K^T / sqrt(p)) V over the allowed pairs.
AttentionTables attended(const Array& q, const Array& k, const Array& v,
                         const Allowed& allowed = everywhere);
Arrays results(const AttentionTables& seen);  // by their names
// The scores tanh(asks_i + keys_j) . w.
Array additive_scores(const Array& asks, const Array& keys, const Array& w);
// The scores q_i . k_j / sqrt(p) + term(i, j).
Arrays scores_plus(const ReferenceIn& in,
                   const std::function<double(std::size_t i, std::size_t j)>& term);

// The same in every head: scores and weights [h m n], heads side by side.
struct HeadTables {
  const Array &W_Q, &W_K, &W_V;
};
AttentionTables attended_in_heads(const Array& q, const Array& k, const HeadTables& maps,
                                  const Allowed& allowed = everywhere);

}  // namespace attend
