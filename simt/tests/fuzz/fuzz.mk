# Fuzzes the code that reads bytes from outside: libFuzzer for C, hypothesis for Python. A crash leaves its input in
# build/fuzz/. Inputs that once found a fault or a new path are seeds; TARGET.tar.gz has the seeds of a target. `make
# fuzz-keep TARGET=reply INPUT=build/fuzz/reply-crash-...` adds one.
SECONDS_OF_CPU = $(if $(findstring command,$(origin SECONDS)),$(SECONDS),300)
FUZZ := simt/tests/fuzz
FUZZ_TARGETS := cudac reply
FUZZ_cudac := $(FUZZ)/fuzz_cudac.c $(filter-out simt/cudac/main.c,$(wildcard simt/cudac/*.c))
FUZZ_reply := labs/support/tests/fuzz_reply.c $(addprefix simt/report/,finding_text.c finding_names.c thread_set.c)
FUZZ_READERS := $(addprefix grader/tests/,fuzz_readers.py fuzz_records.py) simt/trace/tests/fuzz_record.py
FUZZ_FLAGS   := -std=gnu11 -g -O1 -fno-omit-frame-pointer $(addprefix -Ilabs/support/,suite call values stock) -Isimt -Ilabs/include -Ilabs/stock
CLANG := $(shell command -v clang)

# Uses libFuzzer if there is clang, and else a program that runs the seeds, so that repaired faults stay repaired.
$(B)/fuzz/cudac: $(FUZZ_cudac) $(wildcard simt/cudac/*.h)
$(B)/fuzz/reply: $(FUZZ_reply) simt/simt.h $(MESSAGES) $(wildcard labs/support/call/*.[ch])
$(B)/fuzz/%: $(FUZZ)/replay.c
	@mkdir -p $(@D)
	@$(if $(CLANG),clang -fsanitize=fuzzer$(,)address$(,)undefined -fno-sanitize-recover=undefined,$(CC) -fsanitize=address$(,)undefined -fno-sanitize-recover $(FUZZ)/replay.c) \
	    $(FUZZ_FLAGS) $(FUZZ_$*) -o $@
, := ,

# $(1) the target whose seeds are unpacked
unpack_seeds = rm -rf $(B)/fuzz/seeds/$(1) && mkdir -p $(B)/fuzz/seeds/$(1) && tar -xzf $(FUZZ)/$(1).tar.gz -C $(B)/fuzz/seeds/$(1)
# $(1) seconds for each target
run_fuzz = . .ci/closing.sh; for t in $(FUZZ_TARGETS); do \
	    $(call unpack_seeds,$$t); mkdir -p $(B)/fuzz/corpus/$$t; \
	    seeds="$(B)/fuzz/seeds/$$t $$([ $$t != cudac ] || echo simt/tests/cudac simt/tests/findings)"; \
	    if $(if $(CLANG),$(B)/fuzz/$$t -max_total_time=$(1) -timeout=10 -rss_limit_mb=2048 -max_len=$$([ $$t = reply ] && echo 66560 || echo 4096) \
	        -artifact_prefix=$(B)/fuzz/$$t- $$([ $$t != cudac ] || echo -dict=$(FUZZ)/cudac.dict) $(B)/fuzz/corpus/$$t $$seeds,$(B)/fuzz/$$t $$(find $$seeds -type f)) >$(B)/fuzz/$$t.log 2>&1; \
	    then count_passed; else count_failed; tail -40 $(B)/fuzz/$$t.log; fi; done; \
	closing_line fuzz

.PHONY: fuzz fuzz-keep check-fuzz
fuzz: setup-dev $(FUZZ_TARGETS:%=$(B)/fuzz/%) ## feed garbage to all that reads what others wrote: make fuzz [SECONDS=300]
	@[ -n "$(CLANG)" ] || echo "no clang here: the C parts go through their seeds only; try: apt-get install clang"
	@$(call run_fuzz,$(SECONDS_OF_CPU))
	@FUZZ_SECONDS=$(SECONDS_OF_CPU) $(VENV)/bin/pytest --quiet -p no:cacheprovider $(FUZZ_READERS)

fuzz-keep:
	@$(call unpack_seeds,$(TARGET))
	@cp $(INPUT) $(B)/fuzz/seeds/$(TARGET)/$$(sha1sum <$(INPUT) | cut -c 1-10)
	@tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C $(B)/fuzz/seeds/$(TARGET) -c . | gzip -9n >$(FUZZ)/$(TARGET).tar.gz

check-fuzz: setup-dev $(FUZZ_TARGETS:%=$(B)/fuzz/%)
	@$(call run_fuzz,4)
	@FUZZ_SECONDS=1 $(PYTEST) --closing readers -p no:cacheprovider $(FUZZ_READERS)
