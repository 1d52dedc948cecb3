// SIGPIPE on our threads that write to sockets.
#pragma once

#include <pthread.h>
#include <signal.h>

namespace pintle::http {

// Called first on such a thread. A TLS library may write with plain write(), which raises the signal when the peer has
// gone; its default action ends the process. The mask of other threads is their owner's business.
inline void block_broken_pipe_signal() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace pintle::http
