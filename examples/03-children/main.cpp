// SPDX-License-Identifier: Apache-2.0
// children-operator: creates a Secret for each Database, to which another client adds the password. After that it
// creates a ConfigMap with the address for clients, and a ConfigMap for backups while they are enabled.
#include <pintle/pintle.hpp>

struct Database {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Database"};
  struct Spec {
    std::string host{};
    bool backups = false;
    static constexpr auto fields() {
      return pintle::fields(pintle::field("host", &Spec::host, "Host name of the database.").required().min_length(1),
                            pintle::field("backups", &Spec::backups, "Whether to make backups."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

bool has_password(const pintle::Object& secret) {
  return secret["/data/password"].exists();
}

// Declares all children in each reconcile. Children that are already up to date are not sent again.
pintle::Outcome keep_children(const Database& database, pintle::Context& ctx) {
  pintle::ChildSet children;
  // An apply owns only the members that the intent contains, so the password is not changed.
  const std::string login =
      children.add(pintle::Secret{.metadata = pintle::owned_by(database, "login")}, {.ready = has_password});
  children.add(pintle::ConfigMap{.metadata = pintle::owned_by(database, "client"),
                                 .data = {{"host", database.spec.host}, {"login", database.metadata.name + "-login"}}},
               {.after = {login}});
  if (database.spec.backups) {
    children.add(
        pintle::ConfigMap{.metadata = pintle::owned_by(database, "backups"), .data = {{"schedule", "0 3 * * *"}}},
        {.after = {login}});
  }
  return ctx.apply(children);  // also deletes children of earlier reconciles that are not in the set
}

pintle::Controller<Database> databases() {
  return {.owns = {pintle::Secret::type, pintle::ConfigMap::type}, .reconcile = keep_children};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "children-operator", .args = {argc, argv}}};
  manager.add(databases());
  return pintle::run_until_signal(manager);
}
