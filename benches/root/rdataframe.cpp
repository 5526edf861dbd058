// Times a data frame's sum of a filtered column over a .cstore file, over an uncompressed TTree of the same data, and
// over a data source that does nothing, which shows what ROOT itself takes. Started by run.py.
//
//     rdataframe FILE.cstore FILE.root ROWS THREADS ROUNDS
//
// It makes the files if they are not there.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <memory>
#include <random>
#include <vector>

#include <TFile.h>
#include <TROOT.h>
#include <TTree.h>

#include <colstore/root/RColstoreDS.hxx>
#include <colstore/store.hpp>

namespace {

void make_files(const char *cstore, const char *root, std::size_t rows)
{
    if (std::filesystem::exists(cstore) && std::filesystem::exists(root)) {
        return;
    }
    std::mt19937_64 random(1);
    std::normal_distribution<double> normal;
    std::vector<double> x(rows), y(rows);
    for (std::size_t i = 0; i < rows; ++i) {
        x[i] = normal(random);
        y[i] = normal(random);
    }
    colstore::store_options options;
    options.mode = colstore::store_mode::recreate;
    colstore::store(cstore, {{"x", x}, {"y", y}}, options);

    TFile file(root, "RECREATE", "", 0);
    auto tree = std::make_unique<TTree>("t", "t");
    double one_x = 0, one_y = 0;
    tree->Branch("x", &one_x);
    tree->Branch("y", &one_y);
    for (std::size_t i = 0; i < rows; ++i) {
        one_x = x[i];
        one_y = y[i];
        tree->Fill();
    }
    tree->Write();
    tree.reset();
    file.Close();
}

// A reader that finds its value at once: the least that any data source can take.
class R__CLING_PTRCHECK(off) NothingReader final : public ROOT::Detail::RDF::RColumnReaderBase {
    double fValues[64];
    void *GetImpl(Long64_t entry) final { return fValues + entry % 64; }

public:
    NothingReader()
    {
        // About half of them positive, in no order that a processor could foresee for long.
        std::mt19937_64 random(2);
        std::normal_distribution<double> normal;
        std::generate(std::begin(fValues), std::end(fValues), [&] { return normal(random); });
    }
};

class NothingDS final : public ROOT::RDF::RDataSource {
    ULong64_t fRows;
    std::vector<std::string> fNames{"x", "y"};
    bool fIsDone = false;
    Record_t GetColumnReadersImpl(std::string_view, const std::type_info &) final { return {}; }

public:
    explicit NothingDS(ULong64_t rows) : fRows(rows) {}
    const std::vector<std::string> &GetColumnNames() const final { return fNames; }
    bool HasColumn(std::string_view name) const final { return name == "x" || name == "y"; }
    std::string GetTypeName(std::string_view) const final { return "double"; }
    bool SetEntry(unsigned int, ULong64_t) final { return true; }
    void Initialize() final { fIsDone = false; }
    std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase> GetColumnReaders(unsigned int, std::string_view,
                                                                           const std::type_info &) final
    {
        return std::make_unique<NothingReader>();
    }
    std::vector<std::pair<ULong64_t, ULong64_t>> GetEntryRanges() final
    {
        std::vector<std::pair<ULong64_t, ULong64_t>> ranges;
        if (!std::exchange(fIsDone, true)) {
            for (ULong64_t i = 0; i < fNSlots; ++i) {
                ranges.emplace_back(fRows * i / fNSlots, fRows * (i + 1) / fNSlots);
            }
        }
        return ranges;
    }
};

// What a loop comes to, and takes: on the clock, and of all processors, which counts where other programs run too.
struct measurement {
    double sum = 0, seconds = 1e9, processor_seconds = 1e9;

    // The sum of y where x is positive.
    void add(ROOT::RDataFrame frame)
    {
        auto result = frame.Filter([](double x) { return x > 0; }, {"x"}).Sum<double>("y");
        const auto begin = std::chrono::steady_clock::now();
        const std::clock_t processor_begin = std::clock();
        sum = *result;
        const std::clock_t ticks = std::clock() - processor_begin;
        seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
        processor_seconds = std::min(processor_seconds, static_cast<double>(ticks) / CLOCKS_PER_SEC);
    }

    void print(const char *name) const
    {
        std::printf("  %-26s %6.3f s, of processors %6.3f s\n", name, seconds, processor_seconds);
    }
};

} // namespace

int main(int argc, char **argv)
{
    if (argc != 6) {
        std::fprintf(stderr, "usage: %s FILE.cstore FILE.root ROWS THREADS ROUNDS\n", argv[0]);
        return 2;
    }
    const auto rows = static_cast<std::size_t>(std::atoll(argv[3]));
    make_files(argv[1], argv[2], rows);
    if (const int threads = std::atoi(argv[4]); threads > 1) {
        ROOT::EnableImplicitMT(static_cast<unsigned>(threads));
    }
    measurement ours, tree, nothing;
    // In turns, so that whatever else the machine does falls on all of them.
    for (int round = 0; round < std::atoi(argv[5]); ++round) {
        ours.add(colstore::root::FromColstore(argv[1]));
        tree.add(ROOT::RDataFrame("t", argv[2]));
        nothing.add(ROOT::RDataFrame(std::make_unique<NothingDS>(rows)));
    }
    std::printf("%s threads, %zu rows\n", argv[4], rows);
    ours.print("colstore");
    tree.print("TTree, not compressed");
    nothing.print("a source that does nothing");
    const double above = std::max(0.0, ours.processor_seconds - nothing.processor_seconds);
    std::printf(
        "  TTree takes %.2f times as long (of processors %.2f); of colstore's time %.0f %% is in the data source\n",
        tree.seconds / ours.seconds, tree.processor_seconds / ours.processor_seconds,
        100 * above / ours.processor_seconds);
    std::printf("  the sums are %.9g and %.9g\n", ours.sum, tree.sum);
    return std::abs(ours.sum - tree.sum) < 1e-6 ? 0 : 1;
}
