#include <pintle/http/certificate_watcher.hpp>

#include <filesystem>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/sim/simulated_executor.hpp>

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
    swap({"first certificate", "first key"});
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
      if (identity.certificate.starts_with("bad")) return fail(ErrorCode::invalid, "that is bad");
      return {};
    });
  }
  double count(const char* name) { return metrics_.counter(name, "").value(); }

  const fs::path folder_ =
      fs::path(::testing::TempDir()) / ("pintle_certificate_files_test_" + std::to_string(::getpid()));
  int versions_ = 0;
  SimulatedExecutor executor_{{.seed = 1}};
  MetricsRegistry metrics_;
  std::vector<std::string> offered_;
  CertificateWatcher files_{
      executor_, {.certificate_file = folder_ / "tls.crt", .key_file = folder_ / "tls.key", .metrics = &metrics_}};
};

TEST_F(CertificateFilesTest, OffersAPairOnceAfterTheFolderWasSwapped) {
  watch();
  executor_.sleep_for(1min);
  EXPECT_TRUE(offered_.empty());

  swap({"second certificate", "second key"});
  executor_.sleep_for(1min);

  EXPECT_EQ(offered_, std::vector<std::string>{"second certificate"});
  EXPECT_EQ(count("certwatcher_read_certificate_total"), 12 + 1);
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 0);
}

TEST_F(CertificateFilesTest, CountsAndOffersUnusablePairsAgain) {
  watch();
  swap({"bad certificate", "key"});
  executor_.sleep_for(25s);
  EXPECT_EQ(offered_.size(), 2U);
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 2);

  swap({"good certificate", "key"});
  executor_.sleep_for(25s);

  EXPECT_EQ(offered_.back(), "good certificate");
  EXPECT_EQ(offered_.size(), 3U);
  EXPECT_EQ(count("certwatcher_read_certificate_errors_total"), 2);
}

TEST_F(CertificateFilesTest, NamesAMissingFile) {
  fs::remove(folder_ / "tls.key");
  const auto read = files_.read();
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, (folder_ / "tls.key").string() + ": No such file or directory");
}

}  // namespace
}  // namespace pintle::http
