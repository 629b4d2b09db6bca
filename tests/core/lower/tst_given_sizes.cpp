#include "core/facts/english/english.h"
#include "core/lower/types/infer_types.h"

#include "graph_draft.h"

#include <QTest>

using namespace plimsoll;
using namespace std::string_literals;
using namespace plimsoll::test;

namespace {

/// "batch=8 s=1?": bindings, those that were assumed with a question mark.
QString bindingsOf(const Result<InferredGraph>& inferred)
{
    if (!inferred.ok()) return errorOf(inferred);
    QStringList all;
    for (const Binding& binding : inferred.value().bindings)
        all += QStringLiteral("%1=%2%3")
                   .arg(QString::fromStdString(binding.dim))
                   .arg(binding.size)
                   .arg(binding.assumed ? QStringLiteral("?") : QString());
    return all.join(u' ');
}

} // namespace

/// Sizes that follow from one another, and sizes that cannot be.
class GivenSizes : public QObject
{
    Q_OBJECT

private slots:
    void expressionsFollowFromTheirNames_data()
    {
        QTest::addColumn<QString>("dims"); ///< "batch=8 …"
        QTest::addColumn<QString>("type"); ///< Of float32[batch*2, seq_len + 1]; else what is said.
        QTest::addColumn<QString>("bindings");
        const auto row = [](const char* dims, const char* type, const char* bindings) {
            QTest::newRow(dims) << QString::fromLatin1(dims) << QString::fromLatin1(type)
                                << QString::fromLatin1(bindings);
        };
        row("", "float32[2,2]", "batch=1? seq_len=1?");
        row("batch=8", "float32[16,2]", "batch=8 seq_len=1?");
        row("batch=8 seq_len=3", "float32[16,4]", "batch=8 seq_len=3");
        row("batch*2=8", "float32[8,2]", "batch*2=8 seq_len=1? batch=4");
        row("batch*2=7", "float32[7,2]", "batch*2=7 seq_len=1?");
        row("batch=4 batch*2=8", "float32[8,2]", "batch*2=8 seq_len=1? batch=4");
        row("batch=3 batch*2=8", "", "given the size 8, but the sizes of its names make it 6");
        row("bath=3", "", "Its dimensions: batch, seq_len.");
        row("batch=9223372036854775807", "", "With batch = 9223372036854775807 it is no size");
    }

    void expressionsFollowFromTheirNames()
    {
        QFETCH(QString, dims);
        QFETCH(QString, type);
        QFETCH(QString, bindings);
        Draft draft;
        draft.input("x", symbolic({{-1, "batch*2"s}, {-1, "seq_len + 1"s}}));
        draft.node("Relu x -> y");
        InferenceRequest request;
        for (const QString& dim : dims.split(u' ', Qt::SkipEmptyParts))
            request.dims[dim.section(u'=', 0, -2).toStdString()] = dim.section(u'=', -1).toLongLong();

        const auto inferred = draft.infer(request);

        if (!type.isEmpty()) QCOMPARE(typeOf(inferred, "y"), type);
        QVERIFY2(bindingsOf(inferred).contains(bindings), qPrintable(bindingsOf(inferred)));
        QVERIFY(!bindingsOf(inferred).contains(QStringLiteral("That follows")));
        if (!inferred.ok()) QCOMPARE(inferred.error().code, ErrorCode::BadUsage);
    }

    /// What is no line in its name, or would make it negative, is not solved.
    void onlyLinesAreSolved_data()
    {
        QTest::addColumn<QByteArray>("symbol");
        QTest::addColumn<qint64>("size");
        QTest::newRow("a square") << QByteArray("n*n") << qint64 {9};
        QTest::newRow("below zero") << QByteArray("n + 5") << qint64 {3};
    }

    void onlyLinesAreSolved()
    {
        QFETCH(QByteArray, symbol);
        QFETCH(qint64, size);
        Draft draft;
        draft.input("x", symbolic({{-1, symbol.toStdString()}}));
        draft.node("Relu x -> y");
        InferenceRequest request;
        request.dims[symbol.toStdString()] = size;
        const auto inferred = draft.infer(request);
        QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[%1]").arg(size));
        QCOMPARE(bindingsOf(inferred), QStringLiteral("%1=%2").arg(QString::fromLatin1(symbol)).arg(size));
    }

    void aShapeGivesTheNamesOfItsExpressions()
    {
        Draft draft;
        draft.input("x", symbolic({{-1, "2*n + 1"s}}));
        draft.input("z", symbolic({{-1, "n"s}}));
        draft.node("Relu z -> y");
        InferenceRequest request;
        request.shapes["x"] = {9};

        QCOMPARE(typeOf(draft.infer(request), "y"), QStringLiteral("float32[4]"));
        request.shapes["x"] = {8};
        QVERIFY(bindingsOf(draft.infer(request)).contains(QStringLiteral("given the size 8, but")));
    }

    /// 1 for the name would leave nothing.
    void assumedNamesLeaveSomethingOver_data()
    {
        QTest::addColumn<QByteArray>("symbol");
        QTest::addColumn<QString>("type");
        QTest::newRow("minus one") << QByteArray("n - 1") << QStringLiteral("float32[1]");
        QTest::newRow("a part") << QByteArray("n//8") << QStringLiteral("float32[1]");
        QTest::newRow("never") << QByteArray("n - 5000") << QStringLiteral("With n = 1 it is no size.");
        QTest::newRow("not understood") << QByteArray("Max(1, n)") << QStringLiteral("float32[1]");
    }

    void assumedNamesLeaveSomethingOver()
    {
        QFETCH(QByteArray, symbol);
        QFETCH(QString, type);
        Draft draft;
        draft.input("x", symbolic({{-1, symbol.toStdString()}}));
        draft.node("Relu x -> y");
        const auto inferred = draft.infer();
        QCOMPARE(inferred.ok() ? typeOf(inferred, "y") : QString::fromStdString(english(inferred.error().message)),
                 type);
    }

    /// Sizes that follow from assumed ones are sizes, wherever they stand: y is made by an unknown operator.
    void whatFollowsFromAssumedSizesIsASize_data()
    {
        QTest::addColumn<QByteArray>("x");
        QTest::addColumn<QByteArray>("y");
        QTest::addColumn<QString>("bindings");
        const auto row = [](const char* x, const char* y, const char* bindings) {
            QTest::newRow(y) << QByteArray(x) << QByteArray(y) << QString::fromLatin1(bindings);
        };
        row("s1", "s1 - 6", "s1=8?");
        row("s0", "s0//(s0 - 1)", "s0=2?");
        row("s0*s1", "s1 - s0 - 5", "s0=1? s1=8?");
        row("s1*s0", "s1 + s0 - 9", "s1=1? s0=16?");
        row("s1", "(s1 - 1)//2", "s1=1?");
        row("s1", "0 - s1", "s1=1?");
    }

    void whatFollowsFromAssumedSizesIsASize()
    {
        QFETCH(QByteArray, x);
        QFETCH(QByteArray, y);
        QFETCH(QString, bindings);
        Draft draft;
        draft.input("x", symbolic({{-1, x.toStdString()}}));
        draft.node("my::Op x -> y");
        draft.declare("y", symbolic({{-1, y.toStdString()}}));
        QCOMPARE(bindingsOf(draft.infer()), bindings);
    }

    void inputsMayFollowFromLaterOnes()
    {
        Draft draft;
        draft.input("x", symbolic({{-1, "n"s}}));
        draft.input("w", symbolic({{-1, "n - 5"s}}));
        draft.node("Relu w -> y");
        const auto inferred = draft.infer();
        QCOMPARE(bindingsOf(inferred), QStringLiteral("n=8?"));
        QCOMPARE(typeOf(inferred, "y"), QStringLiteral("float32[3]"));
    }

    /// What operators say of values inside goes before symbols that a file has there, as it always does.
    void expressionsInsideGiveWay_data()
    {
        QTest::addColumn<QByteArray>("symbol");
        QTest::newRow("another size") << QByteArray("n + 1");
        QTest::newRow("no size") << QByteArray("n - 7");
    }

    void expressionsInsideGiveWay()
    {
        QFETCH(QByteArray, symbol);
        Draft draft;
        draft.input("x", symbolic({{-1, "n"s}}));
        draft.node("Relu x -> y");
        draft.declare("y", symbolic({{-1, symbol.toStdString()}}));
        InferenceRequest request;
        request.dims["n"] = 3;
        QCOMPARE(typeOf(draft.infer(request), "y"), QStringLiteral("float32[3]"));
    }

    void whoGaveASizeIsToldOfIt_data()
    {
        QTest::addColumn<QString>("dim");
        QTest::addColumn<bool>("blamed");
        QTest::newRow("fits") << QStringLiteral("n=6") << false;
        QTest::newRow("does not fit") << QStringLiteral("n=7") << true;
        QTest::newRow("a shape that does not fit") << QStringLiteral("x=7") << true;
    }

    void whoGaveASizeIsToldOfIt()
    {
        QFETCH(QString, dim);
        QFETCH(bool, blamed);
        Draft draft;
        draft.input("x", symbolic({{-1, "n"s}}));
        draft.builder.addParameter("w", floats({6}));
        draft.node("Add x w -> y");
        InferenceRequest request;
        const std::int64_t size = dim.section(u'=', 1).toLongLong();
        if (dim.startsWith(u'x'))
            request.shapes["x"] = {size};
        else
            request.dims["n"] = size;

        const auto inferred = draft.infer(request);

        QCOMPARE(!inferred.ok(), blamed);
        if (!blamed) return;
        QCOMPARE(inferred.error().code, ErrorCode::BadUsage);
        QVERIFY2(errorOf(inferred).contains(QStringLiteral("the sizes that were given (%1)").arg(dim)),
                 qPrintable(errorOf(inferred)));
    }

    void aBrokenGraphStaysToBlame()
    {
        Draft draft;
        draft.input("x", symbolic({{-1, "n"s}, {3, {}}}));
        draft.builder.addParameter("w", floats({4, 5}));
        draft.node("MatMul x w -> y");
        InferenceRequest request;
        request.dims["n"] = 2;
        const auto inferred = draft.infer(request);
        QCOMPARE(inferred.error().code, ErrorCode::BadInput);
        QVERIFY(!errorOf(inferred).contains(QStringLiteral("given")));
    }
};

QTEST_APPLESS_MAIN(GivenSizes)
#include "tst_given_sizes.moc"
