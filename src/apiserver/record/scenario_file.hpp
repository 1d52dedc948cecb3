// SPDX-License-Identifier: Apache-2.0
// ScenarioFile: a file with the steps of a scenario, which is complete after each step.
#pragma once

#include <fstream>
#include <string>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Used by one thread at a time.
class ScenarioFile {
 public:
  // Creates or replaces the file.
  [[nodiscard]] Result<void> open(const std::string& path);
  void append(const json::Value& step);
  // Error: open() or append() has failed.
  [[nodiscard]] Result<void> check() const;

 private:
  std::string path_;
  std::fstream file_;
  std::streamoff end_ = 0;  // of the last step
  bool has_steps_ = false;
};

}  // namespace pintle::apiserver
