#pragma once

#include <QRegularExpression>
#include <QTest>

namespace plimsoll::test {

/// To be called before each test of a window: any warning of Qt fails it, but for what the offscreen platform says.
inline void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression(QStringLiteral(
        "^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)$)")));
}

} // namespace plimsoll::test
