#include "core/facts/english/english.h"
#include "tests/kernels/run/run_support.h"

#include "tests/support/graph_text.h"

#include <QTest>

using namespace plimsoll;
using namespace plimsoll::kernels;

/// No integer of a tensor passes through a floating-point number: 2^53 + 1 is the first that would not come back.
class tst_ExactIntegers : public QObject
{
    Q_OBJECT

private slots:
    void kernelsKeepThem_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("wanted");
        const auto row = [](const char* name, const char* text, const char* wanted) {
            QTest::newRow(name) << QByteArray(text) + "output y\n" << QByteArray(wanted);
        };
        row("Range",
            "const a int64[] = 9007199254740993\nconst b int64[] = 9007199254740997\nconst d int64[] = 2\n"
            "y = Range(a, b, d)\n",
            "9007199254740993 9007199254740995");
        row("Range, whose length is exact",
            "const a int64[] = -9007199254740993\nconst b int64[] = 9007199254740993\n"
            "const d int64[] = 9007199254740993\ny = Range(a, b, d)\n",
            "-9007199254740993 0");
        row("Einsum",
            "const a int64[1] = 9007199254740993\nconst b int64[1] = 3\ny = Einsum(a, b) equation=\"i,i->\"\n",
            "27021597764222979");
        row("Resize",
            "const x int64[2] = 9007199254740993 -9007199254740993\nconst s int64[1] = 4\ny = Resize(x, _, _, s)\n",
            "9007199254740993 9007199254740993 -9007199254740993 -9007199254740993");
        row("Fill_",
            "const x int64[2] = 0 0\nconst v int64[] = 9007199254740993\nz = Identity(x)\n"
            "y = plimsoll::Fill_(z, v)\n",
            "9007199254740993 9007199254740993");
        row("Pow", "const x int64[3] = 3037000500 -1 7\nconst e int64[3] = 1 -3 -1\ny = Pow(x, e)\n",
            "3037000500 -1 0");
        row("Cast", "const x int64[1] = 9007199254740993\nt = Cast(x) to=8\ny = Cast(t) to=7\n", "9007199254740993");
        row("CumSum", "const x int64[2] = 9007199254740993 0\nconst a int64[] = 0\ny = CumSum(x, a)\n",
            "9007199254740993 9007199254740993");
        row("ReduceMax", "const x int64[2] = 9007199254740992 9007199254740993\ny = ReduceMax(x) keepdims=0\n",
            "9007199254740993");
        row("Clip",
            "const x int64[1] = 9007199254740995\nconst a int64[] = 0\nconst b int64[] = 9007199254740993\n"
            "y = Clip(x, a, b)\n",
            "9007199254740993");
        row("OneHot",
            "const i int64[1] = 1\nconst d int64[] = 2\nconst v int64[2] = 1 9007199254740993\n"
            "y = OneHot(i, d, v)\n",
            "1 9007199254740993");
        row("TopK", "const x int64[2] = 9007199254740992 9007199254740993\nconst k int64[1] = 1\ny, _ = TopK(x, k)\n",
            "9007199254740993");
        row("Mod", "const x int64[1] = 9007199254740993\nconst m int64[1] = 2\ny = Mod(x, m)\n", "1");
    }

    /// Computed by the kernels, and known before the run.
    void kernelsKeepThem()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, wanted);
        for (const FoldPolicy fold : {FoldPolicy::Off, FoldPolicy::Shapes}) {
            Policies policies;
            policies.backend = BackendPolicy::Reference;
            policies.fold = fold;
            const auto outcome = test::executed(test::planned(test::graphFromText(text.toStdString()), policies));
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : describe(outcome.error()).c_str());
            QByteArray numbers;
            for (const std::string& element : outcome.value().result.outputs.at(0).elements)
                numbers += (numbers.isEmpty() ? "" : " ") + QByteArray::fromStdString(element);
            QCOMPARE(numbers, wanted);
            QCOMPARE(outcome.value().result.fingerprintedNodes, 0);
        }
    }
};

QTEST_APPLESS_MAIN(tst_ExactIntegers)
#include "tst_exact_integers.moc"
