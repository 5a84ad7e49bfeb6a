# The real datasets are files of the tree; the synthetic ones are generated.
.PHONY: datasets check-datasets
datasets: setup ## generate the synthetic inputs into build/datasets
	@$(PYTHON) datasets/datasets.py generate $(B)/datasets

check-datasets: setup-dev
	@$(PYTHON) datasets/datasets.py check
	@$(PYTEST) --closing "reading and making datasets" -p no:cacheprovider datasets
