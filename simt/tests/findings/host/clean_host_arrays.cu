/* Copies that stay within their host arrays, in ways that are hard to analyse. */
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

static float *device;

__attribute__((noinline)) static int hidden(int value)
{
    asm volatile("" : "+r"(value));
    return value;
}

static void both_ways(void *host, size_t bytes)
{
    cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
}

/* A pointer that moves forward and back. */
static void back_and_forth()
{
    char bytes[100];
    memset(bytes, 1, sizeof bytes);
    char *middle = bytes + hidden(60);
    both_ways(middle - hidden(60), 100);
    both_ways(middle - 60, 100);
    char *fixed = bytes + 60;
    both_ways(fixed - hidden(50), 90);
    both_ways(fixed - 50, 90);
    char *end = bytes + sizeof bytes;
    both_ways(end - hidden(100), 100);
    both_ways(&end[-100], 100);
    for (char *at = bytes; at < end; at += 25)
        both_ways(at, 25);
    for (char *at = end; at > bytes;) {
        at -= 25;
        both_ways(at, (size_t)(end - at));
    }
}

/* One of several arrays, where the longer one is used. */
static void one_of_two(bool longer)
{
    int few[4] = {1, 2, 3, 4}, many[40] = {1};
    int *array = longer ? many : few;
    both_ways(array, longer ? sizeof many : sizeof few);
    int *own = few;
    if (hidden(longer))
        own = (int *)malloc(400);
    both_ways(own, hidden(longer) ? 400 : sizeof few);
    if (own != few)
        free(own);
}

/* Memory that is allocated again has its new length. */
static void allocated_again()
{
    char *text = (char *)malloc((size_t)hidden(10));
    memset(text, 1, 10);
    text = (char *)realloc(text, (size_t)hidden(200));
    memset(text, 1, 200);
    both_ways(text, 200);
    char *zeros = (char *)calloc((size_t)hidden(20), (size_t)hidden(8));
    both_ways(zeros, 160);
    free(text);
    free(zeros);
}

struct particle {
    float position[3];
    float velocity[3];
    int kind;
};

/* The members of a struct follow each other. */
static void members()
{
    particle one = {}, several[3] = {};
    both_ways(one.position, 6 * sizeof(float));
    both_ways(&one.position, sizeof one);
    both_ways(&several[1], 2 * sizeof(particle));
    both_ways(several[1].velocity, sizeof(particle) - sizeof one.position);
    particle *made = new particle[5]();
    both_ways(made->velocity, 5 * sizeof *made - sizeof made->position);
    delete[] made;
}

struct counted {
    int count;
    std::string name;
    ~counted()
    {
        count = 0;
    }
};

static void objects()
{
    std::vector<int> numbers(100, 1);
    both_ways(numbers.data(), 100 * sizeof(int));
    both_ways(&numbers[40], 60 * sizeof(int));
    std::array<double, 12> twelve = {};
    both_ways(twelve.data(), sizeof twelve);
    std::string word = "a word that is too long for the string itself to hold";
    cudaMemcpy(device, word.c_str(), word.size() + 1, cudaMemcpyHostToDevice);
    counted *made = new counted[3];
    cudaMemcpy(device, made, 3 * sizeof *made, cudaMemcpyHostToDevice);
    delete[] made;
    cudaMemcpy(device, "text", sizeof "text", cudaMemcpyHostToDevice);
}

struct tail {
    int length;
    float values[];
};
static tail ready = {3, {1, 2, 3}};
static int matrix[8][8];
static const struct {
    char word[3];
    int number;
} pairs_of[2] = {{"a", 1}, {"b", 2}};

static void without_length()
{
    const size_t bytes = sizeof(tail) + 5 * sizeof(float);
    tail *made = (tail *)calloc(1, bytes);
    both_ways(made, bytes);
    both_ways(made->values, 5 * sizeof(float));
    free(made);
    cudaMemcpy(device, &ready, sizeof ready + 3 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device, ready.values, 3 * sizeof(float), cudaMemcpyHostToDevice);
    both_ways(matrix, sizeof matrix);
    both_ways(matrix[3], 5 * sizeof matrix[0]);
    cudaMemcpy(device, pairs_of, sizeof pairs_of, cudaMemcpyHostToDevice);
}

/* A part of a matrix, whose rows end before those of the matrix. */
static void rectangle()
{
    float picture[6][10] = {};
    cudaMemcpy2D(device, 16, &picture[2][6], sizeof picture[0], 16, 4, cudaMemcpyHostToDevice);
    cudaMemcpy2D(&picture[2][6], sizeof picture[0], device, 16, 16, 4, cudaMemcpyDeviceToHost);
}

static void length_of_the_call(int n)
{
    float *array = (float *)__builtin_alloca((size_t)n * sizeof *array);
    memset(array, 0, (size_t)n * sizeof *array);
    both_ways(array, (size_t)n * sizeof *array);
    float *pinned, *managed;
    cudaMallocHost(&pinned, 64);
    cudaMallocManaged(&managed, 64);
    memset(pinned, 0, 64);
    memset(managed, 0, 64);
    both_ways(pinned, 64);
    both_ways(managed, 64);
    cudaFreeHost(pinned);
    cudaFree(managed);
    float *registered = (float *)malloc(256);
    memset(registered, 0, 256);
    cudaHostRegister(registered, 128, 0);
    both_ways(registered, 256);
    cudaHostUnregister(registered);
    free(registered);
}

int main()
{
    cudaMalloc(&device, 4096);
    cudaMemset(device, 0, 4096);
    back_and_forth();
    one_of_two(hidden(1));
    one_of_two(hidden(0));
    allocated_again();
    members();
    objects();
    without_length();
    rectangle();
    length_of_the_call(hidden(33));
    return cudaGetLastError();
}

//= (nothing)
