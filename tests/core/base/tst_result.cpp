#include "core/base/result.h"
#include "core/facts/english/english.h"

#include <QtTest>

#include <memory>

using namespace plimsoll;

namespace {

Result<int> half(int number)
{
    if (number % 2 != 0) return Error {ErrorCode::BadInput, Message("odd"), "number", {}};
    return number / 2;
}

Result<int> quarter(int number)
{
    PLIMSOLL_ASSIGN(once, half(number));
    PLIMSOLL_ASSIGN(twice, half(once));
    return twice;
}

Status checkQuarter(int number)
{
    PLIMSOLL_TRY(quarter(number));
    return {};
}

} // namespace

class ResultTest : public QObject
{
    Q_OBJECT

private slots:
    void errorsLeaveTheFunctionAtTheFirstFailure()
    {
        QCOMPARE(quarter(12).value(), 3);
        QCOMPARE(english(quarter(6).error().message), std::string("odd"));
        QVERIFY(checkQuarter(4).ok());
        QVERIFY(!checkQuarter(2).ok());
    }

    void valuesThatOnlyMoveAreCarried()
    {
        Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
        const auto taken = std::move(result).value();
        QCOMPARE(*taken, 7);
    }

    void descriptionsLeaveOutWhatIsEmpty()
    {
        QCOMPARE(describe(Error {ErrorCode::BadInput, Message("What."), "place", "file"}),
                 std::string("file: place: What."));
        QCOMPARE(describe(Error {ErrorCode::BadInput, Message("What."), {}, "file"}), std::string("file: What."));
        QCOMPARE(describe(Error {ErrorCode::BadInput, Message("What."), {}, {}}), std::string("What."));
    }
};

QTEST_APPLESS_MAIN(ResultTest)
#include "tst_result.moc"
