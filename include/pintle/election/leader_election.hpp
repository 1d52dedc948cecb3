// LeaderElectionOptions: of several instances of an operator one works, and the others stand by with warm caches.
#pragma once

#include <chrono>
#include <string>

#include <pintle/base/time.hpp>

namespace pintle {

// An election on a Lease of coordination.k8s.io/v1. Whoever leads renews it every `retry_period`; the others take it
// once they have not seen it change for as long as its holder asked for. All candidates should have the same durations.
//
// What is promised, as long as clocks of different machines run at nearly the same rate (what they show does not
// matter):
// - No pass of a controller begins before the lease is held, nor after it could not be renewed for `renew_deadline`.
//   Then passes are asked to stop; those that do so within four fifths of the time between `renew_deadline` and
//   `lease_duration` have ended before another instance can begin. run_until_signal() ends the process at that moment
//   if one has not.
// - No write of a pass leaves later than that either, not even in a process that was stopped, or on a machine that was
//   suspended, and goes on: each is checked where its bytes are handed to the network, on a clock that runs through
//   suspend. What was sent before is given up, and the server is asked to give it up, before the lease ends.
// - So a write has no longer for its answer than the lease it began under, 12 to 14 s with the defaults.
//
// What no client can promise, because Kubernetes checks no lease when it commits a write:
// - A process that is stopped in the few instructions between the check and the system call sends when it goes on.
// - Bytes that the kernel or a proxy has may arrive later: of a machine suspended at that moment, after its resumption.
// - A server that is slow may commit what it got in time after the lease has ended.
// A write that must not happen then should carry a resourceVersion: updates and JSON patches of structs do, merge
// patches and applies do only if told.
//
// The operator needs the rights to get, create and update leases in that namespace.
struct LeaderElectionOptions {
  std::string name{};        // of the Lease; default: that of the manager
  std::string namespace_{};  // of the Lease; default: that of the pod, or of the kubeconfig's context
  // Who we are. Default: the host name and a random number. Two processes that have the same never lead at once
  // either, but one that restarts waits for its former self.
  std::string identity{};
  Duration lease_duration = std::chrono::seconds(15);  // how long others wait for a holder that is silent
  Duration renew_deadline = std::chrono::seconds(10);  // a leader gives up when it could not renew for so long
  Duration retry_period = std::chrono::seconds(2);     // between two renewals; between two looks 1 to 2.2 times that
  bool release_on_stop = true;  // a leader that stops gives the lease back once its work has ended
};

}  // namespace pintle
