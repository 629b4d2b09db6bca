#include "app/session/cli_process.h"
#include "app/session/run_job.h"
#include "core/facts/english/english.h"
#include "core/facts/words/run_sentences.h"
#include "core/formats/plimsoll/catalogue_json.h"
#include "core/report/message_json.h"
#include "core/report/report_json.h"
#include "core/report/run_json.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace plimsoll;
using namespace plimsoll::app;

class RunJsonTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }
    void aRunIsReadBackFromItsReport();
    void aWriteProbeSaysTheSameWhenItIsReadBack();
    void everyFieldComesBack();
    void brokenAnswersAreErrors_data();
    void brokenAnswersAreErrors();
    void offersAreReadBack();
    void choicesBecomeArguments();
    void aChildsProgressAndAnswerAreHeard();
    void aRunIsReadFromItsAnswer();
    void aFailureIsSaidAsData();
    void textIsToldWhereThereIsNoData();
    void aCancelledChildIsGoneWithoutAnAnswer();
    void aMissingProgramIsAnError();
};

void RunJsonTest::aRunIsReadBackFromItsReport()
{
    const auto run = readRunJson(R"({"run": {"mode": "numeric", "backend": "reference", "fingerprintedNodes": 2,
        "measuredPeakBytes": 4096, "measuredBySpace": {"cpu": 4032, "cuda:0": 64}, "unplannedPeakBytes": 8,
        "held": [{"space": "cuda:0", "plannedBytes": 64, "arenaBytes": 8704, "ownBytes": 512, "oracleBytes": 1536, "driverBytes": 4096, "steps": [9216, 9728]}],
         "stepMs": [0.5, 1], "compared": {"values": 3, "bytes": 48},
        "mismatches": [{"value": "y", "node": "n", "step": 4, "maxAbsDiff": null, "note": "guard"}],
        "outputs": [{"name": "y", "dtype": "float32", "shape": [2], "data": [1, "nan"], "digest": "ab"}]}})");

    QVERIFY(run.ok());
    QCOMPARE(run.value().measuredPeakBytes, 4096);
    QCOMPARE(run.value().measuredBySpace, (std::map<std::string, std::int64_t> {{"cpu", 4032}, {"cuda:0", 64}}));
    QCOMPARE(english(deviceSentences(run.value())),
             (std::vector<std::string> {
                 "cuda:0 held 9.50 KiB at most: 8.50 KiB for arenas of 64 B planned (the rest is guard zones and "
                 "rounding), 512 B copied there ahead of the run or not planned, 512 B of its own; beside it the "
                 "oracle held 1.50 KiB",
                 "the driver of cuda:0 had 4.00 KiB less to give at most, with what libraries took by themselves"}));
    QCOMPARE(run.value().comparedValues, 3);
    QCOMPARE(run.value().stepMs.size(), std::size_t(2));
    QCOMPARE(run.value().mismatches.at(0).value, std::string("y"));
    QVERIFY(std::isnan(run.value().mismatches.at(0).maxAbsDiff));
    QCOMPARE(run.value().outputs.at(0).elements, (std::vector<std::string> {"1", "nan"}));
    QCOMPARE(run.value().outputs.at(0).dtype, DType::Float32);
}

void RunJsonTest::aWriteProbeSaysTheSameWhenItIsReadBack()
{
    const HandleName first {true, 0, "a"};
    const HandleName second {true, 1, "b"};
    const HandleName input {false, 0, "b"};
    WriteProbe probe;
    probe.liveBytes = 16;
    ProbeWrite write;
    write.handle = first;
    write.changed = {{second, 16, true}, {input, 8, false}};
    write.unchanged = {input};
    probe.writes.push_back(write);
    write = {second, ProbeWrite::Outcome::Detached, {}, {}, 16, 32, {}, {}, {}};
    probe.writes.push_back(write);
    write = {input, ProbeWrite::Outcome::Refused, say("handle.read-only"), first, 0, 32, {}, {}, {}};
    probe.writes.push_back(write);
    write = {input, ProbeWrite::Outcome::Skipped, Message("it is a sequence"), {}, 0, 32, {}, {}, {}};
    write.after = {{first, DType::Float32, {"0.5", "nan"}, {}}, {second, DType::Bool, {"true"}, "ab"}};
    probe.writes.push_back(write);
    probe.refreshedOutputs = 1;
    probe.stale = {{second, Message("4 of 4 elements differ")}};
    probe.between = WriteProbe::Between {{write}, {{first, Message("1 of 4 elements differ")}}, true};
    Report report;
    report.program.graph = std::make_shared<const Graph>();
    report.run.emplace();
    report.run->referenceValues = 3;
    report.run->mismatches = {
        {"b", "n", 2, 1, say("run.guard-after", word::Number {1}, word::Number {2}), Rule::FalseIdentity}};
    report.run->notes = {say("run.no-kernel", "Odd"), Message("of a library")};
    report.run->probe = probe;

    const auto run = readRunJson(writeReportJson(report));

    QVERIFY(run.ok() && run.value().probe);
    QCOMPARE(probeSentences(*run.value().probe), probeSentences(probe));
    QCOMPARE(run.value().probe->writes[2].partner->value, std::string("a"));
    QCOMPARE(run.value().probe->writes[1].liveBytes, 32);
    QVERIFY(run.value().probe->between && run.value().probe->between->expected);
    QCOMPARE(run.value().referenceValues, 3);
    QCOMPARE(run.value().notes, report.run->notes);
    QCOMPARE(run.value().mismatches.front().note, report.run->mismatches.front().note);
    QCOMPARE(run.value().mismatches.front().rule, Rule::FalseIdentity);
    report.run->probe.reset();
    QVERIFY(!readRunJson(writeReportJson(report)).value().probe);
}

/// What is written, read and written again is the same text.
void RunJsonTest::everyFieldComesBack()
{
    RunResult run;
    run.mode = "numeric";
    run.backend = "onednn+reference";
    run.fingerprintedNodes = 1;
    run.nodes = 7;
    run.ranNodes = 6;
    run.cut = {100, {{"l", 50}}};
    run.measuredPeakBytes = 4096;
    run.measuredBySpace = {{"cpu", 4032}, {"cuda:0", 64}};
    run.unplannedPeakBytes = 8;
    run.stepMs = {0.5, 2};
    run.comparedValues = 3;
    run.comparedBytes = 48;
    run.referenceValues = 2;
    run.mismatches = {{"y", "n", 4, std::nan(""), Message("guard"), Rule::WrongValue}};
    run.outputs = {{"y", DType::Float32, {2, 1}, {"0.5", "nan"}, "ab", StorageType::Csr, 1},
                   {"s", DType::String, {1}, {"7"}, "cd"}};
    run.gradients = {{"g", DType::UInt64, {1}, {"18446744073709551615"}, "ef"}};
    run.notes = {Message("no kernel for Odd")};
    run.orders = {"captured", "stream 1 first"};
    run.replayed = {{{true, 0, "y"}, Message("1 of 2 elements differs")}};
    run.bytesInUse = {{"cpu", {0, 4032}}};
    run.held = {{"cuda:0", 64, 8704, 512, 1536, 4096, {9216, 9728}}};
    run.copies = {{"cpu", "cuda:0", 2, 512, 0.25}};
    run.launched = RunResult::Launched {2, 5, 1.5, 3, 0.5, 1, Message("a whole sentence")};
    Report report;
    report.program.graph = std::make_shared<const Graph>();
    report.run = run;
    const std::string text = writeReportJson(report);

    const auto read = readRunJson(text);

    QVERIFY(read.ok());
    report.run = read.value();
    QCOMPARE(QString::fromStdString(writeReportJson(report)), QString::fromStdString(text));
    QCOMPARE(read.value().outputs[0].kept, 1);
    QCOMPARE(read.value().outputs[1].elements, std::vector<std::string> {"7"});
    QCOMPARE(read.value().gradients[0].elements, run.gradients[0].elements);
    QCOMPARE(read.value().cut.loops.at(0).iterations, 50);
    QCOMPARE(english(read.value().launched->why), english(run.launched->why));
}

void RunJsonTest::brokenAnswersAreErrors_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("cut short") << QByteArray("{\"run\": {");
    QTest::newRow("a report without a run") << QByteArray("{\"schema\": \"plimsoll.report/1\"}");
    QTest::newRow("an array") << QByteArray("[1]");
}

void RunJsonTest::brokenAnswersAreErrors()
{
    QFETCH(QByteArray, json);
    const auto run = readRunJson({json.constData(), static_cast<std::size_t>(json.size())});
    QVERIFY(!run.ok());
    QVERIFY(!run.error().message.empty());
}

void RunJsonTest::offersAreReadBack()
{
    const auto catalogue =
        readCatalogueJson(R"({"schema": "plimsoll.catalogue/1", "environment": {"onednn": "2.6.3"}, "offers": {"conv": [
        {"backend": "onednn", "name": "jit", "scratchpadBytes": 64, "inPlace": [[0, 1]]}]}})",
                          {});

    QVERIFY(catalogue.ok());
    const Implementation& offer = catalogue.value().offers.at("conv").at(0);
    QCOMPARE(offer.scratchpadBytes, 64);
    QVERIFY(offer.inPlaceKnown);
    QCOMPARE(offer.inPlace.at(0).input, 1);
    QCOMPARE(english(catalogue.value().environment.at("onednn")), std::string("2.6.3"));
}

void RunJsonTest::choicesBecomeArguments()
{
    Choices choices;
    const QStringList inputs = {"-p", "inputs=protect"}; // the child would take the graph's own
    const QStringList terms = {"-p", "backend=auto", "-p", "alignment=64"};
    QCOMPARE(choiceArguments(choices), inputs + terms);

    choices.policies.inplace = InplacePolicy::Off;
    choices.shapes.dims["batch"] = 4;
    choices.shapes.shapes["x"] = {1, 3};
    choices.shapes.maxStored["s"] = 12;
    const QStringList chosen = {"-p", "inplace=off"};
    const QStringList sizes = {"--dim", "batch=4", "--shape", "x=1x3", "--max-stored", "s=12"};
    QCOMPARE(choiceArguments(choices), inputs + chosen + terms + sizes);
}

void RunJsonTest::aChildsProgressAndAnswerAreHeard()
{
    CliProcess cli;
    cli.setProgram(QStringLiteral("/bin/sh"));
    QSignalSpy progress(&cli, &CliProcess::progressed);
    QSignalSpy finished(&cli, &CliProcess::finished);
    cli.start(
        {QStringLiteral("-c"), QStringLiteral("echo 'progress 2 9 a b' >&2; echo words >&2; echo answer; exit 1")});

    QTRY_COMPARE(finished.count(), 1);
    QCOMPARE(progress.count(), 1);
    QCOMPARE(progress[0][0].toLongLong(), 2);
    QCOMPARE(progress[0][2].toString(), QStringLiteral("a b"));
    QCOMPARE(finished[0][0].toInt(), 1);
    QCOMPARE(finished[0][1].toByteArray(), QByteArray("answer\n"));
    QCOMPARE(finished[0][2].toString(), QStringLiteral("words"));
}

void RunJsonTest::aRunIsReadFromItsAnswer()
{
    const QTemporaryDir folder;
    QFile script(folder.filePath(QStringLiteral("cli")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write(
        "#!/bin/sh\necho words >&2\necho '{\"run\": {\"mode\": \"x\", \"notes\": [\"no kernel for Odd\"]}}'\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    RunJob run;
    run.setProgram(script.fileName());
    std::vector<std::string> notes;
    connect(&run, &RunJob::succeeded, this, [&](const RunResult& result) { notes = english(result.notes); });
    run.start({});
    QTRY_COMPARE(notes, std::vector<std::string> {"no kernel for Odd"});
}

/// As data, which the window words; without the file, which it shows.
void RunJsonTest::aFailureIsSaidAsData()
{
    const Error error {ErrorCode::Unsupported, say("run.no-kernel", Remedy::option("dim")), "node 'a'", "/a b/g.json"};
    const QTemporaryDir folder;
    QFile script(folder.filePath(QStringLiteral("cli")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\ncat >&2 <<'E'\nerror no device\nerror " +
                 QByteArray::fromStdString(errorJson(error).dump()) + "\nE\nexit 4\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    RunJob run;
    run.setProgram(script.fileName());
    QSignalSpy failed(&run, &RunJob::failed);
    run.start({.file = QStringLiteral("/a b/g.json")});
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].value<Error>(), (Error {error.code, error.message, error.where, {}}));

    run.start({.file = QStringLiteral("another")});
    QTRY_COMPARE(failed.count(), 2);
    QCOMPARE(failed[1][0].value<Error>(), error);
}

void RunJsonTest::textIsToldWhereThereIsNoData()
{
    const QTemporaryDir folder;
    QFile script(folder.filePath(QStringLiteral("cli")));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("#!/bin/sh\necho 'error: no device' >&2\nexit 4\n");
    script.close();
    QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    RunJob run;
    run.setProgram(script.fileName());
    QSignalSpy failed(&run, &RunJob::failed);
    run.start({});
    QTRY_COMPARE(failed.count(), 1);
    QCOMPARE(failed[0][0].value<Error>().message, Message("error: no device"));
}

void RunJsonTest::aCancelledChildIsGoneWithoutAnAnswer()
{
    CliProcess cli;
    cli.setProgram(QStringLiteral("/bin/sleep"));
    QSignalSpy finished(&cli, &CliProcess::finished);
    QSignalSpy cancelled(&cli, &CliProcess::cancelled);
    QSignalSpy failed(&cli, &CliProcess::failed);
    cli.start({QStringLiteral("60")});
    QVERIFY(cli.running());
    cli.cancel();

    QVERIFY(!cli.running());
    QCOMPARE(cancelled.count(), 1);
    QTest::qWait(50);
    QCOMPARE(finished.count(), 0);
    QCOMPARE(failed.count(), 0);
}

void RunJsonTest::aMissingProgramIsAnError()
{
    CliProcess cli;
    cli.setProgram(QStringLiteral("/nowhere/plimsoll-cli"));
    QSignalSpy failed(&cli, &CliProcess::failed);
    cli.start({});
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(!cli.running());
}

QTEST_GUILESS_MAIN(RunJsonTest)
#include "tst_run_json.moc"
