#include "core/base/numbered_names.h"

#include <QTest>

#include <set>

using namespace plimsoll;

/// The same name may be wished for any number of times.
class NumberedNamesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsTakenGetsTheNextNumber_data()
    {
        QTest::addColumn<QString>("wished");
        QTest::addColumn<QString>("given");
        QTest::newRow("different") << QStringLiteral("a b") << QStringLiteral("a b");
        QTest::newRow("the same") << QStringLiteral("a a a") << QStringLiteral("a a#2 a#3");
        QTest::newRow("a number that is taken") << QStringLiteral("a a#2 a") << QStringLiteral("a a#2 a#3");
        QTest::newRow("a number that was given") << QStringLiteral("a a a#2") << QStringLiteral("a a#2 a#2#2");
    }

    void whatIsTakenGetsTheNextNumber()
    {
        QFETCH(QString, wished);
        std::set<std::string> taken;
        NumberedNames names;

        QStringList given;
        for (const QString& name : wished.split(u' '))
            given << QString::fromStdString(
                names.name(name.toStdString(), [&](const std::string& free) { return taken.insert(free).second; }));

        QTEST(given.join(u' '), "given");
    }

    void eachNumberIsTriedOnce()
    {
        std::set<std::string> taken;
        NumberedNames names;
        int tries = 0;

        for (int i = 0; i < 1000; ++i)
            QVERIFY(!names
                         .name("a",
                               [&](const std::string& free) {
                                   ++tries;
                                   return taken.insert(free).second;
                               })
                         .empty());

        QCOMPARE(tries, 1999); // the name itself, and one number for all but the first
    }
};

QTEST_APPLESS_MAIN(NumberedNamesTest)
#include "tst_numbered_names.moc"
