// SPDX-License-Identifier: Apache-2.0
// first error: pintle::api::apps::v1::Deployment
#ifndef WITH_ERROR
#include <pintle/api/everyday.hpp>
#endif
#include <pintle/pintle.hpp>

std::string name_of(const pintle::Deployment& deployment) { return deployment.metadata.name; }
