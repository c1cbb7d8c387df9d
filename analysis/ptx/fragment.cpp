// SPDX-License-Identifier: Apache-2.0
#include "analysis/ptx/fragment.h"

namespace coalescope::analysis::ptx {

int tileColumns(Type element) { return element == Type::F64 ? kRowLanes : 16 / bytesOf(element); }

Type registerType(Type type) { return bytesOf(type) == 8 ? Type::F64 : Type::B32; }

namespace {

Fragment operandFragment(int rows, int k, Type element)
{
    const int tiles = rows / kTileRows;
    return { .rows = tiles, .order = { .columns = k / tileColumns(element), .rowsInPairs = tiles != 1 }, .type = element };
}

} // namespace

Fragment aOf(const Shape& shape, Type element) { return operandFragment(shape.m, shape.k, element); }
Fragment bOf(const Shape& shape, Type element)
{
    Fragment b = operandFragment(shape.n, shape.k, element);
    b.order.rowsInPairs = b.rows > 2;
    return b;
}
bool isTurned(const Shape& shape) { return shape.m == 8 && shape.n == 32; }
Fragment sumOf(const Shape& shape, Type sum)
{
    const int m = isTurned(shape) ? shape.n : shape.m, n = isTurned(shape) ? shape.m : shape.n;
    return { .rows = m / kTileRows, .order = { .columns = n / kTileRows, .rowsInPairs = m != kTileRows }, .type = sum, .isSum = true };
}

} // namespace coalescope::analysis::ptx
