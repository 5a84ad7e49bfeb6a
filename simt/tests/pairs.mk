# Pairs of a faulty and a clean program: each must be told apart under every schedule. See check_pairs.py.
PAIRS := $(patsubst simt/tests/pairs/%.cu,$(B)/pairs/%,$(wildcard simt/tests/pairs/*.cu))

$(B)/pairs/%: simt/tests/pairs/%.cu simt/tests/pairs/pair.h $(CUDAC) $(LIBSIMT) $(SIMT_H)
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $@.cpp
	@$(CXX) $(SIMT_CXXFLAGS) -Isimt/tests/pairs -c $@.cpp -o $@.o
	@$(CXX) $@.o $(SIMT_LINK) -o $@

.PHONY: check-pairs
check-pairs: ## run the pairs of a faulty and a clean kernel under 20 schedules
	@$(MAKE) --no-print-directory -j2 $(PAIRS)
	@$(PYTHON) simt/tests/check_pairs.py $(B)/pairs
