// SPDX-License-Identifier: Apache-2.0
#include "kept_fields.hpp"

#include <cctype>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/versions.hpp>

namespace pintle {
namespace {

// The old version has neither TLS nor hidden listeners, the texts of the notes only, the names of the peers in their
// order, and the names of the zones in lower case.
struct Router;
struct OldRouter {
  static constexpr Type type{"demo.pintle.dev/v1", "Router"};
  struct Listener {
    std::string name{};
    std::int32_t port = 0;
    static constexpr auto fields() {
      return pintle::fields(field("name", &Listener::name).required(), field("port", &Listener::port));
    }
  };
  struct Spec {
    std::vector<Listener> listeners{};
    std::vector<std::string> notes{};
    std::map<std::string, bool> peers{};
    std::vector<std::string> zones{};
    std::string address{};
    static constexpr auto fields() {
      return pintle::fields(field("listeners", &Spec::listeners).list_map("name"), field("notes", &Spec::notes),
                            field("peers", &Spec::peers), field("zones", &Spec::zones),
                            field("address", &Spec::address));
    }
  };
  Metadata metadata{};
  Spec spec{};
  [[nodiscard]] Result<void> to(Router& stored) const;
  void from(const Router& stored);
};
struct Router {
  static constexpr Type type{"demo.pintle.dev/v2", "Router"};
  using versions = Versions<Router, OldRouter>;
  struct Listener {
    std::string name{};
    std::int32_t port = 0;
    bool tls = false;
    bool hidden = false;
    std::int32_t limit = 0;
    static constexpr auto fields() {
      return pintle::fields(field("name", &Listener::name).required(), field("port", &Listener::port),
                            field("tls", &Listener::tls), field("hidden", &Listener::hidden),
                            field("limit", &Listener::limit).maximum(9));
    }
  };
  struct Note {
    std::string text{};
    std::string author{};
    static constexpr auto fields() {
      return pintle::fields(field("text", &Note::text), field("author", &Note::author));
    }
  };
  struct Peer {
    std::string name{};
    std::int32_t weight = 1;
    static constexpr auto fields() {
      return pintle::fields(field("name", &Peer::name), field("weight", &Peer::weight));
    }
  };
  struct Zone {
    std::string name{};
    std::int32_t size = 1;
    static constexpr auto fields() {
      return pintle::fields(field("name", &Zone::name).required(), field("size", &Zone::size));
    }
  };
  struct Spec {
    std::vector<Listener> listeners{};
    std::vector<Note> notes{};
    std::vector<Peer> peers{};
    std::vector<Zone> zones{};
    std::string host{};
    bool fast = false;
    static constexpr auto fields() {
      return pintle::fields(field("listeners", &Spec::listeners).list_map("name"), field("notes", &Spec::notes),
                            field("peers", &Spec::peers), field("zones", &Spec::zones).list_map("name"),
                            field("host", &Spec::host).max_length(8).required(), field("fast", &Spec::fast));
    }
  };
  Metadata metadata{};
  Spec spec{};
};
Result<void> OldRouter::to(Router& stored) const {
  if (spec.address.find(':') != std::string::npos) return fail(ErrorCode::invalid, "address: no ':' is allowed");
  stored.spec.host = spec.address;
  for (const Listener& one : spec.listeners) stored.spec.listeners.push_back({.name = one.name, .port = one.port});
  for (const std::string& one : spec.notes) stored.spec.notes.push_back({.text = one});
  for (const auto& [name, is_peer] : spec.peers) stored.spec.peers.push_back({.name = name});
  for (const std::string& one : spec.zones) stored.spec.zones.push_back({.name = one});
  return {};
}
void OldRouter::from(const Router& stored) {
  spec.address = stored.spec.host;
  for (const Router::Listener& one : stored.spec.listeners) {
    if (!one.hidden) spec.listeners.push_back({.name = one.name, .port = one.port});
  }
  for (const Router::Note& one : stored.spec.notes) spec.notes.push_back(one.text);
  for (const Router::Peer& one : stored.spec.peers) spec.peers[one.name] = true;
  for (const Router::Zone& one : stored.spec.zones) {
    std::string& name = spec.zones.emplace_back();
    for (const char c : one.name) name += static_cast<char>(std::tolower(c));
  }
}

// An object of v2 and its form in v1, which a user changes.
class KeptElements : public ::testing::Test {
 protected:
  static json::Value router(const json::Value& spec) {
    return json::object{{"apiVersion", "demo.pintle.dev/v2"},
                        {"kind", "Router"},
                        {"metadata", json::object{{"name", "a"}}},
                        {"spec", spec}};
  }
  static json::Value convert(const json::Value& object, const std::string& version) {
    auto made = Router::versions::convert(Object(object), "demo.pintle.dev/" + version);
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : json::Value();
  }
  // The value at `pointer` in v2 after a change of the object in v1.
  static std::string after(const json::Value& spec, const std::function<void(json::Value&)>& change,
                           std::string_view pointer) {
    json::Value given = router(spec);
    if (json::find(given, "/spec/host") == nullptr) (void)!json::set(given, "/spec/host", "h");
    json::Value old = convert(given, "v1");
    change(old);
    const json::Value back = convert(old, "v2");
    const json::Value* found = json::find(back, pointer);
    return found == nullptr ? "missing" : json::print(*found);
  }
  static json::Value listener(const std::string& name, int port, bool tls, bool hidden = false, int limit = 0) {
    return json::object{{"name", name}, {"port", port}, {"tls", tls}, {"hidden", hidden}, {"limit", limit}};
  }
  static std::string listeners(const json::array& all) { return json::print(json::Value(all)); }
};

TEST_F(KeptElements, OfAListMapAreFoundByTheirKeys) {
  const json::Value spec = json::object{{"listeners", json::array{listener("a", 1, true), listener("b", 2, true)}}};
  constexpr std::string_view at = "/spec/listeners";

  EXPECT_EQ(after(
                spec, [](json::Value& old) { (void)!json::set(old, "/spec/listeners/0/port", 7); }, at),
            listeners({listener("a", 7, true), listener("b", 2, true)}));
  EXPECT_EQ(after(
                spec, [](json::Value& old) { json::erase(old, "/spec/listeners/0"); }, at),
            listeners({listener("b", 2, true)}));
  EXPECT_EQ(after(
                spec, [](json::Value& old) { (void)!json::set(old, "/spec/listeners/0/name", "c"); }, at),
            listeners({listener("c", 1, false), listener("b", 2, true)}));
  EXPECT_EQ(after(
                spec,
                [](json::Value& old) {
                  (void)!json::set(old, "/spec/listeners/-", json::object{{"name", "c"}, {"port", 3}});
                },
                at),
            listeners({listener("a", 1, true), listener("b", 2, true), listener("c", 3, false)}));
}

TEST_F(KeptElements, ThatTheOtherVersionDoesNotHaveStay) {
  const json::Value spec = json::object{
      {"listeners", json::array{listener("a", 1, true, true), listener("b", 2, false), listener("c", 3, true, true)}}};

  EXPECT_EQ(after(
                spec, [](json::Value& old) { (void)!json::set(old, "/spec/listeners/0/port", 7); }, "/spec/listeners"),
            listeners({listener("a", 1, true, true), listener("b", 7, false), listener("c", 3, true, true)}));
  EXPECT_EQ(
      after(
          spec, [](json::Value& old) { (void)!json::set(old, "/spec/listeners/0/name", "c"); }, "/spec/listeners"),
      listeners({listener("a", 1, true, true), listener("c", 2, false)}))
      << "an element that the user added has the key of a kept one";
}

TEST_F(KeptElements, WithoutKeysAreFoundByTheirEquality) {
  const json::Value spec =
      json::parse(R"({"notes":[{"text":"x","author":"A"},{"text":"y","author":"B"},{"text":"x","author":"C"}]})")
          .value();

  EXPECT_EQ(
      after(
          spec, [](json::Value& old) { (void)!json::set(old, "/spec/notes/-", "z"); }, "/spec/notes"),
      R"([{"text":"x","author":"A"},{"text":"y","author":"B"},{"text":"x","author":"C"},{"text":"z","author":""}])");
  EXPECT_EQ(after(
                spec, [](json::Value& old) { json::erase(old, "/spec/notes/1"); }, "/spec/notes"),
            R"([{"text":"x","author":"A"},{"text":"x","author":"C"}])");
  EXPECT_EQ(after(
                spec, [](json::Value& old) { (void)!json::set(old, "/spec/notes/1", "z"); }, "/spec/notes"),
            R"([{"text":"x","author":"A"},{"text":"z","author":""},{"text":"x","author":"C"}])");
}

// The conversion sorts the peers, so the place of a peer does not identify it.
TEST_F(KeptElements, AreNotTakenForOthersIfTheConversionSortsThem) {
  const json::Value spec = json::parse(R"({"peers":[{"name":"b","weight":5},{"name":"a","weight":6}]})").value();

  EXPECT_EQ(after(
                spec, [](json::Value&) {}, "/spec/peers"),
            R"([{"name":"b","weight":5},{"name":"a","weight":6}])");
  EXPECT_EQ(after(
                spec, [](json::Value& old) { json::erase(old, "/spec/peers/a"); }, "/spec/peers"),
            R"([{"name":"b","weight":1}])");
}

// The conversion changes the keys of the zones, so a zone that was deleted cannot be found by its key.
TEST_F(KeptElements, AreNotRestoredAfterTheirDeletionIfTheConversionChangesKeys) {
  const json::Value spec = json::parse(R"({"zones":[{"name":"Anna","size":3},{"name":"Bo","size":4}]})").value();

  EXPECT_EQ(after(
                spec, [](json::Value& old) { json::erase(old, "/spec/zones/0"); }, "/spec/zones"),
            R"([{"name":"Bo","size":4}])");
}

TEST_F(KeptElements, MayHaveMembersThatTheStructDoesNotHave) {
  const json::Value spec = json::parse(R"({"listeners":[{"name":"a","port":1,"new":{"x":1}}]})").value();

  EXPECT_EQ(
      after(
          spec, [](json::Value& old) { (void)!json::set(old, "/spec/listeners/0/port", 7); }, "/spec/listeners/0/new"),
      R"({"x":1})");
}

// An object of an earlier release violates a rule of this one, which an API server tolerates if the value is unchanged.
TEST_F(KeptElements, SurviveAnInvalidValueElsewhere) {
  const json::Value spec = json::object{{"host", "long.example.com"},
                                        {"fast", true},
                                        {"listeners", json::array{listener("a", 1, true), listener("b", 2, true)}}};
  const auto add = [](json::Value& old) { (void)!json::set(old, "/spec/listeners/-", json::object{{"name", "c"}}); };

  EXPECT_EQ(after(spec, add, "/spec/fast"), "true");
  EXPECT_EQ(after(spec, add, "/spec/listeners/1/tls"), "true");
}

TEST_F(KeptElements, ThatWouldAddAnErrorAreLeftOutAlone) {
  const json::Value spec = json::object{
      {"fast", true}, {"listeners", json::array{listener("a", 1, true, false, 99), listener("b", 2, true)}}};

  EXPECT_EQ(after(
                spec, [](json::Value&) {}, "/spec/listeners"),
            listeners({listener("a", 1, true), listener("b", 2, true)}));
  EXPECT_EQ(after(
                spec, [](json::Value&) {}, "/spec/fast"),
            "true");
}

// Only the schema of the whole object has the error: a required member is missing.
TEST_F(KeptElements, ThatWouldRemoveARequiredMemberAreLeftOutAlone) {
  json::Value old = convert(router(json::object{{"host", "h"}}), "v1");
  (void)!json::set(old, "/metadata/annotations/pintle.dev~1conversion-data",
                   R"({"v2":{"/spec/host":{"was":"h"},"/spec/fast":{"was":false,"value":true}}})");

  const json::Value back = convert(old, "v2");

  EXPECT_EQ(json::print(*json::find(back, "/spec/host")), R"("h")");
  EXPECT_EQ(json::print(*json::find(back, "/spec/fast")), "true");
}

// The conversion back rejects "::1". The object must be readable in v1 nevertheless.
TEST_F(KeptElements, AnObjectThatCannotBeConvertedBackIsReadableAndKeptAsAWhole) {
  const json::Value stored = convert(router(json::object{{"host", "::1"}, {"fast", true}}), "v2");
  json::Value old = convert(stored, "v1");
  EXPECT_EQ(json::print(*json::find(old, "/spec/address")), "\"::1\"");

  (void)!json::set(old, "/metadata/labels/team", "x");
  const json::Value labelled = convert(old, "v2");
  EXPECT_EQ(json::print(*json::find(labelled, "/spec/fast")), "true");
  EXPECT_EQ(json::print(*json::find(labelled, "/metadata")), R"({"name":"a","labels":{"team":"x"}})");

  (void)!json::set(old, "/spec/address", "::2");
  const auto rejected = Router::versions::convert(Object(old), "demo.pintle.dev/v2");
  ASSERT_FALSE(rejected);
  EXPECT_EQ(rejected.error().message, "address: no ':' is allowed");
}

TEST_F(KeptElements, AWholeObjectThatIsInvalidOrTooLargeIsNotKept) {
  json::Value old = convert(router(json::object{{"host", "::1"}}), "v1");
  (void)!json::set(old, "/metadata/annotations/pintle.dev~1conversion-data",
                   R"({"v2":{"":{"was":{"spec":{"listeners":[],"notes":[],"peers":{},"zones":[],"address":"::1"}},)"
                   R"("value":{"spec":{"host":"much.too.long"}}}}})");
  EXPECT_FALSE(Router::versions::convert(Object(old), "demo.pintle.dev/v2"));

  const json::Value large =
      router(json::object{{"host", "::1"}, {"notes", json::array{json::object{{"text", std::string(300'000, 'x')}}}}});
  EXPECT_EQ(json::find(convert(large, "v1"), "/metadata/annotations"), nullptr);
}

}  // namespace
}  // namespace pintle
