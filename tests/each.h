// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "catalogue/mechanism.h"
#include "ops/primitive.h"

// One test case for each mechanism (or primitive) and law: a failure names both, and one error does
// not hide the rest.
//
//   const Each reference("equals its reference", every_mechanism, [](const Mechanism& mechanism) {
//     CHECK(..);
//   });
//
// makes the cases "score/additive equals its reference", "alignment/softmax equals its reference"
// and so on. A law is a constant outside every function, as a TEST_CASE is.
namespace attend::testing {

using Mechanisms = std::vector<const Mechanism*>;
using Primitives = std::vector<const Primitive*>;
// As WebAssembly a function has another signature where its address is taken while its result is not a complete type.
static_assert(sizeof(Mechanisms) > 0 && sizeof(Primitives) > 0);

Mechanisms every_mechanism();
Mechanisms of_kind(Kind kind);
Primitives every_primitive();
inline Mechanisms every_score() { return of_kind(Kind::score); }
inline Mechanisms every_mask() { return of_kind(Kind::mask); }
inline Mechanisms every_alignment() { return of_kind(Kind::alignment); }

std::string case_name(const Mechanism& mechanism);  // "score/additive"
std::string case_name(const Primitive& primitive);  // "primitive/exp"

// A law's cases are made when `main` begins: before that the catalogue may not be ready.
void when_main_begins(std::function<void()> make_cases);
void make_all_cases();
void add_case(const std::string& name, std::function<void()> body, std::source_location where);

struct Each {
  template <class Items, class Check>
  Each(const std::string& law, Items items, Check check,
       std::source_location where = std::source_location::current()) {
    when_main_begins([=] {
      for (const auto* item : items())
        add_case(
            case_name(*item) + " " + law, [=] { check(*item); }, where);
    });
  }
};

// Whether the long sweeps run in full (./test --all) or as their fixed sample.
bool sweeps_in_full();

}  // namespace attend::testing
