#include "core/facts/english/english.h"
#include "core/formats/formats.h"

#include <QFile>
#include <QtTest>

#include <set>

using namespace plimsoll;

namespace {

QString manual()
{
    QFile file(QStringLiteral(PLIMSOLL_SOURCE_DIR "/resources/manual/graphs.html"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString text(std::string_view of)
{
    return QString::fromUtf8(of.data(), static_cast<qsizetype>(of.size()));
}

const Format* formatOfText(std::string_view of)
{
    return formatOf(of);
}

} // namespace

class FormatsTest : public QObject
{
    Q_OBJECT

private slots:
    void everyRowIsWhole_data()
    {
        QTest::addColumn<QString>("id");
        for (const Format* format : Formats)
            QTest::newRow(qPrintable(text(format->id))) << text(format->id);
    }
    void everyRowIsWhole()
    {
        QFETCH(QString, id);
        const Format* format = findFormat(id.toStdString());
        QVERIFY(format);
        QVERIFY(!format->title.empty() && !format->name.empty() && !format->plural.empty());
        QVERIFY(!extensionsOf(*format).empty());
        QVERIFY(format->howToGet.ends_with('.'));
        QVERIFY(format->recognise);
        QVERIFY((format->read != nullptr) != (format->readTable != nullptr));
        const QString section = id.replace(u' ', u'-').replace(u'/', u'-');
        QVERIFY2(manual().contains(QStringLiteral("<h2 id=\"%1\">").arg(section)), qPrintable(section));
    }

    void idsAndMediaTypesAreTold()
    {
        std::set<std::string_view> told;
        for (const Format* format : Formats) {
            QVERIFY(told.insert(format->id).second);
            QVERIFY(format->mediaType.empty() || told.insert(format->mediaType).second);
        }
        QCOMPARE(findFormat("text"), nullptr);
    }

    void whatIsSureIsAskedBeforeWhatIsLeft()
    {
        QCOMPARE(formatOfText("{\"nodes\": [], \"heads\": []}"), &MxnetFormat);
        QCOMPARE(formatOfText("{\"nodes\": [], \"heads\": [], \"schema\": 1}"), &GraphJsonFormat);
        QCOMPARE(formatOfText({"\x1c\0\0\0TFL3\0\0\0\0", 12}), &TfliteFormat);
        QCOMPARE(formatOfText({"\x1c\0\0\0ABCD\0\0\0\0", 12}), &OnnxFormat);
        QCOMPARE(formatOfText("id,lower,upper,size\n"), &PackingFormat);
        QCOMPARE(formatOfText("{\"traceEvents\": []}"), nullptr);
        QCOMPARE(formatOfText("nothing of the kind"), nullptr);
    }

    void theyAreListedInASentence()
    {
        const QString all = QString::fromStdString(english(readableFormats()));
        QVERIFY2(all.startsWith(QStringLiteral("ONNX models, ")), qPrintable(all));
        QCOMPARE(all.count(QStringLiteral(" and ")), 1);
    }

    void desktopsAreToldOfThem()
    {
        QVERIFY(mediaTypeList().starts_with("application/x-onnx;application/x-tflite;"));
        const QString types = QString::fromStdString(mimeTypesXml());
        QVERIFY2(types.contains(QStringLiteral(
                     "  <mime-type type=\"text/x-xla-hlo\">\n    <comment>program of XLA (HLO)</comment>\n"
                     "    <sub-class-of type=\"text/plain\"/>\n"
                     "    <magic><match type=\"string\" offset=\"0\" value=\"HloModule \"/></magic>\n"
                     "    <glob pattern=\"*.hlo\"/>\n  </mime-type>\n")),
                 qPrintable(types));
        QCOMPARE(types.count(QStringLiteral("<mime-type")), QString::fromStdString(mediaTypeList()).count(u';'));
    }
};

QTEST_APPLESS_MAIN(FormatsTest)
#include "tst_formats.moc"
