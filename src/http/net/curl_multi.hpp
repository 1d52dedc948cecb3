// SPDX-License-Identifier: Apache-2.0
// CurlMulti: runs transfers of libcurl on the I/O thread.
#pragma once

#include <cstdint>

#include <curl/curl.h>

#include <pintle/base/executor.hpp>
#include <pintle/http/net_transport.hpp>

#include "easy.hpp"
#include "poller.hpp"

namespace pintle::http {

// Belongs to the I/O thread.
class CurlMulti {
 public:
  // A transfer. It must be removed before it is destroyed.
  class Job : public Easy::Receiver {
   public:
    explicit Job(Easy by) : easy(std::move(by)) {}
    virtual void on_done(CURLcode code) = 0;  // may remove and destroy the job

    Easy easy;
  };

  CurlMulti(Executor& executor, Poller& poller, const NetworkOptions& options);
  ~CurlMulti();
  CurlMulti(const CurlMulti&) = delete;
  CurlMulti& operator=(const CurlMulti&) = delete;

  // False if the system had no file descriptors or memory left.
  [[nodiscard]] bool usable() const noexcept { return multi_ != nullptr; }

  void add(Job& job) { curl_multi_add_handle(multi_, job.easy.handle()); }
  void remove(Job& job) { curl_multi_remove_handle(multi_, job.easy.handle()); }

  // The time of the next run_due(); Instant::max() for none.
  [[nodiscard]] Instant due() const noexcept { return due_; }
  void run_due();
  void on_socket_event(int socket, std::uint32_t events);
  // Calls on_done() of the jobs that have ended.
  void end_done();

 private:
  void act(curl_socket_t socket, int mask);
  static int watch_socket(CURL* easy, curl_socket_t socket, int what, void* self, void* of_socket);
  static int set_timer(CURLM* multi, long milliseconds, void* self);

  Executor& executor_;
  Poller& poller_;
  CURLM* const multi_;
  Instant due_ = Instant::max();
};

}  // namespace pintle::http
