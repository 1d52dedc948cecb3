// SPDX-License-Identifier: Apache-2.0
// LeaderElectionOptions: leader election, by which one of several instances of an operator works while the others stand
// by with filled caches.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include <pintle/base/time.hpp>

namespace pintle {

/// A leader election on a Lease of coordination.k8s.io/v1. The leader renews the Lease every `retry_period`. A
/// candidate takes the Lease if it has observed no renewal for the duration that the holder wrote into the Lease. All
/// candidates should use the same durations.
///
/// The following is guaranteed for controllers with Leadership::lease, if the clocks of all machines run at nearly the
/// same rate (the times that they show do not matter):
/// - No reconcile begins before the lease is held, or after the leader could not renew it for `renew_deadline`. In the
///   latter case running reconciles are requested to stop, and have four fifths of the time between `renew_deadline`
///   and `lease_duration` to end: 4 s with the defaults. A reconcile that ends in this time has ended before another
///   instance can begin. If a reconcile has not ended after this time, run_until_signal() ends the process.
/// - No write of a reconcile is sent after `renew_deadline` without a renewal, even if the process or its machine was
///   suspended and resumes. Each write is checked when its bytes are passed to the network, by a clock that includes
///   suspended time. Events are the exception: they are sent in the background, also after the lease has ended, because
///   they report what has happened and nothing depends on them.
/// - A write that was sent in time does not wait for its response without limit. It is abandoned at the time when
///   running reconciles must have ended, calculated from the last renewal before the write began. With the defaults,
///   this is 14 s after that renewal. While renewals succeed, it is 12 to 14 s after the write began. The request
///   contains the remaining time (`timeout` in the query), so that the server abandons the write too.
///
/// The following cannot be prevented by any client, because Kubernetes does not check the lease when it commits a
/// write:
/// - A process that is suspended between the check and the system call, which are a few instructions apart, sends the
///   write when it resumes.
/// - Bytes that are in the kernel or in a proxy may arrive later. If the machine is suspended at that moment, they
///   arrive after it resumes.
/// - A slow server may commit a write after the lease has ended, although it received the write in time.
///
/// A write that must not happen in these cases should contain a resourceVersion. Updates and JSON patches of structs
/// contain it; merge patches and applies contain it only if the caller adds it.
///
/// The operator needs permission to get, create and update leases in the namespace of the Lease.
struct LeaderElectionOptions {
  std::string name{};        ///< name of the Lease; default: that of the manager
  std::string namespace_{};  ///< namespace of the Lease; default: that of the pod, or of the kubeconfig context
  /// The identity of this process in the Lease. Default: the host name and a random number. Equal identities are safe:
  /// two processes with the same identity do not lead at the same time, and a restarted process waits until the lease
  /// of its predecessor ends.
  std::string identity{};
  Duration lease_duration = std::chrono::seconds(15);  ///< how long candidates wait for a holder that does not renew
  Duration renew_deadline = std::chrono::seconds(10);  ///< a leader stops if it could not renew for this time
  /// The time between two renewals. A candidate reads the Lease again after 1 to 2.2 times this period.
  Duration retry_period = std::chrono::seconds(2);
  bool release_on_stop = true;  ///< a leader that stops releases the lease after its work has ended
  /// Labels of the Lease. Each renewal sets them again; other labels of the Lease are kept.
  std::map<std::string, std::string> labels{};
};

}  // namespace pintle
