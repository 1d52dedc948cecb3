// SPDX-License-Identifier: Apache-2.0
// ServerFactory: the seam through which a program serves a Handler, on a socket or in a simulation.
#pragma once

#include <functional>
#include <memory>

#include <pintle/base/executor.hpp>
#include <pintle/base/result_fwd.hpp>

namespace pintle::http {

class Handler;
class RunningServer;
struct ServerOptions;

/// Starts a server. The executor and the handler must outlive it. Errors as those of Server::start().
using ServerFactory =
    std::function<Result<std::unique_ptr<RunningServer>>(Executor& executor, Handler& handler, ServerOptions options)>;

}  // namespace pintle::http
