#include "graph.h"
#include <cstddef>
#include <vector>

Graph *graph_make(int no_of_nodes)
{
	Graph *g = new Graph();
	std::vector<int> edges;

	g->no_of_nodes = no_of_nodes;
	g->nodes = new Node[no_of_nodes];
	for (int i = 0; i < no_of_nodes; i++) {
		g->nodes[i].starting = edges.size();
		for (int k = 0; k < i % 4 + (i == 0 ? 5 : 0); k++)
			edges.push_back((i * 7 + k * k * 13 + 1) % no_of_nodes);
		g->nodes[i].no_of_edges = edges.size() - g->nodes[i].starting;
	}
	g->edge_list_size = edges.size();
	g->edges = new int[edges.size()];
	for (std::size_t i = 0; i < edges.size(); i++)
		g->edges[i] = edges[i];
	return g;
}

void graph_free(Graph *g)
{
	delete[] g->nodes;
	delete[] g->edges;
	delete g;
}
