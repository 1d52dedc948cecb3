// SPDX-License-Identifier: Apache-2.0
#include "write_observers.hpp"

#include <pintle/client/client.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "client/test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;

// Stores the calls that it receives.
class Notes : public WriteObserver {
 public:
  void on_written(const Object& object, std::optional<std::string_view> from, bool made_it,
                  const Object& before) override {
    lines.push_back("written " + std::string(object.name()) + " " + std::string(object.resource_version()) +
                    (from ? " from " + std::string(*from) : ""));
    made.push_back(made_it);
    before_write = before;
  }
  void on_removed(const ObjectKey& key, std::string_view uid, const Object& before) override {
    before_write = before;
    lines.push_back("removed " + key.to_string() + " " + std::string(uid));
  }
  void on_pending_create() override { lines.emplace_back("pending create"); }

  Object cached(const ObjectKey&) const override { return here; }

  Object here{};
  Object before_write{};
  std::vector<std::string> lines;
  std::vector<bool> made;  // whether the write made the version of the response
};

// An observer that parses the response itself, into another object.
class ReadingNotes final : public Notes {
 public:
  std::optional<Result<Object>> read(std::string_view) override {
    return Object::parse(
        R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"read","namespace":"default","resourceVersion":"7"}})");
  }
};

class WriteObserversTest : public ::testing::Test {
 protected:
  WriteObserversTest() { client.add_write_observer(config_map, notes); }
  ~WriteObserversTest() override { transport->stop(); }

  void accept(const std::string& name = "a", const std::string& version = "5") {
    server.then([=] { return config_map_response(name, version); });
  }
  void refuse(int code, const std::string& reason) {
    server.then([=] { return status_response(code, reason); });
  }
  void response(const std::string& body_text) {
    server.then([=] { return json_response(200, body_text); });
  }

  SimulatedExecutor executor;
  ScriptedServer server{executor};
  std::shared_ptr<http::InProcessTransport> transport = std::make_shared<http::InProcessTransport>(executor, server);
  Client client{{.transport = transport}};
  std::shared_ptr<Notes> notes = std::make_shared<Notes>();
  const json::Value body{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}};
  const json::Value nameless{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"generateName", "a-"}, {"namespace", "default"}}}};
};

TEST_F(WriteObserversTest, EveryKindOfWriteIsReportedWithItsResponse) {
  for (const char* version : {"1", "2", "3", "4", "5"}) accept("a", version);
  EXPECT_TRUE(client.create(body));
  EXPECT_TRUE(client.replace(body));
  EXPECT_TRUE(client.patch(config_map, {"default", "a"}, json::Value{{"data", {{"k", "w"}}}}));
  EXPECT_TRUE(client.apply(body));
  json::Patch patch;
  EXPECT_TRUE(client.patch(config_map, {"default", "a"}, patch));
  EXPECT_THAT(notes->lines,
              ElementsAre("written a 1 from ", "written a 2", "written a 3", "written a 4", "written a 5"));
}

TEST_F(WriteObserversTest, AWriteReturnsTheObjectOfItsOnlyObserver) {
  notes.reset();
  const auto reads = std::make_shared<ReadingNotes>();
  client.add_write_observer(config_map, reads);
  for (int i = 0; i < 4; ++i) accept();

  EXPECT_EQ(client.replace(body)->name(), "read");
  EXPECT_EQ(client.replace(body, {.dry_run = true})->name(), "a");
  EXPECT_EQ(client.get(config_map, {"default", "a"})->name(), "a");
  EXPECT_THAT(reads->lines, ElementsAre("written read 7"));

  const auto other = std::make_shared<Notes>();  // may need parts that the first observer drops
  client.add_write_observer(config_map, other);
  EXPECT_EQ(client.replace(body)->name(), "a");
  EXPECT_THAT(other->lines, ElementsAre("written a 5"));
}

// Only a write for one version excludes changes of others (trap 74). If the version stays, the write changed nothing
// (trap 72).
TEST_F(WriteObserversTest, AWriteForOneVersionIsReportedWithThatVersion) {
  const json::object metadata{{"name", "a"}, {"namespace", "default"}, {"resourceVersion", "4"}};
  const json::Value at_four = json::object{{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", metadata}};
  const json::Value patch_at_four = json::object{{"metadata", json::object{{"resourceVersion", "4"}}}};
  const auto tested = json::Patch{}.test("/metadata/resourceVersion", "4").add("/data", json::object{});
  const auto untested = json::Patch{}.test("/metadata/uid", "u").add("/data", json::object{});
  for (int i = 0; i < 5; ++i) accept("a", "5");
  EXPECT_TRUE(client.replace(at_four));
  EXPECT_TRUE(client.patch(config_map, {"default", "a"}, patch_at_four));
  EXPECT_TRUE(client.apply(at_four));
  EXPECT_TRUE(client.patch(config_map, {"default", "a"}, tested));
  EXPECT_TRUE(client.patch(config_map, {"default", "a"}, untested));
  accept("a", "4");
  EXPECT_TRUE(client.replace(at_four));
  EXPECT_THAT(notes->lines, ElementsAre("written a 5 from 4", "written a 5 from 4", "written a 5 from 4",
                                        "written a 5 from 4", "written a 5", "written a 4"));
}

TEST_F(WriteObserversTest, AWriteIsReportedWithTheStateWhenItWasSent) {
  accept("a", "5");
  const Object earlier(json::Value{{"metadata", {{"name", "a"}, {"resourceVersion", "4"}}}});
  notes->here = earlier;
  // The watch is faster than the response.
  server.then([&] {
    notes->here = Object(json::Value{{"metadata", {{"name", "a"}, {"resourceVersion", "6"}}}});
    return config_map_response("a", "6");
  });
  EXPECT_TRUE(client.apply(body));
  EXPECT_EQ(notes->before_write.resource_version(), "4");
  notes->here = earlier;
  EXPECT_TRUE(client.apply(body));
  EXPECT_EQ(notes->before_write.resource_version(), "4");
  response(R"({"kind":"Status","apiVersion":"v1","status":"Success","details":{"uid":"u"}})");
  EXPECT_TRUE(client.remove(config_map, {"default", "a"}));
  EXPECT_EQ(notes->before_write.resource_version(), "6");
}

TEST_F(WriteObserversTest, ReadsDryRunsAndRefusalsAreNotReported) {
  accept();
  accept();
  refuse(409, "Conflict");
  refuse(404, "NotFound");
  EXPECT_TRUE(client.get(config_map, {"default", "a"}));
  EXPECT_TRUE(client.apply(body, {.dry_run = true}));
  EXPECT_FALSE(client.apply(body));
  EXPECT_TRUE(client.remove(config_map, {"default", "a"}));
  EXPECT_TRUE(notes->lines.empty());
}

// The response to a delete is a `Status` or the object (trap 49), and the uid identifies the deleted object (trap 73).
TEST_F(WriteObserversTest, ADeletionIsReportedByItsResponse) {
  const auto object = [](const std::string& more) {
    return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u2",)"
           R"("resourceVersion":"9")" +
           more + "}}";
  };
  response(R"({"kind":"Status","apiVersion":"v1","status":"Success","details":{"uid":"u1"}})");
  response(object(""));
  response(object(R"(,"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["x/y"])"));
  response(R"({"kind":"Status","apiVersion":"v1","status":"Success"})");
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(client.remove(config_map, {"default", "a"}));
  EXPECT_THAT(notes->lines, ElementsAre("removed default/a u1", "removed default/a u2", "written a 9"));
}

// The create may have succeeded, and a second one would make a second object (trap 45).
TEST_F(WriteObserversTest, ACreateWithGenerateNameIsPendingUnlessRefused) {
  refuse(504, "Timeout");
  refuse(422, "Invalid");
  refuse(504, "Timeout");
  EXPECT_FALSE(client.create(nameless));
  EXPECT_THAT(notes->lines, ElementsAre("pending create"));
  EXPECT_FALSE(client.create(nameless));
  EXPECT_FALSE(client.create(body)) << "a second one of the same name is refused";
  EXPECT_THAT(notes->lines, ElementsAre("pending create"));
}

TEST_F(WriteObserversTest, AnObserverOfAllKindsIsNotifiedOnceOfEachWrite) {
  const auto all = std::make_shared<Notes>();
  client.add_write_observer({}, all);
  client.add_write_observer({}, all);
  const std::weak_ptr<Notes> gone = std::exchange(notes, nullptr);
  accept("a", "1");
  EXPECT_TRUE(client.create(body));
  EXPECT_THAT(all->lines, ElementsAre("written a 1 from "));
  refuse(504, "Timeout");
  EXPECT_FALSE(client.create(nameless));
  EXPECT_THAT(all->lines, ElementsAre("written a 1 from ")) << "it keeps no objects";
}

TEST_F(WriteObserversTest, OtherKindsAndDestroyedObserversAreNotNotified) {
  const auto other = std::make_shared<Notes>();
  client.add_write_observer({"v1", "Secret"}, other);
  const std::weak_ptr<Notes> gone = std::exchange(notes, nullptr);
  accept();
  EXPECT_TRUE(client.create(body));
  EXPECT_TRUE(gone.expired());
  EXPECT_TRUE(other->lines.empty());
}

// The response to a write that changed nothing has the version of an earlier write (trap 72).
TEST_F(WriteObserversTest, AWriteMadeItsVersionIfItChangesTheKnownState) {
  const auto patch = [&](const char* x, const std::string& version) {
    accept("a", version);
    ASSERT_TRUE(client.patch(config_map, {"default", "a"}, json::Value{{"data", {{"x", x}}}}));
  };
  const auto has = [&](const char* x) {
    notes->here = Object(
        json::Value{{"apiVersion", "v1"},
                    {"kind", "ConfigMap"},
                    {"metadata", {{"name", "a"}, {"namespace", "default"}, {"uid", "u"}, {"resourceVersion", "4"}}},
                    {"data", {{"x", x}}}});
  };
  patch("1", "3");  // no earlier state is known
  has("1");
  patch("2", "5");
  patch("1", "5");  // another client made version 5
  patch("2", "4");  // the version has not changed
  EXPECT_EQ(notes->made, (std::vector<bool>{true, true, false, false}));
}

class MadeVersionTest : public WriteObserversTest {
 protected:
  MadeVersionTest() {
    notes->here = Object(json::parse(R"({"apiVersion":"v1","kind":"ConfigMap",
        "metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"4","generation":7},
        "data":{"x":"1"},"items":[{"name":"p","v":1,"w":2},{"name":"q"}],"status":{"phase":"new"}})")
                             .value());
  }
  // Whether the write made the version of its response, which another client may have made.
  bool is_made(const Result<Object>& written) const {
    EXPECT_TRUE(written);
    return notes->made.back();
  }
  bool json_patch(const json::Patch& patch) {
    accept();
    return is_made(client.patch(config_map, key, patch));
  }
  bool strategic_patch(std::string_view patch) {
    accept();
    return is_made(client.strategic_patch(config_map, key, json::parse(patch).value()));
  }
  bool replace(std::string_view more, const WriteOptions& options = {}) {
    accept();
    const std::string text = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default",)"
                             R"("generation":3},)" +
                             std::string(more) + "}";
    return is_made(client.replace(json::parse(text).value(), options));
  }

  const ObjectKey key{"default", "a"};
};

TEST_F(MadeVersionTest, AJsonPatchIsAppliedToTheKnownState) {
  EXPECT_FALSE(json_patch(json::Patch{}.replace("/data/x", "1")));
  EXPECT_TRUE(json_patch(json::Patch{}.replace("/data/x", "2")));
  EXPECT_TRUE(json_patch(json::Patch{}.test("/metadata/uid", "u").add("/items/-", "r")));
  EXPECT_FALSE(json_patch(json::Patch{}.test("/data/x", "2").replace("/data/x", "2"))) << "another client wrote 2";
  EXPECT_TRUE(json_patch(json::Patch{}.replace("/spec/size", 3))) << "the known state may be a part of the object";
}

TEST_F(MadeVersionTest, AStrategicPatchIsComparedByItsMembersAndItems) {
  EXPECT_FALSE(strategic_patch(R"({"data":{"x":"1","y":null}})"));
  EXPECT_TRUE(strategic_patch(R"({"data":{"x":"2"}})"));
  EXPECT_TRUE(strategic_patch(R"({"data":{"x":null}})"));
  EXPECT_FALSE(strategic_patch(R"({"items":[{"name":"q"},{"name":"p","v":1}]})"));
  EXPECT_TRUE(strategic_patch(R"({"items":[{"name":"p","v":2}]})"));
  EXPECT_TRUE(strategic_patch(R"({"items":[{"name":"r"}]})"));
  EXPECT_FALSE(strategic_patch(R"({"items":[{"name":"r","$patch":"delete"}]})")) << "its effect is not known";
}

// The server ignores a part of the body.
TEST_F(MadeVersionTest, AReplacementIsComparedByTheMembersOfItsBody) {
  EXPECT_FALSE(replace(R"("data":{"x":"1"},"status":{"phase":"old"})"));
  EXPECT_TRUE(replace(R"("data":{"x":"2"})"));
  EXPECT_TRUE(replace(R"("data":{"x":"1"},"items":[])"));
}

}  // namespace
}  // namespace pintle
