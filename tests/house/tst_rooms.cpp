#include "tests/house/house_files.h"

#include <QHash>
#include <QMap>
#include <QTest>

using namespace plimsoll::test;

namespace {

/// Classes with functions and more than a dozen members, each for a reason.
const QStringList Exceptions = {
    QStringLiteral("core/formats/format.h Format"), // a row of data: all that is said of a format stands in it
};

bool isProduct(const QString& file)
{
    return !file.startsWith(QStringLiteral("tests/"));
}

QString nameOf(const QString& file)
{
    return file.section(u'/', -1);
}

QString report(const QStringList& wrong)
{
    return QStringLiteral("%1:\n").arg(wrong.size()) + wrong.join(u'\n');
}

/// "core/ops", for a test as for what it tests; empty for what lies in no second-level folder.
QString roomOf(QString file)
{
    if (file.startsWith(QStringLiteral("tests/"))) file.remove(0, 6);
    return file.count(u'/') < 2 ? QString() : file.section(u'/', 0, 1);
}

} // namespace

/// How large a room, a class and its tests are.
class RoomsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldersHaveAtMostFortyFiles();
    void headersHaveNamesOfTheirOwn();
    void classesFitOnAFewPages();
    void everyRoomIsTested();
    void classesAreMeasuredByTheirBraces_data();
    void classesAreMeasuredByTheirBraces();
};

void RoomsTest::foldersHaveAtMostFortyFiles()
{
    QMap<QString, int> files;
    for (const QString& file : sourceFiles()) {
        if (isProduct(file)) ++files[file.section(u'/', 0, -2)];
    }
    QStringList wrong;
    for (auto folder = files.cbegin(); folder != files.cend(); ++folder) {
        if (folder.value() > 40) wrong += QStringLiteral("%1 has %2 files").arg(folder.key()).arg(folder.value());
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(report(wrong)));
}

void RoomsTest::headersHaveNamesOfTheirOwn()
{
    QHash<QString, QString> seen;
    QStringList wrong;
    for (const QString& file : sourceFiles()) {
        if (!isProduct(file) || !file.endsWith(QStringLiteral(".h"))) continue;
        if (seen.contains(nameOf(file))) wrong += file + QStringLiteral(" and ") + seen[nameOf(file)];
        seen[nameOf(file)] = file;
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(report(wrong)));
}

void RoomsTest::classesFitOnAFewPages()
{
    QStringList longer;
    QStringList fuller;
    for (const QString& file : sourceFiles()) {
        if (!isProduct(file)) continue;
        for (const ClassSize& size : classesOf(readFile(file))) {
            const QString place = QStringLiteral("%1:%2 %3").arg(file).arg(size.line).arg(size.name);
            if (size.lines > 150) longer += QStringLiteral("%1 has %2 lines").arg(place).arg(size.lines);
            const bool excepted = Exceptions.contains(file + u' ' + size.name);
            if (size.program && size.members > 12 && !excepted)
                fuller += QStringLiteral("%1 has functions and %2 members").arg(place).arg(size.members);
        }
    }
    QVERIFY2(longer.isEmpty(), qPrintable(report(longer)));
    QVERIFY2(fuller.isEmpty(), qPrintable(report(fuller)));
}

void RoomsTest::everyRoomIsTested()
{
    QMap<QString, std::array<qsizetype, 2>> lines; // product, tests
    std::array<qsizetype, 2> core {};
    std::array<qsizetype, 2> kernels {};
    for (const QString& file : sourceFiles()) {
        const auto count = readFile(file).count(u'\n');
        const std::size_t column = isProduct(file) ? 0 : 1;
        if (const QString room = roomOf(file); !room.isEmpty()) lines[room][column] += count;
        if (roomOf(file).startsWith(QStringLiteral("core/"))) core[column] += count;
        if (roomOf(file).startsWith(QStringLiteral("kernels/"))) kernels[column] += count;
    }
    QStringList wrong;
    for (auto room = lines.cbegin(); room != lines.cend(); ++room) {
        const auto [product, tests] = room.value();
        if (product > 500 && tests * 10 < product * 3)
            wrong += QStringLiteral("%1 has %2 lines and %3 of tests").arg(room.key()).arg(product).arg(tests);
    }
    if (core[1] * 2 < core[0]) wrong += QStringLiteral("core has %1 lines and %2 of tests").arg(core[0]).arg(core[1]);
    if (kernels[1] * 5 < kernels[0] * 2)
        wrong += QStringLiteral("kernels has %1 lines and %2 of tests").arg(kernels[0]).arg(kernels[1]);
    QVERIFY2(wrong.isEmpty(), qPrintable(report(wrong)));
}

void RoomsTest::classesAreMeasuredByTheirBraces_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("size"); // name, lines, members, "program" where it has functions
    const auto row = [](const char* text, const char* size) {
        QTest::newRow(size) << QString::fromLatin1(text) << QString::fromLatin1(size);
    };
    row("struct A\n{\n    int a = 0;\n    int b {1}, c;\n};\n", "A 5 3");
    row("class B : public Base<int>\n{\npublic:\n    void f() { g(); }\n\nprivate:\n    int m_a;\n};\n",
        "B 8 1 program");
    row("struct C\n{\n    std::function<void(int)> act {};\n    static constexpr int Most = 3;\n};\n", "C 5 1");
    row("struct D\n{\n    enum Kind { One, Two };\n    Kind kind = One;\n    bool operator==(const D&) const = "
        "default;\n};\n",
        "D 6 1 program");
    row("struct E\n{\n    std::map<int, std::pair<int, int>> all;\n    // int none;\n};\n", "E 5 1");
}

void RoomsTest::classesAreMeasuredByTheirBraces()
{
    QFETCH(QString, text);
    QFETCH(QString, size);

    const auto classes = classesOf(text);

    QCOMPARE(classes.size(), std::size_t(1));
    const ClassSize& found = classes[0];
    QCOMPARE(QStringLiteral("%1 %2 %3").arg(found.name).arg(found.lines).arg(found.members) +
                 (found.program ? QStringLiteral(" program") : QString()),
             size);
}

QTEST_APPLESS_MAIN(RoomsTest)
#include "tst_rooms.moc"
