// SPDX-License-Identifier: Apache-2.0
#include "curl_multi.hpp"

#include <chrono>
#include <utility>

namespace pintle::http {
namespace {

// Thread-safe since libcurl 7.84; the calls are counted.
CURLM* open_multi() {
  curl_global_init(CURL_GLOBAL_DEFAULT);
  return curl_multi_init();
}

}  // namespace

CurlMulti::CurlMulti(Executor& executor, Poller& poller, const NetworkOptions& options)
    : executor_(executor), poller_(poller), multi_(open_multi()) {
  if (!usable()) return;
  curl_multi_setopt(multi_, CURLMOPT_SOCKETFUNCTION, &CurlMulti::watch_socket);
  curl_multi_setopt(multi_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_TIMERFUNCTION, &CurlMulti::set_timer);
  curl_multi_setopt(multi_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(multi_, CURLMOPT_PIPELINING, long{CURLPIPE_NOTHING});
  // CURLMOPT_MAXCONNECTS also counts connections in use, so a smaller value would close kept connections while watches
  // are open.
  curl_multi_setopt(multi_, CURLMOPT_MAX_TOTAL_CONNECTIONS, static_cast<long>(options.max_connections));
  curl_multi_setopt(multi_, CURLMOPT_MAXCONNECTS, static_cast<long>(options.max_connections));
}

CurlMulti::~CurlMulti() { curl_multi_cleanup(multi_); }

void CurlMulti::run_due() {
  if (due_ > executor_.now()) return;
  due_ = Instant::max();
  act(CURL_SOCKET_TIMEOUT, 0);
}

void CurlMulti::on_socket_event(int socket, std::uint32_t events) {
  int mask = 0;
  if ((events & EPOLLIN) != 0) mask |= CURL_CSELECT_IN;
  if ((events & EPOLLOUT) != 0) mask |= CURL_CSELECT_OUT;
  if ((events & (EPOLLERR | EPOLLHUP)) != 0) mask |= CURL_CSELECT_ERR;
  act(socket, mask);
}

void CurlMulti::end_done() {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    Easy::Receiver* receiver = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &receiver);
    static_cast<Job&>(*receiver).on_done(code);
  }
}

void CurlMulti::act(curl_socket_t socket, int mask) {
  int running = 0;
  curl_multi_socket_action(multi_, socket, mask, &running);
}

int CurlMulti::watch_socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
  std::uint32_t events = 0;
  if (what == CURL_POLL_IN || what == CURL_POLL_INOUT) events |= EPOLLIN;
  if (what == CURL_POLL_OUT || what == CURL_POLL_INOUT) events |= EPOLLOUT;
  static_cast<CurlMulti*>(self)->poller_.watch(socket, events);
  return 0;
}

int CurlMulti::set_timer(CURLM*, long milliseconds, void* pointer) {
  auto* const self = static_cast<CurlMulti*>(pointer);
  self->due_ =
      milliseconds < 0 ? Instant::max() : after(self->executor_.now(), std::chrono::milliseconds(milliseconds));
  return 0;
}

}  // namespace pintle::http
