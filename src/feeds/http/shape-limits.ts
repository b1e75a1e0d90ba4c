import { FeedFault } from '../contract/feed.ts';

/** Maximum number of columns of a CSV. Each cell becomes a field of an object. */
const columnsMax = 1_000;

/** Maximum depth of lists and objects in a JSON. Expressions follow them with calls of their own. */
const depthMax = 100;

/**
 * Refuses a CSV with too many columns, before it is read.
 *
 * @throws FeedFault `unintelligible`
 */
export function requireFewColumns(text: string): void {
  let line = 1;
  let separators = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) {
      line += 1;
      separators = 0;
    } else if (separatorCodes.has(code)) separators += 1;
    if (separators < columnsMax) continue;
    throw new FeedFault(
      'unintelligible',
      `line ${line} of the response has more than ${columnsMax} columns, the maximum. Request fewer columns from the source`,
    );
  }
}

const lineFeed = 0x0a;

/** The separators that are detected: comma, tab, bar, semicolon, and the ASCII separators of records and units. */
const separatorCodes: ReadonlySet<number> = new Set([0x2c, 0x09, 0x7c, 0x3b, 0x1e, 0x1f]);

/**
 * Refuses a JSON that is nested too deep, before it is read.
 *
 * @throws FeedFault `unintelligible`
 */
export function requireShallow(text: string): void {
  let depth = 0;
  let isWithinText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isWithinText) {
      if (code === backslash) at += 1;
      else if (code === quote) isWithinText = false;
    } else if (code === quote) isWithinText = true;
    else if (code === bracket || code === brace) depth += 1;
    // A closing character differs from its opening one by two.
    else if (code === bracket + 2 || code === brace + 2) depth -= 1;
    if (depth <= depthMax) continue;
    throw new FeedFault(
      'unintelligible',
      `the response has lists or objects ${depthMax + 1} deep, and the maximum is ${depthMax}`,
    );
  }
}

const quote = 0x22;
const backslash = 0x5c;
const bracket = 0x5b;
const brace = 0x7b;
