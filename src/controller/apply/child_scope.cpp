// SPDX-License-Identifier: Apache-2.0
#include "child_scope.hpp"

namespace pintle {

Result<void> check_child_scope(Client& client, const Object& child, const Object& owner, const std::stop_token& stop) {
  if (owner.namespace_().empty()) return {};
  const auto resource = client.resource(child.group_version_kind(), stop);
  if (!resource || resource->namespaced) return {};
  return fail(make_error(ErrorCode::invalid, "a " + std::string(child.kind()) + " has no namespace, but its owner " +
                                                 std::string(owner.kind()) + " " + owner.key().to_string() +
                                                 " has one, so it would not be deleted with its owner; create it "
                                                 "without an owner reference and clean up in .finalize")
                  .terminal());
}

}  // namespace pintle
