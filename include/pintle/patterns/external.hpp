// external: an object of the cluster stands for a resource outside of it, which is reached through an API.
#pragma once

#include <pintle/patterns/external/reconciler.hpp>
#include <pintle/patterns/external/std_reconciler.hpp>
