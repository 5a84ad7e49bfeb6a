/* check_rank.c: the order in which findings are shown: the most telling first, and causes before their consequences. */
#include "core/thread.h"
#include "simt.h"
#include "report/finding.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void no_sink(const struct simt_finding *finding, void *context)
{
    (void)finding;
    (void)context;
}

static struct launch launch;
static struct block block;
static struct thread threads[2] = {{.block = &block}, {.block = &block}};

static void begin(void)
{
    simt_set_finding_sink(no_sink, NULL);
    simt_begin_run();
    launch.number++;
}

static void end(void)
{
    current_thread = NULL;
    current_launch = NULL;
}

/* Returns the first rule of a kind. */
static enum simt_rule rule_of(enum simt_finding_kind kind)
{
    enum simt_rule rule = 0;
    while (simt_rule_kind(rule) != kind)
        rule++;
    return rule;
}

/* Reports a finding by a thread, or by host code if it is null. Different sites keep findings from being folded. */
static void report(const struct thread *thread, enum simt_finding_kind kind, const char *variable)
{
    static const char code[64];
    static unsigned used;
    current_thread = (struct thread *)thread;
    current_launch = thread ? &launch : NULL;
    struct simt_variable array = finding_named(variable);
    char *index = strchr(array.name, '[');
    if (index) {
        *index = 0;
        array.is_element = true;
        array.index = atoi(index + 1);
    }
    finding_report(&(struct finding_facts){
        .rule = rule_of(kind), .site = &code[used++ % sizeof code], .variable = array});
}

static void warn(enum simt_finding_kind kind)
{
    finding_report(&(struct finding_facts){.rule = rule_of(kind), .warning = true});
}

static void expect(size_t count, const enum simt_finding_kind kinds[])
{
    const struct simt_finding *sorted[16];
    ck_assert_uint_eq(simt_findings_by_rank(sorted, 16), count);
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(simt_finding_name(sorted[i]->kind), simt_finding_name(kinds[i]));
}

START_TEST(kinds_have_an_order)
{
    warn(SIMT_OUT_OF_BOUNDS);
    report(NULL, SIMT_LEAK, "");
    report(NULL, SIMT_UNINITIALIZED, "");
    report(NULL, SIMT_RACE, "");
    report(NULL, SIMT_BARRIER, "");
    report(NULL, SIMT_LAUNCH, "");
    report(NULL, SIMT_OUT_OF_BOUNDS, "");
    expect(7, (const enum simt_finding_kind[]){SIMT_OUT_OF_BOUNDS, SIMT_LAUNCH, SIMT_BARRIER, SIMT_RACE,
                                               SIMT_UNINITIALIZED, SIMT_LEAK, SIMT_OUT_OF_BOUNDS});
}
END_TEST

START_TEST(every_kind_has_a_rank_of_its_own)
{
    bool taken[SIMT_FINDING_KINDS] = {false};
    for (int kind = 0; kind < SIMT_FINDING_KINDS; kind++) {
        int rank = simt_finding_rank(&(struct simt_finding){.kind = (enum simt_finding_kind)kind});
        ck_assert_int_lt(rank, SIMT_FINDING_KINDS);
        ck_assert(!taken[rank]);
        taken[rank] = true;
    }
}
END_TEST

START_TEST(what_a_thread_does_after_it_read_junk_comes_later)
{
    report(&threads[0], SIMT_UNINITIALIZED, "shared index");
    report(&threads[0], SIMT_OUT_OF_BOUNDS, "in[2779096485]");
    expect(2, (const enum simt_finding_kind[]){SIMT_UNINITIALIZED, SIMT_OUT_OF_BOUNDS});
    struct simt_finding_words words;
    simt_finding_words(simt_finding_at(1), &words);
    ck_assert_str_eq(words.detail, "an earlier finding may be the reason");
}
END_TEST

START_TEST(what_another_thread_does_does_not)
{
    report(&threads[0], SIMT_UNINITIALIZED, "shared index");
    report(&threads[1], SIMT_OUT_OF_BOUNDS, "in[512]");
    expect(2, (const enum simt_finding_kind[]){SIMT_OUT_OF_BOUNDS, SIMT_UNINITIALIZED});
}
END_TEST

START_TEST(a_deadlock_may_follow_from_what_any_thread_read)
{
    report(&threads[0], SIMT_RACE, "flag");
    report(&threads[1], SIMT_DEADLOCK, "");
    expect(2, (const enum simt_finding_kind[]){SIMT_RACE, SIMT_DEADLOCK});
}
END_TEST

START_TEST(an_earlier_launch_may_be_the_reason)
{
    report(&threads[0], SIMT_UNINITIALIZED, "shared index");
    launch.number++;
    report(&threads[0], SIMT_OUT_OF_BOUNDS, "in[512]");
    expect(2, (const enum simt_finding_kind[]){SIMT_UNINITIALIZED, SIMT_OUT_OF_BOUNDS});
}
END_TEST

START_TEST(one_finding_a_variable_comes_before_the_second_of_another)
{
    report(&threads[0], SIMT_RACE, "shared tile[3]");
    report(&threads[0], SIMT_RACE, "shared tile[4]"); /* another title */
    report(&threads[0], SIMT_UNINITIALIZED, "shared sums[0]");
    expect(3, (const enum simt_finding_kind[]){SIMT_RACE, SIMT_UNINITIALIZED, SIMT_RACE});
}
END_TEST

START_TEST(facts_stand_there_as_data_and_in_words)
{
    finding_report(&(struct finding_facts){
        .rule = SIMT_RULE_BARRIER_NOT_REACHED,
        .variable = {.memory = SIMT_IN_SHARED,
                     .name = "tile",
                     .is_element = true,
                     .index = 21,
                     .length = 64,
                     .dimensions = 2,
                     .extent = {4, 16}},
        .hint = SIMT_HINT_BARRIER_FOR_ALL,
        .fact = {FACT_NUMBER(REACHED, 20), FACT_TEXT(KERNEL, NULL), FACT_NUMBER(THREADS, 32)}});
    const struct simt_finding *finding = simt_finding_at(0);
    struct simt_finding_words words;
    simt_finding_words(finding, &words);
    ck_assert_int_eq(finding->kind, SIMT_BARRIER);
    ck_assert_int_eq(finding->rule, SIMT_RULE_BARRIER_NOT_REACHED);
    ck_assert_uint_eq(finding->facts, 2); /* a text that is null is none */
    ck_assert_str_eq(simt_fact_name(finding->fact[1].name), "threads");
    ck_assert_int_eq(finding->fact[1].number, 32);
    ck_assert_str_eq(words.title, "20 of 32 threads reach this barrier");
    ck_assert_str_eq(words.variable, "shared tile[1][5]");
    ck_assert_str_eq(words.notes, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rank of findings");
    TCase *tcase = tcase_create("rank");
    tcase_add_checked_fixture(tcase, begin, end);
    tcase_add_test(tcase, kinds_have_an_order);
    tcase_add_test(tcase, every_kind_has_a_rank_of_its_own);
    tcase_add_test(tcase, what_a_thread_does_after_it_read_junk_comes_later);
    tcase_add_test(tcase, what_another_thread_does_does_not);
    tcase_add_test(tcase, a_deadlock_may_follow_from_what_any_thread_read);
    tcase_add_test(tcase, an_earlier_launch_may_be_the_reason);
    tcase_add_test(tcase, one_finding_a_variable_comes_before_the_second_of_another);
    tcase_add_test(tcase, facts_stand_there_as_data_and_in_words);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
