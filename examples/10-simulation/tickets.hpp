// SPDX-License-Identifier: Apache-2.0
// Tickets: the ticket system of a company, which is outside the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

class Tickets {
 public:
  virtual ~Tickets() = default;
  /// Opens a ticket and returns its number. If `reference` is not empty and a ticket has it, returns that one.
  virtual pintle::Result<std::int64_t> open(const std::string& reference, const std::string& title) = 0;
  /// Returns the number of the ticket with a reference, or 0.
  virtual pintle::Result<std::int64_t> find(const std::string& reference) = 0;
  /// A ticket that is closed or unknown is no error.
  virtual pintle::Result<void> close(std::int64_t number) = 0;
};

/// A fake for tests.
class TicketsInMemory final : public Tickets {
 public:
  pintle::Result<std::int64_t> open(const std::string& reference, const std::string& title) override {
    const auto known = find(reference);
    if (*known != 0) return known;
    tickets_.push_back({.reference = reference, .title = title});
    return static_cast<std::int64_t>(tickets_.size());
  }
  pintle::Result<std::int64_t> find(const std::string& reference) override {
    for (std::size_t i = 0; i < tickets_.size(); ++i) {
      if (!reference.empty() && tickets_[i].reference == reference) return static_cast<std::int64_t>(i + 1);
    }
    return 0;
  }
  pintle::Result<void> close(std::int64_t number) override {
    if (number > 0 && static_cast<std::size_t>(number) <= tickets_.size()) {
      tickets_[static_cast<std::size_t>(number - 1)].is_open = false;
    }
    return {};
  }

  [[nodiscard]] std::size_t count_open() const {
    std::size_t count = 0;
    for (const Ticket& ticket : tickets_) count += ticket.is_open ? 1 : 0;
    return count;
  }

 private:
  struct Ticket {
    std::string reference;
    std::string title;
    bool is_open = true;
  };
  std::vector<Ticket> tickets_;
};
