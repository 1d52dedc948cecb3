// SPDX-License-Identifier: Apache-2.0
// check_child_scope(): whether the garbage collector can delete a child together with its owner.
#pragma once

#include <stop_token>

#include <pintle/client/client.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Returns an error (invalid, terminal) if the owner has a namespace and the kind of the child has none: the garbage
// collector does not find such an owner. If the kind cannot be discovered, there is no error here, because the write of
// the child returns it.
[[nodiscard]] Result<void> check_child_scope(Client& client, const Object& child, const Object& owner,
                                             const std::stop_token& stop);

}  // namespace pintle
