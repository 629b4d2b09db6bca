#pragma once

#include "tests/kernels/runtime/run_support.h"
#include "tests/support/graph_text.h"

#include <QByteArrayList>

namespace plimsoll::test {

/// "id=value id=value"; alignment 1 and the reference backend besides.
inline Report plannedWith(const QByteArray& graph, const QByteArray& choices)
{
    Policies policies;
    policies.alignment = 1;
    policies.backend = BackendPolicy::Reference;
    for (const QByteArray& choice : choices.split(' ')) {
        const qsizetype equals = choice.indexOf('=');
        if (equals > 0 &&
            !setPolicy(policies, choice.left(equals).constData(), choice.mid(equals + 1).constData()).ok())
            qFatal("no policy %s", choice.constData());
    }
    return planned(graphFromText(graph.constData()), policies);
}

} // namespace plimsoll::test
