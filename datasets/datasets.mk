# The real datasets are in the tree; the synthetic ones are made.
.PHONY: datasets check-datasets
datasets: ## generate the synthetic inputs into build/datasets
	@$(PYTHON) datasets/datasets.py generate $(B)/datasets

check-datasets:
	@$(PYTHON) datasets/datasets.py check
	@$(PYTHON) -m unittest discover -q -s datasets
