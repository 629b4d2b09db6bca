#include "tests/app/support/cli_run.h"
#include "tests/app/support/ladder_file.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

using plimsoll::test::Finished;
using plimsoll::test::Ladder;
using plimsoll::test::ladderPlan;
using plimsoll::test::runCli;

/// Findings and gates for programs that gather the results of tools.
class tst_CliSarif : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QByteArray ladder = Ladder;
        ladder.replace(R"("outputs": ["a"])", R"("outputs": ["a"], "source": "my model.py:7 in forward")");
        ladder.replace(R"("outputs": ["c"]})", R"("outputs": ["c"], "source": "model.py:9"})");
        write("ladder.json", ladder);
        write("sound.json", ladderPlan(256, 512));
        write("wrong plan.json", ladderPlan(256, 384)); // c over the end of b
        write("worse.json", ladderPlan(128, 384));      // b over the end of a
        QCOMPARE(run("check *ladder.json --plan *wrong%plan.json --json *wrong-report.json").status, 1);
    }

    void aFindingNamesItsRulePlaceAndNames()
    {
        const Finished finished = run("check *ladder.json --plan *wrong%plan.json --sarif -");
        QCOMPARE(finished.status, 1);
        QCOMPARE(finished.json()["version"].toString(), "2.1.0");
        const QJsonObject driver = first(finished)["tool"]["driver"].toObject();
        QCOMPARE(driver["name"].toString(), "Plimsoll");
        QCOMPARE(driver["rules"][0]["id"].toString(), "overlap");
        const QJsonArray found = results(finished);
        QCOMPARE(found.size(), 1);
        const QJsonValue result = found[0];
        QCOMPARE(result["ruleId"].toString(), "overlap");
        QCOMPARE(result["level"].toString(), "error");
        QVERIFY(result["message"]["text"].toString().contains("'c'"));
        const QJsonValue place = result["locations"][0];
        const QString uri = place["physicalLocation"]["artifactLocation"]["uri"].toString();
        QCOMPARE(uri, "file://" + m_folder.path() + "/wrong%20plan.json");
        QStringList names;
        for (const QJsonValue& name : place["logicalLocations"].toArray())
            names << name["fullyQualifiedName"].toString();
        QVERIFY2(names.contains("b") && names.contains("c"), qPrintable(names.join(' ')));
        QVERIFY(result["partialFingerprints"]["ruleAndNames/v1"].toString().size() == 32);
        QVERIFY(result["baselineState"].isUndefined());
    }

    void theLinesOfTheProgramStandBeside()
    {
        const auto lineOf = [&](const char* command) {
            const QJsonValue line = first(run(command))["results"][0]["relatedLocations"][0]["physicalLocation"];
            return QStringLiteral("%1:%2")
                .arg(line["artifactLocation"]["uri"].toString())
                .arg(line["region"]["startLine"].toInt());
        };
        QCOMPARE(lineOf("check *ladder.json --plan *worse.json --sarif -"), "my%20model.py:7");
        QCOMPARE(lineOf("check *ladder.json --plan *wrong%plan.json --sarif -"), "model.py:9");
    }

    void whatIsKnownIsLeftOut()
    {
        const char* command = "check *ladder.json --plan *wrong%plan.json --baseline *wrong-report.json --sarif -";
        QCOMPARE(results(run(command)), QJsonArray());
        const QJsonArray found =
            results(run("check *ladder.json --plan *worse.json --baseline *wrong-report.json --sarif -"));
        QCOMPARE(found.size(), 1);
        QCOMPARE(found.at(0)["baselineState"].toString(), "new");
    }

    void whatIsSuppressedSaysWhy()
    {
        const QByteArray known = R"({"schema": "plimsoll.suppressions/1", "suppressions": [
            {"rule": "overlap", "values": ["c", "b"], "nodes": [], "reason": "the device has its own bytes"}]})";
        write("known.json", known);
        const QJsonValue result = first(run("check *ladder.json --plan *wrong%plan.json --sarif -"))["results"][0];
        QStringList values;
        QStringList nodes;
        for (const QJsonValue& name : result["locations"][0]["logicalLocations"].toArray())
            (name["kind"].toString() == "node" ? nodes : values) << '"' + name["fullyQualifiedName"].toString() + '"';
        QByteArray exact = known;
        exact.replace(R"("c", "b")", values.join(", ").toUtf8())
            .replace("\"nodes\": []", "\"nodes\": [" + nodes.join(", ").toUtf8() + "]");
        write("known.json", exact);
        const Finished finished = run("check *ladder.json --plan *wrong%plan.json --suppress *known.json --sarif -");
        QCOMPARE(finished.status, 0);
        QCOMPARE(first(finished)["results"][0]["suppressions"][0]["justification"].toString(),
                 "the device has its own bytes");
    }

    void whatGotWorseIsTold()
    {
        const Finished finished = run("compare *wrong%plan.json *worse.json --graph *ladder.json --fail-if peak>+0 "
                                      "--fail-if findings.new>0 --sarif *worse.sarif");
        QCOMPARE(finished.status, 1);
        QVERIFY(finished.text().contains("findings.new>0 fails"));
        const Finished written {0, read("worse.sarif"), {}};
        const QJsonArray found = results(written);
        QCOMPARE(found.size(), 2); // the new overlap, and the gate; the peaks are the same
        QCOMPARE(found.at(0)["ruleId"].toString(), "overlap");
        QCOMPARE(found.at(0)["baselineState"].toString(), "new");
        QVERIFY(found.at(0)["message"]["text"].toString().contains("'a'"));
        QCOMPARE(found.at(1)["ruleId"].toString(), "gate");
        QCOMPARE(found.at(1)["message"]["text"].toString(), "findings.new>0 fails: 0 before, 1 now.");
        QVERIFY(first(written)["tool"]["driver"]["rules"].toArray().last()["id"].toString() == "gate");
    }

    void whatIsNoWorseHasNoResults()
    {
        const Finished finished = run("compare *worse.json *sound.json --graph *ladder.json --sarif -");
        QCOMPARE(finished.status, 0);
        QCOMPARE(results(finished), QJsonArray());
    }

    void anInputIsNotWrittenOver()
    {
        QCOMPARE(run("compare *worse.json *sound.json --graph *ladder.json --sarif *sound.json").status, 2);
        QCOMPARE(run("check *ladder.json --sarif *ladder.json").status, 2);
    }

private:
    void write(const char* name, const QByteArray& text) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QByteArray read(const char* name) const
    {
        QFile file(m_folder.filePath(QString::fromLatin1(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// '*' stands for the folder, '%' for a space.
    Finished run(const char* command) const
    {
        QStringList words = QString::fromLatin1(command).split(u' ');
        words.replaceInStrings("*", m_folder.path() + u'/');
        words.replaceInStrings("%", " ");
        return runCli(words << "-p"
                            << "backend=captured");
    }
    static QJsonValue first(const Finished& finished) { return finished.json()["runs"][0]; }
    static QJsonArray results(const Finished& finished) { return first(finished)["results"].toArray(); }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(tst_CliSarif)
#include "tst_cli_sarif.moc"
