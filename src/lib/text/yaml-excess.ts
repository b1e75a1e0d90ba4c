import { Lexer } from 'yaml';

/** The maximum number of brackets within one another. */
const depthMax = 100;

/** The maximum number of indicators (`- `, `? `, `: `, tags, anchors) for one value, or one entry of a line. */
const indicatorsMax = 100;

/** The maximum number of values in one pair of brackets. */
const valuesMax = 20_000;

/** The lexeme before a plain scalar. */
const scalarMark = '\u001F';

/**
 * What of a YAML text would take the parser a time that grows with the square of its length: brackets within brackets,
 * rows of indicators, and very many values in brackets. Undefined for a text that can be parsed quickly. It takes a
 * time that grows with the length.
 *
 * @returns why, with the line and the column, from 1.
 */
export function yamlExcess(
  text: string,
): { readonly message: string; readonly line: number; readonly column: number } | undefined {
  /** The number of values in each of the open brackets. */
  const open: number[] = [];
  let offset = 0;
  let indicators = 0;
  let colons = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const message = take(lexeme);
    if (message !== undefined) {
      const lines = text.slice(0, offset).split('\n');
      return { message, line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
    }
    if (lexeme !== '\u0002' && lexeme !== scalarMark && lexeme !== '\u0018')
      offset += lexeme.length;
  }
  return undefined;

  function take(lexeme: string): string | undefined {
    switch (lexeme.charAt(0)) {
      case '[':
      case '{':
        open.push(0);
        colons = 0;
        return open.length > depthMax
          ? `more than ${depthMax} brackets within one another`
          : undefined;
      case ']':
      case '}':
        open.pop();
        colons = 0;
        return undefined;
      case ',': {
        const values = (open.pop() ?? 0) + 1;
        open.push(values);
        [indicators, colons] = [0, 0];
        return values > valuesMax
          ? `more than ${valuesMax} values in brackets; write a line for each`
          : undefined;
      }
      case '\n':
      case '\r':
        if (open.length === 0) colons = 0;
        return undefined;
      case scalarMark:
      case '"':
      case "'":
        indicators = 0;
        return undefined;
      case ':':
        colons += 1;
        return colons > indicatorsMax ? `more than ${indicatorsMax} keys for one value` : undefined;
      case '-':
      case '?':
      case '&':
      case '!':
        indicators += 1;
        return indicators > indicatorsMax
          ? `more than ${indicatorsMax} of "- ", "? ", tags and anchors for one value`
          : undefined;
      default:
        return undefined;
    }
  }
}
