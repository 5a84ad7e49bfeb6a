// Two ways to search a graph breadth first, of two ages, in one program.
#include "graph.h"
#include <cstdio>
#include <deque>
#include <vector>

int main(int argc, char **)
{
	Graph *g = graph_make(argc > 1 ? 1000 : 777);
	std::vector<int> mask(g->no_of_nodes), queue(g->no_of_nodes), gold(g->no_of_nodes, -1);
	BFSGraph(g, 0, mask.data());
	int visited = BFSQueue(g, 0, queue.data());

	std::deque<int> open(1, 0);
	gold[0] = 0;
	int reached = 0, deepest = 0;
	while (!open.empty()) {
		int at = open.front();
		open.pop_front();
		deepest = gold[at];
		for (int e = 0; e < g->nodes[at].no_of_edges; e++) {
			int to = g->edges[g->nodes[at].starting + e];
			if (gold[to] < 0) {
				gold[to] = gold[at] + 1, reached++;
				open.push_back(to);
			}
		}
	}
	graph_free(g);
	std::printf("reached %d, deepest %d\n", reached, deepest);
	bool ok = mask == gold && queue == gold && visited == reached;
	std::puts(ok ? "PASS" : "FAIL");
	return !ok;
}
