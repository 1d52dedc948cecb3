// SPDX-License-Identifier: Apache-2.0
// Interceptors: functions that receive every request of a client before it is sent, and can change or reject it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/http/fwd.hpp>

namespace pintle {

/// May change the request. If it returns an error, the request is not sent, and the call returns that error. Called on
/// the thread that starts the request, by several threads at the same time; must not block.
using RequestInterceptor = std::function<Result<void>(http::Request& request)>;

/// Returns a transport that calls `interceptor` for each request. All requests of a client pass through its transport,
/// so a client on this transport cannot bypass the interceptor. If a transport is wrapped several times, the
/// interceptor that was added last is called first. The requests to an OpenID Connect provider are not passed to it.
[[nodiscard]] PINTLE_EXPORT std::shared_ptr<http::Transport> intercept(std::shared_ptr<http::Transport> inner,
                                                                       RequestInterceptor interceptor);

/// Turns every write into a dry run: the server validates it and returns the result, but stores nothing. Error:
/// unsupported for a write that has no dry run: to a path that is not a resource, or to one of the subresources proxy,
/// exec, attach and portforward; also for a deletion whose options are not a JSON object.
[[nodiscard]] PINTLE_EXPORT RequestInterceptor dry_run_writes();
/// Sets the field manager of every write, also if WriteOptions::field_manager is set.
[[nodiscard]] PINTLE_EXPORT RequestInterceptor fixed_field_manager(std::string name);
/// Refuses reads and writes of objects outside a namespace, which includes lists over all namespaces and cluster-scoped
/// objects. Discovery and paths such as /version are allowed. Error: forbidden, with the reason OutsideNamespace.
[[nodiscard]] PINTLE_EXPORT RequestInterceptor bound_to_namespace(std::string namespace_);

}  // namespace pintle
