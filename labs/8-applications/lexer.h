/* lexer.h: the automaton of the part `lex`: it decides which bytes of a C program form a token.
 *
 * It reads a text from its first byte to its last. The state after a byte says what that byte belongs to:
 *
 *     LEX_SPACE     between tokens          LEX_STRING, LEX_STRING_ESCAPE    "...  and "...\
 *     LEX_WORD      letters, digits, _      LEX_CHAR, LEX_CHAR_ESCAPE        '...  and '...\
 *     LEX_NUMBER    digits and what follows LEX_COMMENT, LEX_STAR            / * ... and / * ... *
 *     LEX_MARK      punctuation             LEX_LINE                         / / ... up to the end of the line
 *     LEX_SLASH     a / that may begin a comment
 *     LEX_CLOSE     the byte that ends a comment, a string or a character
 *
 * Every mark is a token of its own; a comment, a string and a character are one token each. Bytes from 128 on count
 * as letters. */
#ifndef LEXER_H
#define LEXER_H

#include "monoid.h"

enum lex_state {
    LEX_SPACE,
    LEX_WORD,
    LEX_NUMBER,
    LEX_MARK,
    LEX_SLASH,
    LEX_LINE,
    LEX_COMMENT,
    LEX_STAR,
    LEX_STRING,
    LEX_STRING_ESCAPE,
    LEX_CHAR,
    LEX_CHAR_ESCAPE,
    LEX_CLOSE,
    LEX_STATES /* the number of states */
};

/* The state in which the automaton starts. */
#define LEX_START LEX_SPACE

MONOID_FUNCTION bool lex_is_letter(unsigned char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte >= 128;
}

MONOID_FUNCTION bool lex_is_digit(unsigned char byte)
{
    return byte >= '0' && byte <= '9';
}

/* Returns the state after a byte that does not continue the token before it. */
MONOID_FUNCTION enum lex_state lex_first(unsigned char byte)
{
    if (lex_is_letter(byte))
        return LEX_WORD;
    if (lex_is_digit(byte))
        return LEX_NUMBER;
    if (byte <= ' ')
        return LEX_SPACE;
    return byte == '/' ? LEX_SLASH : byte == '"' ? LEX_STRING : byte == '\'' ? LEX_CHAR : LEX_MARK;
}

/* Returns the state that `byte` leads to from `state`, which is one of the LEX_STATES. */
MONOID_FUNCTION enum lex_state lex_next(unsigned state, unsigned char byte)
{
    switch (state) {
    case LEX_WORD:
        return lex_is_letter(byte) || lex_is_digit(byte) ? LEX_WORD : lex_first(byte);
    case LEX_NUMBER:
        return lex_is_letter(byte) || lex_is_digit(byte) || byte == '.' ? LEX_NUMBER : lex_first(byte);
    case LEX_SLASH:
        return byte == '*' ? LEX_COMMENT : byte == '/' ? LEX_LINE : lex_first(byte);
    case LEX_LINE:
        return byte == '\n' ? LEX_SPACE : LEX_LINE;
    case LEX_COMMENT:
        return byte == '*' ? LEX_STAR : LEX_COMMENT;
    case LEX_STAR:
        return byte == '/' ? LEX_CLOSE : byte == '*' ? LEX_STAR : LEX_COMMENT;
    case LEX_STRING:
        return byte == '"' ? LEX_CLOSE : byte == '\\' ? LEX_STRING_ESCAPE : LEX_STRING;
    case LEX_STRING_ESCAPE:
        return LEX_STRING;
    case LEX_CHAR:
        return byte == '\'' ? LEX_CLOSE : byte == '\\' ? LEX_CHAR_ESCAPE : LEX_CHAR;
    case LEX_CHAR_ESCAPE:
        return LEX_CHAR;
    default:
        return lex_first(byte);
    }
}

/* Whether a token begins with the byte that leads from state `before` to state `after`. */
MONOID_FUNCTION bool lex_begins(unsigned before, unsigned after)
{
    switch (after) {
    case LEX_MARK:
    case LEX_SLASH:
        return true;
    case LEX_WORD:
    case LEX_NUMBER:
        return before != after;
    case LEX_STRING:
        return before != LEX_STRING && before != LEX_STRING_ESCAPE;
    case LEX_CHAR:
        return before != LEX_CHAR && before != LEX_CHAR_ESCAPE;
    default:
        return false;
    }
}

#endif
