// SPDX-License-Identifier: Apache-2.0
#include "certificate_state.hpp"

#include <gmock/gmock.h>

#include <pintle/base/random.hpp>
#include <pintle/object/bytes.hpp>

#include "http/certificate_info.hpp"

namespace pintle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

constexpr WallTime birth = WallTime(1'700'000'000s);
constexpr Duration one_day = 24h;
const std::string host_of_op = "op.shop.svc";

CertificateProfile short_lives() {
  return {.names = {host_of_op}, .lives = {.authority = 90 * one_day, .serving = 30 * one_day, .tolerance = one_day}};
}
CertificateState made_at(WallTime now) { return make_certificates(short_lives(), {}, now).value(); }
CertificateStep step_at(const CertificateState& state, WallTime now, bool is_next_trusted = false) {
  return next_step(dates_of(state, short_lives()), short_lives().lives, is_next_trusted, now);
}
CertificateState taken(const CertificateState& state, CertificateStep step, WallTime now) {
  return take_step(state, step, short_lives(), now).value();
}
std::string bundle_of_state(const CertificateState& state) {
  std::string all;
  for (const std::string& one : trusted_authorities(state)) all += one;
  return all;
}
bool is_served_well(const http::KeyPair& serving, const std::string& bundle, WallTime now) {
  return http::verify_server_certificate({"", serving.certificate}, {"", bundle}, host_of_op, now).has_value();
}
Object secret_of(json::object data) { return Object(json::Value{{"kind", "Secret"}, {"data", std::move(data)}}); }
std::string read_failure(json::object data) {
  const auto read = read_certificate_state(secret_of(std::move(data)));
  return read ? "" : read.error().message;
}

TEST(CertificateStateTest, NewCertificatesAreValidDespiteOtherClocks) {
  const CertificateState state = made_at(birth);
  const std::string bundle = bundle_of_state(state);
  EXPECT_TRUE(is_served_well(state.serving, bundle, birth));
  EXPECT_TRUE(is_served_well(state.serving, bundle, birth - 23h));
  EXPECT_FALSE(is_served_well(state.serving, bundle, birth - 25h));
  EXPECT_TRUE(is_served_well(state.serving, bundle, birth + 29 * one_day));
  EXPECT_EQ(step_at(state, birth), CertificateStep::none);
  EXPECT_THAT(http::describe_certificates({"", bundle})->front().common_name, StartsWith(authority_name_prefix));
}

TEST(CertificateStateTest, TheServingCertificateIsRenewedAtTwoThirdsOfItsLife) {
  const CertificateState state = made_at(birth);
  EXPECT_EQ(renewal_time(state, short_lives().lives), birth + 20 * one_day);
  EXPECT_EQ(step_at(state, birth + 20 * one_day - 1s), CertificateStep::none);
  ASSERT_EQ(step_at(state, birth + 20 * one_day), CertificateStep::renew_serving);

  const CertificateState next = taken(state, CertificateStep::renew_serving, birth + 20 * one_day);

  EXPECT_EQ(next.authority, state.authority);
  EXPECT_NE(next.serving, state.serving);
  EXPECT_TRUE(is_served_well(next.serving, bundle_of_state(state), birth + 49 * one_day));
  EXPECT_EQ(step_at(next, birth + 20 * one_day), CertificateStep::none);
}

TEST(CertificateStateTest, ANewAuthorityIsTrustedBeforeItSignsAndTheOldOneUntilItExpires) {
  const WallTime due = birth + 60 * one_day;
  CertificateState state = made_at(birth);
  ASSERT_EQ(step_at(state, due), CertificateStep::add_authority);

  const CertificateState both = taken(state, CertificateStep::add_authority, due);
  EXPECT_EQ(both.authority, state.authority);
  EXPECT_EQ(both.serving, state.serving);
  EXPECT_THAT(trusted_authorities(both), ElementsAre(state.authority.certificate, both.next->certificate));
  EXPECT_NE(step_at(both, due, false), CertificateStep::sign_with_next);
  ASSERT_EQ(step_at(both, due, true), CertificateStep::sign_with_next);

  const CertificateState signs = taken(both, CertificateStep::sign_with_next, due);
  EXPECT_EQ(signs.authority, *both.next);
  EXPECT_FALSE(signs.next);
  EXPECT_THAT(signs.retired, ElementsAre(state.authority.certificate));
  EXPECT_TRUE(is_served_well(signs.serving, bundle_of_state(both), due));
  EXPECT_TRUE(is_served_well(state.serving, bundle_of_state(signs), birth + 29 * one_day));

  CertificateState later = taken(signs, CertificateStep::renew_serving, birth + 80 * one_day);
  EXPECT_EQ(step_at(later, birth + 90 * one_day + 23h), CertificateStep::none) << "clocks of API servers differ";
  ASSERT_EQ(step_at(later, birth + 91 * one_day + 1s), CertificateStep::drop_expired);
  EXPECT_THAT(taken(later, CertificateStep::drop_expired, birth + 92 * one_day).retired, SizeIs(0));
}

TEST(CertificateStateTest, TheNextAuthoritySignsInAnyCaseShortlyBeforeTheEnd) {
  const CertificateState both = taken(made_at(birth), CertificateStep::add_authority, birth + 60 * one_day);
  EXPECT_NE(step_at(both, birth + 80 * one_day), CertificateStep::sign_with_next);
  EXPECT_EQ(step_at(both, birth + 82 * one_day), CertificateStep::sign_with_next);
  EXPECT_EQ(step_at(both, birth + 100 * one_day), CertificateStep::sign_with_next) << "all instances were stopped";
  const CertificateState expired = made_at(birth);
  EXPECT_EQ(step_at(expired, birth + 300 * one_day), CertificateStep::add_authority);
  EXPECT_EQ(step_at(both, birth + 300 * one_day), CertificateStep::add_authority) << "the next one has expired, too";
}

TEST(CertificateStateTest, AServingCertificateNeverOutlivesItsAuthority) {
  CertificateState state = taken(made_at(birth), CertificateStep::add_authority, birth + 60 * one_day);
  state = taken(state, CertificateStep::renew_serving, birth + 75 * one_day);
  EXPECT_EQ(http::describe_certificates({"", state.serving.certificate})->front().validity.not_after,
            birth + 90 * one_day);
  EXPECT_EQ(step_at(state, birth + 80 * one_day), CertificateStep::none) << "a renewal would change nothing";
}

TEST(CertificateStateTest, OtherNamesAreAddedAndKept) {
  const CertificateState state = made_at(birth);
  CertificateProfile renamed = short_lives();
  renamed.names = {"new.shop.svc", "10.0.0.7"};
  ASSERT_EQ(next_step(dates_of(state, renamed), renamed.lives, false, birth), CertificateStep::renew_serving);

  const CertificateState next = take_step(state, CertificateStep::renew_serving, renamed, birth).value();

  EXPECT_EQ(next_step(dates_of(next, renamed), renamed.lives, false, birth), CertificateStep::none);
  EXPECT_EQ(step_at(next, birth), CertificateStep::none) << "instances of two releases must not compete";
  EXPECT_EQ(take_step(state, CertificateStep::renew_serving, {.names = {"a b"}}, birth).error().code,
            ErrorCode::invalid);
}

TEST(CertificateStateTest, ACertificateFromTheFutureIsReplaced) {
  const CertificateState state = made_at(birth + 10 * one_day);
  EXPECT_EQ(step_at(state, birth), CertificateStep::add_authority);
  EXPECT_EQ(step_at(made_at(birth + 12h), birth), CertificateStep::none);
}

TEST(CertificateStateTest, ABundleHasALimit) {
  const std::string other = made_at(birth).authority.certificate;
  std::vector<std::string> retired(40, other);
  retired.push_back(made_at(birth - 200 * one_day).authority.certificate);
  EXPECT_THAT(make_certificates(short_lives(), retired, birth)->retired, SizeIs(16));
}

TEST(CertificateStateTest, ASecretContainsEverything) {
  CertificateState state = taken(made_at(birth), CertificateStep::add_authority, birth);
  state = taken(state, CertificateStep::sign_with_next, birth);
  EXPECT_EQ(read_certificate_state(secret_of(secret_data(state))).value(), state);
  EXPECT_THAT(secret_data(state), SizeIs(4));

  state = taken(state, CertificateStep::add_authority, birth);
  EXPECT_EQ(read_certificate_state(secret_of(secret_data(state))).value(), state);
}

TEST(CertificateStateTest, AMalformedSecretIsReportedByKey) {
  const CertificateState state = taken(made_at(birth), CertificateStep::add_authority, birth);
  const CertificateState other = made_at(birth);
  const auto base64 = [](const std::string& text) { return Bytes(text).to_base64(); };
  const auto changed = [&](const char* key, const std::string& value) {
    json::object data = secret_data(state);
    data[key] = value;
    return read_failure(std::move(data));
  };
  EXPECT_EQ(read_failure({}), "key tls.crt is missing");
  EXPECT_EQ(changed("tls.key", ""), "key tls.key is missing");
  EXPECT_THAT(changed("tls.crt", "?"), StartsWith("key tls.crt: "));
  EXPECT_THAT(changed("tls.crt", base64("text")), StartsWith("key tls.crt is not a PEM certificate"));
  EXPECT_THAT(changed("tls.key", base64(other.serving.key)), StartsWith("key tls.key does not belong to key tls.crt"));
  EXPECT_THAT(changed("ca.crt", base64("text")), StartsWith("key ca.crt is not a PEM certificate"));
  EXPECT_THAT(changed("ca.crt", base64(other.authority.certificate)), StartsWith("key ca.key does not belong"));
  EXPECT_THAT(changed("ca.key", base64("text")), StartsWith("key ca.key is not a PEM private key"));
  EXPECT_THAT(changed("ca.key", base64(state.next->key)), HasSubstr("did not sign this certificate"));
  EXPECT_THAT(changed("next-ca.key", base64(other.authority.key)), StartsWith("key next-ca.key does not belong"));
}

// A instance that reads the Secret late serves what it has read, and is trusted as long as that is valid.
TEST(CertificateStateTest, EachServedCertificateIsTrustedForItsWholeLife) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    Random random(seed);
    WallTime now = birth;
    CertificateState state = made_at(now);
    std::vector<http::KeyPair> served{state.serving};
    std::size_t authorities = 1;
    for (int i = 0; i < 80; ++i) {
      now += std::chrono::hours(random.below(5 * 24));
      const CertificateStep step = step_at(state, now, random.below(3) > 0);
      state = taken(state, step, now);
      if (step == CertificateStep::add_authority) ++authorities;
      served.push_back(state.serving);
      for (const http::KeyPair& one : served) {
        const auto ends = http::describe_certificates({"", one.certificate})->front().validity.not_after;
        ASSERT_TRUE(ends < now || is_served_well(one, bundle_of_state(state), now)) << "seed " << seed << ", " << i;
      }
      std::erase_if(served, [&](const http::KeyPair& one) { return served.size() > 4 && one == served.front(); });
      ASSERT_LE(trusted_authorities(state).size(), 3U) << "seed " << seed;
      ASSERT_TRUE(is_served_well(state.serving, bundle_of_state(state), now)) << "seed " << seed << ", " << i;
    }
    EXPECT_GT(authorities, 2U);
  }
}

}  // namespace
}  // namespace pintle
