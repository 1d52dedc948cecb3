// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include <regex>
#include <string>

#include <gmock/gmock.h>

#include "debug_files.hpp"
#include "manager/health.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;

class NoPages final : public http::Handler {
 public:
  http::Response handle(const http::Request&) override { return {.status = 204}; }
};

TEST(Console, HasAllFilesToWhichItsPageRefers) {
  const auto page = console_page("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->headers.get("Content-Type"), "text/html; charset=utf-8");
  const std::regex reference(R"re((?:href|src)="(console/[^"]+)")re");
  int count = 0;
  for (std::sregex_iterator at(page->body.begin(), page->body.end(), reference), end; at != end; ++at, ++count) {
    EXPECT_TRUE(console_page("/" + (*at)[1].str())) << (*at)[1].str();
  }
  EXPECT_GE(count, 3);
}

TEST(Console, HasTheTypesOfItsFilesAndAllowsNoOtherSource) {
  EXPECT_EQ(console_page("/console/main.js")->headers.get("Content-Type"), "text/javascript; charset=utf-8");
  EXPECT_EQ(console_page("/console/style.css")->headers.get("Content-Type"), "text/css; charset=utf-8");
  EXPECT_EQ(console_page("/console/icon.svg")->headers.get("Content-Type"), "image/svg+xml");
  for (const EmbeddedFile& file : console_files()) {
    const auto page = console_page("/console/" + std::string(file.path));
    ASSERT_TRUE(page) << file.path;
    EXPECT_THAT(std::string(page->headers.get("Content-Security-Policy").value()), HasSubstr("default-src 'self'"));
    EXPECT_EQ(page->headers.get("X-Content-Type-Options"), "nosniff");
  }
}

TEST(Console, IsSmall) {
  std::size_t bytes = 0;
  for (const EmbeddedFile& file : console_files()) bytes += file.text.size();
  EXPECT_LE(bytes, 150'000U);
}

TEST(Console, HasNoOtherPaths) {
  for (const char* path :
       {"", "/console", "/console/", "/console/none.js", "/console/../debug/v1/operator", "/index.html"}) {
    EXPECT_FALSE(console_page(path)) << path;
  }
}

TEST(Console, IsServedWithTheDebugApiOnly) {
  MetricsRegistry metrics;
  NoPages debug;
  Health with(metrics, {.debug = &debug});
  Health without(metrics, {});
  EXPECT_EQ(with.handle({.target = "/"}).status, 200);
  EXPECT_EQ(with.handle({.target = "/console/main.js"}).status, 200);
  EXPECT_EQ(with.handle({.method = "POST", .target = "/"}).status, 405);
  EXPECT_EQ(without.handle({.target = "/"}).status, 404);
  EXPECT_EQ(without.handle({.target = "/console/main.js"}).status, 404);
}

}  // namespace
}  // namespace pintle
