// SPDX-License-Identifier: Apache-2.0
// Large lists, which are sent while they are printed.
#include <array>
#include <atomic>

#include <zlib.h>

#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "../test_server.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using State = http::BodyStream::State;

constexpr int stored = 400;
const std::string kilobyte(1000, 'x');

// "m000", …: names in the order of a list.
std::string name_of(int n) {
  const std::string digits = std::to_string(n);
  return "m" + std::string(3 - digits.size(), '0') + digits;
}

std::string with_data(const std::string& name, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"("},"data":{"text":")" + kilobyte + R"(","more":")" + more + R"("}})";
}

std::string inflated(std::string text) {
  std::string out;
  z_stream stream{};
  inflateInit2(&stream, 15 + 16);
  std::array<Bytef, 65536> piece{};
  stream.next_in = static_cast<Bytef*>(static_cast<void*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = piece.data();
    stream.avail_out = piece.size();
    state = inflate(&stream, Z_NO_FLUSH);
    out.append(piece.begin(), piece.end() - stream.avail_out);
  }
  inflateEnd(&stream);
  EXPECT_EQ(state, Z_STREAM_END);
  return out;
}

class LargeLists : public ServerTest {
 protected:
  void SetUp() override {
    for (int n = 0; n < stored; ++n) EXPECT_EQ(post(config_maps, with_data(name_of(n))).status, 201);
  }
  http::Response send(std::string target = config_maps, http::Headers headers = {}) {
    http::Response response =
        server_.handle({.method = "GET", .target = std::move(target), .headers = std::move(headers)});
    if (response.stream != nullptr) response.stream->on_ready([] {});
    return response;
  }
  // The items of a list that is read in small pages. The response for each page is a single text.
  std::string paged_items(const std::string& accept, const char* items) {
    std::string out;
    std::string next;
    do {
      const TestReply page = get(config_maps + "?limit=50" + (next.empty() ? "" : "&continue=" + next), accept);
      for (const json::Value& item : page.json.at(items).as_array()) out += json::print(item) + "\n";
      next = page.at("/metadata/continue");
    } while (!next.empty());
    return out;
  }
};

TEST_F(LargeLists, AreStreamedAndSmallOnesAreNot) {
  EXPECT_EQ(send(config_maps + "?limit=50").stream, nullptr);
  const http::Response large = send();
  ASSERT_NE(large.stream, nullptr);
  EXPECT_TRUE(large.stream->is_document());
  EXPECT_EQ(large.status, 200);
  EXPECT_EQ(large.headers.get("Content-Type"), "application/json");
  EXPECT_EQ(large.body, "");
}

TEST_F(LargeLists, AreSentInSmallPieces) {
  const http::Response large = send();
  ASSERT_NE(large.stream, nullptr);
  std::string first;
  EXPECT_EQ(large.stream->read(first), State::more);
  EXPECT_LT(first.size(), 200'000U);

  State state = State::more;
  int pieces = 0;
  for (; state == State::more; ++pieces) {
    std::string piece;
    state = large.stream->read(piece);
    EXPECT_LT(piece.size(), 70'000U);
  }
  EXPECT_EQ(state, State::ended);
  EXPECT_GT(pieces, 3);
}

TEST_F(LargeLists, EqualTheirSmallPages) {
  const std::string as_table = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const std::string as_metadata = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
  for (const auto& [accept, items] : {std::pair(std::string("application/json"), "items"), std::pair(as_table, "rows"),
                                      std::pair(as_metadata, "items")}) {
    EXPECT_NE(send(config_maps, {{"Accept", accept}}).stream, nullptr) << accept;
    const TestReply whole = get(config_maps, accept);
    std::string all;
    for (const json::Value& item : whole.json.at(items).as_array()) all += json::print(item) + "\n";
    EXPECT_EQ(all, paged_items(accept, items)) << accept;
  }
}

TEST_F(LargeLists, EqualTheirYamlAndPrettyForms) {
  const json::Value whole = get(config_maps).json;
  EXPECT_TRUE(json::equal(get(config_maps + "?pretty=true").json, whole));
  EXPECT_TRUE(json::equal(json::parse_yaml(get(config_maps, "application/yaml").body).value(), whole));
}

TEST_F(LargeLists, DoNotChangeByWritesDuringTheResponse) {
  const std::string before = get(config_maps).body;
  const http::Response large = send();
  ASSERT_NE(large.stream, nullptr);
  std::string text;
  EXPECT_EQ(large.stream->read(text), State::more);

  for (int n = 0; n < stored; ++n) {
    const std::string target = config_maps + "/" + name_of(n);
    ASSERT_EQ((n % 2 == 0 ? remove(target) : put(target, with_data(name_of(n), "changed"))).status, 200);
  }
  post(config_maps, with_data("new"));
  server_.compact();
  while (large.stream->read(text) == State::more) {}

  EXPECT_EQ(text, before);
}

TEST_F(LargeLists, AreEqualInGzip) {
  http::Response large = send(config_maps, {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(large.headers.get("Content-Encoding"), "gzip");
  EXPECT_EQ(large.headers.get("Vary"), "Accept-Encoding");
  ASSERT_NE(large.stream, nullptr);
  EXPECT_TRUE(large.stream->is_document());
  http::read_full_body(large);
  EXPECT_LT(large.body.size(), 100'000U);
  EXPECT_EQ(inflated(large.body), get(config_maps).body);

  // The same for a single large object.
  post(config_maps, R"({"metadata":{"name":"one"},"data":{"x":")" + std::string(200'000, 'x') + R"("}})");
  const http::Response one = send(config_maps + "/one", {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(one.stream, nullptr);
  EXPECT_EQ(inflated(one.body), get(config_maps + "/one").body);
}

TEST_F(LargeLists, AreReturnedByTheDeletionOfACollection) {
  http::Response gone = server_.handle({.method = "DELETE", .target = config_maps});
  ASSERT_NE(gone.stream, nullptr);
  http::read_full_body(gone);
  EXPECT_EQ(json::parse(gone.body).value().at("items").as_array().size(), std::size_t{stored});
  EXPECT_EQ(names("configmaps"), "");
}

TEST_F(LargeLists, AreTruncatedAndSplitByFaults) {
  const auto read = [&](http::BodyStream& stream, std::string& text) {
    State state = State::more;
    while (state == State::more) state = stream.read(text);
    return state;
  };
  const std::string whole = get(config_maps).body;
  server_.set_faults({.rules = {{.effect = http::TruncateBody{.after_bytes = 200'000}, .times = 1},
                                {.effect = http::SplitBody{.bytes = 1000}, .first = 2}}});

  const http::Response cut = send();
  std::string text;
  EXPECT_EQ(read(*cut.stream, text), State::broken);
  EXPECT_EQ(text, whole.substr(0, 200'000));

  const http::Response split = send();
  std::string piece;
  EXPECT_EQ(split.stream->read(piece), State::more);
  EXPECT_EQ(piece.size(), 1000U);
  EXPECT_EQ(read(*split.stream, piece), State::ended);
  EXPECT_EQ(piece, whole);
}

// A client in this process.
TEST_F(LargeLists, AreCompleteInProcessAndMayBeTruncated) {
  const std::string whole = get(config_maps).body;
  http::InProcessTransport transport(executor_, server_,
                                     {{.effect = http::StallEvents{.nth = 1, .duration = 1h}},
                                      {.effect = http::RepeatEvent{}},
                                      {.effect = http::TruncateBody{.after_bytes = 200'000}, .first = 2}});

  const auto first = http::send(transport, {.target = config_maps});
  const auto second = http::send(transport, {.target = config_maps});

  ASSERT_TRUE(first) << "only events of a watch are stalled and repeated";
  EXPECT_EQ(first->body, whole);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::unreachable);
}

// Each list over a socket shows one version, although its objects are written all the time.
TEST(LargeListsOverHttp, AreCompleteAndOfOneVersionDuringWrites) {
  const auto executor = make_real_executor();
  ApiServer api(*executor);
  http::Server server(*executor, api, {});
  ASSERT_TRUE(server.start());
  const auto write = [&](const char* method, const std::string& target, int n, const std::string& more) {
    return api.handle({.method = method, .target = target, .body = with_data(name_of(n), more)}).status;
  };
  for (int n = 0; n < stored; ++n) ASSERT_EQ(write("POST", config_maps, n, "0"), 201);
  const auto transport = http::make_network_transport(*executor);
  const auto endpoint = std::make_shared<http::Endpoint>(http::Endpoint{.host = "127.0.0.1", .port = server.port()});

  // A round writes all objects in order. A list therefore shows one round up to some place, and the round before it
  // after that place.
  std::atomic<bool> is_over = false;
  Thread writer = executor->spawn({.name = "writer"}, [&] {
    for (int round = 1; !is_over; ++round) {
      for (int n = 0; n < stored; ++n) write("PUT", config_maps + "/" + name_of(n), n, std::to_string(round));
    }
  });
  std::vector<std::string> errors;
  for (int list = 0; list < 10; ++list) {
    const auto response = http::send(*transport, {.target = config_maps, .endpoint = endpoint});
    const json::Value value = response ? json::parse(response->body).value_or(nullptr) : nullptr;
    const json::Value* items = json::find(value, "/items");
    if (items == nullptr || items->as_array().size() != stored) {
      errors.push_back("not whole");
      continue;
    }
    EXPECT_FALSE(response->headers.get("Content-Length"));
    const auto round_of = [&](int n) {
      return std::stoi(
          std::string(items->as_array()[static_cast<std::size_t>(n)].at_pointer("/data/more").as_string()));
    };
    for (int n = 1; n < stored; ++n) {
      const int fallen = round_of(n - 1) - round_of(n);
      if (fallen < 0 || round_of(0) - round_of(n) > 1) errors.push_back("two versions at " + name_of(n));
    }
  }
  is_over = true;
  writer.join();
  transport->stop();

  EXPECT_EQ(errors, std::vector<std::string>());
}

}  // namespace
}  // namespace pintle
