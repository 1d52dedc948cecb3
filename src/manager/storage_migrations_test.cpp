// SPDX-License-Identifier: Apache-2.0
// ManagerOptions::migrate_storage.
#include <pintle/json/pointer.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const Type crd_of_crds{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};
constexpr const char* notes_crd = "notes.test.pintle.dev";

class StorageMigrationsTest : public OperatorTest {
 protected:
  // Notes that are stored as v1alpha1; the CRD stores v1 now.
  void SetUp() override {
    const json::Value current = crd_of<Note>();
    json::Value versions = current.at("spec").at("versions");
    json::Value before = versions.at(0);
    before.as_object()["name"] = "v1alpha1";
    versions.at(0).as_object()["storage"] = false;
    versions.as_array().push_back(before);
    json::Value old = current;
    ASSERT_TRUE(json::set(old, "/spec/versions", versions));
    ASSERT_TRUE(simulation.install(old));
    create(note("a"));
    create(note("b"));
    versions.at(0).as_object()["storage"] = true;
    versions.at(1).as_object()["storage"] = false;
    json::Value next = simulation.user().get(crd_of_crds, {.name = notes_crd})->to_value();
    ASSERT_TRUE(json::set(next, "/spec/versions", versions));
    ASSERT_TRUE(simulation.user().replace(next));
    ASSERT_EQ(stored(), R"(["v1alpha1","v1"])");
  }
  std::string stored() {
    const auto there = simulation.user().get(crd_of_crds, {.name = notes_crd});
    return json::print(there->root()["/status/storedVersions"].to_value());
  }
  void run(ManagerOptions options) {
    start(
        [](Manager& manager) {
          manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) { return done; }});
        },
        std::move(options));
    instance->join();
    ASSERT_TRUE(instance->started()) << instance->started().error().to_string();
  }
};

TEST_F(StorageMigrationsTest, MigrateTheCrdsOfTheOperator) {
  run({.migrate_storage = true});
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(stored(), R"(["v1"])");
  EXPECT_EQ(log->count("the storage of a CRD is migrated"), 1U);
}

TEST_F(StorageMigrationsTest, NothingIsMigratedByDefault) {
  run({});
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(stored(), R"(["v1alpha1","v1"])");
}

// The operator works meanwhile, and the number of attempts is bounded.
TEST_F(StorageMigrationsTest, AFailureIsRepeatedWithGrowingPauses) {
  run({.migrate_storage = true});
  instance->transport().set_faults(
      {{.effect = http::ErrorResponse{.status = 403}, .only = [](const http::Request& one) {
          return one.method == "PATCH" && one.target.find("/notes/") != std::string::npos;
        }}});
  simulation.executor().sleep_for(1h);
  EXPECT_TRUE(instance->manager().is_ready());
  EXPECT_EQ(stored(), R"(["v1alpha1","v1"])");
  const auto attempts = log->count("cannot migrate the storage of a CRD");
  EXPECT_GE(attempts, 10U);
  EXPECT_LE(attempts, 30U);
  instance->transport().set_faults({});
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(stored(), R"(["v1"])");
}

}  // namespace
}  // namespace pintle
