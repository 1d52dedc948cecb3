// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/manager_host.hpp>

#include "base/thread_body.hpp"

namespace pintle {

int ManagerHost::print(Manager& manager, const std::function<Result<std::string>()>&) { return run(manager); }

// Each thread has its own, because main() gives nothing to its manager by which the host could be found.
HostedThread::HostedThread(ManagerHost& host) noexcept : before_(current()) { thread_values().manager_host = &host; }
HostedThread::~HostedThread() { thread_values().manager_host = before_; }
ManagerHost* HostedThread::current() noexcept { return static_cast<ManagerHost*>(thread_values().manager_host); }

}  // namespace pintle
