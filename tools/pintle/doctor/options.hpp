// SPDX-License-Identifier: Apache-2.0
// The options of `pintle doctor`, and the input of its checks.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/time.hpp>

#include "doctor/cluster_reader.hpp"
#include "doctor/program.hpp"

namespace pintle::doctor {

struct DoctorOptions {
  std::string kubeconfig{};
  std::string context{};
  std::string namespace_{};  // of the operator; empty: all
  std::string format = "text";
  std::vector<std::string> command{};  // PROGRAM [ARGUMENT]...
  Duration stuck_after = std::chrono::minutes(5);
  Duration watch_for = std::chrono::seconds(5);
  Duration timeout = std::chrono::seconds(60);
  std::size_t max_objects = 10'000;  // of a kind
};

struct CheckInput {
  ClusterReader& cluster;
  const std::optional<Program>& program;
  const DoctorOptions& options;
};

}  // namespace pintle::doctor
