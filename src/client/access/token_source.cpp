// SPDX-License-Identifier: Apache-2.0
#include "token_source.hpp"

#include <utility>

#include <pintle/base/text.hpp>

#include "files.hpp"

namespace pintle {

namespace {

constexpr Duration token_age = std::chrono::minutes(1);

// The token becomes part of a header, where a line break in it would begin another header.
Result<std::string> checked(std::string token, const std::string& where) {
  if (token.empty()) return fail(ErrorCode::invalid, where + " is empty; it must contain a bearer token");
  if (!is_visible_ascii(token))
    return fail(ErrorCode::invalid, where + " contains characters that are not allowed in a bearer token; correct it");
  return token;
}

}  // namespace

TokenSource::TokenSource(Executor& executor, const Cluster& cluster, Log log)
    : executor_(executor),
      fixed_(cluster.token),
      file_(cluster.token_file),
      log_(std::move(log)),
      mutex_(executor),
      last_(fixed_) {}

Result<std::string> TokenSource::token() {
  if (file_.empty()) return fixed_.empty() ? Result<std::string>(std::string()) : checked(fixed_, "the token");
  if (auto token = fresh_token()) return std::move(*token);
  const Instant now = executor_.now();
  return keep(read(), now);
}

void TokenSource::on_unauthorized(Instant sent) {
  const MutexLock lock(mutex_);
  if (read_at_ && *read_at_ <= sent) read_at_.reset();
}

std::optional<std::string> TokenSource::fresh_token() {
  const Instant now = executor_.now();
  const MutexLock lock(mutex_);
  return read_at_ && now < after(*read_at_, token_age) ? std::optional(last_) : std::nullopt;
}

Result<std::string> TokenSource::read() const {
  auto text = read_file(file_);
  if (!text) return fail(ErrorCode::invalid, "token file " + text.error().message);
  return checked(std::string(trim(*text)), "token file " + file_);
}

Result<std::string> TokenSource::keep(Result<std::string> read, Instant at) {
  bool newly_failing = false;
  std::string usable;
  {
    const MutexLock lock(mutex_);
    newly_failing = !read && !failing_;
    failing_ = !read;
    if (read) last_ = *read;
    usable = last_;
    if (!usable.empty()) read_at_ = at;
  }
  if (read || usable.empty()) return read;
  if (newly_failing)
    log_.warning("no new bearer token can be read; the last one is used", {{"error", read.error().message}});
  return usable;
}

}  // namespace pintle
