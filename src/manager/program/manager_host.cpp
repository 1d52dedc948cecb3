// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/manager_host.hpp>

#include <utility>

namespace pintle {
namespace {

// Each thread has its own, because main() gives nothing to its manager by which the host could be found.
thread_local ManagerHost* host_of_thread = nullptr;

}  // namespace

int ManagerHost::print(Manager& manager, const std::function<Result<std::string>()>&) { return run(manager); }

HostedThread::HostedThread(ManagerHost& host) noexcept : before_(std::exchange(host_of_thread, &host)) {}
HostedThread::~HostedThread() { host_of_thread = before_; }
ManagerHost* HostedThread::current() noexcept { return host_of_thread; }

}  // namespace pintle
