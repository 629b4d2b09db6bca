#include "app/window/pages/file_probe.h"
#include "tests/app/support/no_warnings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

/// A file with these bytes, as long as it is there.
struct Written
{
    QTemporaryDir folder;
    QString file = folder.filePath(QStringLiteral("some.bin"));

    explicit Written(const QByteArray& bytes)
    {
        QFile out(file);
        if (out.open(QIODevice::WriteOnly)) out.write(bytes);
    }
};

/// A caret under the letter that stands behind so many others of the line.
QString caret(int before)
{
    return QString(9 + before, u' ') + QStringLiteral("▲\n");
}

} // namespace

/// What the problem page says of a file from outside, and what it shows of its inside.
class FileProbeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { test::failOnWarnings(); }
    void aFileIsRecognisedByItsBytes_data();
    void aFileIsRecognisedByItsBytes();
    void ofAKnownKindThatIsCutItIsSaidFirst();
    void whatIsNoFileIsSaid();
    void theLinesAroundThePlaceAreShown_data();
    void theLinesAroundThePlaceAreShown();
    void whatTurnsTextRoundIsWrittenOut();
    void theBytesAroundThePlaceAreShown_data();
    void theBytesAroundThePlaceAreShown();
};

void FileProbeTest::aFileIsRecognisedByItsBytes_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("recognised");
    QTest::addColumn<QString>("advice"); // its beginning

    const auto row = [](const char* name, const QByteArray& bytes, const char* recognised, const char* advice) {
        QTest::newRow(name) << bytes << QString::fromUtf8(recognised) << QString::fromUtf8(advice);
    };
    row("json", "{\"a\": 1}", "JSON text", "Mend the place named above");
    row("text", "id,lower,upper,size\n", "text", "Mend the place named above");
    row("web page", "<!doctype html><html></html>", "text", "This is a web page");
    row("an operator set", QByteArray("\x08\x09\x3a\x04\x00\x01", 6), "binary data that begins as an ONNX file does",
        "Mend the place named above");
    row("unknown", QByteArray("\xf1\xf2\x00\x01\xfe", 5), "binary data of an unknown kind", "Mend the place");
}

void FileProbeTest::aFileIsRecognisedByItsBytes()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, recognised);
    QFETCH(QString, advice);
    const Written there(bytes);
    Error error;
    error.where = "byte 2";

    const FileProbe probe = probeFile(there.file, error);

    QCOMPARE(probe.recognised, recognised);
    QCOMPARE(probe.size, QStringLiteral("%1 bytes").arg(bytes.size()));
    QVERIFY2(probe.advice.startsWith(advice), qPrintable(probe.advice));
    error.code = ErrorCode::BadUsage; // then the file is not to blame
    QVERIFY(probeFile(there.file, error).advice.startsWith(QStringLiteral("The file is fine")));
}

void FileProbeTest::ofAKnownKindThatIsCutItIsSaidFirst()
{
    const Written there(QByteArray("\x80\x04\x95\xff\x00\x00\x00\x00\x00\x00\x00", 11)); // a pickle, told by its head
    Error error;
    const QString ofPickles = probeFile(there.file, error).advice;
    error.message = say("pickle.cut", 255, 0);
    const QString advice = probeFile(there.file, error).advice;
    QVERIFY2(advice.startsWith(QStringLiteral("The file may be cut short")), qPrintable(advice));
    QVERIFY(advice != ofPickles);
}

void FileProbeTest::whatIsNoFileIsSaid()
{
    const Written there("x");
    QCOMPARE(probeFile(there.file + QStringLiteral(".gone"), {}).recognised,
             QStringLiteral("nothing: there is no such file"));
    QCOMPARE(probeFile(there.folder.path(), {}).recognised, QStringLiteral("a folder"));
    QVERIFY(excerptAt(there.file + QStringLiteral(".gone"), QStringLiteral("byte 1")).isEmpty());
}

void FileProbeTest::theLinesAroundThePlaceAreShown_data()
{
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("excerpt");
    const QString above = QStringLiteral("     1 │ {\n     2 │   \"a\": 1,\n");
    const QString line = QStringLiteral("     3 │   \"b\": oops\n");
    const QString below = QStringLiteral("     4 │ }\n     5 │ \n");

    QTest::newRow("line and column") << "line 3, column 8" << above + line + caret(7) + below;
    QTest::newRow("line") << "line 3" << above + line + caret(0) + below;
    QTest::newRow("byte") << "byte 19" << above + line + caret(7) + below;
    QTest::newRow("no place in the text") << "nodes[3]" << QString();
}

void FileProbeTest::whatTurnsTextRoundIsWrittenOut()
{
    const Written there("{\"a\xE2\x80\xAE\": oops}\n");

    QCOMPARE(excerptAt(there.file, QStringLiteral("byte 9")),
             QStringLiteral("     1 │ {\"a\\u202e\": oops}\n") + caret(12) + QStringLiteral("     2 │ \n"));
}

void FileProbeTest::theLinesAroundThePlaceAreShown()
{
    QFETCH(QString, where);
    QFETCH(QString, excerpt);
    const Written there("{\n  \"a\": 1,\n  \"b\": oops\n}\n");

    QCOMPARE(excerptAt(there.file, where), excerpt);
}

void FileProbeTest::theBytesAroundThePlaceAreShown_data()
{
    QTest::addColumn<QString>("where");
    QTest::addColumn<QString>("excerpt");
    const QString first =
        QStringLiteral("         0 │ 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66 │ 0123456789abcdef\n");
    const QString second = QStringLiteral("        16 │ 58 59 5a 01                                     │ XYZ·\n");

    QTest::newRow("in the first row") << "byte 2" << first + QString(13 + 6, u' ') + QStringLiteral("▲\n") + second;
    QTest::newRow("in the second") << "byte 17" << first + second + QString(13 + 3, u' ') + QStringLiteral("▲\n");
    QTest::newRow("behind the end") << "byte 99" << first + second + QString(13 + 12, u' ') + QStringLiteral("▲\n");
    QTest::newRow("no place") << "" << first + second;
}

void FileProbeTest::theBytesAroundThePlaceAreShown()
{
    QFETCH(QString, where);
    QFETCH(QString, excerpt);
    const Written there("0123456789abcdefXYZ\x01");

    QCOMPARE(excerptAt(there.file, where), excerpt);
}

QTEST_GUILESS_MAIN(FileProbeTest)
#include "tst_file_probe.moc"
