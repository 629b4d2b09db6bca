#include "core/facts/english/english.h"
#include "core/plan/policies.h"

#include <QtTest>

using namespace plimsoll;

class PoliciesTest : public QObject
{
    Q_OBJECT

private slots:
    void everyValueCanBeSetAndReadBack()
    {
        for (const PolicyInfo& info : policyTable()) {
            QCOMPARE(info.values.size(), info.valueMeanings.size());
            for (const std::string_view value : info.values) {
                Policies policies;
                QVERIFY2(setPolicy(policies, info.id, value).ok(), value.data());
                QCOMPARE(policyValue(policies, info.id), std::string(value));
            }
        }
    }

    void theFirstValueIsTheDefault()
    {
        for (const PolicyInfo& info : policyTable()) {
            if (!info.values.empty()) QCOMPARE(policyValue(Policies {}, info.id), std::string(info.values.front()));
        }
        QCOMPARE(policyValue(Policies {}, "alignment"), std::string("64"));
        QCOMPARE(policyValue(Policies {}, "capacity"), std::string("none"));
        QCOMPARE(policyValue(Policies {}, "calls"), std::string("once"));
    }

    void sizesAreRead_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("kept");
        QTest::newRow("alignment") << "alignment"
                                   << "4KiB"
                                   << "4096";
        QTest::newRow("capacity of the default space") << "capacity"
                                                       << "1MiB"
                                                       << "cpu=1048576";
        QTest::newRow("capacities by space") << "capacity"
                                             << "sram=64KiB,cpu=2MiB"
                                             << "cpu=2097152,sram=65536";
        QTest::newRow("reserved") << "reserved"
                                  << "sram=60KiB+4KiB,0+1KiB:boot loader"
                                  << "cpu=0+1024:boot loader,sram=61440+4096";
        QTest::newRow("nothing reserved") << "reserved"
                                          << "none"
                                          << "none";
        QTest::newRow("match range") << "match-range"
                                     << "0"
                                     << "0";
        QTest::newRow("colours") << "colours"
                                 << "3"
                                 << "3";
        QTest::newRow("calls") << "calls"
                               << "train,infer,train"
                               << "train,infer,train";
        QTest::newRow("no capacity") << "capacity"
                                     << "none"
                                     << "none";
    }
    void sizesAreRead()
    {
        QFETCH(QString, id);
        QFETCH(QString, value);
        QFETCH(QString, kept);
        Policies policies;

        QVERIFY(setPolicy(policies, id.toStdString(), value.toStdString()).ok());

        QCOMPARE(QString::fromStdString(policyValue(policies, id.toStdString())), kept);
    }

    void somePoliciesNeedAnother()
    {
        QStringList idle;
        Policies policies;
        for (const PolicyInfo& policy : policyTable())
            if (!hasEffect(policies, policy)) idle << QString::fromStdString(std::string(policy.id));
        QCOMPARE(idle.join(u' '), QStringLiteral("match-range match-range-search colours"));

        QVERIFY(setPolicy(policies, "placement", "storage-reuse").ok());

        for (const PolicyInfo& policy : policyTable())
            QVERIFY(hasEffect(policies, policy));
    }

    void whatDoesNotExistIsRefusedWithWhatDoes_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("policy") << "no-such"
                                << "on"
                                << "outputs, inputs, inplace";
        QTest::newRow("value") << "outputs"
                               << "maybe"
                               << "independent, read-only, copy-on-write, external, shared";
        QTest::newRow("alignment of three") << "alignment"
                                            << "3"
                                            << "power of two";
        QTest::newRow("alignment of zero") << "alignment"
                                           << "0"
                                           << "power of two";
        QTest::newRow("alignment without end") << "alignment"
                                               << "9223372036854775807"
                                               << "power of two";
        QTest::newRow("capacity") << "capacity"
                                  << "cpu=lots"
                                  << "capacity must be";
        QTest::newRow("capacity of no space") << "capacity"
                                              << "=5"
                                              << "capacity must be";
        QTest::newRow("capacity of one space twice") << "capacity"
                                                     << "cpu=1,cpu=2"
                                                     << "Policy capacity names 'cpu' twice";
        for (const char* wrong : {"5", "0+0", "0+lots", "=0+1", "-1+4", "9223372036854775807+1", "0:a+b"}) {
            QTest::newRow(qPrintable(QStringLiteral("reserved %1").arg(QLatin1String(wrong))))
                << "reserved" << wrong << "Policy reserved must be";
        }
        QTest::newRow("match range below zero") << "match-range"
                                                << "-1"
                                                << "Policy match-range must be a number from 0 to 1099511627776";
        QTest::newRow("match range with a unit") << "match-range"
                                                 << "4K"
                                                 << "Policy match-range must be";
        QTest::newRow("calls") << "calls"
                               << "train,backward"
                               << "Policy calls: a backward has no forward before it";
        QTest::newRow("no colours") << "colours"
                                    << "0"
                                    << "Policy colours must be a number from 1 to 1024";
    }
    void whatDoesNotExistIsRefusedWithWhatDoes()
    {
        QFETCH(QString, id);
        QFETCH(QString, value);
        QFETCH(QString, message);
        Policies policies;

        const Status status = setPolicy(policies, id.toStdString(), value.toStdString());

        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, ErrorCode::BadUsage);
        QVERIFY2(QString::fromStdString(english(status.error().message)).contains(message),
                 english(status.error().message).c_str());
        QVERIFY(policies == Policies {});
    }
};

QTEST_APPLESS_MAIN(PoliciesTest)
#include "tst_policies.moc"
