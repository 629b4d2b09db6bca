#include "core/facts/english/english.h"
#include "core/pipeline/pipeline.h"
#include "core/report/report_json.h"
#include "core/report/writers.h"
#include "tests/support/planned.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <deque>

using namespace plimsoll;
using plimsoll::test::planned;

namespace {

/// Other words for everything, the arguments in the opposite order: as far from English as a translation can be.
class OtherWords
{
public:
    OtherWords()
    {
        std::vector<Sentence> other;
        for (const Sentence& sentence : englishSentences())
            other.push_back({sentence.id, m_texts.emplace_back(reworded(sentence.text))});
        speak(std::move(other));
    }
    OtherWords(const OtherWords&) = delete;
    OtherWords& operator=(const OtherWords&) = delete;
    ~OtherWords() { speak({}); }

private:
    static std::string reworded(std::string_view sentence)
    {
        std::string text;
        for (std::size_t open = sentence.find('{'); open != std::string_view::npos; open = sentence.find('{', open + 1))
            text = std::string(sentence.substr(open, sentence.find('}', open) + 1 - open)) + " ZZ " + text;
        return "ZZ " + text;
    }

    std::deque<std::string> m_texts;
};

/// Without what is written for people, and without times.
QJsonValue bare(const QJsonValue& value)
{
    if (value.isArray()) {
        QJsonArray all;
        for (const QJsonValue& one : value.toArray())
            all.append(bare(one));
        return all;
    }
    if (!value.isObject()) return value;
    QJsonObject object = value.toObject();
    for (const char* text : {"message", "fix", "reason", "notes", "remedy", "planningMs", "seconds"})
        object.remove(QLatin1String(text));
    for (const QString& key : object.keys())
        object[key] = bare(object[key]);
    return object;
}

QJsonObject jsonOf(const Report& report)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(writeReportJson(report))).object();
}

} // namespace

/// Nothing reads what is said: in other words a report is the same.
class Reworded : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheWordingChanges_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("policy");
        QTest::addColumn<QString>("value");
        const QString chain = QStringLiteral("input x float32[16]\na: p = Relu(x)\nb: q = Neg(p)\nc: r = Add(p, q)\n"
                                             "d: dead = Exp(x)\noutput q r\n");
        QTest::newRow("sharing") << chain << "inplace"
                                 << "on";
        QTest::newRow("refused") << chain << "inplace"
                                 << "off";
        QTest::newRow("shared outputs") << QStringLiteral("input x float32[16]\na: p = Relu(x)\nb: q = Identity(p)\n"
                                                          "c: r = Identity(x)\noutput p q r\n")
                                        << "outputs"
                                        << "shared";
        QTest::newRow("beyond its capacity") << chain << "capacity"
                                             << "cpu=64";
        QTest::newRow("incomplete") << "input x float32[...]\na: y = Relu(x)\noutput y\n"
                                    << "inplace"
                                    << "on";
        QTest::newRow("without effect") << chain << "recompute"
                                        << "cheap";
        QTest::newRow("replayed") << chain << "replay"
                                  << "graph";
    }

    void onlyTheWordingChanges()
    {
        QFETCH(QString, graph);
        QFETCH(QString, policy);
        QFETCH(QString, value);
        PlanRequest request;
        QVERIFY(setPolicy(request.policies, policy.toStdString(), value.toStdString()).ok());

        const Report first = planned(graph.toStdString(), request);
        const QJsonObject said = jsonOf(first);
        const OtherWords other;
        const Report second = planned(graph.toStdString(), request);
        const QJsonObject otherwise = jsonOf(second);

        QVERIFY(said[QLatin1String("decisions")] != otherwise[QLatin1String("decisions")]);
        QCOMPARE(bare(otherwise), bare(said));
        QCOMPARE(second.verdict.findings.size(), first.verdict.findings.size());
        for (std::size_t i = 0; i < first.verdict.findings.size(); ++i) {
            const Finding& one = first.verdict.findings[i];
            QVERIFY(second.verdict.findings[i].fix == one.fix);
            QCOMPARE(remediesIn(second.verdict.findings[i].fix), remediesIn(one.fix));
            QVERIFY(english(one.message).starts_with("ZZ "));
        }
    }

    void remediesStayWhatTheyAre()
    {
        PlanRequest request;
        request.policies.replay = ReplayPolicy::Graph;
        const Report report = planned("input x float32[16]\na: p = Relu(x)\noutput p\n", request);
        const OtherWords other;
        QCOMPARE(report.verdict.findings.size(), std::size_t {1});
        QCOMPARE(remediesIn(report.verdict.findings.front().fix), std::vector {Remedy::policy("outputs", "external")});
        QCOMPARE(english(report.verdict.findings.front().fix), std::string("ZZ outputs=external ZZ "));
    }
};

QTEST_GUILESS_MAIN(Reworded)
#include "tst_reworded.moc"
