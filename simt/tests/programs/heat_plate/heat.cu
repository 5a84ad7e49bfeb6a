#include "heat.h"
#include <new>

struct plate {
	size_t nx, ny, pitch;	/* pitch in bytes */
	double *now, *then;
	cudaStream_t stream;
};

static cudaError_t last = cudaSuccess;

#define TRY(call) do { if ((last = (call)) != cudaSuccess) goto failed; } while (0)
#define AT(base, pitch, row) ((double *)((char *)(base) + (row) * (pitch)))

template <int W, int H>
__launch_bounds__(W * H)
static __global__ void advance(double *__restrict__ to, const double *__restrict__ from, size_t pitch, int nx, int ny, double a)
{
	const int x = blockIdx.x * W + threadIdx.x + 1;
	const int y = blockIdx.y * H + threadIdx.y + 1;

	if (x >= nx - 1 || y >= ny - 1)
		return;
	const double *mid = (const double *)((const char *)from + y * pitch) + x;
	const double *up = (const double *)((const char *)mid - pitch), *down = (const double *)((const char *)mid + pitch);
	((double *)((char *)to + y * pitch))[x] = *mid + a * (mid[-1] + mid[1] + *up + *down - 4.0 * *mid);
}

struct plate *plate_create(size_t nx, size_t ny, const double *initial)
{
	plate *p = new (std::nothrow) plate();

	if (!p)
		return NULL;
	p->nx = nx, p->ny = ny;
	TRY(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
	TRY(cudaMallocPitch((void **)&p->now, &p->pitch, nx * sizeof(double), ny));
	TRY(cudaMallocPitch((void **)&p->then, &p->pitch, nx * sizeof(double), ny));
	TRY(cudaMemcpy2DAsync(p->now, p->pitch, initial, nx * sizeof(double), nx * sizeof(double), ny, cudaMemcpyHostToDevice, p->stream));
	TRY(cudaMemcpy2DAsync(p->then, p->pitch, p->now, p->pitch, nx * sizeof(double), ny, cudaMemcpyDeviceToDevice, p->stream));
	TRY(cudaStreamSynchronize(p->stream));
	return p;
failed:
	plate_destroy(p);
	return NULL;
}

int plate_advance(struct plate *p, int steps, double a)
{
	enum { W = 16, H = 4 };
	const dim3 grid((p->nx - 2 + W - 1) / W, (p->ny - 2 + H - 1) / H), block(W, H);

	for (int s = 0; s < steps; s++) {
		advance<W, H> <<<grid, block, 0, p->stream>>> (p->then, p->now, p->pitch, p->nx, p->ny, a);
		TRY(cudaGetLastError());
		double *swap = p->now;
		p->now = p->then;
		p->then = swap;
	}
	return 0;
failed:
	return -1;
}

int plate_read(const struct plate *p, double *out)
{
	TRY(cudaMemcpy2DAsync(out, p->nx * sizeof(double), p->now, p->pitch, p->nx * sizeof(double), p->ny, cudaMemcpyDeviceToHost, p->stream));
	TRY(cudaStreamSynchronize(p->stream));
	return 0;
failed:
	return -1;
}

void plate_destroy(struct plate *p)
{
	if (!p)
		return;
	cudaFree(p->now);
	cudaFree(p->then);
	if (p->stream)
		cudaStreamDestroy(p->stream);
	delete p;
}

const char *plate_error(void)
{
	return cudaGetErrorName(last);
}
