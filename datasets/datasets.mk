# The real datasets are in the tree; the synthetic ones are made.
.PHONY: datasets check-datasets
datasets: setup ## generate the synthetic inputs into build/datasets
	@$(PYTHON) datasets/datasets.py generate $(B)/datasets

check-datasets: setup-dev
	@$(PYTHON) datasets/datasets.py check
	@$(VENV)/bin/pytest --quiet -p no:cacheprovider datasets | tee $(B)/check-datasets.log | tail -5
	@sed -nE 's/^([0-9]+) passed.*/reading and making datasets: \1 passed, 0 failed/p' $(B)/check-datasets.log
