// SPDX-License-Identifier: Apache-2.0
// attend_bench_attention ENGINE FOLDER HEADS ROWS WIDTH GRADIENTS ROUNDS MILLISECONDS
// Reads FOLDER/q.bin, k.bin, v.bin (upstream.bin), times attention, prints the milliseconds of the
// best and the middle call of every round, and leaves its results in FOLDER/ENGINE-output.bin (-dq,
// -dk, -dv).
#include "bench/attention.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>

#include "fused/attention.h"

namespace attend::bench {

void fused_attention(const Numbers& in, bool gradients, Results& out) {
  static std::vector<real> largest;
  static std::vector<real> sum;
  largest.resize(in.heads * in.rows);
  sum.resize(in.heads * in.rows);
  const std::size_t head = in.rows * in.width;
  const auto rows = [&](const std::vector<real>& x) {
    return fused::Rows{x.data(), in.width, head};
  };
  const auto place = [&](std::vector<real>& x) { return fused::Place{x.data(), in.width, head}; };
  fused::Attention a;
  a.heads = in.heads;
  a.m = a.n = in.rows;
  a.d = a.dv = in.width;
  a.q = rows(in.q);
  a.k = rows(in.k);
  a.v = rows(in.v);
  a.scale = 1 / std::sqrt(static_cast<real>(in.width));
  const fused::Statistics statistics{largest.data(), sum.data()};
  fused::attend(a, place(out.output), statistics);
  if (!gradients) return;
  fused::attend_backward(a, rows(out.output), statistics, rows(in.upstream),
                         {place(out.dq), place(out.dk), place(out.dv), {}});
}

namespace {

std::vector<real> read(const std::string& path, std::size_t count) {
  std::vector<real> x(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(count * sizeof(real)));
  if (!file) throw std::runtime_error("cannot read " + path);
  return x;
}

void write(const std::string& path, const std::vector<real>& x) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(x.data()),
             static_cast<std::streamsize>(x.size() * sizeof(real)));
  if (!file) throw std::runtime_error("cannot write " + path);
}

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

template <class Run>
void measure(Run run, unsigned rounds, double enough) {
  for (unsigned round = 0; round <= rounds; ++round) {
    std::vector<double> times;
    const auto start = Clock::now();
    do {
      const auto before = Clock::now();
      run();
      times.push_back(milliseconds(Clock::now() - before));
    } while (milliseconds(Clock::now() - start) < enough || times.size() < 2);
    std::sort(times.begin(), times.end());
    if (round > 0) std::printf("%.6f %.6f\n", times.front(), times[times.size() / 2]);
  }
}

int run(const std::vector<std::string>& words) {
  if (words.size() != 8) throw std::runtime_error("eight arguments, see bench/attention.cpp");
  const std::string& engine = words[0];
  const std::string folder = words[1] + "/";
  Numbers in;
  in.heads = std::stoul(words[2]);
  in.rows = std::stoul(words[3]);
  in.width = std::stoul(words[4]);
  const bool gradients = words[5] == "1";
  const std::size_t count = in.heads * in.rows * in.width;
  in.q = read(folder + "q.bin", count);
  in.k = read(folder + "k.bin", count);
  in.v = read(folder + "v.bin", count);
  if (gradients) in.upstream = read(folder + "upstream.bin", count);
  Results out;
  for (auto* x : {&out.output, &out.dq, &out.dk, &out.dv}) x->resize(count);
  const auto compute = engine == "eigen" ? eigen_attention : fused_attention;
  measure([&] { compute(in, gradients, out); }, static_cast<unsigned>(std::stoul(words[6])),
          std::stod(words[7]));
  write(folder + engine + "-output.bin", out.output);
  if (!gradients) return 0;
  write(folder + engine + "-dq.bin", out.dq);
  write(folder + engine + "-dk.bin", out.dk);
  write(folder + engine + "-dv.bin", out.dv);
  return 0;
}

}  // namespace
}  // namespace attend::bench

int main(int count, char** words) {
  try {
    return attend::bench::run({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  }
}
