#include "core/base/grouped.h"

#include <QTest>

#include <string_view>

using namespace plimsoll;

namespace {

/// The positions of each letter of a text, by letter: "0 2|1|".
QString lettersOf(std::string_view text, int letters)
{
    const auto grouped =
        positionsBy(letters, text.size(), [&](std::size_t i) { return static_cast<std::size_t>(text[i] - 'a'); });
    QString all;
    for (int letter = 0; letter < letters; ++letter) {
        for (const std::int32_t position : grouped[letter])
            all += QString::number(position) + u' ';
        all = all.trimmed() + u'|';
    }
    return all;
}

} // namespace

/// Positions are grouped by a key, each group in the order of the list.
class GroupedTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void positionsAreGroupedInTheirOrder_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("letters");
        QTest::addColumn<QString>("positions");
        QTest::newRow("nothing") << QByteArray("") << 2 << QStringLiteral("||");
        QTest::newRow("one key") << QByteArray("aaa") << 1 << QStringLiteral("0 1 2|");
        QTest::newRow("mixed") << QByteArray("abacab") << 3 << QStringLiteral("0 2 4|1 5|3|");
        QTest::newRow("a key without positions") << QByteArray("caa") << 3 << QStringLiteral("1 2||0|");
    }

    void positionsAreGroupedInTheirOrder()
    {
        QFETCH(QByteArray, text);
        QFETCH(int, letters);
        QFETCH(QString, positions);

        QCOMPARE(lettersOf({text.constData(), static_cast<std::size_t>(text.size())}, letters), positions);
    }
};

QTEST_APPLESS_MAIN(GroupedTest)
#include "tst_grouped.moc"
