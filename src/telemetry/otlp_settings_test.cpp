// SPDX-License-Identifier: Apache-2.0
#include "otlp_settings.hpp"

#include <filesystem>
#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/http/certificates.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

using Variables = std::map<std::string, std::string>;

Result<std::optional<OtlpOptions>> read(const Variables& variables) {
  const auto environment = [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
  return read_otlp_options(environment, "op", "1.2.3");
}

OtlpOptions options_of(Variables variables) {
  variables.emplace("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318");
  const auto made = read(variables);
  EXPECT_TRUE(made) << made.error().to_string();
  EXPECT_TRUE(made->has_value());
  return **made;
}

// Returns "name=value, …".
std::string resource(const OtlpOptions& made) {
  std::string text;
  for (const SpanAttribute& one : made.resource) {
    text += (text.empty() ? "" : ", ") + one.name + "=" + *one.value.as_string();
  }
  return text;
}

TEST(OtlpOptions, AreEmptyWithoutAnEndpointOrIfDisabled) {
  for (const Variables& variables : {
           Variables{},
           Variables{{"OTEL_SERVICE_NAME", "a"}, {"OTEL_TRACES_SAMPLER", "nonsense"}},
           Variables{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"}, {"OTEL_SDK_DISABLED", "TRUE"}},
           Variables{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a"}, {"OTEL_TRACES_EXPORTER", "none"}},
       }) {
    const auto made = read(variables);
    ASSERT_TRUE(made) << made.error().to_string();
    EXPECT_FALSE(made->has_value());
  }
}

TEST(OtlpOptions, FindTheCollector) {
  struct Case {
    Variables variables{};
    std::string url{};
    std::string target{};
  };
  for (const Case& c : {
           Case{{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:4318"}}, "http://a:4318", "/v1/traces"},
           Case{{{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://a/"}}, "https://a:443", "/v1/traces"},
           Case{{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a/otlp/"}}, "http://a:80/otlp", "/v1/traces"},
           Case{{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a:4318"}}, "http://a:4318", "/"},
           Case{{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a:4318/x/y"}}, "http://a:4318", "/x/y"},
           Case{{{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a:4318/x/"}}, "http://a:4318", "/x/"},
           Case{{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"}, {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b/t"}},
                "http://b:80",
                "/t"},
       }) {
    const auto made = read(c.variables);
    ASSERT_TRUE(made && *made) << c.url;
    EXPECT_EQ((*made)->endpoint->url(), c.url);
    EXPECT_EQ((*made)->target, c.target);
  }
}

TEST(OtlpOptions, ReadHeaders) {
  const OtlpOptions made = options_of({{"OTEL_EXPORTER_OTLP_HEADERS", " api-key = a%20b=c%2C ,,tenant=t"}});

  EXPECT_EQ(made.headers.get("api-key"), "a b=c,");
  EXPECT_EQ(made.headers.get("tenant"), "t");
  EXPECT_EQ(options_of({{"OTEL_EXPORTER_OTLP_HEADERS", "a=1"}, {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=2"}})
                .headers.get("a"),
            "2");
}

TEST(OtlpOptions, ReadTheResource) {
  EXPECT_EQ(resource(options_of({})), "service.name=op, service.version=1.2.3");
  EXPECT_EQ(resource(options_of({{"OTEL_RESOURCE_ATTRIBUTES", "service.name=a,deployment.environment.name=pro%64"}})),
            "service.name=a, service.version=1.2.3, deployment.environment.name=prod");
  EXPECT_EQ(resource(options_of(
                {{"OTEL_RESOURCE_ATTRIBUTES", "service.version=7,service.name=a"}, {"OTEL_SERVICE_NAME", "b"}})),
            "service.name=b, service.version=7");
}

TEST(OtlpOptions, ReadTheSampler) {
  struct Case {
    std::string sampler{};
    std::string argument{};
    double ratio = 0;
    bool follows_parent = false;
  };
  for (const Case& c : {Case{"", "", 1, true}, Case{"always_on", "", 1, false}, Case{"always_off", "", 0, false},
                        Case{"traceidratio", "0.25", 0.25, false}, Case{"traceidratio", "", 1, false},
                        Case{"parentbased_always_on", "0.5", 1, true}, Case{"parentbased_always_off", "", 0, true},
                        Case{"parentbased_traceidratio", "1e-3", 0.001, true}}) {
    const Sampling made =
        options_of({{"OTEL_TRACES_SAMPLER", c.sampler}, {"OTEL_TRACES_SAMPLER_ARG", c.argument}}).sampling;
    EXPECT_EQ(made.ratio, c.ratio) << c.sampler;
    EXPECT_EQ(made.follows_parent, c.follows_parent) << c.sampler;
  }
}

TEST(OtlpOptions, ReadTheBatchOptions) {
  const Batching usual = options_of({}).batching;
  EXPECT_EQ(usual.max_waiting, 2048U);
  EXPECT_EQ(usual.max_batch_size, 512U);
  EXPECT_EQ(usual.max_wait, 5s);
  EXPECT_EQ(usual.request_timeout, 10s);
  EXPECT_EQ(usual.delivery_timeout, 30s);

  const Batching made = options_of({{"OTEL_BSP_MAX_QUEUE_SIZE", "20"},
                                    {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "10"},
                                    {"OTEL_BSP_SCHEDULE_DELAY", "0"},
                                    {"OTEL_BSP_EXPORT_TIMEOUT", "2147483647"},
                                    {"OTEL_EXPORTER_OTLP_TIMEOUT", "1500"}})
                            .batching;
  EXPECT_EQ(made.max_waiting, 20U);
  EXPECT_EQ(made.max_batch_size, 10U);
  EXPECT_EQ(made.max_wait, 0s);
  EXPECT_EQ(made.delivery_timeout, 2147483647ms);
  EXPECT_EQ(made.request_timeout, 1500ms);

  EXPECT_EQ(options_of({{"OTEL_BSP_MAX_QUEUE_SIZE", "20"}}).batching.max_batch_size, 20U);
  EXPECT_EQ(options_of({{"OTEL_EXPORTER_OTLP_TIMEOUT", "1"}, {"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2"}})
                .batching.request_timeout,
            2ms);
}

TEST(OtlpOptions, RefuseABatchLargerThanTheQueue) {
  const auto made = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"},
                          {"OTEL_BSP_MAX_QUEUE_SIZE", "20"},
                          {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "21"}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::invalid);
  EXPECT_THAT(made.error().message, HasSubstr("OTEL_BSP_MAX_EXPORT_BATCH_SIZE=\"21\" is more than "
                                              "OTEL_BSP_MAX_QUEUE_SIZE allows: 20"));
}

// Files with an authority and an identity.
class OtlpCertificatesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_);
    const auto made = http::make_self_signed_key_pair("op", "", WallTime(std::chrono::hours(400'000))).value();
    std::ofstream(ca) << made.authority;
    std::ofstream(certificate) << made.server.certificate;
    std::ofstream(key) << made.server.key;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = ::testing::TempDir() + "pintle-otlp-" + std::to_string(::getpid());
  const std::string ca = folder_ + "/ca.crt";
  const std::string certificate = folder_ + "/tls.crt";
  const std::string key = folder_ + "/tls.key";
};

TEST_F(OtlpCertificatesTest, AreReadFromTheirFiles) {
  const auto made = options_of({{"OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector"},
                                {"OTEL_EXPORTER_OTLP_CERTIFICATE", "/none"},
                                {"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", ca},
                                {"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", certificate},
                                {"OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY", key}});

  EXPECT_THAT(made.endpoint->ca, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_THAT(made.endpoint->client_certificate, HasSubstr("BEGIN CERTIFICATE"));
  EXPECT_THAT(made.endpoint->client_key, HasSubstr("PRIVATE KEY"));
  EXPECT_NE(made.endpoint->ca, made.endpoint->client_certificate);
}

TEST_F(OtlpCertificatesTest, AreIgnoredWithoutTls) {
  EXPECT_EQ(options_of({{"OTEL_EXPORTER_OTLP_CERTIFICATE", "/none"}}).endpoint->ca, "");
}

TEST_F(OtlpCertificatesTest, NameTheVariableOfAnUnusableFile) {
  struct Case {
    Variables variables{};
    std::string error{};
  };
  for (const Case& c : {
           Case{{{"OTEL_EXPORTER_OTLP_CERTIFICATE", "/none"}},
                "OTEL_EXPORTER_OTLP_CERTIFICATE: /none: No such file or directory"},
           Case{{{"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", key}},
                "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE=\"" + key + "\" is not a PEM certificate"},
           Case{{{"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", certificate}},
                "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE=\"" + certificate + "\" requires OTEL_EXPORTER_OTLP_CLIENT_KEY"},
           Case{{{"OTEL_EXPORTER_OTLP_CLIENT_KEY", key}},
                "OTEL_EXPORTER_OTLP_CLIENT_KEY=\"" + key + "\" requires OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE"},
           Case{{{"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", certificate}, {"OTEL_EXPORTER_OTLP_CLIENT_KEY", ca}},
                "OTEL_EXPORTER_OTLP_CLIENT_KEY=\"" + ca + "\" is not a PEM private key"},
       }) {
    Variables variables = c.variables;
    variables.emplace("OTEL_EXPORTER_OTLP_ENDPOINT", "https://collector");
    const auto made = read(variables);
    ASSERT_FALSE(made) << c.error;
    EXPECT_EQ(made.error().code, ErrorCode::invalid);
    EXPECT_THAT(made.error().to_string(), HasSubstr(c.error));
  }
}

TEST(OtlpOptions, NameTheInvalidVariableAndItsValue) {
  for (const auto& [name, value] : Variables{
           {"OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://a"},
           {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://a:port"},
           {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
           {"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "http/xml"},
           {"OTEL_SDK_DISABLED", "maybe"},
           {"OTEL_TRACES_EXPORTER", "zipkin"},
           {"OTEL_TRACES_SAMPLER", "jaeger_remote"},
           {"OTEL_EXPORTER_OTLP_TIMEOUT", "10s"},
           {"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "-1"},
           {"OTEL_BSP_MAX_QUEUE_SIZE", "0"},
           {"OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "many"},
           {"OTEL_BSP_SCHEDULE_DELAY", "2147483648"},
           {"OTEL_BSP_EXPORT_TIMEOUT", "0.5"},
       }) {
    Variables variables{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"}};
    variables[name] = value;
    const auto made = read(variables);
    ASSERT_FALSE(made) << name;
    EXPECT_EQ(made.error().code, ErrorCode::invalid);
    EXPECT_THAT(made.error().message, HasSubstr(name + "=\"" + value + "\""));
  }
  for (const char* ratio : {"2", "-0.1", "nan", "half", "0.5x"}) {
    const auto made = read({{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"},
                            {"OTEL_TRACES_SAMPLER", "traceidratio"},
                            {"OTEL_TRACES_SAMPLER_ARG", ratio}});
    ASSERT_FALSE(made) << ratio;
    EXPECT_THAT(made.error().message, HasSubstr("OTEL_TRACES_SAMPLER_ARG=\"" + std::string(ratio) + "\""));
  }
}

TEST(OtlpOptions, NeverRepeatASecret) {
  for (const auto& [name, value] : Variables{
           {"OTEL_EXPORTER_OTLP_HEADERS", "api-key=s3cret,s3cret"},
           {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "api-key=s3cret%0d%0aX: 1"},
           {"OTEL_EXPORTER_OTLP_ENDPOINT", "http://me:s3cret@a"},
       }) {
    Variables variables{{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a"}};
    variables[name] = value;
    const auto made = read(variables);
    ASSERT_FALSE(made) << name;
    EXPECT_THAT(made.error().message, HasSubstr(name));
    EXPECT_THAT(made.error().message, Not(HasSubstr("s3cret")));
  }
}

TEST(Sampling, KeepsItsShareAndFollowsParents) {
  const auto of = [](std::uint8_t high_byte) {
    SpanContext context = SpanContext::parse("00-0af7651916cd43ddffffffffffffffff-b7ad6b7169203331-01").value();
    context.trace_id[8] = high_byte;
    return context;
  };
  SpanContext lost = of(0);
  lost.sampled = false;

  EXPECT_TRUE((Sampling{.ratio = 1}).keeps({}, of(0xff)));
  EXPECT_FALSE((Sampling{.ratio = 0}).keeps({}, of(0)));
  EXPECT_TRUE((Sampling{.ratio = 0.5}).keeps({}, of(0x7f)));
  EXPECT_FALSE((Sampling{.ratio = 0.5}).keeps({}, of(0x80)));
  EXPECT_TRUE((Sampling{.ratio = 0}).keeps(of(0xff), of(0xff)));
  EXPECT_FALSE((Sampling{.ratio = 1}).keeps(lost, of(0)));
  EXPECT_TRUE((Sampling{.ratio = 1, .follows_parent = false}).keeps(lost, of(0)));
}

}  // namespace
}  // namespace pintle
