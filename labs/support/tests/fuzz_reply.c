/* fuzz_reply.c: gives any bytes as the answer of a runner. The suite must refuse them or make them harmless: counts
 * stay within their arrays, and texts end and contain nothing that moves a terminal's cursor. */
#include "../call/call.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require_text(const char *text, size_t size)
{
    const char *end = memchr(text, 0, size);
    if (!end)
        abort();
    for (; text < end; text++)
        if (*text != '\n' && (*text < ' ' || *text > '~'))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct call_reply reply;
    uint64_t nonce = 7;
    memset(&reply, 0xA5, sizeof reply);
    memcpy(&reply, data, size < sizeof reply ? size : sizeof reply);
    reply.magic = CALL_MAGIC; /* otherwise no check goes further */
    reply.nonce = nonce;
    /* Most answers have another size than their counts say, and are refused; half of them are passed as complete. */
    const bool whole = size % 2 && reply.findings <= CALL_FINDINGS;
    if (!check_reply(&reply, whole ? call_reply_bytes(&reply) : size, nonce))
        return 0;
    if (reply.findings > CALL_FINDINGS || reply.meters > CALL_METERS || reply.lines > CALL_LINES)
        abort();
    require_text(reply.error_name, sizeof reply.error_name);
    require_text(reply.text, sizeof reply.text);
    char text[4096];
    for (uint32_t i = 0; i < reply.findings; i++) { /* every fact about it comes from the answer */
        simt_format_finding(&reply.finding[i], text, sizeof text);
        require_text(text, sizeof text);
    }
    for (uint32_t i = 0; i < reply.meters; i++)
        require_text(reply.meter[i].name, sizeof reply.meter[i].name);
    for (uint32_t i = 0; i < reply.lines; i++)
        require_text(reply.line[i].file, sizeof reply.line[i].file);
    return 0;
}
