// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/certificate_watcher.hpp>

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/recording_log_sink.hpp>

#include "test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

// A folder as the kubelet maintains it: the files are links through ..data, which is replaced as a whole.
class CertificateFilesTest : public ::testing::Test {
 protected:
  CertificateFilesTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    swap(first_);
    fs::create_symlink("..data/tls.crt", folder_ / "tls.crt");
    fs::create_symlink("..data/tls.key", folder_ / "tls.key");
  }
  ~CertificateFilesTest() override { fs::remove_all(folder_); }

  void swap(const KeyPair& identity) {
    const std::string version = "..version-" + std::to_string(++versions_);
    fs::create_directory(folder_ / version);
    std::ofstream(folder_ / version / "tls.crt") << identity.certificate;
    std::ofstream(folder_ / version / "tls.key") << identity.key;
    fs::create_symlink(version, folder_ / "..data_tmp");
    fs::rename(folder_ / "..data_tmp", folder_ / "..data");
  }
  void watch() {
    files_.watch(files_.read().value(), [this](const KeyPair& identity) -> Result<void> {
      offered_.push_back(identity.certificate);
      if (identity == refused_) return fail(ErrorCode::invalid, "that is bad");
      return {};
    });
  }
  static KeyPair make_pair() {
    return make_authority({.common_name = "a", .not_before = WallTime(0h), .not_after = WallTime(24h)}).value();
  }
  double count(const char* name) { return metrics_.counter(name, "").value(); }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("pintle_certificate_files_test_" + std::to_string(::getpid()));
  const KeyPair first_ = make_pair();
  const KeyPair second_ = make_pair();
  KeyPair refused_{};
  int versions_ = 0;
  SimulatedExecutor executor_{{.seed = 1}};
  MetricsRegistry metrics_;
  const std::shared_ptr<testkit::RecordingLogSink> log_ = std::make_shared<testkit::RecordingLogSink>();
  std::vector<std::string> offered_;
  CertificateWatcher files_{executor_,
                            {.certificate_file = folder_ / "tls.crt",
                             .key_file = folder_ / "tls.key",
                             .log = Log(log_, executor_),
                             .metrics = &metrics_}};
};

// A kubelet replaces the folder of a mounted Secret by a symbolic link, which no event of the files reports (trap 81).
TEST_F(CertificateFilesTest, OffersAPairOnceAfterTheFolderWasSwapped) {
  watch();
  executor_.sleep_for(1min);
  EXPECT_TRUE(offered_.empty());

  swap(second_);
  executor_.sleep_for(1min);

  EXPECT_EQ(offered_, std::vector<std::string>{second_.certificate});
  EXPECT_EQ(count("certwatcher_read_certificate_total"), 12 + 1);
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 0);
}

TEST_F(CertificateFilesTest, CountsAndOffersUnusablePairsAgain) {
  watch();
  refused_ = second_;
  swap(refused_);
  executor_.sleep_for(25s);
  EXPECT_EQ(offered_.size(), 2U);
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 2);

  const KeyPair good = make_pair();
  swap(good);
  executor_.sleep_for(25s);

  EXPECT_EQ(offered_.back(), good.certificate);
  EXPECT_EQ(offered_.size(), 3U);
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 2);
}

// The two files may be replaced one after the other.
TEST_F(CertificateFilesTest, DoesNotOfferFilesThatDoNotBelongTogether) {
  watch();
  swap({second_.certificate, first_.key});
  executor_.sleep_for(15s);
  EXPECT_TRUE(offered_.empty());
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 1);

  swap(second_);
  executor_.sleep_for(10s);

  EXPECT_EQ(offered_, std::vector<std::string>{second_.certificate});
}

// One line for each kind of error, however long it lasts.
TEST_F(CertificateFilesTest, KeepsThePairAndLogsOnceWhileTheFilesCannotBeUsed) {
  watch();
  swap({second_.certificate, first_.key});
  executor_.sleep_for(1min);
  EXPECT_EQ(log_->count("does not belong to"), 1U);

  fs::remove(folder_ / "..data");
  executor_.sleep_for(1min);
  EXPECT_EQ(log_->count("No such file or directory"), 1U);
  EXPECT_EQ(log_->count("the previous certificate stays in use"), 2U);
  EXPECT_TRUE(offered_.empty());
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 12);

  swap(first_);
  executor_.sleep_for(10s);
  EXPECT_TRUE(offered_.empty()) << "it is in use";
  swap({second_.certificate, first_.key});
  executor_.sleep_for(1min);
  EXPECT_EQ(log_->count("does not belong to"), 2U) << "the files were usable meanwhile";
}

using CertificateFilesConcurrency = CertificateFilesTest;

// The period is long, so only the watch of the folder can detect the changes.
TEST_F(CertificateFilesConcurrency, DetectsChangesBeforeThePeriodHasPassed) {
  const auto executor = make_real_executor();
  std::vector<std::unique_ptr<Gate>> offers;
  for (int i = 0; i < 2; ++i) offers.push_back(std::make_unique<Gate>(*executor));
  std::size_t offered = 0;
  CertificateWatcher files(*executor,
                           {.certificate_file = folder_ / "tls.crt", .key_file = folder_ / "tls.key", .period = 1h});
  files.watch(files.read().value(), [&](const KeyPair& pair) -> Result<void> {
    EXPECT_EQ(pair, offered == 0 ? second_ : first_);
    offers.at(offered++)->open();
    return {};
  });

  swap(second_);
  offers[0]->wait();
  // Plain files, which are written one after the other.
  for (const char* name : {"tls.crt", "tls.key"}) fs::remove(folder_ / name);
  std::ofstream(folder_ / "tls.crt") << first_.certificate;
  std::ofstream(folder_ / "tls.key") << first_.key;
  offers[1]->wait();
}

TEST_F(CertificateFilesTest, NamesAFileThatCannotBeUsed) {
  const std::string certificate = folder_ / "tls.crt";
  const std::string key = folder_ / "tls.key";
  swap({"nothing", first_.key});
  EXPECT_EQ(files_.read().error().message,
            certificate + " is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"");
  swap({first_.certificate, "nothing"});
  EXPECT_TRUE(files_.read().error().message.starts_with(key + " is not a PEM private key: "));
  swap({first_.certificate, second_.key});
  EXPECT_EQ(files_.read().error().message,
            key + " does not belong to " + certificate + "; use the key of its first certificate");
}

TEST_F(CertificateFilesTest, NamesAMissingFile) {
  fs::remove(folder_ / "tls.key");
  const auto read = files_.read();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, (folder_ / "tls.key").string() + ": No such file or directory");
}

}  // namespace
}  // namespace pintle::http
