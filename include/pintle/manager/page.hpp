// SPDX-License-Identifier: Apache-2.0
// Page: a page of the operator itself, beside /healthz, /metrics and /debug/.
#pragma once

#include <functional>
#include <string>

#include <pintle/base/required.hpp>
#include <pintle/http/fwd.hpp>

namespace pintle {

/// Served if ManagerOptions::listen is set, with the same access control as /debug/ (ServingOptions::authorize).
struct Page {
  /// "/sessions" serves this path only; "/sessions/" also serves all paths below it. "/", /healthz, /readyz, /metrics,
  /// /debug and /console are reserved.
  Required<std::string> path;
  /// Handles all methods. Called from any thread, also concurrently; must not block, see http::Response::deferred. The
  /// body of a request has at most 16 KiB. An exception is logged, and the response has status 500. Pages are served
  /// before the caches are filled, and until the controllers have stopped.
  Required<std::function<http::Response(const http::Request&)>> handle;
};

}  // namespace pintle
