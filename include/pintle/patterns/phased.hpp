// phased: an object of the cluster asks for others in the cluster, which are made phase after phase.
#pragma once

#include <pintle/patterns/phased/list_diff.hpp>
#include <pintle/patterns/phased/list_phase.hpp>
#include <pintle/patterns/phased/reconciler.hpp>
#include <pintle/patterns/phased/std_reconciler.hpp>
