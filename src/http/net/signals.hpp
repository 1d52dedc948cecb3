// SPDX-License-Identifier: Apache-2.0
// Blocks SIGPIPE on the threads that write to sockets.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace pintle::http {

// Must be called first on such a thread. A TLS library may use plain write(), which raises the signal if the peer has
// closed the connection, and the default action of the signal terminates the process. The owners of other threads set
// their masks.
inline void block_broken_pipe_signal() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace pintle::http
