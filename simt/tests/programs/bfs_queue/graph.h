#ifndef GRAPH_H_
#define GRAPH_H_

// Structure to hold a node information
struct Node {
    int starting;
    int no_of_edges;
};

typedef struct Graph {
    int no_of_nodes, edge_list_size;
    struct Node *nodes;
    int *edges;
} Graph;

Graph *graph_make(int no_of_nodes);
void graph_free(Graph *g);
void BFSGraph(const Graph *g, int source, int *cost);
int BFSQueue(const Graph *g, int source, int *cost, int queue_size = 0);

#endif
