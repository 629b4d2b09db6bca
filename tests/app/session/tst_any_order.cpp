#include "app/session/job_runner.h"
#include "app/session/policy_costs.h"
#include "app/session/search_job.h"
#include "app/session/session.h"

#include "tests/app/support/app_samples.h"
#include "tests/support/first_seed.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QTest>
#include <QThread>

#include <algorithm>
#include <functional>
#include <random>

using namespace plimsoll;
using namespace plimsoll::app;

namespace {

Engine engine()
{
    Engine engine = test::unsearchingEngine(); // so that there is something to search for
    engine.read = [](const std::filesystem::path&, const Context&) -> Result<FormatContent> {
        return FormatContent {test::smallGraph()};
    };
    return engine;
}

/// A session as the window has it, and all that a user may do while its worker is anywhere.
struct Shaken
{
    JobRunner jobs;
    Session session {engine(), jobs};
    PolicyCosts costs {session, jobs};
    SearchJob search {session, jobs};
    std::mt19937 dice;

    explicit Shaken(unsigned seed) : dice(seed) {}

    int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(dice); }

    void set(const char* policy, const char* value)
    {
        if (!session.setPolicy(QString::fromLatin1(policy), QString::fromLatin1(value)).ok())
            qFatal("%s=%s is refused", policy, value);
    }

    void act()
    {
        const std::function<void()> actions[] = {
            [&] { session.open(QStringLiteral("small.json")); },
            [&] { session.close(); },
            [&] { session.reload(); },
            [&] { session.giveUp(); },
            [&] { set("placement", below(2) == 0 ? "no-reuse" : "best"); },
            [&] { set("inplace", below(2) == 0 ? "off" : "on"); },
            [&] { session.undo(); },
            [&] { session.redo(); },
            [&] { session.makeOwnPlan(); },
            [&] { session.judgePlan(QStringLiteral("plan.json")); }, // which is not there
            [&] { search.start(0.001 * below(20)); },
            [&] { search.stop(); },
            [&] { jobs.stop(QStringLiteral("search")); },
            [&] { costs.setEnabled(below(2) == 0); },
        };
        const int chosen = below(static_cast<int>(std::size(actions)));
        if (session.report() || chosen < 4)
            actions[chosen]();
        else if (!session.busy())
            actions[0]();
    }
};

} // namespace

/// Stop, plan again and close in any order: nothing is shown that belongs to what is gone, and all ends.
class AnyOrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void nothingBreaksAndAllSettles()
    {
        bool given = false;
        const int wanted = qEnvironmentVariableIntValue("PLIMSOLL_COUNT", &given);
        const int rounds = given ? wanted : 500;
        const unsigned first = test::firstSeed(1);
        constexpr int EachSession = 50;
        int seen = 0;
        for (int round = 0; round < rounds; round += EachSession) {
            Shaken shaken(first + static_cast<unsigned>(round));
            const QByteArray seed = QByteArray::number(first + static_cast<unsigned>(round));
            for (int i = 0; i < EachSession; ++i) {
                shaken.act();
                if (shaken.below(3) == 0) QThread::usleep(static_cast<unsigned long>(shaken.below(2000)));
                if (shaken.below(2) == 0) QCoreApplication::processEvents();
                const auto report = shaken.session.report();
                seen += report ? 1 : 0;
                QVERIFY2(!report || shaken.session.graph(), seed);
                QVERIFY2(!report || report->memory.peakBytes >= report->memory.lowerBoundBytes, seed);
            }
            if (shaken.below(4) == 0) continue; // it goes while the worker is anywhere
            shaken.search.stop();
            shaken.session.open(QStringLiteral("small.json"));
            QTRY_VERIFY2_WITH_TIMEOUT(!shaken.session.busy() && shaken.session.report(), seed, 20000);
            shaken.set("placement", "no-reuse");
            QTRY_VERIFY2_WITH_TIMEOUT(!shaken.session.busy() && shaken.session.report()->memory.peakBytes ==
                                                                    shaken.session.report()->memory.noReuseBytes,
                                      seed, 20000);
        }
        QVERIFY(seen > 0); // not by having nothing open; how often, time says
    }
};

QTEST_GUILESS_MAIN(AnyOrderTest)
#include "tst_any_order.moc"
