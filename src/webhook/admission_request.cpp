// SPDX-License-Identifier: Apache-2.0
#include <pintle/webhook/admission_request.hpp>

namespace pintle {

std::string_view to_string(AdmissionOperation operation) noexcept {
  switch (operation) {
    case AdmissionOperation::create: return "CREATE";
    case AdmissionOperation::update: return "UPDATE";
    case AdmissionOperation::delete_: return "DELETE";
    case AdmissionOperation::connect: return "CONNECT";
  }
  return "";
}

std::string AdmissionRequest::describe() const {
  std::string text = std::string(to_string(operation)) + " of " + resource.plural;
  if (!resource.group.empty()) text += "." + resource.group;
  if (!subresource.empty()) text += "/" + subresource;
  return text + " " + ObjectKey{namespace_, name}.to_string();
}

}  // namespace pintle
