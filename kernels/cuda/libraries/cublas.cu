#include "kernels/cuda/libraries/cublas.h"

#include "kernels/cuda/cuda_families.h"

#ifdef __CUDACC__
#ifdef PLIMSOLL_HAVE_CUBLAS
#include <cublas_v2.h>
#endif
#include <dlfcn.h>
#endif

namespace plimsoll::kernels::cuda::PLIMSOLL_FACE {
namespace {

#ifdef __CUDACC__

Error noLibrary(Message reason)
{
    return {ErrorCode::Unsupported, say("device.no-cublas", std::move(reason)), {}, {}};
}

#ifdef PLIMSOLL_HAVE_CUBLAS

struct CloseLibrary
{
    void operator()(void* handle) const { dlclose(handle); }
};

/// The functions that are called, by their names in the library.
class Cublas final : public Library
{
public:
    ~Cublas() override
    {
        if (m_handle) m_destroy(m_handle);
    }
    Status open()
    {
        const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
        for (const std::string& path : {name, PLIMSOLL_CUDA_LIBRARIES "/" + name}) {
            if (!m_file) m_file.reset(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL));
        }
        if (!m_file) return noLibrary(say("device.no-file", name));
        const bool found = find(m_create, "cublasCreate_v2") && find(m_destroy, "cublasDestroy_v2") &&
                           find(m_getVersion, "cublasGetVersion_v2") && find(m_setStream, "cublasSetStream_v2") &&
                           find(m_setWorkspace, "cublasSetWorkspace_v2") &&
                           find(m_multiply, "cublasSgemmStridedBatched_64");
        if (!found) return noLibrary(say("device.no-function"));
        return statusOf(m_create(&m_handle));
    }
    [[nodiscard]] std::string version() const override
    {
        int version = 0;
        m_getVersion(m_handle, &version);
        return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
               std::to_string(version % 100);
    }
    /// The library counts column by column: what it takes for matrices are ours transposed, so it is asked for
    /// yᵀ = bᵀ · aᵀ.
    [[nodiscard]] Status multiply(const LibraryProduct& p, Queue& queue) override
    {
        PLIMSOLL_TRY(statusOf(m_setStream(m_handle, static_cast<cudaStream_t>(queue.stream))));
        PLIMSOLL_TRY(statusOf(m_setWorkspace(m_handle, p.workspace, static_cast<std::size_t>(p.workspaceBytes))));
        const auto operation = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
        return statusOf(m_multiply(m_handle, operation(p.transposeB), operation(p.transposeA), p.columns, p.rows,
                                   p.depth, &p.alpha, p.b, p.transposeB ? p.depth : p.columns, p.bStep, p.a,
                                   p.transposeA ? p.rows : p.depth, p.aStep, &p.beta, p.y, p.columns,
                                   p.rows * p.columns, p.parts));
    }

private:
    template <typename Function>
    bool find(Function*& function, const char* name)
    {
        function = reinterpret_cast<Function*>(dlsym(m_file.get(), name));
        return function != nullptr;
    }
    static Status statusOf(cublasStatus_t status)
    {
        if (status == CUBLAS_STATUS_SUCCESS) return {};
        return noLibrary(say("device.status", word::Number {static_cast<int>(status)}));
    }

    std::unique_ptr<void, CloseLibrary> m_file;
    cublasHandle_t m_handle = nullptr;
    decltype(cublasCreate_v2)* m_create = nullptr;
    decltype(cublasDestroy_v2)* m_destroy = nullptr;
    decltype(cublasGetVersion_v2)* m_getVersion = nullptr;
    decltype(cublasSetStream_v2)* m_setStream = nullptr;
    decltype(cublasSetWorkspace_v2)* m_setWorkspace = nullptr;
    decltype(cublasSgemmStridedBatched_64)* m_multiply = nullptr;
};

#endif
#else

/// Stands in for the library where the host stands in for a device.
class Loops final : public Library
{
public:
    [[nodiscard]] std::string version() const override { return "loops on the host"; }
    [[nodiscard]] Status multiply(const LibraryProduct& product, Queue& queue) override
    {
        carryOut(queue, [product] { compute(product); });
        return {};
    }

private:
    static void compute(const LibraryProduct& p)
    {
        for (std::int64_t i = 0; i < p.parts * p.rows * p.columns; ++i) {
            const std::int64_t part = i / p.columns / p.rows;
            const std::int64_t row = i / p.columns % p.rows;
            const std::int64_t column = i % p.columns;
            const float* a = p.a + part * p.aStep + (p.transposeA ? row : row * p.depth);
            const float* b = p.b + part * p.bStep + (p.transposeB ? column * p.depth : column);
            float sum = 0;
            for (std::int64_t k = 0; k < p.depth; ++k)
                sum += a[k * (p.transposeA ? p.rows : 1)] * b[k * (p.transposeB ? 1 : p.columns)];
            p.y[i] = p.alpha * sum + (p.beta != 0 ? p.beta * p.y[i] : 0);
        }
    }
};

#endif

} // namespace

Result<std::unique_ptr<Library>> loadLibrary()
{
#ifndef __CUDACC__
    return std::unique_ptr<Library>(std::make_unique<Loops>());
#elif defined(PLIMSOLL_HAVE_CUBLAS)
    auto library = std::make_unique<Cublas>();
    PLIMSOLL_TRY(library->open());
    return std::unique_ptr<Library>(std::move(library));
#else
    return noLibrary(say("device.no-headers"));
#endif
}

} // namespace plimsoll::kernels::cuda::PLIMSOLL_FACE
