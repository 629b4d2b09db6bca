#include "core/sharing/value_lists.h"

#include <QTest>

using namespace plimsoll;

/// Lists of values that are joined keep the order of both.
class ValueListsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void listsAreJoinedInOrder();
};

static QList<int> numbers(const ValueLists& lists, ValueId last)
{
    QList<int> all;
    for (const ValueId value : lists.values(last))
        all << value.number();
    return all;
}

void ValueListsTest::listsAreJoinedInOrder()
{
    ValueLists lists(6);
    ValueId one;
    QCOMPARE(numbers(lists, one), QList<int>());
    lists.append(one, ValueId(3));
    QCOMPARE(numbers(lists, one), QList<int>({3}));
    lists.append(one, ValueId(1));
    ValueId other = ValueId(5);
    lists.append(other, ValueId(0));
    lists.append(other, ValueId(4));
    QCOMPARE(numbers(lists, other), QList<int>({5, 0, 4}));
    lists.append(one, other);
    QCOMPARE(numbers(lists, one), QList<int>({3, 1, 5, 0, 4}));
    QCOMPARE(lists.first(one), ValueId(3));
    lists.append(one, ValueId()); // nothing
    QCOMPARE(numbers(lists, one), QList<int>({3, 1, 5, 0, 4}));
    QCOMPARE(numbers(lists, ValueId(2)), QList<int>({2}));
}

QTEST_APPLESS_MAIN(ValueListsTest)

#include "tst_value_lists.moc"
