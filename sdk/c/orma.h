/* Orma's kit for plugins in C: one header, no library. The guide is
 * docs/plugins/c.md, the contract docs/plugins/abi.md. Needs a compiler for
 * wasm32 (clang with wasm-ld, or zig cc), -ffreestanding -nostdlib.
 *
 *   #include "orma.h"
 *   ORMA_PLUGIN("{ the manifest as JSON }")
 *   ORMA_CONFIGURE(p) { weight = orma_number(p, 0); return 0; }
 *   ORMA_RANK(f)      { float *score = orma_f32(f, 0); ...; return 0; }
 */
#ifndef ORMA_H
#define ORMA_H

#include <stddef.h>
#include <stdint.h>

#define ORMA_ABI 1
#define ORMA_EXPORT(name) __attribute__((export_name(name), used))

/* A block of columns. Sections are found through the directory behind the header. */
typedef struct {
    uint32_t magic, rows, live, columns, size;
    uint32_t query_at, query_len;
    int32_t zone_minutes;
    int64_t now_ms;
} orma_frame;

/* A text: not terminated, usually UTF-8. */
typedef struct {
    const char *at;
    uint32_t len;
} orma_text;

/* A row of a list column. */
typedef struct {
    const float *at;
    uint32_t len;
} orma_list;

static inline uint32_t *orma__dir(orma_frame *f) { return (uint32_t *)(f + 1); }
static inline void *orma__col(orma_frame *f, uint32_t i) { return (char *)f + orma__dir(f)[2 * i]; }

/* The live rows, best first. Shorten f->live to drop rows; the manifest must say so. */
static inline uint32_t *orma_order(orma_frame *f) { return orma__dir(f) + 2 * f->columns; }

/* Columns by their place in the manifest. */
static inline float *orma_f32(orma_frame *f, uint32_t i) { return (float *)orma__col(f, i); }
static inline int64_t *orma_i64(orma_frame *f, uint32_t i) { return (int64_t *)orma__col(f, i); }
static inline orma_text orma_text_at(orma_frame *f, uint32_t i, uint32_t row) {
    uint32_t *ends = (uint32_t *)orma__col(f, i);
    orma_text t = {(const char *)(ends + f->rows + 1) + ends[row], ends[row + 1] - ends[row]};
    return t;
}
static inline orma_list orma_list_at(orma_frame *f, uint32_t i, uint32_t row) {
    uint32_t *ends = (uint32_t *)orma__col(f, i);
    orma_list l = {(const float *)(ends + f->rows + 1) + ends[row], ends[row + 1] - ends[row]};
    return l;
}

/* The question; empty unless the manifest asks for it. */
static inline orma_text orma_query(orma_frame *f) {
    orma_text t = {(const char *)f + f->query_at, f->query_len};
    return t;
}

/* Parameters by their place in the manifest. The block is gone after the call: copy what
 * you keep. */
typedef struct {
    uint32_t magic, count;
} orma_params;

static inline double orma_number(orma_params *p, uint32_t i) {
    return *(double *)((char *)p + ((uint32_t *)(p + 1))[2 * i]);
}
static inline orma_text orma_bytes(orma_params *p, uint32_t i) {
    uint32_t *dir = (uint32_t *)(p + 1);
    orma_text t = {(const char *)p + dir[2 * i], dir[2 * i + 1]};
    return t;
}

/* orma_take returns n bytes that are never given back, on a multiple of 8; NULL when
 * there is no more memory. */
extern unsigned char __heap_base;
static uint32_t orma__next;
static inline void *orma_take(uint32_t n) {
    if (!orma__next) orma__next = ((uint32_t)(uintptr_t)&__heap_base + 7) & ~7u;
    uint64_t end = (uint64_t)orma__next + n, have = (uint64_t)__builtin_wasm_memory_size(0) << 16;
    if (end > have && __builtin_wasm_memory_grow(0, (uint32_t)((end - have + 65535) >> 16)) == (size_t)-1) return 0;
    void *p = (void *)(uintptr_t)orma__next;
    orma__next = ((uint32_t)end + 7) & ~7u;
    return p;
}

/* orma_fail keeps the reason of an error; return what it returns. The text must stay. */
static const char *orma__reason = "";
static inline uint32_t orma_fail(const char *reason) {
    orma__reason = reason;
    return 1;
}

static inline uint64_t orma__at(const char *s, uint32_t n) { return (uint64_t)(uintptr_t)s << 32 | n; }

#define ORMA_PLUGIN(manifest)                                                                       \
    ORMA_EXPORT("orma_abi") uint32_t orma__abi(void) { return ORMA_ABI; }                           \
    ORMA_EXPORT("orma_manifest") uint64_t orma__manifest(void) {                                    \
        static const char json[] = manifest;                                                        \
        return orma__at(json, sizeof json - 1);                                                     \
    }                                                                                               \
    ORMA_EXPORT("orma_alloc") uint32_t orma__alloc(uint32_t n) { return (uint32_t)(uintptr_t)orma_take(n); } \
    ORMA_EXPORT("orma_error") uint64_t orma__error(uint32_t code) {                                 \
        uint32_t n = 0;                                                                             \
        while (orma__reason[n]) n++;                                                                \
        return (void)code, orma__at(orma__reason, n);                                               \
    }

#define ORMA_CONFIGURE(p)                                                                           \
    static uint32_t orma__configure_body(orma_params *p);                                           \
    ORMA_EXPORT("orma_configure") uint32_t orma__configure(orma_params *p, uint32_t n) {            \
        return (void)n, orma__configure_body(p);                                                    \
    }                                                                                               \
    static uint32_t orma__configure_body(orma_params *p)

#define ORMA_RANK(f)                                                                                \
    static uint32_t orma__rank_body(orma_frame *f);                                                 \
    ORMA_EXPORT("orma_run") uint32_t orma__run(orma_frame *f, uint32_t n) {                         \
        return (void)n, orma__rank_body(f);                                                         \
    }                                                                                               \
    static uint32_t orma__rank_body(orma_frame *f)

/* Compilers call these by themselves, also without a C library, and must not make calls
 * to them of their own loops. */
#if defined(__has_attribute) && __has_attribute(no_builtin)
#define ORMA__PLAIN __attribute__((weak, no_builtin))
#else
#define ORMA__PLAIN __attribute__((weak))
#endif
ORMA__PLAIN void *memset(void *d, int c, size_t n) {
    unsigned char *p = d;
    while (n--) *p++ = (unsigned char)c;
    return d;
}
ORMA__PLAIN void *memcpy(void *restrict d, const void *restrict s, size_t n) {
    unsigned char *p = d;
    const unsigned char *q = s;
    while (n--) *p++ = *q++;
    return d;
}

/* orma_exp2 returns 2^x to about 1 part in 10^7. */
static inline double orma_exp2(double x) {
    if (!(x > -1022)) return 0;
    if (x > 1023) x = 1023;
    double whole = __builtin_floor(x), r = (x - whole) * 0.69314718055994530942;
    union {
        uint64_t bits;
        double value;
    } scale = {(uint64_t)((int64_t)whole + 1023) << 52};
    double sum = 1, term = 1;
    for (int i = 1; i <= 10; i++) sum += term *= r / i;
    return sum * scale.value;
}

#endif
