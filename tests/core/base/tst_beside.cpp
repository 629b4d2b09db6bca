#include <QTest>

#ifndef Q_MOC_RUN // moc 6.4 cannot parse <future>
#include "core/base/beside.h"

#include <stdexcept>
#include <sys/resource.h>
#include <thread>
#endif

using namespace plimsoll;

namespace {

/// No thread can be had for as long as it is there: there is no room for its stack.
class NoThreads
{
public:
    NoThreads()
    {
        getrlimit(RLIMIT_AS, &m_before);
        rlimit none = m_before;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_AS, &none);
    }
    ~NoThreads() { setrlimit(RLIMIT_AS, &m_before); }
    NoThreads(const NoThreads&) = delete;
    NoThreads& operator=(const NoThreads&) = delete;

private:
    rlimit m_before {};
};

} // namespace

class BesideTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutAThreadItIsDoneAtOnce() // first: the stack of a thread that ended is used again
    {
        std::thread::id by;
        {
            const NoThreads none;
            auto made = beside([&] {
                by = std::this_thread::get_id();
                return 7;
            });
            QCOMPARE(made.get(), 7);
        }
        QCOMPARE(by, std::this_thread::get_id());
    }

    void aThreadOfItsOwnDoesIt()
    {
        std::thread::id by;
        beside([&] { by = std::this_thread::get_id(); }).get();
        QVERIFY(by != std::this_thread::get_id());
    }

    void whatItThrowsIsThrownByGet()
    {
        auto made = beside([]() -> int { throw std::runtime_error("no"); });
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, static_cast<void>(made.get()));
    }
};

QTEST_APPLESS_MAIN(BesideTest)
#include "tst_beside.moc"
