// SPDX-License-Identifier: Apache-2.0
// The check leases: their holders exist and renew them.
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "doctor/checks/checks.hpp"

namespace pintle::doctor {
namespace {

constexpr Type lease_type{"coordination.k8s.io/v1", "Lease"};
constexpr Type node_type{"v1", "Node"};
constexpr std::string_view control_plane = "kube-system";

// The heartbeats of nodes and of API servers are no leader elections.
bool is_heartbeat(const Object& lease) {
  return lease.namespace_() == "kube-node-lease" || lease.labels().member("apiserver.kubernetes.io/identity").exists();
}

std::string age_text(Duration age) { return format_duration(std::chrono::floor<std::chrono::seconds>(age)); }

class LeaseCheck {
 public:
  LeaseCheck(const CheckInput& input, Lines& lines) : input_(input), lines_(lines) {}

  void report(const Object& lease) {
    const std::string subject = fmt::format("Lease {}/{}", lease.namespace_(), lease.name());
    const std::string_view holder = lease["/spec/holderIdentity"].text();
    if (holder.empty()) return lines_.ok(subject, "has no holder: the last one has released it");
    const auto renewed = parse_time(lease["/spec/renewTime"].text());
    const std::chrono::seconds duration(lease["/spec/leaseDurationSeconds"].as_integer().value_or(0));
    if (!renewed) {
      return lines_.warn(subject, fmt::format("is held by {}, without a valid spec.renewTime", holder), remove(lease));
    }
    const Duration age = input_.cluster.now() - *renewed;
    const std::optional<bool> exists = holder_exists(lease.namespace_(), holder);
    const std::string shown = fmt::format("is held by {}{}", holder, exists == false ? " (no such Pod or Node)" : "");
    if (age > duration) {
      return lines_.fail(subject,
                         fmt::format("{}, which renewed it {} ago, but must do so every {}: no instance leads", shown,
                                     age_text(age), format_duration(duration)),
                         exists == false ? "start the operator, whose next instance takes the Lease; if there is no "
                                           "such operator any more: " +
                                               remove(lease)
                                         : log_of(lease, holder));
    }
    // The control plane of a managed cluster runs outside of it.
    if (exists == false && lease.namespace_() != control_plane) {
      return lines_.warn(subject, shown,
                         fmt::format("none, if the holder runs outside of the cluster; otherwise wait {}, after which "
                                     "another instance takes it",
                                     format_duration(duration)));
    }
    lines_.ok(subject, fmt::format("{}, renewed {} ago", shown, age_text(age)));
  }

 private:
  static std::string remove(const Object& lease) {
    return fmt::format("kubectl delete lease -n {} {}", lease.namespace_(), lease.name());
  }
  static std::string log_of(const Object& lease, std::string_view holder) {
    return fmt::format("look why the holder does not renew it: kubectl logs -n {} {}", lease.namespace_(),
                       holder.substr(0, holder.find('_')));
  }

  // An identity begins with the host name: that of the Pod, or with hostNetwork that of the Node. Returns nothing if
  // these cannot be read.
  std::optional<bool> holder_exists(std::string_view namespace_, std::string_view holder) {
    const std::string_view host = holder.substr(0, holder.find('_'));
    const auto is_pod = has_object(pod_type, "pods", std::string(namespace_), host);
    return is_pod == false ? has_object(node_type, "nodes", "", host) : is_pod;
  }

  std::optional<bool> has_object(Type type, const std::string& resource, const std::string& namespace_,
                                 std::string_view name) {
    const auto& read = input_.cluster.list(type, {.namespace_ = namespace_});
    if (!read) {
      const std::string subject =
          namespace_.empty() ? resource : fmt::format("{} of namespace {}", resource, namespace_);
      if (unreadable_.insert(subject).second) lines_.unreadable(subject, read.error(), {"", resource});
      return std::nullopt;
    }
    for (const Object& one : read->objects) {
      if (one.name() == name) return true;
    }
    return read->is_cut ? std::nullopt : std::optional(false);
  }

  const CheckInput& input_;
  Lines& lines_;
  std::set<std::string> unreadable_;  // subjects of lines
};

}  // namespace

void check_leases(const CheckInput& input, Lines& lines) {
  const auto& leases = input.cluster.list(lease_type, {.namespace_ = input.options.namespace_});
  if (!leases) return lines.unreadable("Leases", leases.error(), {"coordination.k8s.io", "leases"});
  LeaseCheck check(input, lines);
  for (const Object& lease : leases->objects) {
    if (!is_heartbeat(lease)) check.report(lease);
  }
  if (lines.empty()) lines.ok("Leases", "there are none for leader election");
}

}  // namespace pintle::doctor
