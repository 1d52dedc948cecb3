// SPDX-License-Identifier: Apache-2.0
// The source of certificates that the instances of an operator share in a Secret.
#include <algorithm>
#include <utility>

#include <pintle/http/pem.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/json/pointer.hpp>

#include "certificate_source.hpp"
#include "http/certificate_info.hpp"
#include "object/manager_mark.hpp"

namespace pintle {
namespace {

bool is_expired(const std::string& authority, WallTime now) {
  const auto validity = http::validate_certificates({"", authority});
  return !validity || validity->front().has_ended(now);
}

// Whether a manager made this authority for its webhooks.
bool is_managed(const std::string& authority) {
  const auto described = http::describe_certificates({"", authority});
  return described && described->front().common_name.starts_with(authority_name_prefix);
}

class OwnSecret final : public CertificateSource {
 public:
  OwnSecret(Client& client, OwnSecretOptions options)
      : client_(client),
        options_(std::move(options)),
        executor_(client.transport().executor()),
        clock_(options_.clock == nullptr ? executor_ : *options_.clock) {}

  Result<SourcedCertificates> update(const TrustView& view, const std::stop_token& stop) override {
    auto secret = read(stop);
    if (!secret) return fail(std::move(secret.error()));
    auto state = *secret ? renew(*secret, view, stop) : restore({}, view, stop);
    if (!state) return fail(std::move(state.error()));
    absent_since_.reset();
    if (known_ != *state) known_ = *state;
    return SourcedCertificates{
        .serving = state->serving, .signers = {state->authority.certificate}, .trusted = trusted_authorities(*state)};
  }
  [[nodiscard]] Authorities known() const override { return known_ ? trusted_authorities(*known_) : Authorities(); }
  // The Secret was read after the targets, and each authority is in the Secret before it is in a target.
  [[nodiscard]] bool removes(Duration /*since*/) const override { return true; }
  [[nodiscard]] WallTime now() const override { return clock_.now(); }

 private:
  [[nodiscard]] std::string title() const { return "Secret " + options_.secret.to_string(); }

  // Returns no object if the Secret does not exist.
  Result<Object> read(const std::stop_token& stop) {
    http::Request request;
    request.target = "/api/v1/namespaces/" + http::percent_encode(options_.secret.namespace_) + "/secrets/" +
                     http::percent_encode(options_.secret.name);
    const auto response = client_.raw(std::move(request), stop);
    if (!response && response.error().code == ErrorCode::not_found) return Object();
    if (!response) return fail(response.error());
    if (const auto date = response->headers.get("Date")) clock_.set(*date);
    auto secret = Object::parse(response->body);
    if (!secret) return fail(std::move(secret.error()).with_operation("read " + title()));
    return secret;
  }

  // Parsing keys and certificates is slow, and most checks find the same Secret. Sets `parsed_`.
  Result<void> parse(const Object& secret) {
    if (parsed_ && secret == parsed_->secret) return {};
    parsed_.reset();
    auto state = read_certificate_state(secret);
    if (!state) return fail(std::move(state.error()));
    CertificateDates dates = dates_of(*state, options_.profile);
    parsed_ = Parsed{.secret = secret, .state = std::move(*state), .dates = std::move(dates)};
    return {};
  }

  // Sets the clock before the first certificates are made. The clock of this machine is used only if the server sends
  // no date: certificates with wrong dates would be refused, and authorities in use would be regarded as expired.
  Result<void> read_time(const std::stop_token& stop) {
    http::Request request;
    request.target = "/version";
    const auto response = client_.raw(std::move(request), stop);
    // A cluster can deny this request for ever.
    if (!response && response.error().code == ErrorCode::forbidden) return {};
    if (!response) return fail(Error(response.error()).with_operation("read the time of the API server"));
    if (const auto date = response->headers.get("Date")) clock_.set(*date);
    return {};
  }

  // Takes the due step of a Secret that exists, or repairs it.
  Result<CertificateState> renew(const Object& secret, const TrustView& view, const std::stop_token& stop) {
    const bool is_empty = secret.root().member("data").size() == 0;
    if (!is_empty && secret.annotation(manager_annotation) != options_.manager) return fail(not_ours(secret));
    if (const auto parsed = parse(secret); !parsed) {
      if (!is_empty) {
        options_.log.warning("the Secret with the certificates of the webhooks is malformed; repairing it",
                             {{"secret", options_.secret.to_string()}, {"error", parsed.error().message}});
      }
      return restore(secret, view, stop);
    }
    const CertificateState& state = parsed_->state;
    CertificateState next = state;
    const bool is_trusted = next.next && view.is_distributed(next.next->certificate);
    const CertificateStep step = next_step(parsed_->dates, options_.profile.lives, is_trusted, now());
    if (step != CertificateStep::none) {
      auto taken = take_step(std::move(next), step, options_.profile, now());
      if (!taken) return taken;
      next = std::move(*taken);
    }
    add_retired(next, view.in_use_by);
    if (next == state) return next;
    if (step != CertificateStep::none) log_step(step);
    return write(secret, std::move(next), stop);
  }

  // Makes a lost Secret again: with the certificates in the memory of this instance, or with new ones. Clients continue
  // to trust the authorities that they trust now, because other instances may serve certificates of these.
  Result<CertificateState> restore(const Object& secret, const TrustView& view, const std::stop_token& stop) {
    if (!view.is_complete) {
      return fail(ErrorCode::unavailable,
                  title() + " is missing, and is not made again until the authorities that clients trust are known");
    }
    if (!known_) {
      if (auto done = read_time(stop); !done) return fail(std::move(done.error()));
    }
    Authorities trusted;
    for (const std::string& one : view.trusted) {
      if (is_managed(one) && !is_expired(one, now())) trusted.push_back(one);
    }
    if (known_) {
      CertificateState state = *known_;
      add_retired(state, trusted);
      add_retired(state, view.in_use_by);
      options_.log.warning("restoring the lost Secret with the certificates of the webhooks",
                           {{"secret", options_.secret.to_string()}});
      return write(secret, std::move(state), stop);
    }
    if (!trusted.empty()) {
      if (!absent_since_) absent_since_ = executor_.now();
      if (executor_.now() - *absent_since_ < options_.restore_delay) {
        return fail(ErrorCode::unavailable, title() + " is missing; waiting until another instance restores it");
      }
    }
    auto state = make_certificates(options_.profile, std::move(trusted), now());
    if (!state) return state;
    options_.log.info("making the certificates of the webhooks", {{"secret", options_.secret.to_string()}});
    return write(secret, std::move(*state), stop);
  }

  // The error conflict means that another instance was faster.
  Result<CertificateState> write(const Object& secret, CertificateState state, const std::stop_token& stop) {
    json::Value wanted;
    if (secret) {
      wanted = secret.to_value();
      wanted.as_object()["data"] = secret_data(state);
    } else {
      wanted = json::object{
          {"apiVersion", "v1"},
          {"kind", "Secret"},
          {"type", "kubernetes.io/tls"},
          {"metadata", json::object{{"name", options_.secret.name}, {"namespace", options_.secret.namespace_}}},
          {"data", secret_data(state)}};
    }
    mark_manager(wanted, options_.manager);
    auto written = secret ? client_.replace(wanted, {}, stop) : client_.create(wanted, {}, stop);
    if (written) return state;
    Error error = std::move(written.error());
    // An object that vanished meanwhile is created by the next check.
    if (error.code == ErrorCode::already_exists || error.code == ErrorCode::not_found) {
      const bool is_namespace_missing = !secret && error.code == ErrorCode::not_found;
      if (!is_namespace_missing) error.code = ErrorCode::conflict;
    }
    return fail(std::move(error));
  }

  void add_retired(CertificateState& state, const Authorities& authorities) const {
    const Authorities trusted = trusted_authorities(state);
    for (const std::string& one : authorities) {
      if (!has_authority(trusted, one) && !is_expired(one, now())) state.retired.push_back(one);
    }
  }

  [[nodiscard]] Error not_ours(const Object& secret) const {
    const std::string_view owner = secret.annotation(manager_annotation);
    return make_error(ErrorCode::not_owned,
                      title() +
                          (owner.empty() ? " was not made by a manager" : " belongs to manager " + std::string(owner)) +
                          ", and is not changed; set --webhook-foreign-secret to use its certificate, or "
                          "--webhook-secret to another name")
        .terminal();
  }

  void log_step(CertificateStep step) const {
    const char* what = step == CertificateStep::add_authority    ? "adding the next authority"
                       : step == CertificateStep::sign_with_next ? "the next authority signs from now on"
                       : step == CertificateStep::renew_serving  ? "renewing the serving certificate"
                                                                 : "removing an expired authority";
    options_.log.info("renewing the certificates of the webhooks",
                      {{"secret", options_.secret.to_string()}, {"step", what}});
  }

  Client& client_;
  const OwnSecretOptions options_;
  Executor& executor_;
  ServerClock clock_;
  std::optional<CertificateState> known_;  // as last read or written
  struct Parsed {
    Object secret{};
    CertificateState state{};
    CertificateDates dates{};
  };
  std::optional<Parsed> parsed_;
  std::optional<Instant> absent_since_;
};

}  // namespace

std::unique_ptr<CertificateSource> own_secret_source(Client& client, OwnSecretOptions options) {
  return std::make_unique<OwnSecret>(client, std::move(options));
}

}  // namespace pintle
