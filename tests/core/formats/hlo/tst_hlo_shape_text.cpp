#include "core/facts/english/english.h"
#include "core/formats/hlo/hlo_shape_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::hlo;

namespace {

using Tree = hlo::Shape; // an array, or a tuple of such

/// "float32[2,3]{1,0} in 5", "(int32[] token)"
QString shown(const Tree& shape)
{
    switch (shape.kind) {
    case Tree::Kind::Token:
        return QStringLiteral("token");
    case Tree::Kind::Opaque:
        return QStringLiteral("opaque");
    case Tree::Kind::Tuple: {
        QStringList parts;
        for (const Tree& part : shape.parts)
            parts << shown(part);
        return QStringLiteral("(") + parts.join(QStringLiteral(" ")) + QStringLiteral(")");
    }
    case Tree::Kind::Array:
        break;
    }
    QString text = QString::fromStdString(describe(shape.type) + shape.layout);
    if (shape.space != 0) text += QStringLiteral(" in %1").arg(shape.space);
    if (shape.tiled) text += QStringLiteral(" tiled");
    if (shape.bounded) text += QStringLiteral(" bounded");
    if (shape.standIn) text += QStringLiteral(" stand-in");
    return text;
}

QString read(const QByteArray& text)
{
    Scanner scanner(text.constData());
    const Result<Tree> shape = parseShape(scanner);
    if (!shape.ok()) return QString::fromStdString(describe(shape.error()));
    return shown(shape.value()) + (scanner.atEnd() ? "" : " …");
}

QString shown(const Path& path)
{
    QStringList numbers;
    for (const std::int64_t number : path)
        numbers << QString::number(number);
    return QStringLiteral("{%1}").arg(numbers.join(u','));
}

} // namespace

/// The texts of XLA that say shapes, and which of them share bytes.
class HloShapeTextTest : public QObject
{
    Q_OBJECT

private slots:
    void shapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("shape");
        const auto row = [](const char* text, const char* shape) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(shape);
        };
        row("f32[]", "float32[]");
        row("f32[2,3]", "float32[2,3]");
        row("bf16[ 2 , /*inner*/ 3 ]", "bfloat16[2,3]");
        row("pred[4]{0}", "bool[4]{0}");
        row("f32[2,3]{1,0}", "float32[2,3]{1,0}");
        row("f32[2,3]{1,0:T(8,128)}", "float32[2,3]{1,0:T(8,128)} tiled");
        row("f32[2,3]{1,0:T(8,128)S(1)}", "float32[2,3]{1,0:T(8,128)} in 1 tiled");
        row("f32[2,3]{1,0:S(5)}", "float32[2,3]{1,0} in 5");
        row("f32[<=8,4]{1,0}", "float32[8,4]{1,0} bounded");
        row("f32[?,4]", "float32[?,4]");
        row("s4[8]{0:E(4)}", "int4[8]{0:E(4)}");
        row("token[]", "token");
        row("opaque[]", "opaque");
        row("()", "()");
        row("(f32[2], s32[])", "(float32[2] int32[])");
        row("(s32[], /*index=1*/(f32[2]{0}, token[]))", "(int32[] (float32[2]{0} token))");
        row("b(f32[4])", "float32[4]");
        row("f32[2] add(", "float32[2] …");
    }
    void shapes()
    {
        QFETCH(QByteArray, text);
        QTEST(read(text), "shape");
    }

    void noShapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* text, const char* says) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(says);
        };
        row("f33[2]", "'f33'");
        row("f32", "f32");
        row("f32[2", "line 1");
        row("f32[-2]", "line 1");
        row("f32[a]", "line 1");
        row("f32[99999999999999999999]", "line 1");
        row("f32[2]{1,0", "line 1");
        row("(f32[2], ", "line 1");
        row("(f32[2] s32[])", "line 1");
        row("\n\nf33[2]", "line 3");
    }
    void noShapes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        Scanner scanner(text.constData());
        const Result<Tree> shape = parseShape(scanner);
        QVERIFY(!shape.ok());
        const QString error = QString::fromStdString(describe(shape.error()));
        QVERIFY2(error.contains(says) && error.startsWith(QStringLiteral("line ")), qPrintable(error));
    }

    void tuplesAreNestedSoDeepAndNotDeeper()
    {
        const auto nested = [](int depth) { return QByteArray(depth, '(') + "f32[]" + QByteArray(depth, ')'); };
        QVERIFY2(!read(nested(64)).contains(QStringLiteral("line")), qPrintable(read(nested(64))));
        QVERIFY2(read(nested(65)).contains(QStringLiteral("64")), qPrintable(read(nested(65))));
    }

    void partsOfATuple_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QString>("leaves");
        const auto row = [](const char* path, const char* leaves) {
            QTest::newRow(path) << QByteArray(path) << QString::fromUtf8(leaves);
        };
        row("{}", "0 and 4");
        row("{0}", "0 and 1");
        row("{1}", "1 and 2");
        row("{ 1, 1 }", "2 and 1");
        row("{2}", "3 and 1");
        row("{3}", "none");
        row("{0,0}", "none");
        row("{-1}", "none");
        row("1", "no path");
        row("{1", "no path");
        row("{1,}", "no path");
        row("{a}", "no path");
    }
    void partsOfATuple()
    {
        QFETCH(QByteArray, path);
        Scanner scanner("(f32[2], (s32[], token[]), u8[])");
        const Result<Tree> shape = parseShape(scanner);
        QVERIFY(shape.ok());
        QCOMPARE(countLeaves(shape.value()), leavesOf(shape.value()).size());
        const auto read = parsePath(path.constData());
        const auto range = read ? leavesAt(shape.value(), *read) : std::nullopt;
        QTEST(!read    ? QStringLiteral("no path")
              : !range ? QStringLiteral("none")
                       : QStringLiteral("%1 and %2").arg(range->first).arg(range->count),
              "leaves");
    }

    void aliases_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("aliases");
        const auto row = [](const char* text, const char* aliases) {
            QTest::newRow(text) << QByteArray(text) << QString::fromUtf8(aliases);
        };
        row("{}", "");
        row("{ {1}: (0, {}, may-alias) }", "{1}: 0 {}");
        row("{ {}: (0, {}), {0, 2}: (2, {1}, must-alias) }", "{}: 0 {}; {0,2}: 2 {1}");
        row("{ {1} }", "line 7");
        row("{ {1}: 0 }", "line 7");
        row("{ {a}: (0, {}) }", "line 7");
        row("{ {1}: (x, {}) }", "line 7");
    }
    void aliases()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, aliases);
        const auto read = parseAliasing(text.constData(), 7);
        QStringList found;
        for (const Aliasing& one : read.ok() ? read.value() : std::vector<Aliasing>())
            found << QStringLiteral("%1: %2 %3").arg(shown(one.output)).arg(one.operand).arg(shown(one.path));
        if (read.ok())
            QCOMPARE(found.join(QStringLiteral("; ")), aliases);
        else
            QVERIFY2(describe(read.error()).starts_with(aliases.toStdString()) && !aliases.isEmpty(),
                     describe(read.error()).c_str());
    }

    void donors()
    {
        const auto read = parseDonors("{ (0, {}), (3, {1, 2}) }", 1);
        QVERIFY(read.ok());
        QCOMPARE(read.value().size(), std::size_t {2});
        QCOMPARE(read.value()[0].first, std::int64_t {0});
        QVERIFY(read.value()[0].second.empty());
        QCOMPARE(read.value()[1].first, std::int64_t {3});
        QCOMPARE(shown(read.value()[1].second), QStringLiteral("{1,2}"));
        QVERIFY(parseDonors("{}", 1).ok());
        QVERIFY(!parseDonors("{ 0 }", 1).ok());
    }
};

QTEST_APPLESS_MAIN(HloShapeTextTest)
#include "tst_hlo_shape_text.moc"
