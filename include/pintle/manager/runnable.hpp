// SPDX-License-Identifier: Apache-2.0
// Runnable: a thread of the operator itself that starts and stops with the manager.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/required.hpp>
#include <pintle/base/result.hpp>
#include <pintle/controller/leadership.hpp>

namespace pintle {

class Client;

/// The parameters of a runnable; valid during the call.
struct RunnableContext {
  /// The client of the home cluster. If the runnable needs the lease, so do the writes of this client.
  Client& client;
  Executor& executor;
  Log log{};
  std::stop_token stop{};  ///< requested when the manager stops or the lease is lost
};

/// `body` runs once, on its own thread. It starts after the caches are filled and, with Leadership::lease, after the
/// lease is held. If it returns without an error, it has ended, and the manager continues to run. If it returns an
/// error or throws, the manager stops: Manager::wait() returns the error. The error `cancelled` does not count after a
/// stop was requested.
///
/// When the manager stops, runnables are requested to stop together with the reconciles and have the same time to end.
/// The caches, the clients and the lease exist until the last of them has ended.
struct Runnable {
  Required<std::string> name;  ///< unique; shown in logs and errors
  Required<std::function<Result<void>(const RunnableContext&)>> body;
  Leadership leadership = Leadership::lease;
};

}  // namespace pintle
