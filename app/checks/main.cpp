#include "app/checks/check_options.h"
#include "app/checks/checks_json.h"
#include "core/base/output_file.h"
#include "core/facts/english/english.h"
#include "kernels/cuda/cuda.h"

#include <cstdio>
#include <iostream>

#include <nlohmann/json.hpp>

/// plimsoll-device-checks: every kernel of a CUDA device against the reference. No Qt, so that it builds wherever
/// a compiler and CMake are.
using namespace plimsoll;
using namespace plimsoll::kernels;

namespace {

constexpr int Fine = 0;
constexpr int Failed = 1;
constexpr int WrongUsage = 2;
constexpr int CannotRunHere = 4;

int write(const nlohmann::ordered_json& json, const std::string& path)
{
    const std::string text = json.dump(1) + "\n";
    if (path.empty() || path == "-") {
        std::cout << text;
        return Fine;
    }
    const Status written = writeFile(path, text);
    if (written.ok()) return Fine;
    std::cerr << describe(written.error()) << "\n";
    return WrongUsage;
}

} // namespace

int main(int count, char** words)
{
    const auto arguments = checks::parseArguments({words + 1, words + count});
    if (!arguments.ok()) {
        std::cerr << describe(arguments.error()) << "\n";
        return WrongUsage;
    }
    if (arguments.value().help) {
        std::cout << checks::usageText();
        return Fine;
    }
    const auto device = arguments.value().emulated ? emulateCudaDevice() : openCudaDevice(0);
    if (!device.ok()) {
        std::cerr << english(device.error().message) << "\n";
        return CannotRunHere;
    }
    const checks::Outcome outcome = checks::runAll(*device.value(), arguments.value());
    std::cerr << outcome.summary << "\n" << checks::tableOf(outcome.json);
    const int written = write(outcome.json, arguments.value().output);
    return written != Fine ? written : outcome.failed ? Failed : Fine;
}
