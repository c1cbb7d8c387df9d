// SPDX-License-Identifier: Apache-2.0
// What the CUDA runtime has for memory of three dimensions, and what else the readers of host code read as they read a program: it stands
// before programs that name it, and is never compiled. Rows have a pitch, a slice is `ysize` rows.

template <typename T>
struct type_identity {
    using type = T;
};

struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    void* srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    void* dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    int kind;
};

cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    cudaExtent made;
    made.width = width;
    made.height = height;
    made.depth = depth;
    return made;
}

cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    cudaPos made;
    made.x = x;
    made.y = y;
    made.z = z;
    return made;
}

cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize, size_t ysize)
{
    cudaPitchedPtr made;
    made.ptr = pointer;
    made.pitch = pitch;
    made.xsize = xsize;
    made.ysize = ysize;
    return made;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* made, cudaExtent extent)
{
    made->xsize = extent.width;
    made->ysize = extent.height;
    return cudaMallocPitch(&made->ptr, &made->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent)
{
    if (extent.height == memory.ysize) // rows' ends, which nobody reads, are set as well
        return cudaMemset(memory.ptr, value, memory.pitch * extent.height * extent.depth);
    for (size_t z = 0; z < extent.depth; ++z)
        cudaMemset((char*)memory.ptr + z * memory.ysize * memory.pitch, value, memory.pitch * extent.height);
    return cudaSuccess;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent, cudaStream_t stream) { return cudaMemset3D(memory, value, extent); }

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy)
{
    const cudaPitchedPtr to = copy->dstPtr, from = copy->srcPtr;
    for (size_t z = 0; z < copy->extent.depth; ++z) {
        char* toSlice = (char*)to.ptr + ((z + copy->dstPos.z) * to.ysize + copy->dstPos.y) * to.pitch + copy->dstPos.x;
        const char* fromSlice = (const char*)from.ptr + ((z + copy->srcPos.z) * from.ysize + copy->srcPos.y) * from.pitch + copy->srcPos.x;
        cudaMemcpy2D(toSlice, to.pitch, fromSlice, from.pitch, copy->extent.width, copy->extent.height, copy->kind);
    }
    return cudaSuccess;
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) { return cudaMemcpy3D(copy); }
