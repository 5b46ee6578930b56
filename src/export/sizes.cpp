// SPDX-License-Identifier: Apache-2.0
#include "export/sizes.h"

#include <algorithm>
#include <cmath>

namespace attend {
namespace {

using Monomial = std::vector<std::size_t>;

// Quotients by more are too few numbers at the sizes that are recorded to tell one from another.
constexpr long largest_divisor = 16;

// All products of different symbols, the squares, and squares in a batch: what sizes of tensors are made of.
std::vector<Monomial> monomials(const std::vector<std::size_t>& symbols) {
  std::vector<Monomial> list{{}};
  for (const std::size_t symbol : symbols) {
    const std::size_t before = list.size();
    for (std::size_t i = 0; i < before; ++i) {
      if (list[i].size() >= 3) continue;
      Monomial next = list[i];
      next.push_back(symbol);
      list.push_back(std::move(next));
    }
  }
  for (const std::size_t symbol : symbols) list.push_back({symbol, symbol});
  if (symbols.empty() || symbols.front() != 0) return list;
  for (const std::size_t symbol : symbols)
    if (symbol != 0) list.push_back({0, symbol, symbol});
  return list;
}

long double value_of(const Monomial& monomial, const std::vector<std::size_t>& sizes) {
  long double value = 1;
  for (const std::size_t symbol : monomial) value *= static_cast<long double>(sizes[symbol]);
  return value;
}

// The solution of more equations than unknowns by elimination; empty where they do not settle it. The last column is
// the right side.
std::vector<long double> solved(std::vector<std::vector<long double>> rows, std::size_t unknowns) {
  for (std::size_t c = 0; c < unknowns; ++c) {
    const auto best = std::max_element(
        rows.begin() + static_cast<long>(c), rows.end(),
        [&](const auto& a, const auto& b) { return std::fabs(a[c]) < std::fabs(b[c]); });
    if (best == rows.end() || std::fabs((*best)[c]) < 1e-9L) return {};
    std::iter_swap(rows.begin() + static_cast<long>(c), best);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r == c) continue;
      const long double factor = rows[r][c] / rows[c][c];
      for (std::size_t k = c; k <= unknowns; ++k) rows[r][k] -= factor * rows[c][k];
    }
  }
  std::vector<long double> result(unknowns);
  for (std::size_t c = 0; c < unknowns; ++c) result[c] = rows[c][unknowns] / rows[c][c];
  return result;
}

}  // namespace

long SizeExpression::at(const std::vector<std::size_t>& sizes) const {
  long sum = 0;
  for (const Term& term : terms) {
    long product = term.coefficient;
    for (const std::size_t symbol : term.of) product *= static_cast<long>(sizes[symbol]);
    sum += product;
  }
  return sum / divisor;
}

std::string SizeExpression::text(const std::vector<std::string>& names) const {
  std::string sum;
  for (const Term& term : terms) {
    std::string product;
    const long factor = std::labs(term.coefficient);
    if (factor != 1 || term.of.empty()) product = std::to_string(factor);
    for (const std::size_t symbol : term.of)
      product += (product.empty() ? "" : " * ") + names[symbol];
    if (sum.empty())
      sum = (term.coefficient < 0 ? "-" : "") + product;
    else
      sum += (term.coefficient < 0 ? " - " : " + ") + product;
  }
  if (sum.empty()) sum = "0";
  if (divisor == 1) return sum;
  return (sum.find(' ') == std::string::npos ? sum : "(" + sum + ")") + " // " +
         std::to_string(divisor);
}

bool SizeFit::fits(const SizeExpression& e, const std::vector<long>& values) const {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (e.at(points_[i]) != values[i]) return false;
  }
  return true;
}

// The symbols that move the value when they alone differ from the base.
std::vector<std::size_t> SizeFit::symbols_behind(const std::vector<long>& values) const {
  std::vector<std::size_t> list;
  for (std::size_t symbol = 0; symbol < points_.front().size(); ++symbol) {
    for (std::size_t i = 1; i < points_.size(); ++i) {
      std::vector<std::size_t> moved = points_.front();
      moved[symbol] = points_[i][symbol];
      if (moved != points_[i] || values[i] == values[0]) continue;
      list.push_back(symbol);
      break;
    }
  }
  return list;
}

std::optional<SizeExpression> SizeFit::polynomial(const std::vector<long>& values,
                                                  const std::vector<std::size_t>& by) const {
  const std::vector<Monomial> list = monomials(by);
  if (list.size() >= points_.size()) return std::nullopt;
  std::vector<std::vector<long double>> rows;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::vector<long double> row;
    for (const Monomial& one : list) row.push_back(value_of(one, points_[i]));
    row.push_back(static_cast<long double>(values[i]));
    rows.push_back(std::move(row));
  }
  const std::vector<long double> found = solved(std::move(rows), list.size());
  if (found.empty()) return std::nullopt;
  for (const long divisor : {1L, 2L}) {
    SizeExpression e{{}, divisor};
    // The largest products first, the number alone last.
    for (std::size_t k = list.size(); k-- > 0;) {
      const long coefficient = std::lround(found[k] * static_cast<long double>(divisor));
      if (coefficient != 0) e.terms.push_back({coefficient, list[k]});
    }
    if (!e.terms.empty() && e.terms.front().coefficient < 0) {
      const auto positive = std::find_if(e.terms.begin(), e.terms.end(),
                                         [](const auto& t) { return t.coefficient > 0; });
      if (positive != e.terms.end()) std::rotate(e.terms.begin(), positive, e.terms.end());
    }
    if (fits(e, values)) return e;
  }
  return std::nullopt;
}

// Several quotients may fit, such as ceil(n / 11) and (n + 8) // 10 from 11 to 21. A graph usually counts by a plain
// floor or ceiling; the others are taken only where neither fits.
std::optional<SizeExpression> SizeFit::quotient(const std::vector<long>& values,
                                                std::size_t symbol) const {
  std::optional<SizeExpression> other;
  for (long divisor = 2; divisor <= largest_divisor; ++divisor) {
    for (long more = 0; more < 2 * divisor; ++more) {
      SizeExpression e{{{1, {symbol}}}, divisor};
      if (more != 0) e.terms.push_back({more, {}});
      if (!fits(e, values)) continue;
      if (more == 0 || more == divisor - 1) return e;
      if (!other) other = std::move(e);
    }
  }
  return other;
}

std::optional<SizeExpression> SizeFit::fit(const std::vector<long>& values) {
  const auto known = known_.find(values);
  if (known != known_.end()) return known->second;
  std::optional<SizeExpression> e;
  const bool constant = std::all_of(values.begin(), values.end(),
                                    [&](long value) { return value == values.front(); });
  const std::vector<std::size_t> by =
      constant ? std::vector<std::size_t>{} : symbols_behind(values);
  if (constant)
    e = SizeExpression{{{values.front(), {}}}};
  else
    e = polynomial(values, by);
  if (!e && by.size() == 1) e = quotient(values, by.front());
  known_.emplace(values, e);
  return e;
}

}  // namespace attend
