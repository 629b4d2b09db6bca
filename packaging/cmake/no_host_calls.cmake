# nvcc compiles a function of the device for the host, too, as a call of exit(1): a kernel's launch that calls one by mistake ends
# the program without a word, and no compiler warns of it inside of a template. So no object may call exit().
#   cmake -DLIBRARY=FILE -DNM=nm -P no_host_calls.cmake
execute_process(COMMAND ${NM} -C -A --undefined-only ${LIBRARY} OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]*:[ ]+U exit\n" callers "${undefined}")
if(callers)
  message(FATAL_ERROR "The host calls a function that is the device's alone (PLIMSOLL_DEVICE in place of PLIMSOLL_ANYWHERE):\n${callers}")
endif()
