#include "app/checks/checks_json.h"

#include <QTest>

using namespace plimsoll;

/// What plimsoll-device-checks tells a person of its JSON.
class TestChecksTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingToTellIsNothing();
    void failuresNameKernelAndCase();
    void measurementsHaveALineEach();
};

namespace {

std::string told(const char* json)
{
    return checks::tableOf(nlohmann::ordered_json::parse(json));
}

} // namespace

void TestChecksTable::nothingToTellIsNothing()
{
    QCOMPARE(told(R"({"checks": [{"case": "Relu", "passed": true}]})"), std::string());
}

void TestChecksTable::failuresNameKernelAndCase()
{
    const std::string text = told(R"({"checks": [
        {"case": "Relu float32[3]", "kernel": "elementwise", "passed": false, "wrong": "1 of 3 elements differ"},
        {"case": "Tile", "backward": true, "kernel": "formulas", "passed": false, "wrong": "no room"}]})");

    QCOMPARE(text, std::string("failed: elementwise, Relu float32[3]: 1 of 3 elements differ\n"
                               "failed: formulas, Tile, backward: no room\n"));
}

void TestChecksTable::measurementsHaveALineEach()
{
    const std::string text = told(R"({"libraries": {"cublas": "13.1.0", "cudnn": "absent: not found"},
        "copyBytesPerSecond": 2.5e12,
        "timings": [
            {"case": "Relu float32[9]", "kernel": "elementwise", "ms": 0.25, "floorMs": 0.2, "gapMs": 0.05,
             "ofCopyBandwidth": 0.8},
            {"case": "MatMul", "kernel": "cublas", "ms": 4, "floorMs": 0.1, "gapMs": 3.9, "ofCopyBandwidth": 0.025,
             "operationsPerSecond": 3.4e13, "libraryMs": 3.6, "ofLibrary": 0.9}],
        "allocations": [{"way": "one arena", "ms": 0.5, "askedBytes": 3145728, "peakBytes": 4194304}],
        "libraryNotTimed": "none"})");

    QCOMPARE(text, std::string(
                       "cublas: 13.1.0\n"
                       "cudnn: absent: not found\n"
                       "copies within the device: 2500 GB/s\n"
                       "        ms      floor        gap  of copies   kernel, tensors\n"
                       "    0.2500     0.2000     0.0500       80 %   elementwise, Relu float32[9]\n"
                       "    4.0000     0.1000     3.9000        2 %   cublas, MatMul, 34.0 TFLOP/s, 90 % of cuBLAS by "
                       "itself (3.6000 ms)\n"
                       "a network's memory:\n"
                       "    0.5000 ms        3.0 MiB asked for, 4.0 MiB less on the device   one arena\n"
                       "not timed: none\n"));
}

QTEST_APPLESS_MAIN(TestChecksTable)
#include "tst_checks_table.moc"

#include <nlohmann/json.hpp>
