// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string cron_jobs = "/apis/batch/v1/namespaces/default/cronjobs";

// The time at the start is midnight.
class CronJobTest : public ClusterTest {
 protected:
  void start(const std::string& schedule, const std::string& script, const std::string& more = "") {
    const auto made = post(cron_jobs, R"({"metadata":{"name":"c"},"spec":{"schedule":")" + schedule + "\"" + more +
                                          R"(,"jobTemplate":{"spec":{"backoffLimit":0,"template":)" +
                                          pod_template(script, "i", R"("restartPolicy":"Never",)") + "}}}}");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  TestReply read() { return get(cron_jobs + "/c"); }
  std::string status(const char* member) { return read().at(std::string("/status/") + member); }
  // The scheduled times of the Jobs.
  std::string times() {
    std::string out;
    for (const Object& job : server_.objects("jobs.batch")) {
      const std::string_view time = job.annotation("batch.kubernetes.io/cronjob-scheduled-timestamp");
      out += (out.empty() ? "" : " ") + std::string(time.substr(11, 5));
    }
    return out;
  }
};

TEST_F(CronJobTest, StartsAJobAtEachTime) {
  start("*/10 * * * *", "succeed after 5s");
  pass(9min);
  EXPECT_EQ(count("jobs.batch"), 0U);
  pass(1min + 1s);
  EXPECT_EQ(times(), "00:10");
  EXPECT_EQ(status("active/0/kind"), "Job");
  EXPECT_EQ(status("lastScheduleTime"), "2026-01-01T00:10:00Z");
  pass(10s);
  EXPECT_EQ(status("active"), "");
  EXPECT_EQ(status("lastSuccessfulTime"), "2026-01-01T00:10:05Z");
  pass(20min);
  EXPECT_EQ(times(), "00:10 00:20 00:30");
  EXPECT_EQ(server_.objects("jobs.batch").front()["/metadata/ownerReferences/0/kind"], "CronJob");
}

TEST_F(CronJobTest, KeepsALimitedHistory) {
  start("*/10 * * * *", "succeed after 5s", R"(,"successfulJobsHistoryLimit":2)");
  pass(65min);
  EXPECT_EQ(times(), "00:50 01:00");
  EXPECT_EQ(count("pods"), 2U);
}

TEST_F(CronJobTest, ForbidsConcurrentJobs) {
  start("*/10 * * * *", "succeed after 15m", R"(,"concurrencyPolicy":"Forbid")");
  pass(21min);
  EXPECT_EQ(times(), "00:10");
  pass(5min);
  EXPECT_EQ(times(), "00:10 00:20") << "the missed Job starts when the one before has ended";
}

TEST_F(CronJobTest, ReplacesTheJobBefore) {
  start("*/10 * * * *", "succeed after 15m", R"(,"concurrencyPolicy":"Replace")");
  pass(20min + 5s);
  EXPECT_EQ(times(), "00:20");
}

TEST_F(CronJobTest, ContinuesWithTheNewestMissedTimeAfterItWasSuspended) {
  start("*/10 * * * *", "succeed after 5s", R"(,"suspend":true)");
  pass(35min);
  EXPECT_EQ(times(), "");
  merge(cron_jobs + "/c", R"({"spec":{"suspend":false}})");
  pass(1s);
  EXPECT_EQ(times(), "00:30");
}

TEST_F(CronJobTest, StartsAJobAfterEachDelay) {
  pass(3min);
  start("@every 7m30s", "succeed after 5s");
  pass(7min);
  EXPECT_EQ(times(), "");
  pass(1min);
  EXPECT_EQ(times(), "00:10");
  EXPECT_EQ(status("lastScheduleTime"), "2026-01-01T00:10:30Z");
  pass(7min + 1s);
  EXPECT_EQ(times(), "00:10 00:18");
  pass(8min);
  EXPECT_EQ(times(), "00:10 00:18 00:25");
  merge(cron_jobs + "/c", R"({"spec":{"suspend":true}})");
  pass(20min);
  merge(cron_jobs + "/c", R"({"spec":{"suspend":false,"startingDeadlineSeconds":600}})");
  pass(1s);
  EXPECT_EQ(status("lastScheduleTime"), "2026-01-01T00:40:30Z") << "the newest time that was missed";
}

TEST_F(CronJobTest, UsesItsTimeZoneAndDeadline) {
  start("30 5 * * *", "succeed after 5s", R"(,"timeZone":"Asia/Kolkata")");  // five and a half hours before UTC
  pass(23h);
  EXPECT_EQ(times(), "");
  pass(1h + 1s);
  EXPECT_EQ(times(), "00:00");
  merge(cron_jobs + "/c", R"({"spec":{"suspend":true,"startingDeadlineSeconds":60}})");
  pass(24h + 5min);
  merge(cron_jobs + "/c", R"({"spec":{"suspend":false}})");
  pass(10s);
  EXPECT_EQ(count("jobs.batch"), 1U) << "the time was missed by more than the deadline";
}

}  // namespace
}  // namespace pintle
