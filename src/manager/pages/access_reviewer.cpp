// SPDX-License-Identifier: Apache-2.0
#include "access_reviewer.hpp"

#include <utility>

#include <pintle/json/pointer.hpp>

#include "controller/apply/digest.hpp"

namespace pintle {
namespace {

// Returns a digest of everything on which a verdict depends.
std::string key_of(const Visit& visit) { return sha256(visit.token + '\n' + visit.verb + '\n' + visit.path); }

Verdict invalid_token() { return {401, "the cluster does not accept this token"}; }

json::Value review_object(const char* api_version, const char* kind, json::object spec) {
  return json::object{{"apiVersion", api_version}, {"kind", kind}, {"spec", std::move(spec)}};
}

// Converts the user of a TokenReview to the spec of a SubjectAccessReview. Only the member of the name differs.
json::object subject(const json::Value& user) {
  json::object spec;
  if (const json::Value* name = json::find(user, "/username")) spec["user"] = *name;
  for (const char* member : {"uid", "groups", "extra"}) {
    if (const json::Value* found = user.as_object().if_contains(member)) spec[member] = *found;
  }
  return spec;
}

// Returns whether a token is valid for the audience. A cluster without support for audiences returns none; its result
// is valid only for its own audience.
bool is_for(const std::string& audience, json::View named) {
  if (audience.empty()) return true;
  for (const json::View one : named.elements()) {
    if (one == audience) return true;
  }
  return false;
}

}  // namespace

AccessReviewer::AccessReviewer(Executor& executor, std::unique_ptr<Client> client, Log log,
                               AccessReviewerOptions options)
    : executor_(executor),
      client_(std::move(client)),
      log_(std::move(log)),
      options_(std::move(options)),
      mutex_(executor),
      users_(options_.limit),
      invalid_tokens_(options_.limit),
      recent_users_(options_.limit),
      verdicts_(options_.limit) {}

std::optional<Verdict> AccessReviewer::cached_verdict(const Visit& visit) const {
  const std::string token = sha256(visit.token);
  const std::string key = key_of(visit);
  const Instant now = executor_.now();
  const MutexLock lock(mutex_);
  const User* user = find_user(token);
  if (user == nullptr) return std::nullopt;
  if (!*user) return invalid_token();
  const Verdict* verdict = verdicts_.find(key, now);
  return verdict == nullptr ? std::nullopt : std::optional(*verdict);
}

bool AccessReviewer::is_recent_user(const Visit& visit) const {
  const std::string token = sha256(visit.token);
  const MutexLock lock(mutex_);
  return recent_users_.find(token, executor_.now()) != nullptr;
}

const AccessReviewer::User* AccessReviewer::find_user(const std::string& digest) const {
  const Instant now = executor_.now();
  const User* user = users_.find(digest, now);
  return user == nullptr ? invalid_tokens_.find(digest, now) : user;
}

Verdict AccessReviewer::check(const Visit& visit, std::stop_token stop) {
  // Another request may have caused the review while this one was waiting.
  if (auto cached = cached_verdict(visit)) return std::move(*cached);
  auto verdict = review(visit, std::move(stop));
  if (!verdict) return check_failed(verdict.error());
  fails_ = false;
  return std::move(*verdict);
}

Result<Verdict> AccessReviewer::review(const Visit& visit, std::stop_token stop) {
  const auto user = review_token(visit, stop);
  if (!user) return fail(user.error());
  return *user ? review_access(visit, **user, std::move(stop)) : invalid_token();
}

Result<AccessReviewer::User> AccessReviewer::review_token(const Visit& visit, std::stop_token stop) {
  const std::string key = sha256(visit.token);
  {
    const MutexLock lock(mutex_);
    if (const User* found = find_user(key)) return *found;
  }
  json::object spec{{"token", visit.token}};
  if (!options_.audience.empty()) spec["audiences"] = json::array{options_.audience};
  const auto response =
      client_->create(review_object("authentication.k8s.io/v1", "TokenReview", std::move(spec)), {}, std::move(stop));
  if (!response) return fail(response.error());
  User user;
  const json::View found = (*response)["/status/user"];
  const bool is_authenticated = (*response)["/status/authenticated"] == true && found.is_object();
  if (is_authenticated && is_for(options_.audience, (*response)["/status/audiences"])) user = found.to_value();
  const MutexLock lock(mutex_);
  (user ? users_ : invalid_tokens_).put(key, user, until(user.has_value()));
  if (user) recent_users_.put(key, true, after(executor_.now(), options_.recent_for));
  return user;
}

Result<Verdict> AccessReviewer::review_access(const Visit& visit, const json::Value& user, std::stop_token stop) {
  json::object spec = subject(user);
  spec["nonResourceAttributes"] = json::object{{"path", visit.path}, {"verb", visit.verb}};
  const auto response = client_->create(
      review_object("authorization.k8s.io/v1", "SubjectAccessReview", std::move(spec)), {}, std::move(stop));
  if (!response) return fail(response.error());
  Verdict verdict;
  if ((*response)["/status/allowed"] != true) {
    const json::Value* name = json::find(user, "/username");
    verdict = {403, "user " + json::print(name == nullptr ? json::Value("") : *name) + " may not " + visit.verb + " " +
                        visit.path};
  }
  const MutexLock lock(mutex_);
  verdicts_.put(key_of(visit), verdict, until(verdict.allowed()));
  return verdict;
}

Instant AccessReviewer::until(bool yes) const {
  return after(executor_.now(), yes ? options_.allowed_ttl : options_.denied_ttl);
}

// The error is logged and not shown to the client of the page.
Verdict AccessReviewer::check_failed(const Error& error) {
  if (error.code != ErrorCode::cancelled && !fails_.exchange(true)) {
    log_.warning(
        "cannot check the access to pages, requests are refused (--print-rbac prints the required permissions)",
        {{"error", error.to_string()}});
  }
  return {503, "the access cannot be checked at the moment; see the log of the operator"};
}

}  // namespace pintle
