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

# Random programs, judged by the device and by a plain model of the order that CUDA promises.
$(B)/races/interpret.o: simt/tests/races/interpret.cu simt/tests/races/race_model.h $(CUDAC) $(SIMT_H)
	@mkdir -p $(@D)
	@$(CUDAC) $< -o $(@:.o=.cpp)
	@$(CXX) $(SIMT_CXXFLAGS) -Isimt/tests/races -c $(@:.o=.cpp) -o $@
$(B)/races/check_race_model: simt/tests/races/check_race_model.c $(B)/races/interpret.o $(LIBSIMT)
	@$(CC) $(CFLAGS) -Isimt -Isimt/tests/races -c $< -o $@.o
	@$(CXX) $@.o $(B)/races/interpret.o $(SIMT_LINK) -o $@

.PHONY: check-race-model
check-race-model: $(B)/races/check_race_model ## compare the race check with a plain model on random programs
	@$<
