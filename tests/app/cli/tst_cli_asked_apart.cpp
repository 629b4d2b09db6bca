#include "app/cli/asked_apart.h"
#include "core/facts/english/english.h"
#include "core/sandbox/sandbox.h"

#include <QTest>

#include <csignal>
#include <memory>
#include <sys/socket.h>
#include <vector>

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
            catalogue.environment["int8"] = say("onednn.no-instructions");
            catalogue.absent["cuda"] = Message("no device");
            return catalogue;
        });

        QVERIFY(answer.ok());
        QCOMPARE(english(answer.value().environment.at("isa")), std::string("AVX2"));
        QCOMPARE(answer.value().environment.at("int8"), say("onednn.no-instructions")); // for any language
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

    void whatALibraryMayNotTryCostsTheOffers()
    {
        if (!sandboxGaps().empty()) QSKIP("there is no sandbox here");
        const auto answer = askApart([]() -> Result<Catalogue> {
            socket(AF_INET, SOCK_STREAM, 0);
            return Catalogue {};
        });

        QVERIFY(answer.ok());
        QCOMPARE(english(answer.value().environment.at(OffersKey)),
                 std::string("Nothing is on offer: a library tried to open a network connection while it was asked, "
                             "and was ended."));
    }

    void memoryBeyondTheMachinesCostsTheOffers()
    {
        if (!sandboxGaps().empty()) QSKIP("sanitizers have an allocator of their own");
        const auto answer = askApart([]() -> Result<Catalogue> {
            std::signal(SIGABRT, SIG_DFL);
            std::vector<std::unique_ptr<char[]>> pieces; // untouched: what a system that overcommits gives
            for (int taken = 0; taken < 100; ++taken)
                pieces.emplace_back(new char[std::size_t {1} << 30]);
            return Catalogue {};
        });

        QVERIFY(answer.ok());
        QCOMPARE(english(answer.value().environment.at(OffersKey)),
                 std::string("Nothing is on offer: a library was ended by a Aborted (signal 6) while it was asked."));
    }
};

QTEST_APPLESS_MAIN(tst_CliAskedApart)
#include "tst_cli_asked_apart.moc"
