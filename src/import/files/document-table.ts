import type { Row } from '../cells/table.ts';
import { ImportRefusal } from '../refusals/import-refusal.ts';
import { alphaVantageRows } from './alpha-vantage.ts';
import type { DocumentName } from '../layouts/layout.ts';
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
  yield documents[name].rowsOf(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ImportRefusal('unreadable', 'not valid JSON', { cause: error });
  }
}
