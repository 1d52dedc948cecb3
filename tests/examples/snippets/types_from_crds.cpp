// SPDX-License-Identifier: Apache-2.0
// The code of docs/types-from-crds.md that is in no generated type.
#include <gtest/gtest.h>

#include <pintle/pintle.hpp>

namespace {

TEST(TypesFromCrdsPage, EnumeratorsAndNestedTypesAreWrittenByShortNames) {
  // [short_names]
  using Policy = pintle::Container::ImagePullPolicy;
  const pintle::PodSpec spec{
      .containers = {pintle::Container{.image = "nginx", .image_pull_policy = Policy::if_not_present, .name = "web"}}};
  // [/short_names]

  EXPECT_EQ(pintle::to_string(spec.containers.at(0).image_pull_policy), "IfNotPresent");
}

}  // namespace
