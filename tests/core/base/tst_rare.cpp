#include "core/base/rare.h"

#include <QTest>

#include <string>
#include <utility>

using namespace plimsoll;

/// Owners that leave it alone share one; copies share theirs until one is edited.
class RareTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsLeftAloneTakesNothing();
    void copiesShareUntilOneIsEdited();
    void equalIsWhatReadsEqual();
};

void RareTest::whatIsLeftAloneTakesNothing()
{
    static_assert(sizeof(Rare<std::string>) == sizeof(void*));
    const Rare<std::string> none;
    const Rare<std::string> empty = std::string();
    QCOMPARE(*none, std::string());
    QCOMPARE(&*none, &*empty); // one for all of them
}

void RareTest::copiesShareUntilOneIsEdited()
{
    Rare<std::string> name = std::string("attention, in a text that has memory of its own");
    Rare<std::string> copy = name;
    const std::string* const shared = &*name;
    QCOMPARE(&*copy, shared);
    copy.edit() += "!";
    QCOMPARE(&*name, shared);
    QVERIFY(copy->ends_with('!'));
    QVERIFY(!name->ends_with('!'));
    const std::string* const own = &*copy;
    copy.edit() += "!";
    QCOMPARE(&*copy, own); // nobody else has it
    Rare<std::string> none;
    none.edit() = "made";
    QCOMPARE(*none, std::string("made"));
    QCOMPARE(*Rare<std::string>(), std::string());
}

void RareTest::equalIsWhatReadsEqual()
{
    const Rare<std::string> a = std::string("a");
    QCOMPARE(a, Rare<std::string>(std::string("a")));
    QVERIFY(a != Rare<std::string>());
    Rare<std::string> emptied = a;
    emptied.edit().clear();
    QCOMPARE(emptied, Rare<std::string>());
}

QTEST_APPLESS_MAIN(RareTest)

#include "tst_rare.moc"
