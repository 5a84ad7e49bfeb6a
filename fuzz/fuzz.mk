# Fuzzing of what reads bytes that others wrote: libFuzzer for C, hypothesis for Python. A crash leaves its input in
# build/fuzz/; one that taught something goes to fuzz/corpus/TARGET/.
SECONDS_OF_CPU = $(if $(findstring command,$(origin SECONDS)),$(SECONDS),300)
FUZZ_TARGETS := cudac reply
FUZZ_CUDAC_C := fuzz/fuzz_cudac.c $(filter-out simt/cudac/main.c,$(wildcard simt/cudac/*.c))
FUZZ_REPLY_C := fuzz/fuzz_reply.c $(addprefix simt/report/,finding_text.c finding_names.c thread_set.c)
FUZZ_READERS := $(addprefix grader/tests/,fuzz_readers.py fuzz_records.py) simt/trace/tests/fuzz_record.py
CUDAC_CORPUS := fuzz/corpus/cudac simt/tests/cudac simt/tests/findings
FUZZ_FLAGS   := -std=gnu11 -g -O1 -fno-omit-frame-pointer $(addprefix -Ilabs/support/,suite call values stock) -Isimt -Ilabs/include -Ilabs/stock
CLANG := $(shell command -v clang)

# With libFuzzer where clang is; else a program that goes through the corpus, so that what was mended stays so.
$(B)/fuzz/cudac: $(FUZZ_CUDAC_C) $(wildcard simt/cudac/*.h)
$(B)/fuzz/reply: $(FUZZ_REPLY_C) simt/simt.h $(MESSAGES) $(wildcard labs/support/call/*.[ch])
$(B)/fuzz/%: fuzz/replay.c
	@mkdir -p $(@D)
	@$(if $(CLANG),clang -fsanitize=fuzzer$(,)address$(,)undefined -fno-sanitize-recover=undefined,$(CC) -fsanitize=address$(,)undefined -fno-sanitize-recover fuzz/replay.c) \
	    $(FUZZ_FLAGS) $(if $(filter cudac,$*),$(FUZZ_CUDAC_C),$(FUZZ_REPLY_C)) -o $@
, := ,

# $(1) seconds of each
run_fuzz = . .ci/closing.sh; for t in $(FUZZ_TARGETS); do \
	    mkdir -p $(B)/fuzz/corpus/$$t; \
	    if $(if $(CLANG),$(B)/fuzz/$$t -max_total_time=$(1) -timeout=10 -rss_limit_mb=2048 -max_len=$$([ $$t = reply ] && echo 66560 || echo 4096) \
	        -artifact_prefix=$(B)/fuzz/$$t- $(B)/fuzz/corpus/$$t $$([ $$t = cudac ] && echo -dict=fuzz/cudac.dict $(CUDAC_CORPUS) || echo fuzz/corpus/$$t),$(B)/fuzz/$$t $$(find $$([ $$t = cudac ] && echo $(CUDAC_CORPUS) || echo fuzz/corpus/$$t) -type f)) >$(B)/fuzz/$$t.log 2>&1; \
	    then count_passed; else count_failed; tail -40 $(B)/fuzz/$$t.log; fi; done; \
	closing_line fuzz

.PHONY: fuzz check-fuzz
fuzz: setup-dev $(FUZZ_TARGETS:%=$(B)/fuzz/%) ## feed garbage to all that reads what others wrote: make fuzz [SECONDS=300]
	@[ -n "$(CLANG)" ] || echo "no clang here: the C parts go through their corpus only; try: apt-get install clang"
	@$(call run_fuzz,$(SECONDS_OF_CPU))
	@FUZZ_SECONDS=$(SECONDS_OF_CPU) $(VENV)/bin/pytest --quiet -p no:cacheprovider $(FUZZ_READERS)

check-fuzz: setup-dev $(FUZZ_TARGETS:%=$(B)/fuzz/%)
	@$(call run_fuzz,4)
	@FUZZ_SECONDS=1 $(PYTEST) --closing readers -p no:cacheprovider $(FUZZ_READERS)
