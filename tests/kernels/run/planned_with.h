#pragma once

#include "tests/kernels/run/run_support.h"
#include "tests/support/graph_text.h"
#include "tests/support/policy_choices.h"

#include <QByteArray>

namespace plimsoll::test {

/// "id=value id=value"; alignment 1 and the reference backend besides.
inline Report plannedWith(const QByteArray& graph, const QByteArray& choices)
{
    Policies policies;
    policies.alignment = 1;
    policies.backend = BackendPolicy::Reference;
    chooseFromText(policies, choices.constData());
    return planned(graphFromText(graph.constData()), policies);
}

} // namespace plimsoll::test
