/* Mistakes while a stream is captured into a graph, and a race between two branches of a graph. */
#include "pair.h"

__global__ void write(int *out, int value)
{
    out[threadIdx.x] = value; //! race
}

static cudaStream_t new_stream()
{
    cudaStream_t stream = NULL;
    must(cudaStreamCreate(&stream));
    return stream;
}

static void launch_captured(cudaStream_t stream)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t instance = NULL;
    if (cudaStreamEndCapture(stream, &graph) != cudaSuccess)
        return;
    must(cudaGraphInstantiate(&instance, graph, 0));
    must(cudaGraphLaunch(instance, stream));
    must(cudaStreamSynchronize(stream));
}

/* expect: race on */
PAIR(branches_of_a_graph_race)
{
    int *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    cudaEvent_t begun, done;
    must(cudaEventCreate(&begun));
    must(cudaEventCreate(&done));
    must(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    must(cudaEventRecord(begun, one));
    must(cudaStreamWaitEvent(two, begun, 0));
    write<<<1, 32, 0, two>>>(out, 1);
    must(cudaEventRecord(done, two));
    if (!faulty)
        must(cudaStreamWaitEvent(one, done, 0));
    write<<<1, 32, 0, one>>>(out, 2);
    if (faulty)
        must(cudaStreamWaitEvent(one, done, 0));
    launch_captured(one);
}

/* expect: cudaStreamSynchronize: the stream is being captured into a graph */
PAIR(wait_in_a_capture)
{
    int *out = zeros<int>(32);
    cudaStream_t stream = new_stream();
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    write<<<1, 32, 0, stream>>>(out, 1);
    if (faulty)
        must(cudaStreamSynchronize(stream)); //!
    launch_captured(stream);
}

/* expect: cudaMalloc: called while a stream is being captured */
PAIR(allocation_in_a_capture)
{
    int *out = zeros<int>(32), *more = NULL;
    cudaStream_t stream = new_stream();
    must(cudaStreamBeginCapture(stream, faulty ? cudaStreamCaptureModeGlobal : cudaStreamCaptureModeRelaxed));
    must(cudaMalloc((void **)&more, 4)); //!
    write<<<1, 32, 0, stream>>>(out, 1);
    launch_captured(stream);
}

/* expect: launch: the default stream is used while another is being captured */
PAIR(launch_into_the_default_stream)
{
    int *out = zeros<int>(32);
    cudaStream_t stream = new_stream();
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    if (faulty)
        write<<<1, 32>>>(out, 1); //!
    else
        write<<<1, 32, 0, stream>>>(out, 1);
    launch_captured(stream);
}

/* expect: cudaStreamEndCapture: the captured work of another stream is not joined */
PAIR(branch_that_is_not_joined)
{
    int *out = zeros<int>(32);
    cudaStream_t one = new_stream(), two = new_stream();
    cudaEvent_t event;
    cudaGraph_t graph;
    must(cudaEventCreate(&event));
    must(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
    must(cudaEventRecord(event, one));
    must(cudaStreamWaitEvent(two, event, 0));
    write<<<1, 32, 0, two>>>(out, 1);
    must(cudaEventRecord(event, two));
    if (!faulty)
        must(cudaStreamWaitEvent(one, event, 0));
    must(cudaStreamEndCapture(one, &graph)); //!
}

/* expect: cudaGraphLaunch: graphExec is already destroyed */
PAIR(launch_of_a_destroyed_graph)
{
    int *out = zeros<int>(32);
    cudaStream_t stream = new_stream();
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    must(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    write<<<1, 32, 0, stream>>>(out, 1);
    must(cudaStreamEndCapture(stream, &graph));
    must(cudaGraphInstantiate(&instance, graph, 0));
    if (faulty)
        must(cudaGraphExecDestroy(instance));
    must(cudaGraphLaunch(instance, stream)); //!
}
