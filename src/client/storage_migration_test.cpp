// SPDX-License-Identifier: Apache-2.0
// Migration of stored versions, against the embedded API server.
#include <pintle/client/storage_migration.hpp>

#include <map>
#include <string>

#include <gmock/gmock.h>

#include <pintle/json/pointer.hpp>
#include <pintle/testing/simulation.hpp>

#include "client/storage_progress.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const GroupVersionKind old_door{"demo.pintle.dev/v1", "Door"};
const GroupVersionKind new_door{"demo.pintle.dev/v2", "Door"};
const Type crd_type{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};
constexpr const char* crd_name = "doors.demo.pintle.dev";

json::Value version(const char* name, bool is_stored, bool is_served = true) {
  return json::object{
      {"name", name},
      {"served", is_served},
      {"storage", is_stored},
      {"schema", {{"openAPIV3Schema", {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}}}}}};
}

json::Value crd(json::array versions) {
  return json::object{
      {"apiVersion", "apiextensions.k8s.io/v1"},
      {"kind", "CustomResourceDefinition"},
      {"metadata", {{"name", crd_name}}},
      {"spec",
       {{"group", "demo.pintle.dev"},
        {"scope", "Namespaced"},
        {"names", {{"kind", "Door"}, {"plural", "doors"}, {"singular", "door"}, {"listKind", "DoorList"}}},
        {"versions", std::move(versions)}}}};
}

class StorageMigration : public ::testing::Test {
 protected:
  // Doors that are stored as v1, in a CRD that now stores v2.
  void SetUp() override {
    ASSERT_TRUE(simulation_.install(crd({version("v1", true)})));
    for (const char* name : {"north", "south"}) {
      ASSERT_TRUE(
          user_.create(json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}}));
    }
    for (int i = 0; i < 510; ++i) create(old_door, i % 2 == 0 ? "north" : "south", "d" + std::to_string(i));
    ASSERT_TRUE(replace_versions({version("v1", false), version("v2", true)}));
    ASSERT_THAT(stored_versions(), ElementsAre("v1", "v2"));
    ASSERT_TRUE(simulation_.wait_until([&] { return user_.list(new_door, {.limit = 1}).has_value(); }));
  }
  void create(const GroupVersionKind& kind, const char* namespace_, const std::string& name) {
    ASSERT_TRUE(user_.create(json::Value{{"apiVersion", kind.api_version()},
                                         {"kind", kind.kind},
                                         {"metadata", {{"name", name}, {"namespace", namespace_}}}}));
  }
  Result<Object> replace_versions(json::array versions) {
    const auto there = user_.get(crd_type, {.name = crd_name});
    json::Value next = there->to_value();
    (void)!json::set(next, "/spec/versions", std::move(versions));
    return user_.replace(next);
  }
  std::vector<std::string> stored_versions() {
    std::vector<std::string> names;
    const auto there = user_.get(crd_type, {.name = crd_name});
    for (const json::View one : there->root()["/status/storedVersions"].elements()) names.emplace_back(one.text());
    return names;
  }
  std::map<std::string, std::string> versions_of_doors() {
    std::map<std::string, std::string> all;
    for (const Object& one : simulation_.server().objects(crd_name)) {
      all.emplace(one.key().to_string(), one.resource_version());
    }
    return all;
  }

  // Returns a client that counts its writes of doors, which fail with this code if `fails` returns true.
  std::unique_ptr<Client> refusing(std::function<bool(const std::string&)> fails, ErrorCode code) {
    return user_.intercepted([this, fails = std::move(fails), code](http::Request& request) -> Result<void> {
      if (request.method != "PATCH" || request.target.find("/doors/") == std::string::npos) return {};
      ++writes_;
      if (!fails(request.target.substr(request.target.rfind('/') + 1))) return {};
      return make_error(code, "no");
    });
  }

  testkit::Simulation simulation_{{.seed = 1}};
  Client& user_ = simulation_.user();
  int writes_ = 0;
};

TEST_F(StorageMigration, StoresEachObjectAgainAndRemovesTheOldVersion) {
  create(new_door, "north", "new");
  EXPECT_FALSE(replace_versions({version("v2", true)})) << "v1 is still stored";
  const auto before = versions_of_doors();
  const auto done = migrate_storage(user_, crd_name);
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(done->version, "v2");
  EXPECT_EQ(done->objects, 511U);
  EXPECT_THAT(done->removed, ElementsAre("v1"));
  EXPECT_THAT(stored_versions(), ElementsAre("v2"));
  for (const auto& [key, stored] : versions_of_doors()) {
    EXPECT_EQ(stored == before.at(key), key == "north/new") << key << " is written once if it was stored as v1";
  }
  const auto removed = replace_versions({version("v2", true)});
  EXPECT_TRUE(removed) << removed.error().to_string();
}

TEST_F(StorageMigration, WritesNothingIfAllIsMigrated) {
  ASSERT_TRUE(migrate_storage(user_, crd_name));
  int writes = 0;
  const auto client = user_.intercepted([&](http::Request& request) -> Result<void> {
    writes += request.method == "GET" ? 0 : 1;
    return {};
  });
  const auto done = migrate_storage(*client, crd_name);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->objects, 0U);
  EXPECT_THAT(done->removed, IsEmpty());
  EXPECT_EQ(writes, 0);
}

TEST_F(StorageMigration, AFailedWriteIsNamedAndKeepsTheOldVersion) {
  const auto client = user_.intercepted([](http::Request& request) -> Result<void> {
    if (request.target.find("/doors/d501") == std::string::npos) return {};
    return make_error(ErrorCode::forbidden, "no");
  });
  const auto done = migrate_storage(*client, crd_name);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::forbidden);
  EXPECT_THAT(done.error().to_string(), HasSubstr("south/d501"));
  EXPECT_THAT(stored_versions(), ElementsAre("v1", "v2"));
  EXPECT_TRUE(migrate_storage(user_, crd_name)) << "it can be repeated";
}

TEST_F(StorageMigration, AnObjectThatCannotBeWrittenDoesNotPreventTheOthers) {
  bool is_refused = true;
  const auto refused = [&](const std::string& name) { return is_refused && name.starts_with("d50"); };
  const auto client = refusing(refused, ErrorCode::forbidden);
  StorageProgress progress;
  for (const int writes : {510, 11}) {
    writes_ = 0;
    const auto done = migrate_storage(*client, crd_name, progress, {});
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().to_string(), HasSubstr("north/d50"));
    EXPECT_THAT(done.error().to_string(), HasSubstr("; 10 more cannot be written"));
    EXPECT_EQ(writes_, writes) << "only what is left is tried again";
    EXPECT_THAT(stored_versions(), ElementsAre("v1", "v2"));
  }
  is_refused = false;
  const auto done = migrate_storage(*client, crd_name, progress, {});
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(done->objects, 510U);
  EXPECT_THAT(stored_versions(), ElementsAre("v2"));
}

TEST_F(StorageMigration, BeginsAgainIfTheCrdHasChanged) {
  bool is_refused = true;
  const auto client = refusing([&](const std::string&) { return is_refused && writes_ == 1; }, ErrorCode::invalid);
  StorageProgress progress;
  ASSERT_FALSE(migrate_storage(*client, crd_name, progress, {}));
  ASSERT_TRUE(replace_versions({version("v1", true), version("v2", false)}));
  ASSERT_TRUE(replace_versions({version("v1", false), version("v2", true)}));
  is_refused = false;
  writes_ = 0;
  ASSERT_TRUE(migrate_storage(*client, crd_name, progress, {}));
  EXPECT_EQ(writes_, 510) << "objects may have been stored as v1 meanwhile";
}

TEST_F(StorageMigration, DoesNotTryAllObjectsIfNoneCanBeWritten) {
  const auto client = refusing([](const std::string&) { return true; }, ErrorCode::forbidden);
  const auto done = migrate_storage(*client, crd_name);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().to_string(), HasSubstr("the remaining objects were not tried"));
  EXPECT_EQ(writes_, 100);
}

TEST_F(StorageMigration, EndsWhenTheServerIsNotAvailable) {
  const auto client = refusing([&](const std::string&) { return writes_ > 7; }, ErrorCode::unreachable);
  StorageProgress progress;
  const auto done = migrate_storage(*client, crd_name, progress, {});
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().to_string(), HasSubstr("the remaining objects were not tried"));
  EXPECT_TRUE(migrate_storage(user_, crd_name, progress, {})) << "it begins again";
  EXPECT_THAT(stored_versions(), ElementsAre("v2"));
}

TEST_F(StorageMigration, WritesInAServedVersionIfTheStorageVersionIsNot) {
  ASSERT_TRUE(replace_versions({version("v1", false), version("v2", true, false)}));
  const auto before = versions_of_doors();
  const auto done = migrate_storage(user_, crd_name);
  ASSERT_TRUE(done) << done.error().to_string();
  EXPECT_EQ(done->version, "v2");
  for (const auto& [key, stored] : versions_of_doors()) EXPECT_NE(stored, before.at(key)) << key;
  EXPECT_THAT(stored_versions(), ElementsAre("v2"));
}

TEST_F(StorageMigration, AnObjectThatIsDeletedMeanwhileIsNoError) {
  const auto client = user_.intercepted([&](http::Request& request) -> Result<void> {
    if (request.target.find("/doors/d8") != std::string::npos) (void)!user_.remove(new_door, {"north", "d8"});
    return {};
  });
  EXPECT_TRUE(migrate_storage(*client, crd_name));
  EXPECT_THAT(stored_versions(), ElementsAre("v2"));
}

TEST_F(StorageMigration, AnotherStorageVersionMeanwhileIsAConflict) {
  bool has_changed = false;
  const auto client = user_.intercepted([&](http::Request& request) -> Result<void> {
    if (request.method == "PATCH" && !std::exchange(has_changed, true)) {
      EXPECT_TRUE(replace_versions({version("v1", true), version("v2", false)}));
    }
    return {};
  });
  const auto done = migrate_storage(*client, crd_name);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::conflict);
  EXPECT_THAT(stored_versions(), ElementsAre("v1", "v2"));
}

TEST_F(StorageMigration, AnUnknownCrdIsNotFound) {
  const auto done = migrate_storage(user_, "windows.demo.pintle.dev");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::not_found);
  EXPECT_THAT(done.error().to_string(), HasSubstr("windows.demo.pintle.dev"));
}

}  // namespace
}  // namespace pintle
