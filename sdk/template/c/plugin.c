#include "orma.h"

/* The columns and parameters are known by their place in these lists. */
ORMA_PLUGIN("{"
    "\"name\": \"my_ranker\", \"version\": \"0.1.0\", \"contract\": \"rank\","
    "\"summary\": \"Multiply the score by a bonus that halves with age\","
    "\"doc\": \"A memory of age a days gets score * (1 + weight * 2^(-a / half_life_days)).\","
    "\"columns\": ["
    "  {\"name\": \"score\", \"kind\": \"f32\", \"read\": true, \"write\": true},"
    "  {\"name\": \"age_days\", \"kind\": \"f32\", \"read\": true}"
    "],"
    "\"params\": ["
    "  {\"name\": \"weight\", \"kind\": \"number\", \"doc\": \"bonus of a brand new memory\", \"default\": 0.3, \"min\": 0, \"max\": 10, \"neutral\": 0},"
    "  {\"name\": \"half_life_days\", \"kind\": \"number\", \"doc\": \"age at which the bonus has halved\", \"default\": 30, \"min\": 0.01, \"max\": 100000}"
    "]"
"}")

static double weight, half_life;

ORMA_CONFIGURE(p) {
    weight = orma_number(p, 0);
    half_life = orma_number(p, 1);
    return 0;
}

ORMA_RANK(f) {
    float *score = orma_f32(f, 0), *age = orma_f32(f, 1);
    for (uint32_t i = 0; i < f->rows; i++) {
        double days = age[i] > 0 ? age[i] : 0; /* below 0 is the future */
        double s = score[i] * (1 + weight * orma_exp2(-days / half_life));
        score[i] = s < 3.4028234e38 ? (float)s : 3.4028234e38f;
    }
    return 0;
}
