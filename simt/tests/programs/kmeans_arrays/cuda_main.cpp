#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "kmeans.h"

/* The same on the host, object by object. */
float **seq_kmeans(float **objects, int numCoords, int numObjs, int numClusters, int rounds, int *membership, int *loops)
{
    float **clusters;
    malloc2D(clusters, numClusters, numCoords, float);
    memcpy(clusters[0], objects[0], numClusters * numCoords * sizeof(float));
    for (int i = 0; i < numObjs; i++)
        membership[i] = -1;
    int delta;
    *loops = 0;
    do {
        delta = 0;
        for (int i = 0; i < numObjs; i++) {
            int best = 0;
            float least = 0;
            for (int c = 0; c < numClusters; c++) {
                float d = 0;
                for (int k = 0; k < numCoords; k++)
                    d += (objects[i][k] - clusters[c][k]) * (objects[i][k] - clusters[c][k]);
                if (c == 0 || d < least)
                    least = d, best = c;
            }
            delta += membership[i] != best;
            membership[i] = best;
        }
        for (int c = 0; c < numClusters; c++)
            for (int k = 0; k < numCoords; k++) {
                float sum = 0;
                int size = 0;
                for (int i = 0; i < numObjs; i++)
                    if (membership[i] == c)
                        sum += objects[i][k], size++;
                if (size)
                    clusters[c][k] = sum / size;
            }
    } while (delta > 0 && ++*loops < rounds);
    return clusters;
}

int main()
{
    const int numObjs = 400, numCoords = 3, numClusters = 5;
    float **objects;
    malloc2D(objects, numObjs, numCoords, float);
    unsigned s = 12345;
    for (int i = 0; i < numObjs; i++)
        for (int k = 0; k < numCoords; k++) {
            s = s * 1103515245u + 12345u;
            objects[i][k] = (float)((s >> 16) % 64) + 40.0f * (i % numClusters == k);
        }
    int mine[numObjs], theirs[numObjs], loops = 0, expected = 0;
    float **clusters = cuda_kmeans(objects, numCoords, numObjs, numClusters, 20, mine, &loops);
    float **gold = seq_kmeans(objects, numCoords, numObjs, numClusters, 20, theirs, &expected);
    int wrong = memcmp(mine, theirs, sizeof mine) != 0 || loops != expected ||
                memcmp(clusters[0], gold[0], numClusters * numCoords * sizeof(float)) != 0;
    printf("loops %d, first centre %.3f %.3f %.3f\n", loops, clusters[0][0], clusters[0][1], clusters[0][2]);
    free(objects[0]), free(objects), free(clusters[0]), free(clusters), free(gold[0]), free(gold);
    puts(wrong ? "FAIL" : "PASS");
    return wrong;
}
