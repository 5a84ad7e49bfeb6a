/* signature.c: finds a function's declaration and its definition in a module's debug information, for the case that
 * C++ takes them for two functions because their parameters differ. */
#define _GNU_SOURCE
#include "core/module.h"
#include "core/stacks.h"
#include "report/debug_info.h"
#include "report/variables.h"
#include "simt.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTERS = 16 }; /* pointers, qualifiers and similar parts of one type */

struct words {
    char *at;
    size_t left;
};

static void add(struct words *words, const char *text)
{
    const int length = snprintf(words->at, words->left, "%s", text);
    const size_t step = (size_t)length < words->left ? (size_t)length : words->left - 1;
    words->at += step;
    words->left -= step;
}

/* Adds a text after a blank, except after a pointer's mark. */
static void add_apart(struct words *words, const char *text)
{
    if (!strchr("*&", words->at[-1]))
        add(words, " ");
    add(words, text);
}

/* ---- types ----------------------------------------------------------------------------------------------- */

/* The name of a type as sources spell it. */
static const char *type_name(Dwarf_Die *type)
{
    static const char *const spelled[][2] = {{"unsigned int", "unsigned"},
                                             {"long unsigned int", "unsigned long"},
                                             {"long int", "long"},
                                             {"short int", "short"},
                                             {"_Bool", "bool"}};
    const char *name = dwarf_diename(type);
    if (dwarf_tag(type) == DW_TAG_subroutine_type)
        return "function";
    for (size_t i = 0; name && i < sizeof spelled / sizeof *spelled; i++)
        if (strcmp(name, spelled[i][0]) == 0)
            return spelled[i][1];
    return name ? name : "?";
}

/* Adds the type of a parameter or of a function's result, such as "const elem_t *". */
static void add_type(struct words *words, Dwarf_Die *of)
{
    const char *behind[MOST_POINTERS]; /* outermost first */
    const char *before = "";
    size_t count = 0;
    Dwarf_Die type, inner;
    Dwarf_Attribute attribute;
    bool known = dwarf_formref_die(dwarf_attr_integrate(of, DW_AT_type, &attribute), &type);
    for (bool more = known; more && count < MOST_POINTERS; type = inner) {
        const int tag = dwarf_tag(&type);
        const char *mark = tag == DW_TAG_pointer_type            ? "*"
                           : tag == DW_TAG_reference_type        ? "&"
                           : tag == DW_TAG_rvalue_reference_type ? "&&"
                           : tag == DW_TAG_const_type            ? "const"
                           : tag == DW_TAG_volatile_type         ? "volatile"
                           : tag == DW_TAG_restrict_type         ? "__restrict__"
                                                                 : NULL;
        if (!mark)
            break;
        behind[count++] = mark;
        known = more = dwarf_formref_die(dwarf_attr(&type, DW_AT_type, &attribute), &inner);
    }
    while (count > 0 &&
           (strcmp(behind[count - 1], "const") == 0 || strcmp(behind[count - 1], "volatile") == 0)) {
        add(words, before); /* qualifiers of the innermost type are written before it */
        add(words, behind[--count]);
        before = " ";
    }
    add(words, before);
    add(words, known ? type_name(&type) : "void");
    while (count > 0)
        add_apart(words, behind[--count]);
}

/* ---- functions ------------------------------------------------------------------------------------------- */

/* Adds "mine::" for a function that is defined in a namespace or a class. */
static void add_scopes(struct words *words, Dwarf_Die *function)
{
    Dwarf_Die declared, *scopes = NULL;
    Dwarf_Attribute attribute;
    if (!dwarf_formref_die(dwarf_attr_integrate(function, DW_AT_specification, &attribute), &declared))
        return;
    const int count = dwarf_getscopes_die(&declared, &scopes);
    for (int i = count - 1; i > 0; i--) { /* 0 is the function itself */
        const int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_namespace && tag != DW_TAG_structure_type && tag != DW_TAG_class_type)
            continue;
        add(words, dwarf_diename(&scopes[i]) ? dwarf_diename(&scopes[i]) : "(anonymous namespace)");
        add(words, "::");
    }
    free(scopes);
}

static void describe(Dwarf_Die *function, struct simt_signature *found)
{
    struct words words = {found->text, sizeof found->text};
    Dwarf_Die child;
    const char *between = "", *file = dwarf_decl_file(function);

    add_scopes(&words, function);
    add(&words, dwarf_diename(function));
    add(&words, "(");
    for (int more = dwarf_child(function, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
        Dwarf_Attribute attribute;
        if (dwarf_tag(&child) != DW_TAG_formal_parameter || dwarf_hasattr(&child, DW_AT_artificial))
            continue;
        add(&words, between);
        add_type(&words, &child);
        const char *name = dwarf_formstring(dwarf_attr_integrate(&child, DW_AT_name, &attribute));
        if (name)
            add_apart(&words, name);
        between = ", ";
    }
    add(&words, ")");
    const char *slash = file ? strrchr(file, '/') : NULL;
    snprintf(found->where.file, sizeof found->where.file, "%s", slash ? slash + 1 : file ? file : "");
    found->where.line = 0;
    dwarf_decl_line(function, &found->where.line);
}

/* Does the function have this name, or is it an instance of a template with this name? */
static bool is_called(Dwarf_Die *function, const char *name)
{
    const char *own = dwarf_diename(function);
    return own && strncmp(own, name, strlen(name)) == 0 &&
           (own[strlen(name)] == 0 || own[strlen(name)] == '<');
}

struct question {
    const char *name;
    const struct module *module;
    Dwarf_Addr caller; /* in the unit that only declares the function */
    struct simt_signature *declared, *defined;
};

static void search(Dwarf_Die *parent, bool is_callers, struct question *question)
{
    Dwarf_Die die;
    for (int more = dwarf_child(parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) == DW_TAG_namespace)
            search(&die, is_callers, question);
        if (dwarf_tag(&die) != DW_TAG_subprogram || !is_called(&die, question->name))
            continue;
        const bool declaration = dwarf_hasattr(&die, DW_AT_declaration);
        if (declaration && is_callers && !question->declared->text[0])
            describe(&die, question->declared);
        if (!declaration && !is_callers && !question->defined->text[0])
            describe(&die, question->defined);
    }
}

static void answer(void *argument)
{
    struct question *question = argument;
    Dwarf *dwarf = debug_info_of(question->module);
    Dwarf_CU *cu = NULL;
    Dwarf_Half version;
    uint8_t unit_type;
    Dwarf_Die unit;
    while (dwarf && dwarf_get_units(dwarf, cu, &cu, &version, &unit_type, &unit, NULL) == 0)
        search(&unit, dwarf_haspc(&unit, question->caller) > 0, question);
}

void simt_find_signatures(const void *code, const char *name, struct simt_signature *declared,
                          struct simt_signature *defined)
{
    const struct module *module = module_of_code(code);
    struct question question = {name, module, 0, declared, defined};
    declared->text[0] = defined->text[0] = 0;
    if (!module)
        return;
    question.caller = (uintptr_t)code - module->bias;
    stacks_call_on_large(answer, &question);
}
