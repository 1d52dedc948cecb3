// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/protobuf.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

#include "messages.hpp"

namespace pintle {
namespace {

TEST(ProtobufMessages, HaveMembersOfKnownTypesInAscendingOrder) {
  std::string_view before;
  for (const json::MessageFacts& facts : protobuf_messages()) {
    EXPECT_LT(before, facts.name);
    before = facts.name;
    const json::MessageTypes::Message* message = protobuf_types().find(facts.name);
    ASSERT_NE(message, nullptr);
    const auto lines = facts.fields.empty() ? 0 : 1 + std::ranges::count(facts.fields, '\n');
    EXPECT_EQ(message->fields.size(), static_cast<std::size_t>(lines)) << facts.name;
    std::set<std::string_view> names;
    std::uint32_t last = 0;
    for (const auto& field : message->fields) {
      EXPECT_LT(last, field.number) << facts.name;
      last = field.number;
      EXPECT_TRUE(field.is_inline || names.insert(field.name).second) << facts.name << ": " << field.name;
    }
  }
}

TEST(ProtobufMessages, AreFoundByKind) {
  const auto name_of = [](std::string_view api_version, std::string_view kind) {
    const auto* const message = protobuf_types().find_kind(api_version, kind);
    return message == nullptr ? std::string_view("-") : message->name;
  };
  EXPECT_EQ(name_of("v1", "Pod"), "core.v1.Pod");
  EXPECT_EQ(name_of("rbac.authorization.k8s.io/v1", "Role"), "rbac.v1.Role");
  EXPECT_EQ(name_of("v1", "Status"), "meta.v1.Status");
  EXPECT_EQ(name_of("apps.example.com/v1", "Deployment"), "-");  // the group begins like a built-in one
  EXPECT_EQ(protobuf_types_of("demo.pintle.dev/v1", "Pod"), nullptr);
  EXPECT_EQ(protobuf_types_of("v1", "Greeting"), nullptr);
  EXPECT_NE(protobuf_types_of("v1", "Pod"), nullptr);
}

const json::Value& sample_pod() {
  static const json::Value value =
      json::parse(
          R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7",)"
          R"("creationTimestamp":"2026-01-02T03:04:05Z","labels":{"a":"1","é":"ü"},"managedFields":[{"manager":"m",)"
          R"("operation":"Update","time":null,"fieldsV1":{"f:spec":{"k:{\"a\":1}":{".":{}}}}}]},"spec":{"volumes":)"
          R"([{"name":"v","emptyDir":{"sizeLimit":"1Gi"}}],"containers":[{"name":"c","image":"i","ports":)"
          R"([{"containerPort":80}],"resources":{},"livenessProbe":{"httpGet":{"port":"web"}}}],"hostNetwork":true,)"
          R"("securityContext":{"supplementalGroups":[1,2,300],"runAsUser":0},"overhead":{"cpu":"1m"}},)"
          R"("status":{"phase":"Running","startTime":"1969-12-31T23:59:59Z"}})")
          .value();
  return value;
}

std::string enveloped(const json::Value& object) {
  const json::Document document(object);
  const auto kind = document.root().member("kind").text();
  const auto version = document.root().member("apiVersion").text();
  std::string message;
  const auto done = append_message(document.root(), *protobuf_types().find_kind(version, kind), message);
  EXPECT_TRUE(done) << done.error().message;
  return protobuf_envelope(version, kind, message);
}

std::string list_of(const std::vector<json::Value>& objects, std::string_view version = "9") {
  std::string metadata;
  append_chunk(2, version, metadata);
  std::string list;
  append_chunk(1, metadata, list);
  for (const json::Value& object : objects) {
    std::string item;
    EXPECT_TRUE(append_message(json::Document(object).root(), *protobuf_types().find("core.v1.Pod"), item));
    append_chunk(2, item, list);
  }
  return protobuf_envelope("v1", "PodList", list);
}

TEST(Protobuf, AnObjectIsTheSameAfterEncodingAndDecoding) {
  const auto decoded = json::parse_protobuf(enveloped(sample_pod()), protobuf_types());
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_TRUE(json::equal(*decoded, sample_pod())) << json::print(*decoded);
}

TEST(Protobuf, AMemberWithoutAMessageOrOfAnotherTypeIsAnErrorWithItsPath) {
  const auto error_of = [](const char* text) {
    std::string out;
    const json::Document document = json::Document::parse(text).value();
    const auto done = append_message(document.root(), *protobuf_types().find("core.v1.Pod"), out);
    return done ? std::string("(none)") : std::string(to_string(done.error().code)) + ": " + done.error().message;
  };
  EXPECT_EQ(error_of(R"({"kind":"Pod","spec":{"a":null}})"), "(none)");
  EXPECT_EQ(error_of(R"({"spec":{"unheardOf":1}})"), "unsupported: .spec.unheardOf is not supported in protobuf");
  EXPECT_EQ(error_of(R"({"spec":{"hostNetwork":"yes"}})"), "invalid: .spec.hostNetwork is not true or false");
  EXPECT_EQ(error_of(R"({"metadata":{"creationTimestamp":"soon"}})"),
            "invalid: .metadata.creationTimestamp is not a time");
}

struct ReadList {
  std::vector<std::string> items{};
  Result<json::Document> root{};
};

ReadList read_list(std::string_view bytes, std::size_t piece, json::ReaderOptions options = {}) {
  ReadList read;
  options.parts = "items";
  options.on_part = [&](json::Document item) { read.items.push_back(item.root().print()); };
  options.messages = &protobuf_types();
  json::Reader reader(options);
  for (std::size_t at = 0; at < bytes.size(); at += piece) (void)reader.add(bytes.substr(at, piece));
  read.root = reader.finish();
  return read;
}

// The items arrive as in a list in JSON, whatever the pieces of the text are.
TEST(ProtobufReader, ReadsAListInPiecesOfAnySize) {
  const std::string bytes = list_of({sample_pod(), sample_pod(), json::Value{{"metadata", {{"name", "b"}}}}});
  const json::Value list{{"apiVersion", "v1"},
                         {"kind", "PodList"},
                         {"metadata", {{"resourceVersion", "9"}}},
                         {"items", json::array{sample_pod(), sample_pod(), {{"metadata", {{"name", "b"}}}}}}};
  const json::ReaderOptions options{.defaults = {{"apiVersion", "v1"}, {"kind", "Pod"}},
                                    .projection = {.drop = {"/metadata/managedFields", "/spec/containers/*/ports"}}};
  const ReadList text = read_list(json::print(list), 1000, options);
  ASSERT_EQ(text.items.size(), 3U);
  for (std::size_t piece = 1; piece <= bytes.size(); piece += piece < 40 ? 1 : 97) {
    const ReadList read = read_list(bytes, piece, options);
    ASSERT_TRUE(read.root) << read.root.error().message << ", pieces of " << piece;
    EXPECT_EQ(read.root->root(), text.root->root());
    ASSERT_EQ(read.items.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(json::Document::parse(read.items[i])->root(), json::Document::parse(text.items[i])->root());
    }
  }
}

TEST(ProtobufReader, AnEmptyListHasItems) {
  const ReadList read = read_list(list_of({}), 7);
  ASSERT_TRUE(read.root) << read.root.error().message;
  EXPECT_EQ(read.root->root().print(),
            R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"9"},"items":[]})");
}

TEST(ProtobufReader, ReadsJsonAndProtobufByTurns) {
  json::Reader reader({.projection = {.keep = {"/metadata/name"}}, .messages = &protobuf_types()});
  for (const std::string& text : {enveloped(sample_pod()), json::print(sample_pod()), enveloped(sample_pod())}) {
    ASSERT_TRUE(reader.add(text));
    EXPECT_EQ(reader.finish()->root().print(), R"({"metadata":{"name":"a"}})");
  }
}

TEST(ProtobufReader, LimitsTheSizeOfAnItem) {
  const std::string bytes = list_of({sample_pod()});
  EXPECT_TRUE(read_list(bytes, 16, {.max_document_size = 2000}).root);
  const ReadList read = read_list(bytes, 16, {.max_document_size = 100});
  ASSERT_FALSE(read.root);
  EXPECT_NE(read.root.error().message.find("a document is longer than 100 bytes"), std::string::npos);
  // A size without bytes behind it needs no memory.
  const std::string promise =
      std::string("k8s\0\x0a\x0d\x0a\x02v1\x12\x07PodList\x12\xff\xff\xff\xff\x0f\x12", 26) + "\xff\xff\xff\xff\x0e";
  EXPECT_FALSE(read_list(promise, 16).root);
}

TEST(ProtobufReader, ATruncatedTextIsInvalid) {
  for (const std::string& bytes : {enveloped(sample_pod()), list_of({sample_pod(), sample_pod()})}) {
    const std::size_t envelope_tail = 4;  // the encoding and the media type, which are empty
    for (std::size_t size = 1; size + envelope_tail < bytes.size(); ++size) {
      const ReadList read = read_list(std::string_view(bytes).substr(0, size), 64);
      ASSERT_FALSE(read.root) << size;
      EXPECT_EQ(read.root.error().code, ErrorCode::invalid) << size;
    }
  }
}

// Changed bytes give another document or an error, and never more items than there are bytes.
TEST(ProtobufReader, SurvivesChangedBytes) {
  Random random(1);
  const std::string bytes = list_of({sample_pod(), sample_pod()});
  std::size_t errors = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string changed = bytes;
    for (std::uint64_t i = 0; i <= random.below(3); ++i) {
      changed[4 + random.below(changed.size() - 4)] = static_cast<char>(random.below(256));
    }
    const ReadList read = read_list(changed, 1 + random.below(changed.size()));
    EXPECT_LE(read.items.size(), bytes.size());
    if (!read.root) ++errors;
  }
  EXPECT_GT(errors, 1000U);
}

TEST(ProtobufEvent, IsReadWithBounds) {
  std::string extension;
  append_chunk(1, "object", extension);
  std::string bytes;
  append_chunk(1, "ADDED", bytes);
  append_chunk(2, extension, bytes);
  const auto event = read_protobuf_event(bytes);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, "ADDED");
  EXPECT_EQ(event->object, "object");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const auto cut = read_protobuf_event(std::string_view(bytes).substr(0, size));
    EXPECT_TRUE(!cut || cut->object.empty()) << size;
  }
}

}  // namespace
}  // namespace pintle
