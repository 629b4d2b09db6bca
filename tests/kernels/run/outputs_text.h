#pragma once

#include "tests/kernels/run/run_support.h"

#include <QStringList>

namespace plimsoll::test {

/// "1 2 | 3 4": the outputs of a run.
inline QString outputsText(const kernels::RunOutcome& outcome)
{
    QStringList all;
    for (const kernels::RuntimeValue& output : outcome.outputs) {
        QStringList elements;
        for (const double number : numbersOf(output))
            elements << QString::number(number);
        all << elements.join(u' ');
    }
    return all.join(QStringLiteral(" | "));
}

} // namespace plimsoll::test
