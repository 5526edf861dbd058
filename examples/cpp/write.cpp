// Writes a file record by record, as a program does that takes data until it is told to stop; then looks at it, puts
// its records together, and adds it as a shard to a directory.
//
//     cargo build --release -p colstore-ffi
//     c++ -std=c++17 examples/cpp/write.cpp -Iinclude -Ibindings/cpp/include -Ltarget/release -lcolstore -o write
//     LD_LIBRARY_PATH=target/release ./write run.cstore runs

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <colstore.hpp>

namespace {

// What is taken. The compiler leaves a gap behind the channel, which is not written.
struct sample {
    std::uint16_t channel;
    double volts;
};

const colstore::record<sample> sample_record{{"channel", &sample::channel}, {"volts", &sample::volts}};

// The next samples, a different number every time.
std::vector<sample> take(int round)
{
    std::vector<sample> samples(static_cast<std::size_t>(1000 + 100 * round));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i] = {static_cast<std::uint16_t>(i % 16), std::sin(0.01 * static_cast<double>(i))};
    }
    return samples;
}

void write_run(const std::string &path)
{
    colstore::writer_options options;
    options.mode = colstore::writer_mode::recreate;
    options.statistics = true;
    auto out = colstore::writer::open(path, options);
    for (int round = 0; round < 10; ++round) {
        const std::vector<sample> samples = take(round);
        out.write(colstore::columns_of<sample>(sample_record, samples));
        if (round % 4 == 3) {
            out.commit(); // What was written so far survives a power cut, and readers see it.
        }
    }
    // Without this, as when something throws above, what was not committed would be taken away.
    out.close();
    const colstore::writer_info info = out.info();
    std::printf("%s: %lld rows in %lld records\n", path.c_str(), static_cast<long long>(info.n_rows),
                static_cast<long long>(info.n_records));
}

void check(const std::string &path)
{
    colstore::verify_options options;
    options.deep = true;
    const auto report = colstore::verify(path, options);
    for (const colstore::finding &found : report) {
        std::printf("  %.*s\n", static_cast<int>(found.message.size()), found.message.data());
    }
    std::printf("%s\n", report.ok() ? "it is sound" : "it is damaged");
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s FILE DIRECTORY\n", argv[0]);
        return 2;
    }
    try {
        const std::string path = argv[1];
        write_run(path);
        check(path);
        colstore::compact(path);
        const auto run = colstore::table::open(path);
        std::printf("compacted: %lld record\n", static_cast<long long>(run.n_records()));
        const std::string shard = colstore::append(argv[2], run);
        std::printf("added as %s\n", shard.c_str());
    } catch (const colstore::error &failure) {
        std::fprintf(stderr, "write: %s: %s\n", colstore::status_name(failure.status()), failure.what());
        return 1;
    }
    return 0;
}
