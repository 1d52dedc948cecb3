// SPDX-License-Identifier: Apache-2.0
#include "own_certificate.hpp"

#include <memory>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/base/forwarding_executor.hpp>
#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/recording_log_sink.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Duration day = 24h;

// An executor whose wall clock a test can set.
class SetExecutor final : public ForwardingExecutor {
 public:
  using ForwardingExecutor::ForwardingExecutor;
  [[nodiscard]] WallTime wall_now() const noexcept override { return ForwardingExecutor::wall_now() + set_by; }

  Duration set_by{};
};

class OwnCertificateTest : public ::testing::Test {
 protected:
  OwnCertificateTest() {
    first_ = certificate_.make().value();
    certificate_.watch([this](const http::KeyPair& next) -> Result<void> {
      ++offers_;
      if (is_refused_) return fail(ErrorCode::invalid, "not this one");
      shown_.push_back(next);
      return {};
    });
  }

  SimulatedExecutor simulated_{{.seed = 1}};
  SetExecutor executor_{simulated_};
  std::shared_ptr<testkit::RecordingLogSink> log_ = std::make_shared<testkit::RecordingLogSink>();
  http::KeyPair first_;
  int offers_ = 0;
  bool is_refused_ = false;
  std::vector<http::KeyPair> shown_;
  OwnCertificate certificate_{executor_, {.common_name = "op", .log = Log(log_, executor_)}};
};

TEST_F(OwnCertificateTest, IsRenewedEachYear) {
  executor_.sleep_for(364 * day);
  EXPECT_THAT(shown_, IsEmpty());

  executor_.sleep_for(2 * day);
  ASSERT_THAT(shown_, SizeIs(1));
  EXPECT_NE(shown_[0], first_);
  EXPECT_TRUE(log_->has("a new certificate is in use"));

  executor_.sleep_for(365 * day);
  ASSERT_THAT(shown_, SizeIs(2));
  EXPECT_NE(shown_[1], shown_[0]);
}

TEST_F(OwnCertificateTest, IsRenewedOnceTheClockIsSet) {
  executor_.set_by = 20 * 365 * day;
  executor_.sleep_for(2 * day);
  EXPECT_THAT(shown_, SizeIs(1));

  executor_.set_by = -365 * day;
  executor_.sleep_for(3 * day);
  EXPECT_THAT(shown_, SizeIs(2));
}

TEST_F(OwnCertificateTest, IsRetriedEachDayUntilItIsUsed) {
  is_refused_ = true;
  executor_.sleep_for(365 * day + 3 * day + 1h);
  EXPECT_EQ(offers_, 4);
  EXPECT_TRUE(log_->has("cannot renew the certificate of the pages; the current one stays in use"));

  is_refused_ = false;
  executor_.sleep_for(3 * day);
  EXPECT_THAT(shown_, SizeIs(1));
}

TEST_F(OwnCertificateTest, StopsAtOnce) {
  const Instant begun = executor_.now();
  certificate_.stop();
  EXPECT_EQ(executor_.now(), begun);
}

}  // namespace
}  // namespace pintle
