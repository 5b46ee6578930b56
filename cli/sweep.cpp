// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cli/at_least_one.h"
#include "cli/files.h"
#include "cli/train.h"
#include "experiment/grid.h"
#include "ops/error.h"

namespace {

using attend::Grid;
using attend::Json;

struct SweepAsked {
  std::string file, to;
  std::optional<std::size_t> cell;
  unsigned jobs = 0;
  bool count = false;
};

// The document may be a file beside the grid.
Json grid_of(const std::string& file) {
  Json json = attend::parse_json(bytes_of(file));
  if (json.is_object() && json.contains("document") && json["document"].is_string()) {
    const std::filesystem::path path =
        std::filesystem::path(file).parent_path() / json["document"].get<std::string>();
    look_for_weights_beside(path.string());
    json["document"] = attend::parse_json(bytes_of(path));
  } else {
    look_for_weights_beside(file);
  }
  return json;
}

// The cells that a file of results holds already: those whose values are the same and that did not fail.
std::vector<bool> cells_done(const Grid& grid, const std::string& file) {
  std::vector<bool> done(grid.cells(), false);
  std::ifstream lines(file);
  std::string line;
  while (std::getline(lines, line)) {
    Json one = Json::parse(line, nullptr, false);
    if (!one.is_object() || !one.contains("result") || !one["cell"].is_number_unsigned()) continue;
    const auto cell = one["cell"].get<std::size_t>();
    if (cell < done.size() && one["values"] == grid.values(cell)) done[cell] = true;
  }
  return done;
}

// One cell in a process of its own, which writes its line to a pipe: what ends that process ends one cell only.
struct Worker {
  std::size_t cell;
  int out;
  std::string line = {};
};

Worker begin(const Grid& grid, std::size_t cell, pid_t& process) {
  int ends[2];
  if (pipe(ends) != 0) attend::refuse("", "cannot make a pipe for a cell");
  process = fork();
  if (process < 0) attend::refuse("", "cannot start a process for a cell");
  if (process == 0) {
    close(ends[0]);
    const std::string line = attend::line_of_cell(grid, cell);
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t written = write(ends[1], line.data() + at, line.size() - at);
      if (written <= 0) _exit(1);
      at += static_cast<std::size_t>(written);
    }
    _exit(0);
  }
  close(ends[1]);
  return {cell, ends[0]};
}

std::string rest_of(int pipe) {
  std::string text;
  char room[4096];
  for (ssize_t count = 0; (count = read(pipe, room, sizeof room)) > 0;)
    text.append(room, static_cast<std::size_t>(count));
  close(pipe);
  return text;
}

std::string line_of(const Grid& grid, const Worker& worker, const std::string& text, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !text.empty()) return text;
  const std::string how = WIFSIGNALED(status) ? "by the signal " + std::to_string(WTERMSIG(status))
                                              : "before it wrote its line";
  return Json{
      {"cell", worker.cell},
      {"values", grid.values(worker.cell)},
      {"error", {{"path", ""}, {"message", "the process that ran this cell was ended " + how}}}}
      .dump();
}

// False where a cell failed.
bool run_all(const Grid& grid, const SweepAsked& asked) {
  std::vector<bool> done =
      asked.to.empty() ? std::vector<bool>(grid.cells(), false) : cells_done(grid, asked.to);
  std::ofstream file;
  if (!asked.to.empty()) {
    file.open(asked.to, std::ios::app);
    if (!file) attend::refuse("--to", "cannot write the file \"" + asked.to + "\"");
  }
  std::ostream& out = asked.to.empty() ? std::cout : file;
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t jobs = asked.jobs == 0 ? cores : asked.jobs;
  std::vector<std::size_t> left;
  for (std::size_t cell = 0; cell < done.size(); ++cell)
    if (!done[cell]) left.push_back(cell);
  std::size_t next = 0, finished = grid.cells() - left.size(), failed = 0;
  struct Running {
    Worker worker;
    pid_t process;
  };
  std::vector<Running> running;
  while (next < left.size() || !running.empty()) {
    while (next < left.size() && running.size() < jobs) {
      pid_t process = 0;
      const Worker worker = begin(grid, left[next++], process);
      running.push_back({worker, process});
    }
    // The oldest first: lines come in the order of the cells, and the others go on meanwhile.
    const Running first = running.front();
    running.erase(running.begin());
    const std::string text = rest_of(first.worker.out);
    int status = 0;
    waitpid(first.process, &status, 0);
    const std::string line = line_of(grid, first.worker, text, status);
    out << line << std::endl;
    const bool bad = Json::parse(line, nullptr, false).contains("error");
    failed += bad ? 1 : 0;
    std::cerr << ++finished << " of " << grid.cells() << " cells"
              << (failed > 0 ? ", " + std::to_string(failed) + " failed" : "") << '\n';
  }
  return failed == 0;
}

}  // namespace

void add_sweep(CLI::App& app) {
  auto asked = std::make_shared<SweepAsked>();
  auto* sweep = app.add_subcommand(
      "sweep",
      "Train or run a document with every combination of values, and print one JSON line per cell");
  sweep->add_option("file", asked->file, "A grid: a document and lists of values by path")
      ->required();
  sweep->add_option("--to", asked->to,
                    "A file for the lines; cells with a line in this file are not run again");
  sweep
      ->add_option("--jobs", asked->jobs,
                   "The number of cells that run at once; by default one per processor")
      ->check(at_least_one());
  sweep->add_option("--cell", asked->cell, "Run only this cell, counted from 0");
  sweep->add_flag("--count", asked->count, "Only print the number of cells");
  sweep->callback([asked] {
    const Grid grid(grid_of(asked->file));
    if (asked->count) {
      std::cout << grid.cells() << '\n';
    } else if (asked->cell) {
      const std::string line = attend::line_of_cell(grid, *asked->cell);
      std::cout << line << '\n';
      if (Json::parse(line).contains("error")) throw CLI::RuntimeError(1);
    } else if (!run_all(grid, *asked)) {
      throw CLI::RuntimeError(1);
    }
  });
}
