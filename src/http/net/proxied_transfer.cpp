// SPDX-License-Identifier: Apache-2.0
#include "proxied_transfer.hpp"

#include <charconv>
#include <string>

#include <pintle/base/text.hpp>

namespace pintle::http {
namespace {

// The status of "HTTP/1.1 200 OK", or 0 for another line.
int status_of(std::string_view line) {
  const std::size_t space = line.find(' ');
  int status = 0;
  if (!line.starts_with("HTTP/") || space == std::string_view::npos) return 0;
  std::from_chars(line.data() + space + 1, line.data() + line.size(), status);
  return status;
}

}  // namespace

void ProxiedTransfer::on_header_line(std::string_view line) {
  if (exchange->has_head()) return;  // a trailer
  if (const int status = status_of(line); status != 0) {
    head_ = {.status = status};
  } else if (line.empty()) {
    const bool is_interim = head_.status < 200 && head_.status != 101;
    if (!is_interim) exchange->head(head_);
  } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    head_.headers.add(line.substr(0, colon), std::string(trim(line.substr(colon + 1))));
  }
}

// libcurl sends a request again if a kept connection turns out to be closed. The server may have executed the request
// before, so only GET and HEAD are sent again.
bool ProxiedTransfer::may_send() {
  if (sends_ != 0 && !may_repeat(exchange->request())) return false;
  allowed_ = exchange->before_send();
  if (allowed_) ++sends_;
  return allowed_.has_value();
}

}  // namespace pintle::http
