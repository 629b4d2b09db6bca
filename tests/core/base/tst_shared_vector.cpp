#include "core/base/shared_vector.h"

#include <QTest>

#include <string>

using namespace plimsoll;

/// Copies share their items until one of them is written to.
class SharedVectorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void copiesShareUntilOneIsWritten();
    void whoeverIsAloneKeepsItsItems();
    void emptyOnesHaveNothing();
};

void SharedVectorTest::copiesShareUntilOneIsWritten()
{
    const SharedVector<std::string> first = {"a", "b"};
    SharedVector<std::string> second = first;
    QCOMPARE(second.read().data(), first.data());

    second[1] = "c";

    QCOMPARE(first[1], std::string("b"));
    QCOMPARE(std::as_const(second)[1], std::string("c"));
    QVERIFY(!(first == second));
    second.front() = "x";
    QCOMPARE(first.front(), std::string("a"));
}

void SharedVectorTest::whoeverIsAloneKeepsItsItems()
{
    SharedVector<int> all = {1, 2};
    const int* const items = std::as_const(all).data();
    for (int& one : all)
        ++one;
    QCOMPARE(std::as_const(all).data(), items);
    QCOMPARE(all.read(), (std::vector<int> {2, 3}));
}

void SharedVectorTest::emptyOnesHaveNothing()
{
    SharedVector<int> none;
    QVERIFY(std::as_const(none).empty());
    QVERIFY(none == SharedVector<int>(std::vector<int>()));
    none.push_back(7);
    QCOMPARE(none.size(), std::size_t {1});
    none.clear();
    QCOMPARE(none.size(), std::size_t {0});
}

QTEST_GUILESS_MAIN(SharedVectorTest)
#include "tst_shared_vector.moc"
