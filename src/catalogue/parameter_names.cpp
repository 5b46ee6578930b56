// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parameter_names.h"

#include <algorithm>
#include <array>

#include "ops/error.h"

namespace attend {

namespace {
constexpr std::string_view digits = "0123456789";
}  // namespace

std::string_view stem_of(std::string_view record) {
  if (!record.ends_with('+')) return record;
  record.remove_suffix(1);
  return record.substr(0, record.find_last_not_of(digits) + 1);
}

bool means(std::string_view record, std::string_view name) {
  if (!record.ends_with('+')) return record == name;
  const std::string_view stem = stem_of(record);
  if (!name.starts_with(stem)) return false;
  record.remove_suffix(1);
  const std::string_view first = record.substr(stem.size()), number = name.substr(stem.size());
  if (number.find_first_not_of(digits) != std::string_view::npos) return false;
  return number.size() == first.size() ? number >= first : number.size() > first.size();
}

namespace {

// A Greek letter is a command of LaTeX; any other word is written upright.
std::string word_symbol(std::string_view word) {
  static constexpr std::array greek{
      "alpha", "beta",   "gamma", "delta", "epsilon", "zeta",  "eta",     "theta",  "iota",
      "kappa", "lambda", "mu",    "nu",    "xi",      "pi",    "rho",     "sigma",  "tau",
      "phi",   "chi",    "psi",   "omega", "Gamma",   "Delta", "Theta",   "Lambda", "Xi",
      "Pi",    "Sigma",  "Phi",   "Psi",   "Omega",   "ell",   "upsilon", "Upsilon"};
  if (word.size() < 2) return std::string(word);
  if (std::find(greek.begin(), greek.end(), word) != greek.end()) return "\\" + std::string(word);
  return "\\mathrm{" + std::string(word) + "}";
}

}  // namespace

std::string symbol_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  const std::size_t under = name.find('_');
  if (under != std::string_view::npos)
    return word_symbol(name.substr(0, under)) + "_{" + std::string(name.substr(under + 1)) + "}";
  std::size_t letters = name.size();
  while (letters > 1 && name[letters - 1] >= '0' && name[letters - 1] <= '9') --letters;
  const std::string symbol = word_symbol(name.substr(0, letters));
  return letters == name.size() ? symbol : symbol + "_{" + std::string(name.substr(letters)) + "}";
}

const Parameter& parameter_record(const Mechanism& mechanism, std::string_view name) {
  for (const Parameter& parameter : mechanism.parameters) {
    if (means(parameter.name, name)) return parameter;
  }
  refuse("its build function uses a parameter \"" + std::string(name) + "\" that its record lacks");
}

}  // namespace attend
