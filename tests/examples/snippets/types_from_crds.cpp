// SPDX-License-Identifier: Apache-2.0
// The code of docs/types-from-crds.md that is in no generated type.
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>

namespace {

TEST(TypesFromCrdsPage, EnumerationsAreSetByTextsAndNestedTypesHaveShortNames) {
  // [short_names]
  const pintle::PodSpec spec{
      .containers = {pintle::Container{.image = "nginx", .image_pull_policy = "IfNotPresent", .name = "web"}},
      .restart_policy = pintle::RestartPolicy::never};
  // [/short_names]

  EXPECT_EQ(spec.containers.at(0).image_pull_policy, pintle::ImagePullPolicy::if_not_present);
  EXPECT_EQ(pintle::to_string(spec.containers.at(0).image_pull_policy), "IfNotPresent");
  EXPECT_TRUE(spec.restart_policy == "Never");
}

}  // namespace
