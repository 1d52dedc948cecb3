// SPDX-License-Identifier: Apache-2.0
// The functions of IP addresses and CIDRs.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "address.hpp"
#include "cel/library/cost.hpp"
#include "cel/library/declare.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

Type address_type() { return Type::opaque("net.IP"); }
Type network_type() { return Type::opaque("net.CIDR"); }

class AddressValue final : public Opaque, public Sized {
 public:
  explicit AddressValue(const Address& address) noexcept : address(address) {}
  [[nodiscard]] Type type() const override { return address_type(); }
  [[nodiscard]] bool equals(const Opaque& other) const override {
    return address == dynamic_cast<const AddressValue&>(other).address;
  }
  [[nodiscard]] std::uint64_t size() const override { return address.size(); }

  const Address address;
};

class NetworkValue final : public Opaque, public Sized {
 public:
  explicit NetworkValue(const Network& network) noexcept : network(network) {}
  [[nodiscard]] Type type() const override { return network_type(); }
  [[nodiscard]] bool equals(const Opaque& other) const override {
    return network == dynamic_cast<const NetworkValue&>(other).network;
  }
  [[nodiscard]] std::uint64_t size() const override { return (static_cast<std::uint64_t>(network.bits) + 7) / 8; }

  const Network network;
};

Value opaque_of(const Address& address) { return Value::opaque(std::make_shared<AddressValue>(address)); }
Value opaque_of(const Network& network) { return Value::opaque(std::make_shared<NetworkValue>(network)); }

const Address& address_of(const Value& value) { return value.as_opaque<AddressValue>()->address; }
const Network& network_of(const Value& value) { return value.as_opaque<NetworkValue>()->network; }

// ---- addresses
// -------------------------------------------------------------------------------------------------------

Result<Value> to_address(Arguments arguments) {
  auto address = parse_address(*arguments[0].as_string());
  return address ? Result<Value>(opaque_of(*address)) : fail(std::move(address.error()));
}
Result<Value> is_address(Arguments arguments) {
  return Value::boolean(parse_address(*arguments[0].as_string()).has_value());
}
Result<Value> is_canonical(Arguments arguments) {
  const auto text = *arguments[0].as_string();
  auto address = parse_address(text);
  return address ? Result<Value>(Value::boolean(address->to_string() == text)) : fail(std::move(address.error()));
}
Result<Value> address_text(Arguments arguments) { return Value::string(address_of(arguments[0]).to_string()); }
Result<Value> family(Arguments arguments) { return Value::integer(address_of(arguments[0]).is_v4 ? 4 : 6); }

bool is_unspecified(const Address& address) { return address == Address{.is_v4 = address.is_v4}; }
bool is_loopback(const Address& address) {
  if (address.is_v4) return address.bytes[0] == 127;
  Address loopback;
  loopback.bytes[15] = 1;
  return address == loopback;
}
bool is_multicast(const Address& address) {
  return address.is_v4 ? (address.bytes[0] & 0xF0U) == 0xE0U : address.bytes[0] == 0xFFU;
}
bool is_link_local_multicast(const Address& address) {
  if (!address.is_v4) return address.bytes[0] == 0xFFU && (address.bytes[1] & 0x0FU) == 0x02U;
  return address.bytes[0] == 224 && address.bytes[1] == 0 && address.bytes[2] == 0;
}
bool is_link_local_unicast(const Address& address) {
  if (!address.is_v4) return address.bytes[0] == 0xFEU && (address.bytes[1] & 0xC0U) == 0x80U;
  return address.bytes[0] == 169 && address.bytes[1] == 254;
}
bool is_global_unicast(const Address& address) {
  constexpr std::uint8_t all = 0xFFU;
  const auto& bytes = address.bytes;
  const bool is_broadcast = address.is_v4 && bytes[0] == all && bytes[1] == all && bytes[2] == all && bytes[3] == all;
  return !is_broadcast && !is_unspecified(address) && !is_loopback(address) && !is_multicast(address) &&
         !is_link_local_unicast(address);
}

FunctionDeclaration address_test(std::string name, bool (*test)(const Address&)) {
  return {std::move(name), {member({address_type()}, Type::boolean(), [test](Arguments arguments) -> Result<Value> {
            return Value::boolean(test(address_of(arguments[0])));
          })}};
}

// ---- networks
// --------------------------------------------------------------------------------------------------------

Result<Network> read_network(const Value& text) {
  auto network = parse_network(*text.as_string());
  if (!network) network.error().message.insert(0, "network address parse error during conversion from string: ");
  return network;
}

Result<Value> to_network(Arguments arguments) {
  auto network = read_network(arguments[0]);
  return network ? Result<Value>(opaque_of(*network)) : fail(std::move(network.error()));
}
Result<Value> is_network(Arguments arguments) {
  return Value::boolean(parse_network(*arguments[0].as_string()).has_value());
}
Result<Value> network_text(Arguments arguments) { return Value::string(network_of(arguments[0]).to_string()); }
Result<Value> address_of_network(Arguments arguments) { return opaque_of(network_of(arguments[0]).address); }
Result<Value> masked(Arguments arguments) { return opaque_of(network_of(arguments[0]).masked()); }
Result<Value> prefix_length(Arguments arguments) { return Value::integer(network_of(arguments[0]).bits); }

Result<Value> contains_address(Arguments arguments) {
  return Value::boolean(network_of(arguments[0]).contains(address_of(arguments[1])));
}
// kube-apiserver hides the reason for which the text is no address.
Result<Value> contains_address_text(Arguments arguments) {
  const auto address = parse_address(*arguments[1].as_string());
  if (!address) return failure("no such overload");
  return Value::boolean(network_of(arguments[0]).contains(*address));
}
Result<Value> contains_network(Arguments arguments) {
  return Value::boolean(network_of(arguments[0]).contains(network_of(arguments[1])));
}
Result<Value> contains_network_text(Arguments arguments) {
  auto network = read_network(arguments[1]);
  if (!network) return fail(std::move(network.error()));
  return Value::boolean(network_of(arguments[0]).contains(*network));
}

std::uint64_t cost_of_address_check(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversals(size_of(arguments[0]), 2);
}
std::uint64_t cost_of_address_text_check(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversals(size_of(arguments[0]), 2) + cost_of_traversal(size_of(arguments[1]));
}
std::uint64_t cost_of_network_check(Arguments arguments, const Value& /*result*/) {
  return cost_of_traversals(size_of(arguments[0]), 2) + cost_of_traversal(size_of(arguments[0])) + 1;
}
std::uint64_t cost_of_network_text_check(Arguments arguments, const Value& result) {
  return cost_of_network_check(arguments, result) + cost_of_traversal(size_of(arguments[1]));
}

}  // namespace

Library network_library() {
  const auto string = Type::string();
  const auto boolean = Type::boolean();
  const auto address = address_type();
  const auto network = network_type();
  return {.functions = {{"ip",
                         {global({string}, address, to_address, cost_of_first),
                          member({network}, address, address_of_network)}},
                        {"isIP", {global({string}, boolean, is_address, cost_of_first)}},
                        {"ip.isCanonical", {global({string}, boolean, is_canonical, cost_of_first_twice)}},
                        {"family", {member({address}, Type::integer(), family)}},
                        address_test("isUnspecified", is_unspecified),
                        address_test("isLoopback", is_loopback),
                        address_test("isLinkLocalMulticast", is_link_local_multicast),
                        address_test("isLinkLocalUnicast", is_link_local_unicast),
                        address_test("isGlobalUnicast", is_global_unicast),
                        {"cidr", {global({string}, network, to_network, cost_of_first)}},
                        {"isCIDR", {global({string}, boolean, is_network, cost_of_first)}},
                        {"containsIP",
                         {member({network, string}, boolean, contains_address_text, cost_of_address_text_check),
                          member({network, address}, boolean, contains_address, cost_of_address_check)}},
                        {"containsCIDR",
                         {member({network, string}, boolean, contains_network_text, cost_of_network_text_check),
                          member({network, network}, boolean, contains_network, cost_of_network_check)}},
                        {"masked", {member({network}, network, masked)}},
                        {"prefixLength", {member({network}, Type::integer(), prefix_length)}},
                        {"string", {global({address}, string, address_text), global({network}, string, network_text)}}},
          .types = {address, network}};
}

}  // namespace pintle::cel
