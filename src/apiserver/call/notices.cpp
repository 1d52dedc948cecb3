// SPDX-License-Identifier: Apache-2.0
#include "notices.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view rights = "this server stores roles and role bindings but allows all requests";

// Returns the notice for a kind whose objects have no effect here, or only in part; "" for other kinds.
std::string_view notice_of(const Resource& resource, bool evaluates_roles) {
  if (resource.group == "rbac.authorization.k8s.io") return evaluates_roles ? std::string_view{} : rights;
  return {};
}

}  // namespace

void Notices::add(const Resource& resource, const Object& stored, std::vector<std::string>& warnings) {
  const std::string_view notice = notice_of(resource, evaluates_roles_);
  if (notice.empty()) return;
  {
    const MutexLock lock(mutex_);
    if (!given_.insert(notice).second) return;
  }
  warnings.emplace_back(notice);
  log_.warning(notice, {{"kind", resource.kind}, {"name", stored.name()}});
}

}  // namespace pintle::apiserver
