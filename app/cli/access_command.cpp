// SPDX-License-Identifier: Apache-2.0
#include "app/cli/access_row.h"
#include "app/cli/commands.h"
#include "app/cli/csv_reader.h"
#include "app/cli/output.h"
#include "app/cli/report_error.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace coalescope::cli {

namespace {

constexpr std::size_t kLargestBatchBytes = std::size_t(2) << 30;

struct AccessOptions {
    std::string space, op, width, offsets, batch;
    bool json = false;
};

/// One access with what it counts.
struct AccessRow {
    std::string id;
    AccessCounts counts;
};

/// A column of the batch file: its name, where its text goes, and its place in the file.
struct BatchColumn {
    std::string_view name;
    std::string_view AccessText::*member;
    std::ptrdiff_t index = -1;
};

Result<std::string> readAll(const std::string& path)
{
    std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
    if (!file)
        return fail(ErrorCode::FileFailed, "the file cannot be opened", path);
    std::string text;
    std::array<char, 1 << 16> block;
    while (const std::size_t read = std::fread(block.data(), 1, block.size(), file)) {
        text.append(block.data(), read);
        if (text.size() > kLargestBatchBytes)
            break;
    }
    const bool broken = std::ferror(file);
    if (file != stdin)
        std::fclose(file);
    if (broken)
        return fail(ErrorCode::FileFailed, "the file cannot be read", path);
    if (text.size() > kLargestBatchBytes)
        return fail(ErrorCode::BadInput, "the batch is larger than 2 GiB; split it", path);
    return text;
}

std::ptrdiff_t indexOf(const std::vector<std::string_view>& header, std::string_view name)
{
    const auto column = std::ranges::find(header, name);
    return column == header.end() ? -1 : column - header.begin();
}

/// The rows of a batch file; options stand in for columns that it lacks.
class BatchReader {
public:
    BatchReader(const AccessOptions& options, std::string_view text)
        : m_name(options.batch == "-" ? "standard input" : options.batch)
        , m_defaults { .space = options.space,
            .op = options.op,
            .width = options.width,
            .offsets = {} }
        , m_csv(text)
    {
    }

    Result<std::vector<AccessRow>> rows()
    {
        if (auto header = readHeader(); !header)
            return std::unexpected(std::move(header.error()));
        std::vector<AccessRow> rows;
        for (;;) {
            const auto more = m_csv.next(m_fields);
            if (!more)
                return std::unexpected(placed(more.error()));
            if (!*more)
                return rows;
            auto row = readRow();
            if (!row)
                return std::unexpected(placed(row.error()));
            rows.push_back(std::move(*row));
        }
    }

private:
    Error placed(Error error) const
    {
        error.where = fmt::format("{}:{}", m_name, m_csv.line())
            + (error.where.empty() ? "" : ", column " + error.where);
        return error;
    }

    Result<void> readHeader()
    {
        const auto more = m_csv.next(m_fields);
        if (!more)
            return std::unexpected(placed(more.error()));
        if (!*more)
            return fail(ErrorCode::BadInput, "the file is empty", m_name);
        m_id = indexOf(m_fields, "id");
        for (BatchColumn& column : m_columns)
            column.index = indexOf(m_fields, column.name);
        for (const BatchColumn& column : m_columns) {
            const bool needed = column.name == "op" || column.name == "offsets";
            if (needed && column.index < 0 && (m_defaults.*column.member).empty())
                return std::unexpected(placed({ .code = ErrorCode::BadInput,
                    .detail = fmt::format("the header has no column \"{}\"; it should name "
                                          "id, space, op, width and offsets",
                        column.name) }));
        }
        return {};
    }

    Result<AccessRow> readRow()
    {
        AccessText text = m_defaults;
        for (const BatchColumn& column : m_columns) {
            if (column.index < 0)
                continue;
            if (std::size_t(column.index) >= m_fields.size())
                return fail(ErrorCode::BadInput, "the row ends before this column",
                    std::string(column.name));
            text.*column.member = m_fields[std::size_t(column.index)];
        }
        auto counts = countAccess(text);
        if (!counts)
            return std::unexpected(std::move(counts.error()));
        const bool named = m_id >= 0 && std::size_t(m_id) < m_fields.size();
        return AccessRow { .id = std::string(named ? m_fields[std::size_t(m_id)] : ""),
            .counts = *counts };
    }

    std::string m_name;
    AccessText m_defaults;
    CsvReader m_csv;
    std::vector<std::string_view> m_fields;
    std::ptrdiff_t m_id = -1;
    std::array<BatchColumn, 4> m_columns { {
        { .name = "space", .member = &AccessText::space },
        { .name = "op", .member = &AccessText::op },
        { .name = "width", .member = &AccessText::width },
        { .name = "offsets", .member = &AccessText::offsets },
    } };
};

std::string quoted(const std::string& text)
{
    const auto plain
        = [](unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; };
    if (std::ranges::all_of(text, plain))
        return '"' + text + '"';
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string jsonLines(const std::vector<AccessRow>& rows)
{
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    for (const AccessRow& row : rows) {
        fmt::format_to(out, "{{\"id\":{}", quoted(row.id));
        for (std::size_t column = 0; column < kAccessColumns; ++column) {
            if (row.counts[column])
                fmt::format_to(out, ",\"{}\":{}", kAccessColumnNames[column], *row.counts[column]);
            else
                fmt::format_to(out, ",\"{}\":null", kAccessColumnNames[column]);
        }
        text.append(std::string_view("}\n"));
    }
    return fmt::to_string(text);
}

std::string table(const std::vector<AccessRow>& rows)
{
    std::size_t idWidth = 2;
    for (const AccessRow& row : rows)
        idWidth = std::max(idWidth, row.id.size());
    fmt::memory_buffer text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{:<{}}", "id", idWidth);
    for (const std::string_view name : kAccessColumnNames)
        fmt::format_to(out, "  {}", name);
    for (const AccessRow& row : rows) {
        fmt::format_to(out, "\n{:<{}}", row.id, idWidth);
        for (std::size_t column = 0; column < kAccessColumns; ++column) {
            const std::size_t width = kAccessColumnNames[column].size() + 2;
            if (row.counts[column])
                fmt::format_to(out, "{:>{}}", *row.counts[column], width);
            else
                fmt::format_to(out, "{:>{}}", '-', width);
        }
    }
    text.push_back('\n');
    return fmt::to_string(text);
}

Result<std::vector<AccessRow>> rowsOf(const AccessOptions& options)
{
    if (!options.batch.empty()) {
        if (!options.offsets.empty())
            return fail(ErrorCode::WrongUsage, "--batch and --offsets exclude each other");
        const auto text = readAll(options.batch);
        if (!text)
            return std::unexpected(text.error());
        return BatchReader(options, *text).rows();
    }
    if (options.op.empty() || options.offsets.empty())
        return fail(ErrorCode::WrongUsage, "an access needs --op and --offsets, or --batch FILE");
    auto counts = countAccess({ .space = options.space,
        .op = options.op,
        .width = options.width,
        .offsets = options.offsets });
    if (!counts)
        return fail(
            ErrorCode::WrongUsage, std::move(counts.error().detail), "--" + counts.error().where);
    return std::vector { AccessRow { .id = "access", .counts = *counts } };
}

int runAccess(const AccessOptions& options)
{
    const auto rows = rowsOf(options);
    if (!rows)
        return reportError(rows.error());
    const std::string text = options.json ? jsonLines(*rows) : table(*rows);
    return printResult(text);
}

} // namespace

void addAccessCommand(CLI::App& app, int& status)
{
    CLI::App* command = app.add_subcommand(
        "access", "Sectors, tags and wavefronts of one warp access, or of a CSV file of them");
    auto options = std::make_shared<AccessOptions>();
    command->add_option("--space", options->space, "shared or global");
    command->add_option(
        "--op", options->op, "ld, st, atom, red, atoms.cas.b32 .cas.b64 .exch.b64 .popc.inc, ldmatrix.x1 .x2 .x4, cp.async.4 .8 .16");
    command->add_option("--width", options->width, "Bytes a lane: 1, 2, 4, 8 or 16");
    command->add_option("--offsets", options->offsets,
        "Byte offset of each lane, from lane 0; -1: inactive, as are the lanes left out");
    command->add_option("--batch", options->batch,
        "CSV file with the columns id, space, op, width and offsets; - is standard input");
    command->add_flag("--json", options->json, "Print one JSON object a row");
    command->footer("A dash, or null in JSON, stands where no model is confirmed by measurements. What counts accesses of the space\n"
                    "that this one does not touch is 0: wavefronts and conflicts are shared memory's.");
    command->callback([options, &status] { status = runAccess(*options); });
}

} // namespace coalescope::cli
