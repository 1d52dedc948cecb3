// SPDX-License-Identifier: Apache-2.0
#include "doctor/line.hpp"

#include <fmt/format.h>

#include "doctor/cluster_reader.hpp"

namespace pintle::doctor {

std::string_view to_string(LineState state) noexcept {
  switch (state) {
    case LineState::ok: return "ok";
    case LineState::warn: return "warn";
    case LineState::fail: return "fail";
    case LineState::skip: return "skip";
  }
  return "fail";
}

std::string NeededRule::to_string() const {
  return fmt::format(R"({{apiGroups: ["{}"], resources: ["{}"], verbs: ["{}"]}})", group, resource, verb);
}

void Lines::unreadable(std::string subject, const Error& error, const NeededRule& needed) {
  if (error.code == ErrorCode::forbidden) {
    skip(std::move(subject), "cannot be read: " + error.to_string(),
         "add the rule " + needed.to_string() + " to a ClusterRole of the user of the kubeconfig");
  } else if (error.code == ErrorCode::unsupported) {
    skip(std::move(subject), "is not served by this server: " + error.to_string(),
         "none, if the cluster does not need it");
  } else if (error.reason == time_is_over) {
    fail(std::move(subject), "was not checked: the time of --timeout is over", "repeat with a longer --timeout");
  } else {
    fail(std::move(subject), "cannot be read: " + error.to_string(),
         "check the API server (`kubectl get --raw '/readyz?verbose'`), then repeat `pintle doctor`");
  }
}

}  // namespace pintle::doctor
