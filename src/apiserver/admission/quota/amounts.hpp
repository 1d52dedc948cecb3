// SPDX-License-Identifier: Apache-2.0
// Amounts: quantities by the name of a resource, such as those of a container or a ResourceQuota.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/object/quantity.hpp>

namespace pintle::apiserver {

using Amounts = std::map<std::string, Quantity, std::less<>>;

// Reads a ResourceList. Texts that are not quantities are left out.
[[nodiscard]] Amounts amounts_of(json::View list);
void add_to(Amounts& sum, const Amounts& amounts);

// The requests and the limits of containers.
struct ContainerAmounts {
  Amounts requests{};
  Amounts limits{};
};
[[nodiscard]] ContainerAmounts amounts_of_container(json::View container);
// The amounts of a Pod, without its overhead.
[[nodiscard]] ContainerAmounts amounts_of_pod(json::View pod);

// "cpu=1,pods=2"
[[nodiscard]] std::string print_amounts(const Amounts& amounts);

}  // namespace pintle::apiserver
