#include "core/base/give_back.h"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace plimsoll {

void giveBackPages()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace plimsoll
