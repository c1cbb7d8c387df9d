// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/program/opcode.h"

namespace coalescope::analysis::ptx {

inline constexpr int kTileRows = 8; ///< a register of a warp holds 8 rows of 16 bytes of a matrix
inline constexpr int kRowLanes = 4; ///< lanes that share a row

/// Of a product: m x k elements times k x n.
struct Shape {
    int m = 0, n = 0, k = 0;
    bool operator==(const Shape&) const = default;
};

/// Elements of a row of a or b that a tile holds.
[[nodiscard]] int tileColumns(Type element);

/// Which tile of its matrix a register of a fragment holds. Of matrices of two rows of tiles and more, the registers of two
/// rows stand side by side; of b in m16n16, those of a row do.
struct Order {
    int columns = 1; ///< tiles in a row
    bool rowsInPairs = true;

    [[nodiscard]] int row(int index) const { return rowsInPairs ? index / (2 * columns) * 2 + index % 2 : index / columns; }
    [[nodiscard]] int column(int index) const { return rowsInPairs ? index / 2 % columns : index % columns; }
    [[nodiscard]] int indexOf(int row_, int column_) const
    {
        return rowsInPairs ? row_ / 2 * 2 * columns + column_ * 2 + row_ % 2 : row_ * columns + column_;
    }
};

/// A matrix as the lanes of a warp hold it; b and, in m8n32, c are seen transposed.
struct Fragment {
    int rows = 0; ///< of tiles
    Order order;
    Type type = Type::F16;
    bool isSum = false; ///< c or d: a lane holds two neighbours of a row
    bool rowsAreNeighbours = true; ///< in memory the elements of a row stand side by side, not those of a column

    [[nodiscard]] int tiles() const { return rows * order.columns; }
    [[nodiscard]] int elementBytes() const { return type == Type::F16x2 ? 2 : bytesOf(type); }
    [[nodiscard]] int columnsOfTile() const { return isSum ? kTileRows : tileColumns(type); }
    /// Neighbours of a row that a lane holds.
    [[nodiscard]] int laneElements() const { return columnsOfTile() / kRowLanes; }
    [[nodiscard]] int registersOfTile() const { return isSum && elementBytes() > 2 ? 2 : 1; }
};

/// What the registers of a fragment are declared as.
[[nodiscard]] Type registerType(Type type);

// Where the elements of wmma's fragments lie is documented nowhere.
// Source:  what an H200 (driver 580.159.04, 2026-11-23) loaded into each lane.
// Checked: matrix_test.cpp, 41 matrices.

/// Shapes that are computed turned around, b by rows times a by columns.
[[nodiscard]] bool isTurned(const Shape& shape);
[[nodiscard]] Fragment aOf(const Shape& shape, Type element);
[[nodiscard]] Fragment bOf(const Shape& shape, Type element);
[[nodiscard]] Fragment sumOf(const Shape& shape, Type sum); ///< c and d

} // namespace coalescope::analysis::ptx
