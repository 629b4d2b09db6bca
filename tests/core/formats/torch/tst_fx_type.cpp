#include "core/facts/english/english.h"
#include "core/formats/torch/fx_type.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::fx;

namespace {

/// "float32[8,10] by 10,1 on cuda:0", "symbol float64[]", "nothing"
QString shown(const PrintedType& type)
{
    if (type.isSymbol) return QStringLiteral("symbol ") + QString::fromStdString(describe(type.type));
    if (!type.isTensor) return QStringLiteral("nothing");
    QString text = QString::fromStdString(describe(type.type));
    QStringList strides;
    for (const Dim& dim : type.strides.value_or(DimList()))
        strides << (dim.known() ? QString::number(dim.size) : QString::fromStdString(*dim.symbol));
    if (type.strides) text += QStringLiteral(" by ") + strides.join(u',');
    if (!type.device.empty()) text += QStringLiteral(" on ") + QString::fromStdString(type.device);
    return text;
}

} // namespace

/// What PyTorch prints about a value.
class FxTypeTest : public QObject
{
    Q_OBJECT

private slots:
    void types_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("type");
        const auto row = [](const char* text, const char* type) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(type);
        };
        row("f32[8, 10]", "float32[8,10]");
        row("f32[8, 10]cpu", "float32[8,10]");
        row("f32[8, 10]cuda:0", "float32[8,10] on cuda:0");
        row("f32[8, 10][10, 1]cuda:0", "float32[8,10] by 10,1 on cuda:0");
        row("f32[s0, 10][10*s0, 1]cpu", "float32[s0,10] by 10*s0,1");
        row("bf16[2*s0 + 1]", "bfloat16[2*s0 + 1]");
        row("f32[Max(1, s0), 4]", "float32[Max(1, s0),4]");
        row("i64[]", "int64[]");
        row("i64[][]cpu", "int64[] by ");
        row(" b8[3] ", "bool[3]");
        row("u4[6]", "uint4[6]");
        row("f8e8m0fnu[2]", "float8e8m0[2]");
        row("Sym(s0)", "symbol int64[]");
        row("Sym(zf0)", "symbol float64[]");
        row("", "nothing");
        row("f32", "nothing");
        row("torch.float32", "nothing");
        row("torch.Tensor[2]", "nothing");
    }
    void types()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, type);
        const auto read = readPrintedType(text.constData());
        QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
        QCOMPARE(shown(read.value()), type);
    }

    void noTypes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(says);
        };
        row("g32[8]", "g32");
        row("Annotated[int]", "Annotated");
        row("f32[8", "f32[8");
        row("f32[8][1", "f32[8][1");
        row("f32[-1]", "f32[-1]");
        row("f32[8,,2]", "f32[8,,2]");
        row("f32[$]", "'$'");
        row("f32[99999999999999999999]", "'99999999999999999999'");
        row("f32[8, 10][10]", "f32[8, 10][10]");
        row("f32[8]CUDA", "'CUDA'");
        row("f32[4611686018427387904]", "63 bits");
    }
    void noTypes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto read = readPrintedType(text.constData());
        QVERIFY(!read.ok());
        const QString error = QString::fromStdString(describe(read.error()));
        QVERIFY2(error.contains(says), qPrintable(error));
    }

    void namesOfElementTypes_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QString>("dtype");
        const auto row = [](const char* name, const char* dtype) {
            QTest::newRow(name) << QByteArray(name) << QString::fromUtf8(dtype);
        };
        row("f32", "float32");
        row("torch.float32", "float32");
        row("torch.float", "float32");
        row("torch.half", "float16");
        row("torch.long", "int64");
        row("torch.bool", "bool");
        row("b8", "bool");
        row("c64", "complex64");
        row("float32", "none");
        row("torch.f32", "none");
        row("torch.", "none");
        row("", "none");
        row("half", "none");
    }
    void namesOfElementTypes()
    {
        QFETCH(QByteArray, name);
        const auto dtype = dtypeOf(name.constData());
        QTEST(dtype ? QString::fromStdString(std::string(dtypeName(*dtype))) : QStringLiteral("none"), "dtype");
    }

    void orderOfElements_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("rowMajor");
        QTest::newRow("no strides") << QByteArray("f32[2, 3]") << true;
        QTest::newRow("rows") << QByteArray("f32[2, 3][3, 1]cpu") << true;
        QTest::newRow("columns") << QByteArray("f32[2, 3][1, 2]cpu") << false;
        QTest::newRow("every other one") << QByteArray("f32[2, 3][6, 2]cpu") << false;
        QTest::newRow("of a single row the stride is all the same") << QByteArray("f32[1, 3][99, 1]cpu") << true;
        QTest::newRow("nothing in it") << QByteArray("f32[0, 3][7, 7]cpu") << true;
        QTest::newRow("sizes that are not known fit") << QByteArray("f32[2, s0][5, 1]cpu") << true;
        QTest::newRow("strides that are not known fit") << QByteArray("f32[2, s0][s0, 1]cpu") << true;
        QTest::newRow("the last stride is known") << QByteArray("f32[2, s0][s0, 2]cpu") << false;
        QTest::newRow("repeated") << QByteArray("f32[2, 3][0, 1]cpu") << false;
    }
    void orderOfElements()
    {
        QFETCH(QByteArray, text);
        const auto read = readPrintedType(text.constData());
        QVERIFY(read.ok());
        QTEST(isRowMajor(read.value()), "rowMajor");
    }
};

QTEST_APPLESS_MAIN(FxTypeTest)
#include "tst_fx_type.moc"
