/// @file
/// `.cstore` files as the data source of a ROOT::RDataFrame (ROOT 6.32 and newer):
///
///     auto frame = colstore::root::FromColstore("events.cstore");   // or a directory, or "run_*.cstore"
///     auto sum = frame.Filter("energy > 30").Sum("energy");
///
/// Nothing else of colstore needs ROOT. Link with libcolstore; from the interpreter:
///
///     gSystem->Load("libcolstore");
///     #include <colstore/root/RColstoreDS.hxx>

#ifndef COLSTORE_ROOT_RCOLSTOREDS_HXX
#define COLSTORE_ROOT_RCOLSTOREDS_HXX

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ROOT/RDF/RColumnReaderBase.hxx>
#include <ROOT/RDataFrame.hxx>
#include <ROOT/RDataSource.hxx>

#include <colstore/concat.hpp>
#include <colstore/table.hpp>

// The interpreter does not optimise what it compiles unless it is told to; readers are called for every value.
#ifdef __CLING__
#pragma cling optimize(2)
#endif

namespace colstore {

/// What needs ROOT. The names are in ROOT's style.
namespace root {

/// @cond INTERNAL
namespace detail {

/// A table with what the readers of all slots need to know of it.
struct Source {
    colstore::table table;
    std::vector<std::int64_t> starts; // The first row of every record that has rows, and the number of rows.

    explicit Source(colstore::table opened) : table(std::move(opened))
    {
        starts.push_back(0);
        for (const std::int64_t rows : table.record_rows()) {
            if (rows > 0) {
                starts.push_back(starts.back() + rows);
            }
        }
    }
};

/// The values of a column, one entry after the other: `Stored` as the file has them, `Given` as ROOT takes them.
///
/// A reader has a window of rows, and only what lies outside it is looked for. The window is a record, lent from the
/// mapped file, if the values lie there as ROOT wants them; else it is a block of rows that is read into a buffer.
template <class Stored, class Given>
class R__CLING_PTRCHECK(off) Reader final : public ROOT::Detail::RDF::RColumnReaderBase {
public:
    Reader(std::shared_ptr<const Source> source, std::size_t column)
        : fSource(std::move(source)), fColumn(column), fMayLend(!fSource->table.schema()[column].dtype.big_endian())
    {
    }

private:
    static constexpr std::int64_t kBlock = 16384;     // Rows to read at a time: a few pages of a column.
    static constexpr std::int64_t kWorthLending = 64; // Rows of a record below which blocks are faster.

    void *GetImpl(Long64_t entry) final
    {
        std::uint64_t position = static_cast<std::uint64_t>(entry) - fFirst;
        if (position >= fSize) {
            Move(entry);
            position = static_cast<std::uint64_t>(entry) - fFirst;
        }
        if constexpr (std::is_same_v<Stored, Given>) {
            // ROOT's readers hand out pointers to what can be changed. The mapping is read-only: a callable that took
            // a reference and wrote to it would be stopped by a signal.
            return const_cast<Stored *>(fData + position);
        } else {
            if constexpr (std::is_same_v<Given, Long64_t>) {
                fValue = fData[position].count;
            } else {
                fValue = static_cast<Given>(fData[position]);
            }
            return &fValue;
        }
    }

    void Move(Long64_t entry)
    {
        const std::vector<std::int64_t> &starts = fSource->starts;
        const auto after = std::upper_bound(starts.begin(), starts.end(), static_cast<std::int64_t>(entry));
        if (entry < 0 || after == starts.end()) {
            throw error(status::out_of_bounds, "entry " + std::to_string(entry) + " is none of the table's " +
                                                   std::to_string(starts.back()) + " rows");
        }
        const std::int64_t start = *(after - 1), stop = *after;
        if (fMayLend && stop - start >= kWorthLending) {
            fLent = fSource->table.template view_if_contiguous<Stored>(fColumn, {start, stop});
            fMayLend = fLent.has_value(); // Else the files are not mapped.
            if (fLent && fLent->is_span()) {
                return Show(start, fLent->span());
            }
        }
        const std::int64_t end = std::min<std::int64_t>(entry + kBlock, starts.back());
        fRead.resize(static_cast<std::size_t>(end - entry));
        fSource->table.read_into(fColumn, fRead, {entry, end}, {1, nullptr});
        Show(entry, fRead);
    }

    void Show(std::int64_t first, colstore::span<const Stored> values)
    {
        fFirst = static_cast<std::uint64_t>(first);
        fData = values.data();
        fSize = values.size();
    }

    const Stored *fData = nullptr;
    std::uint64_t fFirst = 0;
    std::uint64_t fSize = 0;
    Given fValue{};
    std::shared_ptr<const Source> fSource;
    std::size_t fColumn;
    bool fMayLend;
    std::optional<colstore::column<Stored>> fLent;
    colstore::result_vector<Stored> fRead;
};

/// Whether a reader of `Given` may be asked for by a type: its own, or another of the same kind and size.
template <class Given>
bool MayBe(const std::type_info &type)
{
    const auto is_one_of = [&](auto... candidates) { return ((type == typeid(candidates)) || ...); };
    if constexpr (std::is_same_v<Given, Long64_t>) {
        return is_one_of(0L, 0LL);
    } else if constexpr (std::is_same_v<Given, ULong64_t>) {
        return is_one_of(0UL, 0ULL);
    } else if constexpr (std::is_same_v<Given, Char_t>) {
        return is_one_of(char{}, static_cast<signed char>(0));
    } else {
        return type == typeid(Given);
    }
}

/// Calls `f` with the types of a column's values: as they are stored, as they are given, and the latter's name in ROOT.
/// Nothing happens for columns that are no numbers.
template <class F>
void WithTypes(const colstore::dtype &type, F &&f)
{
    if (type.kind() == 'M' || type.kind() == 'm') {
        if (type.kind() == 'M') {
            f(type_tag<datetime>{}, type_tag<Long64_t>{}, "Long64_t");
        } else {
            f(type_tag<timedelta>{}, type_tag<Long64_t>{}, "Long64_t");
        }
        return;
    }
    if (!type.is_number()) {
        return;
    }
    switch (type.kind()) {
    case 'b': return f(type_tag<boolean>{}, type_tag<bool>{}, "bool");
    case 'i':
        switch (type.itemsize()) {
        case 1: return f(type_tag<std::int8_t>{}, type_tag<Char_t>{}, "Char_t");
        case 2: return f(type_tag<Short_t>{}, type_tag<Short_t>{}, "Short_t");
        case 4: return f(type_tag<Int_t>{}, type_tag<Int_t>{}, "Int_t");
        default: return f(type_tag<Long64_t>{}, type_tag<Long64_t>{}, "Long64_t");
        }
    case 'u':
        switch (type.itemsize()) {
        case 1: return f(type_tag<UChar_t>{}, type_tag<UChar_t>{}, "UChar_t");
        case 2: return f(type_tag<UShort_t>{}, type_tag<UShort_t>{}, "UShort_t");
        case 4: return f(type_tag<UInt_t>{}, type_tag<UInt_t>{}, "UInt_t");
        default: return f(type_tag<ULong64_t>{}, type_tag<ULong64_t>{}, "ULong64_t");
        }
    default:
        switch (type.itemsize()) {
        case 2: return f(type_tag<float16>{}, type_tag<float>{}, "float");
        case 4: return f(type_tag<float>{}, type_tag<float>{}, "float");
        default: return f(type_tag<double>{}, type_tag<double>{}, "double");
        }
    }
}

} // namespace detail
/// @endcond

/// A table as the data source of a data frame: every column of numbers is a column of the frame. Booleans are `bool`,
/// halves are `float`, datetimes and timedeltas are `Long64_t`, counts of their unit; texts and long doubles are left
/// out.
///
/// Values that lie in the mapped file as ROOT wants them are used there, without a copy; a callable must not write to
/// them. Big-endian and misaligned values, booleans, halves, tiny records, and files that are not mapped are read
/// block by block. With several slots, entries are split evenly, at the borders of records where they are near.
class RColstoreDS final : public ROOT::RDF::RDataSource {
public:
    /// Of an open table, which it takes.
    explicit RColstoreDS(colstore::table table) : fSource(std::make_shared<detail::Source>(std::move(table)))
    {
        for (const column_info &column : fSource->table.schema()) {
            detail::WithTypes(column.dtype, [&](auto, auto, const char *) { fNames.emplace_back(column.name); });
        }
    }

    /// Of the file, the files of the directory, or the files that match the pattern, end to end.
    explicit RColstoreDS(path_ref path) : RColstoreDS(open_all(path)) {}

    /// The number of files.
    std::size_t GetNFiles() const final { return fSource->table.paths().size(); }

    /// The columns of numbers.
    const std::vector<std::string> &GetColumnNames() const final { return fNames; }

    /// Whether there is a column of numbers with that name.
    bool HasColumn(std::string_view name) const final
    {
        return std::find(fNames.begin(), fNames.end(), name) != fNames.end();
    }

    /// The name of the type in which a column's values are given.
    std::string GetTypeName(std::string_view name) const final
    {
        std::string found;
        detail::WithTypes(Column(name).dtype, [&](auto, auto, const char *type) { found = type; });
        return found;
    }

    /// A reader of a column for one slot.
    std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase> GetColumnReaders(unsigned int, std::string_view name,
                                                                           const std::type_info &type) final
    {
        const column_info &column = Column(name);
        const std::size_t position = fSource->table.schema().find(column.name);
        std::unique_ptr<ROOT::Detail::RDF::RColumnReaderBase> reader;
        detail::WithTypes(column.dtype, [&](auto stored, auto given, const char *type_name) {
            using Stored = typename decltype(stored)::type;
            using Given = typename decltype(given)::type;
            if (!detail::MayBe<Given>(type)) {
                throw std::runtime_error("RColstoreDS: column '" + std::string(name) + "' has the type " + type_name +
                                         " and cannot be given as another (asked for was the type with the internal "
                                         "name '" +
                                         type.name() + "'); convert it with Define");
            }
            reader = std::make_unique<detail::Reader<Stored, Given>>(fSource, position);
        });
        return reader;
    }

    /// Prepares an event loop.
    void Initialize() final { fIsDone = false; }

    /// The ranges of entries, once in every event loop.
    std::vector<std::pair<ULong64_t, ULong64_t>> GetEntryRanges() final
    {
        std::vector<std::pair<ULong64_t, ULong64_t>> ranges;
        if (std::exchange(fIsDone, true)) {
            return ranges;
        }
        std::int64_t begin = 0, end = fSource->table.n_rows();
        if (fGlobalEntryRange) {
            end =
                static_cast<std::int64_t>(std::min<ULong64_t>(fGlobalEntryRange->second, static_cast<ULong64_t>(end)));
            begin =
                static_cast<std::int64_t>(std::min<ULong64_t>(fGlobalEntryRange->first, static_cast<ULong64_t>(end)));
        }
        // Several ranges a slot, so that none waits long for another.
        const std::int64_t n_ranges = fNSlots > 1 ? 4 * static_cast<std::int64_t>(fNSlots) : 1;
        const std::int64_t length = (end - begin) / n_ranges;
        std::int64_t from = begin;
        for (std::int64_t i = 1; i <= n_ranges; ++i) {
            std::int64_t to = begin + i * length + i * ((end - begin) % n_ranges) / n_ranges;
            if (i < n_ranges) {
                to = std::max(from, NearRecord(to, length / 4));
            }
            if (to > from) {
                ranges.emplace_back(static_cast<ULong64_t>(from), static_cast<ULong64_t>(to));
            }
            from = to;
        }
        return ranges;
    }

    /// Readers are asked by entry, so there is nothing to do.
    bool SetEntry(unsigned int, ULong64_t) final { return true; }

    /// What ROOT calls it.
    std::string GetLabel() final { return "Colstore"; }

protected:
    /// @cond INTERNAL
    std::string AsString() final { return "colstore data source"; }

    std::string DescribeDataset() final
    {
        return "Dataframe from a colstore table of " + std::to_string(fSource->table.n_rows()) + " rows in " +
               std::to_string(GetNFiles()) + " files";
    }

    Record_t GetColumnReadersImpl(std::string_view, const std::type_info &) final { return {}; }
    /// @endcond

private:
    const column_info &Column(std::string_view name) const
    {
        if (!HasColumn(name)) {
            throw std::runtime_error("RColstoreDS: there is no column of numbers called '" + std::string(name) + "'");
        }
        return fSource->table.schema().at(name);
    }

    /// The border of records nearest to a row, if one is within `reach`; else the row.
    std::int64_t NearRecord(std::int64_t row, std::int64_t reach) const
    {
        const auto after = std::lower_bound(fSource->starts.begin(), fSource->starts.end(), row);
        std::int64_t nearest = row, distance = reach + 1;
        if (after != fSource->starts.end() && *after - row < distance) {
            nearest = *after;
            distance = *after - row;
        }
        if (after != fSource->starts.begin() && row - *(after - 1) < distance) {
            nearest = *(after - 1);
        }
        return nearest;
    }

    std::shared_ptr<const detail::Source> fSource;
    std::vector<std::string> fNames;
    bool fIsDone = false;
};

/// A data frame over the file, the files of a directory, or the files that match a pattern.
[[nodiscard]] inline ROOT::RDataFrame FromColstore(path_ref path)
{
    return ROOT::RDataFrame(std::make_unique<RColstoreDS>(path));
}

/// A data frame over an open table, which it takes.
[[nodiscard]] inline ROOT::RDataFrame FromColstore(colstore::table table)
{
    return ROOT::RDataFrame(std::make_unique<RColstoreDS>(std::move(table)));
}

} // namespace root

} // namespace colstore

#endif
