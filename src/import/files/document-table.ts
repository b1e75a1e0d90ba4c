import type { Row } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { alphaVantageRows } from './alpha-vantage.ts';
import type { DocumentName } from '../layouts/layout.ts';
import { jsonRowCharsMax, jsonRows, parseJson } from './json.ts';
import { shapedRows } from './json-shapes.ts';
import { yahooChartRows } from './yahoo-chart.ts';

/** The documents of JSON that are no list of rows, by the key with which each begins. */
const documents: Readonly<
  Record<DocumentName, { readonly key: string; readonly rowsOf: (body: unknown) => readonly Row[] }>
> = {
  'yahoo-chart': { key: 'chart', rowsOf: yahooChartRows },
  'alpha-vantage': { key: 'Meta Data', rowsOf: alphaVantageRows },
};

/** Maximum length of a document, in characters. One of 40 years has about one million. */
const documentCharsMax = 16_777_216;

/** The document that begins with this text, or undefined. */
export function documentIn(start: string): DocumentName | undefined {
  const [, key] = /^\s*\{\s*"([^"\\]{1,40})"\s*:/.exec(start) ?? [];
  const names = Object.keys(documents) as DocumentName[];
  return names.find((name) => documents[name].key === key);
}

/**
 * The rows of a document, with a header first. It is in memory as a whole.
 *
 * @throws {ImportRefusal} `too-large` beyond {@link documentCharsMax}, and `not-prices` when the document
 *   has no daily prices.
 */
export async function* documentRows(
  name: DocumentName,
  texts: AsyncIterable<string>,
): AsyncGenerator<readonly Row[]> {
  let text = '';
  for await (const part of texts) {
    text += part;
    if (text.length > documentCharsMax) {
      const message = `the document has more than ${documentCharsMax} characters; request fewer years`;
      throw new ImportRefusal('too-large', message);
    }
  }
  yield documents[name].rowsOf(parseJson(text));
}

/** The beginning of an array of flat objects, alone or in an object under a name that is no symbol. */
const startsWithRow = /^\s*(?:\{[^{}[\]]*"(?![A-Z\d.:/-]+")[^"]*"\s*:\s*)?\[\s*\{[^{}[\]]*\}/;

/**
 * The rows of a JSON document, with a header first. An array of flat objects is read row by row, whatever its
 * length. Another document is in memory as a whole, up to {@link documentCharsMax}; a longer one, or one with a
 * longer member than a row may be, is read as an array of rows.
 */
export async function* anyJsonRows(
  start: string,
  texts: AsyncIterable<string>,
  limits: Parameters<typeof jsonRows>[1],
): AsyncGenerator<readonly Row[]> {
  if (startsWithRow.test(start)) {
    yield* jsonRows(texts, limits);
    return;
  }
  const held: string[] = [];
  let [chars, charsOfMember] = [0, 0];
  const all = texts[Symbol.asyncIterator]();
  let isWhole = false;
  while (chars <= documentCharsMax && charsOfMember <= jsonRowCharsMax) {
    const { done, value } = await all.next();
    if (done === true) {
      isWhole = true;
      break;
    }
    held.push(value);
    chars += value.length;
    const comma = value.lastIndexOf(',');
    charsOfMember = comma < 0 ? charsOfMember + value.length : value.length - comma;
  }
  const rows = isWhole ? shapedRows(parseJson(held.join(''))) : undefined;
  if (rows === undefined) yield* jsonRows(startingWith(held, all), limits);
  else yield rows;
}

async function* startingWith(
  held: readonly string[],
  rest: AsyncIterator<string>,
): AsyncGenerator<string> {
  yield* held;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
