#include "app/cli/asked_apart.h"
#include "core/facts/english/english.h"

#include <QTest>

#include <csignal>

using namespace plimsoll;
using namespace plimsoll::cli;

/// Libraries are asked where a fault costs their offers and no more.
class tst_CliAskedApart : public QObject
{
    Q_OBJECT

private slots:
    void theAnswerIsThatOfTheChild()
    {
        const auto answer = askApart([]() -> Result<Catalogue> {
            Catalogue catalogue;
            catalogue.environment["isa"] = Message("AVX2");
            Implementation offer;
            offer.backend = "onednn";
            offer.name = "jit";
            offer.timeMs = 0.1 + 0.2;
            catalogue.offers["conv"] = {offer};
            catalogue.absent["cuda"] = Message("no device");
            return catalogue;
        });

        QVERIFY(answer.ok());
        QCOMPARE(english(answer.value().environment.at("isa")), std::string("AVX2"));
        QCOMPARE(english(answer.value().absent.at("cuda")), std::string("no device"));
        QCOMPARE(answer.value().offers.at("conv").front().name, std::string("jit"));
        QCOMPARE(answer.value().offers.at("conv").front().timeMs, 0.1 + 0.2);
    }

    void aFaultCostsTheOffers()
    {
        const auto answer = askApart([]() -> Result<Catalogue> {
            std::signal(SIGFPE, SIG_DFL);
            std::raise(SIGFPE);
            return Catalogue {};
        });

        QVERIFY(answer.ok());
        QVERIFY(answer.value().offers.empty());
        QCOMPARE(
            english(answer.value().environment.at(OffersKey)),
            std::string("Nothing is on offer: a library was ended by a Floating point exception (signal 8) while it "
                        "was asked."));
    }
};

QTEST_APPLESS_MAIN(tst_CliAskedApart)
#include "tst_cli_asked_apart.moc"
