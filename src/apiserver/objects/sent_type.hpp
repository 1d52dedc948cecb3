// SPDX-License-Identifier: Apache-2.0
// Checks the kind and version of a body as the decoder of kube-apiserver does.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/call/call.hpp"
#include "apiserver/registry/resource.hpp"
#include "write.hpp"

namespace pintle::apiserver {

// A version and a kind: "apps/v1", "Deployment".
struct TypeName {
  std::string_view api_version{};
  std::string_view kind{};
};

// Returns the version without the group: "v1".
[[nodiscard]] std::string_view version_in(std::string_view api_version);

// Returns why a body of one type cannot be decoded as another built-in kind; empty if the two are the same kind,
// perhaps in another version.
[[nodiscard]] std::string conversion_fault(const TypeName& given, const TypeName& wanted);

// Refuses a body of another built-in kind or version (400). A kind or version that it does not name is that of the
// endpoint.
[[nodiscard]] StatusOr<void> check_builtin_type(const json::Value& body, const TypeName& wanted);

// Refuses the body of a create or an update that is not of the kind in the path (400). A custom resource must name both
// its kind and its version; another kind of it is left to check_type().
[[nodiscard]] StatusOr<void> check_sent_type(const Call& call, const json::Value& body, FieldValidation validation);

// Refuses the result of a patch, other than a strategic one, that is of another type.
[[nodiscard]] StatusOr<void> check_patched_type(const json::Value& patched, const Resource& resource,
                                                const Unfit& unfit);

}  // namespace pintle::apiserver
