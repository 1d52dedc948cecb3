// SPDX-License-Identifier: Apache-2.0
// ProxiedTransfer: an exchange through a proxy, which libcurl carries out from the connection to the last byte.
#pragma once

#include <memory>
#include <string_view>

#include "curl_multi.hpp"
#include "http/exchange.hpp"

namespace pintle::http {

// Belongs to the I/O thread.
class ProxiedTransfer final : public CurlMulti::Job {
 public:
  using OnDone = std::function<void(CURLcode)>;

  ProxiedTransfer(std::shared_ptr<Exchange> exchange, Easy by, OnDone on_done)
      : Job(std::move(by)), exchange(std::move(exchange)), on_done_(std::move(on_done)) {}

  void on_header_line(std::string_view line) override;
  void on_chunk(std::string_view chunk) override { exchange->body(chunk); }
  bool may_send() override;
  void on_done(CURLcode code) override { on_done_(code); }

  [[nodiscard]] bool was_sent() const noexcept { return sends_ != 0; }
  // The last result of Request::before_send.
  [[nodiscard]] const Result<void>& allowed() const noexcept { return allowed_; }

  const std::shared_ptr<Exchange> exchange;

 private:
  const OnDone on_done_;
  ResponseHead head_;
  int sends_ = 0;
  Result<void> allowed_;
};

}  // namespace pintle::http
