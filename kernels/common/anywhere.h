#pragma once

/// In front of functions that kernels of a device call as the host does.
#ifdef __CUDACC__
#define PLIMSOLL_ANYWHERE __host__ __device__
#else
#define PLIMSOLL_ANYWHERE
#endif
