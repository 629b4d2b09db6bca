#include "node_replay.h"

#include <QTest>

#include <set>

using namespace plimsoll::kernels::test;
namespace fs = std::filesystem;

namespace {

/// Whole networks need the executor.
const fs::path Folders[] = {
    "/usr/share/libonnx-testdata/data/node", "/usr/share/libonnx-testdata/data/pytorch-converted",
    "/usr/share/libonnx-testdata/data/pytorch-operator", "/usr/share/libonnx-testdata/data/simple",
    fs::path(PLIMSOLL_SHARED_DIR) / "corpora/onnx/node"};

/// Data that the operators' definitions contradict: bfloat16 was cut off where it must be rounded; the model lacks the
/// epsilon its outcome was computed with.
const std::set<std::string> WrongData {"test_cast_FLOAT_to_BFLOAT16", "test_castlike_FLOAT_to_BFLOAT16",
                                       "test_castlike_FLOAT_to_BFLOAT16_expanded", "test_adam_multiple"};

} // namespace

class TestBackendNodes : public QObject
{
    Q_OBJECT

private slots:
    void kernelsGiveTheOutcomeOfTheBackendTest_data();
    void kernelsGiveTheOutcomeOfTheBackendTest();
};

void TestBackendNodes::kernelsGiveTheOutcomeOfTheBackendTest_data()
{
    QTest::addColumn<QString>("folder");
    for (const fs::path& root : Folders) {
        std::error_code absent;
        std::set<fs::path> sorted;
        for (const auto& entry : fs::directory_iterator(root, absent))
            sorted.insert(entry.path());
        for (const fs::path& folder : sorted) {
            if (!fs::exists(folder / "model.onnx") || WrongData.contains(folder.filename().string())) continue;
            QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
        }
    }
    if (!fs::exists(Folders[0])) QTest::newRow("none") << QString();
}

void TestBackendNodes::kernelsGiveTheOutcomeOfTheBackendTest()
{
    QFETCH(const QString, folder);
    if (folder.isEmpty()) QSKIP("Debian's libonnx-testdata is not installed");

    for (const bool inPlace : {false, true}) {
        const Replay replay = replayFolder(folder.toStdString(), inPlace);
        if (replay.verdict == Replay::Verdict::Unsupported) QSKIP(replay.message.c_str());
        QVERIFY2(replay.verdict == Replay::Verdict::Passed, replay.message.c_str());
    }
}

QTEST_APPLESS_MAIN(TestBackendNodes)
#include "tst_backend_nodes.moc"
