// SPDX-License-Identifier: Apache-2.0
// What a compiler of native programs has to bring: the standard library, exceptions and threads.
#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::vector<int> numbers{3, 1, 2};
  std::thread([&] { std::sort(numbers.begin(), numbers.end()); }).join();
  try {
    throw std::runtime_error("caught");
  } catch (const std::exception& problem) {
    std::cout << problem.what() << ';';
  }
  for (const int number : numbers) std::cout << ' ' << std::to_string(number);
  std::cout << '\n';
}
