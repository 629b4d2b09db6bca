#include "core/ops/derivatives/derivatives.h"
#include "core/ops/op_schema.h"
#include "core/ops/rules/form.h"
#include "op_case.h"

#include <QTest>

#include <set>

using namespace plimsoll;

/// What holds of the row of every operator, whichever family and dialect it is of.
class OpRows : public QObject
{
    Q_OBJECT

private slots:
    void namesAreUnique();
    void countsOutsideOfTheSignatureAreRefused_data();
    void countsOutsideOfTheSignatureAreRefused();
    void typesOutsideOfTheSignatureAreRefused();
    void operandsAreInputs();
    void outputsInPlaceHaveTheShapeOfAnInput();
    void gradientsAreOfInputs();
    void cheapRowsAreNotSaidTwice();
};

namespace {

template <typename Visit>
void forEachRow(const Visit& visit)
{
    for (const OpFamily& family : opFamilies())
        for (const OpSchema& row : family.rows)
            visit(family, row);
}

std::string nameOf(const OpFamily& family, const OpSchema& row)
{
    return (family.domain.empty() ? "" : std::string(family.domain) + "::") + std::string(row.op);
}

/// Inputs that an in-place trait may stand for: the signature's, or a few of those that are repeated.
int operandsOf(const OpSchema& row)
{
    return std::min(row.signature.most(NewestOpset), 3);
}

/// A case of so many inputs, all of one type.
std::string caseOf(const OpFamily& family, const OpSchema& row, int inputs, const std::string& type)
{
    std::string text = nameOf(family, row) + "@" + std::to_string(NewestOpset);
    for (int i = 0; i < inputs; ++i)
        text += " " + type;
    return text;
}

} // namespace

void OpRows::namesAreUnique()
{
    std::set<std::string> names;
    forEachRow([&](const OpFamily& family, const OpSchema& row) {
        QVERIFY2(names.insert(nameOf(family, row)).second, nameOf(family, row).data());
        QCOMPARE(findSchema(family.domain, row.op), &row);
    });
    QVERIFY(names.size() > 500);
    QCOMPARE(findSchema("ai.onnx", "Relu"), findSchema("", "Relu"));
    QVERIFY(!findSchema("com.example", "Relu"));
}

void OpRows::countsOutsideOfTheSignatureAreRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("refused");
    forEachRow([](const OpFamily& family, const OpSchema& row) {
        if (row.bodies) return; // what is wrong with a node without bodies is said first
        const int least = row.signature.least(NewestOpset);
        const int most = row.signature.most(NewestOpset);
        const auto add = [&](int inputs, bool refused) {
            const std::string text = caseOf(family, row, inputs, "unknown[?…]");
            QTest::newRow(text.data()) << QString::fromStdString(text) << refused;
        };
        if (least > 0) add(least - 1, true);
        add(least, false);
        if (most != Signature::Any && most != least) add(most, false);
        if (most != Signature::Any) add(most + 1, true);
        QVERIFY2(least <= most && row.signature.outputs() >= 1, nameOf(family, row).data());
    });
}

void OpRows::countsOutsideOfTheSignatureAreRefused()
{
    QFETCH(QString, text);
    QFETCH(bool, refused);

    const QString form = QString::fromStdString(test::formOf(text.toStdString()));

    QVERIFY2(form.startsWith(QStringLiteral("error: It has ")) == refused, qPrintable(form));
}

/// Complex numbers are in few sets: what takes numbers, integers or bools says so.
void OpRows::typesOutsideOfTheSignatureAreRefused()
{
    int refused = 0;
    forEachRow([&](const OpFamily& family, const OpSchema& row) {
        const int least = row.signature.least(NewestOpset);
        if (row.bodies || least == 0) return;
        const QString form = QString::fromStdString(test::formOf(caseOf(family, row, least, "complex64[?…]")));
        refused += form.contains(QStringLiteral(" takes ")) ? 1 : 0;
    });
    QVERIFY2(refused > 150, qPrintable(QString::number(refused)));
}

void OpRows::operandsAreInputs()
{
    forEachRow([](const OpFamily& family, const OpSchema& row) {
        const int most = row.signature.most(NewestOpset);
        for (int input = 0; input < 32; ++input) {
            const bool named = (row.inPlace != AllInputs && row.inPlace.has(input)) || row.ignored.has(input);
            QVERIFY2(!named || input < most, nameOf(family, row).data());
        }
        const bool first = row.view || row.mutates || row.identity;
        QVERIFY2(!first || most > 0, nameOf(family, row).data());
        QVERIFY2(!row.mutates || !row.pure, nameOf(family, row).data());
        QVERIFY2(!row.traitsHold || !row.inPlace.empty() || row.identity, nameOf(family, row).data());
    });
}

/// The rule of types must agree with the trait: of inputs of one shape the output has it, too.
void OpRows::outputsInPlaceHaveTheShapeOfAnInput()
{
    int agreeing = 0;
    forEachRow([&](const OpFamily& family, const OpSchema& row) {
        if (row.inPlace.empty() || row.identity || !row.infer) return;
        for (const char* type : {"float32[2,3]", "int32[2,3]", "bool[2,3]"}) {
            const int inputs = std::min(std::max(row.signature.least(NewestOpset), 1), operandsOf(row));
            const QString result = QString::fromStdString(test::inferred(caseOf(family, row, inputs, type)));
            if (result.startsWith(QStringLiteral("error: ")) || !result.contains(QLatin1Char('['))) continue;
            QVERIFY2(result.contains(QStringLiteral("[2,3]")), qPrintable(result + u' ' + nameOf(family, row).data()));
            ++agreeing;
        }
    });
    QVERIFY2(agreeing > 200, qPrintable(QString::number(agreeing)));
}

/// The texts of rows are read, and what they name exists.
void OpRows::gradientsAreOfInputs()
{
    forEachRow([](const OpFamily& family, const OpSchema& row) {
        const std::string name = nameOf(family, row);
        for (const DerivativeSet* set : {&derivatives26(), &derivatives2019()}) {
            const Derivative* found = set->find(name);
            QVERIFY2((found != nullptr) == !row.derivative.empty(), name.data());
            if (!found) continue;
            const int most = row.signature.most(NewestOpset);
            const bool list = !found->arguments.empty() && found->arguments.back().list;
            QVERIFY2(static_cast<int>(found->arguments.size()) <= most, name.data());
            QVERIFY2(list || static_cast<int>(found->arguments.size()) >= row.signature.least(NewestOpset),
                     name.data());
            // Kernels leave more than the standard names: the mask of a Dropout, the indices of a MaxPool.
            QVERIFY2(!found->outputs.empty(), name.data());
        }
        QVERIFY2(row.derivative2019.empty() || !row.derivative.empty(), name.data());
    });
    for (const DerivativeSet* set : {&derivatives26(), &derivatives2019()})
        for (const Derivative& derivative : set->all())
            QVERIFY2(findSchema(derivative.domain, derivative.op), derivative.op.data());
}

void OpRows::cheapRowsAreNotSaidTwice()
{
    forEachRow([](const OpFamily& family, const OpSchema& row) {
        const bool follows = row.identity || !row.inPlace.empty();
        QVERIFY2(!row.cheap || !follows, nameOf(family, row).data());
        QVERIFY2(!row.cheap || (row.pure && row.computes && !row.bodies), nameOf(family, row).data());
    });
}

QTEST_APPLESS_MAIN(OpRows)
#include "tst_op_rows.moc"
