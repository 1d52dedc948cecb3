// SPDX-License-Identifier: Apache-2.0
// The children example, unchanged, in a simulated cluster.
#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

#define main children_main
#include "../../examples/03-children/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

class ChildrenExample : public ::testing::Test {
 protected:
  ChildrenExample() { start(); }
  void start() {
    operator_ =
        std::make_unique<Instance>(simulation_, ManagerOptions{.name = "children-operator", .log_level = LogLevel::off},
                                   [](Manager& manager) { manager.add(databases()); });
    operator_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
  }
  void create(bool backups) {
    ASSERT_TRUE(simulation_.user().create(Database{.metadata = {.name = "db", .namespace_ = "default"},
                                                   .spec = {.host = "10.0.0.1", .backups = backups}}));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  void change(const GroupVersionKind& kind, const std::string& name, const json::Value& merge_patch) {
    ASSERT_TRUE(simulation_.user().patch(kind, {"default", name}, merge_patch));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  void fill_in_password() { change(Secret::type, "db-login", {{"stringData", json::object{{"password", "s3cret"}}}}); }
  void remove(const GroupVersionKind& kind, const std::string& name) {
    ASSERT_TRUE(simulation_.user().remove(kind, {"default", name}));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  [[nodiscard]] std::string there() {
    std::string names;
    for (const char* resource : {"secrets", "configmaps"}) {
      for (const Object& object : simulation_.server().objects(resource)) names += std::string(object.name()) + " ";
    }
    return names;
  }
  [[nodiscard]] Object only(const char* resource) {
    const auto objects = simulation_.server().objects(resource);
    EXPECT_EQ(objects.size(), 1U);
    return objects.at(0);
  }

  // Every missing permission fails the test, so the RBAC rules of --print-rbac must contain everything that the example
  // does.
  Simulation simulation_{{.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::unique_ptr<Instance> operator_;
};

TEST_F(ChildrenExample, TheClientSettingsWaitForThePassword) {
  create(false);
  EXPECT_EQ(there(), "db-login ");
  fill_in_password();
  EXPECT_EQ(there(), "db-login db-client ");
  EXPECT_EQ(only("configmaps")["/data/login"], "db-login");
  change(Database::type, "db", {{"spec", {{"host", "10.0.0.2"}}}});
  EXPECT_EQ(only("configmaps")["/data/host"], "10.0.0.2");
  EXPECT_EQ(only("secrets")["/data/password"], Bytes("s3cret").to_base64()) << "a foreign value stays";
}

TEST_F(ChildrenExample, ForeignChangesAndDeletionsAreUndone) {
  create(true);
  fill_in_password();
  change(ConfigMap::type, "db-client", {{"data", {{"host", "elsewhere"}}}});
  remove(ConfigMap::type, "db-backups");
  EXPECT_EQ(there(), "db-login db-backups db-client ");
  EXPECT_EQ(simulation_.server().objects("configmaps").at(1)["/data/host"], "10.0.0.1");
}

TEST_F(ChildrenExample, UndeclaredChildrenArePrunedAlsoAfterADowntime) {
  create(true);
  fill_in_password();
  change(Database::type, "db", {{"spec", {{"backups", false}}}});
  EXPECT_EQ(there(), "db-login db-client ");
  change(Database::type, "db", {{"spec", {{"backups", true}}}});
  EXPECT_EQ(there(), "db-login db-backups db-client ");

  operator_->crash();
  ASSERT_TRUE(simulation_.user().create(ConfigMap{.metadata = {.name = "db-notes", .namespace_ = "default"}}));
  change(Database::type, "db", {{"spec", {{"backups", false}}}});
  EXPECT_EQ(there(), "db-login db-backups db-client db-notes ");
  start();
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(there(), "db-login db-client db-notes ") << "a foreign object is not deleted";
}

// The Secret is deleted between two runs of the operator. The new Secret has no password, and nothing that needs the
// password is changed before it has one.
TEST_F(ChildrenExample, ADeletedLoginIsCreatedAgainAndTheRestWaits) {
  create(true);
  fill_in_password();
  operator_->crash();
  remove(Secret::type, "db-login");
  change(Database::type, "db", {{"spec", {{"host", "10.0.0.2"}, {"backups", false}}}});
  start();
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(there(), "db-login db-backups db-client ");
  EXPECT_EQ(simulation_.server().objects("configmaps").at(1)["/data/host"], "10.0.0.1");
  fill_in_password();
  EXPECT_EQ(there(), "db-login db-client ");
  EXPECT_EQ(only("configmaps")["/data/host"], "10.0.0.2");
}

TEST_F(ChildrenExample, AllAreDeletedWithTheirOwner) {
  create(true);
  fill_in_password();
  remove(Database::type, "db");
  EXPECT_EQ(there(), "");
}

TEST_F(ChildrenExample, ARestartWritesNothing) {
  create(true);
  fill_in_password();
  const std::uint64_t writes = simulation_.server().writes();
  operator_->stop();
  start();
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(simulation_.server().writes(), writes);
}

}  // namespace
}  // namespace pintle::testkit
