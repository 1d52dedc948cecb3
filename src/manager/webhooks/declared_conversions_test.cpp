// SPDX-License-Identifier: Apache-2.0
#include "declared_conversions.hpp"

#include <gmock/gmock.h>

#include <pintle/json/pointer.hpp>

#include "webhook/test_support.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class T>
AnyController controller_of(const std::string& name = "first") {
  return erase_type(Controller<T>{.name = name, .reconcile = [](const T&, Context&) -> Outcome { return done; }});
}

std::vector<std::string> messages(const std::vector<AnyController>& controllers,
                                  const std::vector<AnyConversion>& added = {}) {
  std::vector<std::string> all;
  for (const Error& error : validate_conversions(controllers, added)) all.push_back(error.message);
  return all;
}

// Other versions of Door: another hub, a version that the hub does not list, and versions with the same fields.
struct NewDoor {
  static constexpr Type type{"example.com/v3", "Door"};
  Metadata metadata{};
  Door::Spec spec{};
};
struct OtherHub {
  static constexpr Type type{"example.com/v1", "Door"};
  using versions = Versions<OtherHub, NewDoor>;
  Metadata metadata{};
  Door::Spec spec{};
};
struct ThirdHub {
  static constexpr Type type{"example.com/v3", "Door"};
  using versions = Versions<ThirdHub, OtherHub>;
  Metadata metadata{};
  Door::Spec spec{};
};
struct ForeignDoor {
  static constexpr Type type{"example.com/v2", "Door"};
  static constexpr bool foreign = true;
  Metadata metadata{};
  Door::Spec spec{};
};

TEST(DeclaredConversions, TwoControllersOfAKindShareTheirConversion) {
  const std::vector<AnyController> controllers{controller_of<Door>("a"), controller_of<Door>("b")};
  EXPECT_THAT(messages(controllers, {Door::versions::conversion()}), IsEmpty());
  const auto conversions = declared_conversions(controllers, {});
  ASSERT_THAT(conversions, SizeIs(1));
  EXPECT_EQ(conversions[0].kind.to_string(), "example.com/v2 Door");
  EXPECT_EQ(crd_name_of(conversions[0]), door_crd);
}

TEST(DeclaredConversions, AControllerOfAnotherVersionInstallsTheCrdWithAllVersions) {
  const std::vector<AnyController> controllers{controller_of<OldDoor>()};
  const auto crds = declared_crds(controllers, declared_conversions(controllers, {Door::versions::conversion()}));
  ASSERT_THAT(crds, SizeIs(1));
  EXPECT_EQ(crds[0].kind.version, "v1");
  EXPECT_TRUE(crds[0].is_converted);
  EXPECT_EQ(crds[0].crd, crd_of<Door>());
}

TEST(DeclaredConversions, VersionsWithTheSameFieldsHaveOneCrdWithoutConversion) {
  const std::vector<AnyController> controllers{controller_of<NewDoor>("new"), controller_of<OtherHub>("hub")};
  EXPECT_THAT(messages(controllers), IsEmpty());
  EXPECT_THAT(declared_conversions(controllers, {}), IsEmpty());
  const auto crds = declared_crds(controllers, {});
  ASSERT_THAT(crds, SizeIs(2));
  for (const DeclaredCrd& one : crds) {
    EXPECT_EQ(one.crd, crd_of<OtherHub>());
    EXPECT_FALSE(one.is_converted);
    EXPECT_EQ(json::find(one.crd, "/spec/conversion"), nullptr);
  }
}

TEST(DeclaredConversions, ACrdOfAnotherOperatorIsNotConverted) {
  AnyController controller = controller_of<ForeignDoor>();
  controller.conversion = Door::versions::conversion();
  EXPECT_THAT(declared_conversions({controller}, {}), IsEmpty());
  EXPECT_THAT(messages({controller}), IsEmpty());
}

TEST(DeclaredConversions, NameTwoHubs) {
  EXPECT_THAT(messages({controller_of<OtherHub>("a")}, {Door::versions::conversion()}),
              ElementsAre("example.com Door has two hubs: v2 (its conversion) and v1 (controller a); list all versions "
                          "in the `using versions` of one struct, the hub first"));
  EXPECT_THAT(messages({controller_of<OtherHub>("a"), controller_of<ThirdHub>("b")}),
              ElementsAre(HasSubstr("has two hubs: v1 (controller a) and v3 (controller b)")));
  AnyConversion other = Door::versions::conversion();
  other.kind.version = "v1";
  other.crd.reset();
  EXPECT_THAT(messages({controller_of<Door>("a")}, {other}),
              ElementsAre(HasSubstr("stores v2; make the stored"), HasSubstr("two hubs: v1 (Manager::add()) and v2")));
}

TEST(DeclaredConversions, NameEachMistake) {
  AnyConversion by_hand = Door::versions::conversion();
  by_hand.convert = [](const Object& object, std::string_view) { return Result<json::Value>(object.to_value()); };
  EXPECT_THAT(messages({controller_of<Door>("a")}, {by_hand}),
              ElementsAre("the conversion of example.com/v2 Door is declared by Manager::add() and by controller a; "
                          "remove one of the two"));

  EXPECT_THAT(messages({controller_of<NewDoor>("new")}, {by_hand}),
              ElementsAre("controller new watches version v3 of example.com Door, which the conversion to its hub v2 "
                          "does not have; add the struct to its versions, or watch another version"));

  AnyController watching = controller_of<NewDoor>("watching");
  watching.crd.reset();
  watching.watches.push_back({.kind = GroupVersionKind(Door::type), .crd = crd_of<Door>()});
  EXPECT_THAT(messages({watching}),
              ElementsAre(HasSubstr("controller watching watches example.com/v2 Door, whose versions must be converted "
                                    "by a webhook, but no conversion is declared; add it with manager.add(")));
  watching.watches[0].crd = Door::versions::crd({.url = "https://other"});
  EXPECT_THAT(messages({watching}), IsEmpty()) << "another program converts";

  AnyConversion without_crd = by_hand;
  without_crd.crd.reset();
  EXPECT_THAT(messages({controller_of<OldDoor>("old")}, {without_crd}),
              ElementsAre(HasSubstr("has the hub v2, but its CRD doors.example.com stores v1"),
                          HasSubstr("has only one version in its CRD"), HasSubstr("has version v2, which no struct")));
}

}  // namespace
}  // namespace pintle
