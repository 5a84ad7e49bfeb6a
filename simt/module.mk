# The CPU device: its library, and the translator of .cu files.
SIMT_C    := $(filter-out $(wildcard simt/cudac*.c),$(wildcard simt/*.c))
SIMT_O    := $(SIMT_C:simt/%.c=$(B)/simt/%.o)
SIMT_H    := $(wildcard simt/include/*.h simt/include/*/*.h)
LIBSIMT   := $(B)/libsimt.a
CUDAC     := $(B)/bin/cudac
SIMT_LIBS := -Wl,-Bstatic -lboost_context -Wl,-Bdynamic -ldw -lelf -ldl -lm

# How g++ compiles what cudac has translated. The hooks of -fsanitize=thread are simt/access.c; libtsan is
# never linked. -fno-tree-sra keeps a copy of a float4 one access; -O1 keeps accesses as written.
SIMT_CXXFLAGS := -std=gnu++17 -O1 -g -fPIC -fsanitize=thread,bounds --param tsan-distinguish-volatile=1 \
	--param tsan-instrument-func-entry-exit=0 -fno-tree-sra -fno-builtin -fno-gnu-unique -fvisibility=hidden \
	-fwrapv -fno-strict-aliasing -ffp-contract=off -Wall -Wextra -Wno-unused-parameter -Wno-unknown-pragmas \
	-D__CUDACC__ -D__SIMT__ -Isimt/include

$(B)/simt/%.o: simt/%.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@
-include $(SIMT_O:.o=.d)

$(LIBSIMT): $(SIMT_O)
	@rm -f $@ && ar rcs $@ $^

$(CUDAC): $(wildcard simt/cudac*.c simt/cudac*.h)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) $(filter %.c,$^) -o $@

# What a program that runs kernels is linked with. Without -fsanitize, which would bring libtsan in.
SIMT_LINK := -rdynamic -Wl,--whole-archive $(LIBSIMT) -Wl,--no-whole-archive $(SIMT_LIBS)

# ---- tests -----------------------------------------------------------------------------------------------
FINDINGS := $(patsubst simt/tests/findings/%.cu,$(B)/findings/%,$(wildcard simt/tests/findings/*.cu))

$(B)/findings/%: simt/tests/findings/%.cu $(CUDAC) $(LIBSIMT) $(SIMT_H)
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@.cpp
	@$(CXX) $(SIMT_CXXFLAGS) -Wno-sign-compare -Wno-infinite-recursion -c $@.cpp -o $@.o
	@$(CXX) $@.o $(SIMT_LINK) -o $@

.PHONY: check-findings
check-findings: $(FINDINGS)
	@simt/tests/check_findings $(B)/findings
