// SPDX-License-Identifier: Apache-2.0
#include "response_reader.hpp"

#include <string>

#include <gtest/gtest.h>

#include <pintle/api/core/v1.hpp>
#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/random_object.hpp>
#include <pintle/testing/seeds.hpp>

namespace pintle {
namespace {

class ResponseReaderTest : public ::testing::Test {
 protected:
  [[nodiscard]] ReflectorOptions kept(CacheProjection parts = {}) {
    return {.pool = &pool, .projection = std::move(parts)};
  }

  SimulatedExecutor executor{};
  json::Pool pool{executor};
};

// Returns a random Pod as in a response of a server, in half of the cases with `managedFields`.
json::Value random_response(Random& random) {
  json::Value response = encode(*testkit::random_object<api::core::v1::Pod>(random));
  auto& metadata = response.as_object()["metadata"].as_object();
  metadata["resourceVersion"] = std::to_string(random.below(1000));
  if (random.below(2) == 0) {
    metadata["managedFields"] = json::array{json::object{{"manager", "m"}, {"fieldsV1", {{"f:spec", nullptr}}}}};
  }
  return response;
}

TEST_F(ResponseReaderTest, ReadsAResponseAsTheCacheKeepsIt) {
  for (const std::uint64_t seed : testkit::seeds({})) {
    Random random(seed);
    const bool keeps_all = random.below(2) == 0;
    const ReflectorOptions options = kept(keeps_all ? CacheProjection{.projection = {}} : CacheProjection{});
    ResponseReader reader(executor, options);
    for (int i = 0; i < 3; ++i) {
      const std::string text = json::print(random_response(random));

      const auto read = reader.read(text);

      ASSERT_TRUE(read && *read) << "seed " << seed;
      EXPECT_EQ(**read, *Reflector::project(Object::parse(text)->root(), options)) << text << ", seed " << seed;
      EXPECT_TRUE(reader.is_kept(**read)) << text << ", seed " << seed;
    }
  }
}

TEST_F(ResponseReaderTest, ReadsNothingIfTheCacheKeepsLess) {
  const std::string text = R"({"kind":"Pod","metadata":{"name":"a"}})";
  const ReflectorOptions lesser[] = {{},
                                     kept({.projection = {.keep = {"/metadata"}}}),
                                     kept({.projection = {.drop = {"/metadata/managedFields", "/spec"}}}),
                                     kept({.transform = [](json::Value&) {}})};
  for (const ReflectorOptions& options : lesser) {
    ResponseReader reader(executor, options);
    EXPECT_FALSE(reader.read(text));
    EXPECT_FALSE(reader.is_kept(Object(*json::Document::parse(text, &pool))));
  }
}

TEST_F(ResponseReaderTest, DetectsObjectsThatTheCacheKeepsDifferently) {
  const std::string text = R"({"kind":"Pod","metadata":{"name":"a","managedFields":[]}})";
  const Object managed(*json::Document::parse(text, &pool));
  json::Pool other(executor);

  EXPECT_FALSE(ResponseReader(executor, kept()).is_kept(managed));
  EXPECT_TRUE(ResponseReader(executor, kept({.projection = {}})).is_kept(managed));
  EXPECT_FALSE(ResponseReader(executor, kept()).is_kept(*Object::parse(R"({"kind":"Pod"})")));
  EXPECT_FALSE(ResponseReader(executor, kept()).is_kept(Object(*json::Document::parse(R"({"kind":"Pod"})", &other))));
}

// The event of a write contains the text of its response; it is read only once.
TEST_F(ResponseReaderTest, TheEventOfAWriteHasTheDocumentOfItsResponse) {
  const std::string text =
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","managedFields":[1]},"spec":{"a":[1,"b"]}})";
  const std::string event = R"({"type":"MODIFIED","object":)" + text + "}\n";
  const std::string similar = event.substr(0, event.size() - 7) + "c\"]}}}\n";
  const auto stream_of = [this](std::vector<std::string> dropped) {
    return WatchStream({"v1", "Pod"}, {.pool = &pool, .projection = {.drop = std::move(dropped)}});
  };
  const auto object_in = [](WatchStream& stream, std::string_view bytes) {
    stream.add(bytes);
    return stream.next().value().value().object;
  };
  ResponseReader reader(executor, kept());
  WatchStream stream = stream_of({"/metadata/managedFields"});
  const Object before = object_in(stream, event);
  const Object written = reader.read(text + "\n").value().value();
  WatchStream whole = stream_of({});

  EXPECT_TRUE(object_in(whole, event)["/metadata/managedFields"].exists()) << "another projection";
  EXPECT_EQ(object_in(stream, similar)["/spec/a/1"], "c") << "a similar text";
  const Object confirmed = object_in(stream, event);
  EXPECT_TRUE(confirmed.is_same_document(written));
  EXPECT_EQ(confirmed, before);
  EXPECT_FALSE(object_in(stream, event).is_same_document(written)) << "only one event confirms a write";
}

TEST_F(ResponseReaderTest, AnInvalidResponseDoesNotAffectTheNext) {
  ResponseReader reader(executor, kept());
  for (const char* faulty : {R"({"kind":"Pod","metadata":{"name":)", "[1]", "3", ""}) {
    const auto read = reader.read(faulty);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->error().code, ErrorCode::invalid) << faulty;
    EXPECT_EQ(read->error().message, Object::parse(faulty).error().message);
    EXPECT_EQ(*reader.read(R"({"kind":"Pod"})"), *Object::parse(R"({"kind":"Pod"})"));
  }
}

}  // namespace
}  // namespace pintle
