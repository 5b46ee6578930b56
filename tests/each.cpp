// SPDX-License-Identifier: Apache-2.0
#include "tests/each.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <map>
#include <stdexcept>
#include <utility>

#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif

namespace attend::testing {
namespace {

std::vector<std::function<void()>>& waiting() {
  static std::vector<std::function<void()>> list;
  return list;
}

// By name; doctest keeps pointers to the names.
std::map<std::string, std::function<void()>>& bodies() {
  static std::map<std::string, std::function<void()>> all;
  return all;
}

// A doctest case is a plain function: this one finds its body by the name of the case that runs.
void run_current() { bodies().at(doctest::getContextOptions()->currentTest->m_name)(); }

}  // namespace

void when_main_begins(std::function<void()> make_cases) {
  waiting().push_back(std::move(make_cases));
}

void make_all_cases() {
  for (const auto& make_cases : waiting()) make_cases();
  waiting().clear();
}

void add_case(const std::string& name, std::function<void()> body, std::source_location where) {
  const auto [place, is_new] = bodies().emplace(name, std::move(body));
  if (!is_new) throw std::logic_error("two test cases are named \"" + name + "\"");
  using namespace doctest::detail;
  regTest(TestCase(run_current, where.file_name(), where.line(), TestSuite()) *
          place->first.c_str());
}

Primitives every_primitive() { return {all_primitives().begin(), all_primitives().end()}; }

std::string case_name(const Primitive& primitive) {
  return "primitive/" + std::string(primitive.name);
}

bool sweeps_in_full() {
#ifdef __EMSCRIPTEN__
  return EM_ASM_INT({return process.env.ATTEND_ALL == "1"}) != 0;  // getenv knows none of them
#else
  const char* wanted = std::getenv("ATTEND_ALL");
  return wanted != nullptr && std::string_view(wanted) == "1";
#endif
}

}  // namespace attend::testing
