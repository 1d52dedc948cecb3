// SPDX-License-Identifier: Apache-2.0
// ManagerHost: runs the main() of an operator as a function, for example several times in one simulation.
#pragma once

#include <functional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

/// Takes the place of the process for the managers of one thread. See HostedThread.
class PINTLE_EXPORT ManagerHost {
 public:
  virtual ~ManagerHost() = default;
  /// Changes the options that main() gives to a manager, before the manager reads its flags.
  virtual void prepare(ManagerOptions& options) = 0;
  /// Takes the place of run_until_signal() and returns its exit code.
  [[nodiscard]] virtual int run(Manager& manager) = 0;
  /// Called instead of run() if the flags of the manager request a text, such as --help, --print-crds or
  /// --print-deploy, or if they are invalid. `output` returns the text, or the error that run_until_signal() would
  /// print; the manager cannot be started afterwards. Returns the exit code. The default implementation ignores such
  /// flags and calls run().
  [[nodiscard]] virtual int print(Manager& manager, const std::function<Result<std::string>()>& output);
};

/// While this object exists, the managers that this thread constructs, and its calls of run_until_signal(), belong to
/// `host`, which must outlive it. Construct and destroy it on one thread; objects on one thread may be nested. main()
/// must construct its manager on the thread on which it is called.
class PINTLE_EXPORT HostedThread {
 public:
  explicit HostedThread(ManagerHost& host) noexcept;
  ~HostedThread();
  HostedThread(const HostedThread&) = delete;
  HostedThread& operator=(const HostedThread&) = delete;

  /// The host of the calling thread; null if it has none.
  [[nodiscard]] static ManagerHost* current() noexcept;

 private:
  ManagerHost* const before_;
};

}  // namespace pintle
