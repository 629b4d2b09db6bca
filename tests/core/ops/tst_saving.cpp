#include "core/ops/saving.h"

#include <QTest>

#include <algorithm>

using namespace plimsoll;

namespace {

std::vector<bool> maskOf(const Derivative& derivative, unsigned bits)
{
    std::vector<bool> wanted(derivative.arguments.size(), false);
    for (std::size_t i = 0; i < derivative.entries.size(); ++i)
        wanted[derivative.entries[i].variable] = ((bits >> i) & 1U) != 0;
    return wanted;
}

/// The variables by name: "self other".
std::vector<bool> maskOf(const Derivative& derivative, const QString& names)
{
    std::vector<bool> wanted(derivative.arguments.size(), false);
    for (const QString& name : names.split(u' ', Qt::SkipEmptyParts))
        wanted[derivative.argumentNamed(name.toStdString()).value()] = true;
    return wanted;
}

QString nameOf(const Derivative& derivative, const SavedSlot& slot)
{
    return QString::fromStdString(slot.output ? derivative.outputs[slot.position]
                                              : derivative.arguments[slot.position].name);
}

/// "other self": what is kept, settings aside.
QString kept(const Derivative& derivative, SavingRule rule, const std::vector<bool>& wanted)
{
    QStringList names;
    for (const SavedSlot& slot : savedSlots(derivative, rule, wanted)) {
        if (slot.reason != SavingReason::Setting) names += nameOf(derivative, slot);
    }
    return names.join(u' ');
}

QString reasons(const Derivative& derivative, SavingRule rule, const std::vector<bool>& wanted)
{
    QStringList lines;
    for (const SavedSlot& slot : savedSlots(derivative, rule, wanted))
        lines += nameOf(derivative, slot) + u'=' + QString::fromUtf8(savingReasonId(slot.reason).data());
    return lines.join(u' ');
}

bool contains(const QString& all, const QString& some)
{
    const QStringList names = all.split(u' ');
    const QStringList wanted = some.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(wanted.begin(), wanted.end(), [&](const QString& name) { return names.contains(name); });
}

/// "other:self" keeps other where self needs a gradient, "other:self,end" where one of them does, "other" always.
QString expected(const QString& rule, const Derivative& derivative, const std::vector<bool>& wanted)
{
    QStringList names;
    for (const QString& word : rule.split(u' ', Qt::SkipEmptyParts)) {
        const QStringList parts = word.split(u':');
        bool holds = parts.size() == 1;
        for (const QString& variable : parts.value(1).split(u',', Qt::SkipEmptyParts))
            holds = holds || wanted[derivative.argumentNamed(variable.toStdString()).value()];
        if (holds) names += parts[0];
    }
    return names.join(u' ');
}

const Derivative& derivative(const DerivativeSet& set, const char* name)
{
    const Derivative* found = set.find(std::string_view(name));
    if (!found) qFatal("no derivative of %s", name);
    return *found;
}

} // namespace

/// What is kept from forward to backward, by operator and by what needs a gradient.
class Saving : public QObject
{
    Q_OBJECT

private slots:
    void whatIsKeptForEveryMask_data();
    void whatIsKeptForEveryMask();
    void exactKeepsWhatIsRead_data();
    void exactKeepsWhatIsRead();
    void everyConditionTakesTheGuardAway_data();
    void everyConditionTakesTheGuardAway();
    void exactIsPartOfGuardedIsPartOfSaveAll();
    void nothingIsKeptWhereNothingIsWanted();
    void needlessTensorsAreNeededForNothing();
};

/// Sections 1.5 and 1.6 of the table of PyTorch; "2019" and "2.6" where the sets differ.
void Saving::whatIsKeptForEveryMask_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<bool>("in2019");
    QTest::addColumn<bool>("in26");
    const auto both = [](const char* name, const char* rule) {
        QTest::newRow(name) << QByteArray(rule) << true << true;
    };
    const auto old = [](const char* name, const char* rule) {
        QTest::addRow("%s 2019", name) << QByteArray(rule) << true << false;
    };
    const auto recent = [](const char* name, const char* rule) {
        QTest::addRow("%s 2.6", name) << QByteArray(rule) << false << true;
    };
    both("aten::mul", "other:self self:other");
    both("aten::div", "other self:other");
    both("aten::fmod", "other:other self:other");
    both("aten::dot", "self:tensor tensor:self");
    both("aten::mv", "self:vec vec:self");
    both("aten::ger", "self:vec2 vec2:self");
    both("aten::cross", "other:self self:other");
    both("aten::bmm", "other:self self:other");
    both("aten::baddbmm", "batch1:batch2 batch2:batch1");
    both("aten::addbmm", "batch1:batch2 batch2:batch1");
    both("aten::addmv", "mat:vec vec:mat");
    both("aten::addr", "vec1:vec2 vec2:vec1");
    both("aten::addcmul", "tensor1:tensor2 tensor2:tensor1");
    both("aten::addcdiv", "tensor1:tensor2 tensor2");
    old("aten::index_add_", "index:source");
    recent("aten::index_add_", "index:source source:source");
    both("aten::scatter_add", "index:src");
    old("aten::_nnpack_spatial_convolution", "self:weight weight:self");
    recent("aten::_nnpack_spatial_convolution", "self weight");
    old("aten::mm", "other:self self");
    recent("aten::mm", "other:self self:other");
    old("aten::addmm", "mat1 mat2:mat1");
    recent("aten::addmm", "mat1:mat2 mat2:mat1");
    recent("MatMul", "other:self self:other");
    both("aten::add", "");
    both("aten::mul.Scalar", "");
    for (const char* name : {"aten::neg", "aten::clone", "aten::view", "aten::permute", "aten::expand", "aten::slice",
                             "aten::cat", "aten::cumsum", "aten::sum", "aten::mean", "Squeeze"})
        both(name, "");
    both("aten::matmul", "other self");
    both("aten::convolution", "self weight");
    old("aten::relu", "self");
    recent("aten::relu", "result");
    for (const char* name : {"aten::sigmoid", "aten::tanh", "aten::exp", "aten::sqrt", "aten::reciprocal",
                             "aten::softmax", "aten::log_softmax", "aten::relu_"})
        if (QByteArray(name) != "aten::relu") both(name, "result");
    for (const char* name : {"aten::logsumexp", "aten::norm", "aten::prod", "aten::amax"})
        both(name, "result self");
    for (const char* name :
         {"aten::log", "aten::sin", "aten::cos", "aten::abs", "aten::erf", "aten::clamp", "aten::gelu", "aten::silu",
          "aten::mish", "aten::softplus", "aten::leaky_relu", "aten::elu", "aten::threshold", "aten::pow.Tensor_Scalar",
          "aten::avg_pool2d", "aten::adaptive_avg_pool2d"})
        both(name, "self");
    both("aten::pow.Tensor_Tensor", "exponent result self");
    both("aten::maximum", "other self");
    both("aten::where", "condition");
    both("aten::max_pool2d", "indices self");
    both("aten::layer_norm", "bias mean rstd self weight");
    both("aten::batch_norm", "running_mean running_var save_invstd save_mean self weight");
    both("aten::group_norm", "mean rstd self weight");
    both("aten::instance_norm", "save_invstd save_mean self weight");
    both("aten::native_dropout", "mask");
    both("aten::embedding", "indices");
    both("aten::gather", "index self");
    both("aten::nll_loss", "self target weight");
    both("aten::lerp", "end:weight self:weight weight");
    both("aten::_trilinear", "i1:i2,i3 i2:i1,i3 i3:i1,i2");
    both("aten::sigmoid_backward", "grad_output output");
}

void Saving::whatIsKeptForEveryMask()
{
    QFETCH(QByteArray, rule);
    QFETCH(bool, in2019);
    QFETCH(bool, in26);
    const QByteArray name = QByteArray(QTest::currentDataTag()).split(' ').first();

    for (const auto& [set, applies] : {std::pair(&derivatives2019(), in2019), std::pair(&derivatives26(), in26)}) {
        if (!applies) continue;
        const Derivative& op = derivative(*set, name.data());
        for (unsigned bits = 1; bits < (1U << op.entries.size()); ++bits) {
            const std::vector<bool> wanted = maskOf(op, bits);
            QCOMPARE(kept(op, SavingRule::Guarded, wanted), expected(QString::fromUtf8(rule), op, wanted));
        }
    }
}

/// What joint formulas and several of them keep beyond that.
void Saving::exactKeepsWhatIsRead_data()
{
    QTest::addColumn<QByteArray>("rule");
    QTest::newRow("aten::convolution") << QByteArray("self:weight weight:self");
    QTest::newRow("aten::_nnpack_spatial_convolution") << QByteArray("self:weight weight:self");
    QTest::newRow("aten::addcdiv") << QByteArray("tensor1:tensor2 tensor2:tensor1,tensor2");
    QTest::newRow("aten::div") << QByteArray("other:self,other self:other");
    QTest::newRow("aten::matmul") << QByteArray("other:self self:other");
    QTest::newRow("aten::max_pool2d") << QByteArray("self");
    QTest::newRow("aten::layer_norm") << QByteArray("self:self,weight weight:self");
}

void Saving::exactKeepsWhatIsRead()
{
    QFETCH(QByteArray, rule);

    const Derivative& op = derivative(derivatives26(), QTest::currentDataTag());
    for (unsigned bits = 1; bits < (1U << op.entries.size()); ++bits) {
        const std::vector<bool> wanted = maskOf(op, bits);
        QCOMPARE(kept(op, SavingRule::Exact, wanted), expected(QString::fromUtf8(rule), op, wanted));
    }
}

void Saving::everyConditionTakesTheGuardAway_data()
{
    QTest::addColumn<QByteArray>("op");
    QTest::addColumn<QString>("wanted");
    QTest::addColumn<QString>("reasons");
    QTest::newRow("guarded") << QByteArray("op t::x(a, b)\n a: g * b\n b: g * a\n") << "a"
                             << "b=needed";
    QTest::newRow("list argument") << QByteArray("op t::x(a, b, c...)\n a: g * b\n b: g\n c: g\n") << "b"
                                   << "b=unguardable: list argument";
    QTest::newRow("lists in place, by element")
        << QByteArray("op t::_foreach_x_(a, b, c...)\n a: g * b\n b: g\n c: g\n") << "b"
        << "";
    QTest::newRow("backward operator") << QByteArray("op t::x_backward_y(a, b)\n a: g * b\n b: g * a\n") << "a"
                                       << "a=unguardable: backward operator b=unguardable: backward operator";
    QTest::newRow("only one derivative") << QByteArray("op t::x(a, b)\n a: g * b\n") << "a"
                                         << "b=unguardable: only one derivative";
    QTest::newRow("optional") << QByteArray("op t::x(a, b?)\n a: g * b\n b: g\n") << "b"
                              << "b=unguardable: not a plain tensor";
    QTest::newRow("several formulas") << QByteArray("op t::x(a, b)\n a: g * b\n b: g * b\n") << "a"
                                      << "b=unguardable: used by several formulas";
    QTest::newRow("several formulas, held") << QByteArray("op t::x(a, b)\n a: with(g, held(b))\n b: g * b\n") << "a"
                                            << "b=unguardable: used by several formulas";
    QTest::newRow("joint formula") << QByteArray("op t::x(a, b)\njoint\n a: g * b\n b: g\n") << "b"
                                   << "b=unguardable: joint formula";
    QTest::newRow("hint") << QByteArray("op t::x(a, b)\njoint\n a: g * b\n b: g\n hint b: a\n") << "b"
                          << "";
    QTest::newRow("metadata keeps nothing") << QByteArray("op t::x(a, b)\n a: g * count(b)\n b: g\n") << "a b"
                                            << "";
    QTest::newRow("output") << QByteArray("op t::x(a, b) -> y\n a: g * y\n b: g\n") << "b"
                            << "y=output";
}

void Saving::everyConditionTakesTheGuardAway()
{
    QFETCH(QByteArray, op);
    QFETCH(QString, wanted);

    const DerivativeSet set = DerivativeSet().with(op.toStdString()).value();
    const Derivative& only = set.all().front();

    QTEST(reasons(only, SavingRule::Guarded, maskOf(only, wanted)), "reasons");
}

void Saving::exactIsPartOfGuardedIsPartOfSaveAll()
{
    for (const DerivativeSet* set : {&derivatives26(), &derivatives2019()}) {
        QVERIFY(set->all().size() > 100);
        for (const Derivative& op : set->all()) {
            for (unsigned bits = 0; bits < (1U << op.entries.size()); ++bits) {
                const std::vector<bool> wanted = maskOf(op, bits);
                const QString exact = kept(op, SavingRule::Exact, wanted);
                const QString guarded = kept(op, SavingRule::Guarded, wanted);
                const QString all = kept(op, SavingRule::SaveAll, wanted);
                QVERIFY2(contains(guarded, exact) && contains(all, guarded), op.op.data());
            }
        }
    }
}

void Saving::nothingIsKeptWhereNothingIsWanted()
{
    for (const Derivative& op : derivatives26().all()) {
        for (const SavingRule rule : {SavingRule::Guarded, SavingRule::SaveAll, SavingRule::Exact})
            QCOMPARE(kept(op, rule, maskOf(op, 0U)), QString());
    }
}

void Saving::needlessTensorsAreNeededForNothing()
{
    const Derivative& op = derivative(derivatives26(), "aten::addcdiv");

    const std::vector<SavedSlot> slots_ = savedSlots(op, SavingRule::Guarded, maskOf(op, QStringLiteral("self")));

    QCOMPARE(slots_.size(), std::size_t(1));
    QCOMPARE(nameOf(op, slots_[0]), QStringLiteral("tensor2"));
    QCOMPARE(slots_[0].formulas, std::size_t(2));
    QVERIFY(slots_[0].neededFor.empty());
    QCOMPARE(kept(op, SavingRule::Exact, maskOf(op, QStringLiteral("self"))), QString());
}

QTEST_APPLESS_MAIN(Saving)
#include "tst_saving.moc"
