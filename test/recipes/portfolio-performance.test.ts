/**
 * docs/integraciones/portfolio-performance.md: real responses to its URLs, read with its paths by the library
 * that the program uses.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { textOf } from '../docs/blocks.ts';
import { fieldsIn } from '../support/fields-in.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { needs, runTool } from './support/run-tool.ts';

const recipe = readRecipe('portfolio-performance.md');
const [closesUrl = ''] = recipe.take('text', 'Los cierres');
const [latestUrl = ''] = recipe.take('text', 'El último precio');
const [shown = ''] = recipe.take('text', 'Qué se obtiene');

/** The paths of the table, each under the name of its field. */
const paths = Object.fromEntries(
  Array.from(
    textOf('docs/integraciones/portfolio-performance.md').matchAll(/`(\$\[\*\]\.(\w+))`/g),
    ([, path = '', field = '']) => [field, path],
  ),
);

/** JsonPath and what it needs. */
const jars = ['json-path', 'json-smart', 'accessors-smart', 'asm', 'slf4j-api', 'slf4j-nop'].map(
  (name) => `/usr/share/java/${name}.jar`,
);
const java = needs(
  ['sh', '-c', 'javac --version && test -e /usr/share/java/json-path.jar'],
  'default-jdk-headless libjsonpath-java',
);
const program = join(import.meta.dirname, 'support/read-portfolio-performance.java');

/** The values of each path of a response, under the name of its field. */
type Columns = Readonly<Record<string, readonly (string | number | null)[]>>;

interface Answer {
  /** The URLs that java.net.URI refuses, each with the reason. */
  readonly refused: Readonly<Record<string, string>>;
  readonly reads: readonly Columns[];
}

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());
const tickers = (await bodyOf(`${service.keyedUrl}/especies.txt`)).trim().split('\n');

/**
 * What `{TODAY}` stands for. Up to this day there are fewer than 400 closes. The json-smart of Debian refuses
 * an array of more objects: its fix of CVE-2023-1370 counts siblings as levels of nesting.
 */
const today = '2026-06-30';

/** A ticker as the page says to type it. */
const typed = (ticker: string): string => ticker.replaceAll(' ', '+');

/** The URL that the program requests for an instrument with this symbol. */
function urlFor(url: string, symbol: string): string {
  return url
    .trim()
    .replace('https://cotizaciones.example.com/clave/pzc_…', service.keyedUrl)
    .replaceAll('{TICKER}', symbol)
    .replaceAll('{TODAY}', today);
}

/** The URL of the closes and that of the quote. */
function urlsFor(symbol: string): readonly string[] {
  return [closesUrl, latestUrl].map((url) => urlFor(url, symbol));
}

async function bodyOf(url: string): Promise<string> {
  const response = await fetch(url);
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return body;
}

/** A share, a split, a bond, a space, a slash, a negative spread without highs and lows, nothing. */
const symbols = ['GGAL', 'AAPL', 'AL30', 'DOLAR+MEP', 'DOLAR/EURO', 'MEP-CCL', 'NADA'];

test('each path of the page is a field of the closes and of the quotes', () => {
  assert.deepEqual(Object.keys(paths), ['fecha', 'ultimo', 'maximo', 'minimo', 'volumen']);
});

test('each symbol that is typed as the page says names its instrument', async () => {
  assert.ok(textOf('docs/integraciones/portfolio-performance.md').includes('`DOLAR+MEP`'));
  const perRequest = 400;
  for (let at = 0; at < tickers.length; at += perRequest) {
    const part = tickers.slice(at, at + perRequest);
    const rows = JSON.parse(await bodyOf(urlFor(latestUrl, part.map(typed).join(',')))) as {
      readonly especie: string;
    }[];
    assert.deepEqual(fieldsIn(rows, 'especie'), part);
  }
});

interface Read {
  /** The responses to the URLs of the page for each of {@link symbols}: the closes, then the quote. */
  readonly bodies: readonly string[];
  readonly answer: Answer;
}

let asked: Promise<Read> | undefined;

/** What Java answers. The first test that needs it asks everything at once. */
async function read(): Promise<Read> {
  asked ??= ask();
  return asked;
}

async function ask(): Promise<Read> {
  const bodies = await Promise.all(symbols.flatMap(urlsFor).map(bodyOf));
  const input = JSON.stringify({
    urls: [...tickers.map(typed), 'DOLAR MEP'].flatMap(urlsFor),
    reads: bodies.map((json) => ({ json, paths })),
  });
  const { code, stdout, stderr } = await runTool(['java', '-cp', jars.join(':'), program], {
    input,
  });
  assert.equal(code, 0, stderr);
  return { bodies, answer: JSON.parse(stdout) as Answer };
}

test(
  'every symbol that is typed as the page says makes valid URLs, and one with a space does not',
  java,
  async () => {
    const { answer } = await read();
    assert.ok(tickers.length > 900);
    assert.deepEqual(answer.refused, {
      [urlFor(closesUrl, 'DOLAR MEP')]: 'Illegal character in query',
      [urlFor(latestUrl, 'DOLAR MEP')]: 'Illegal character in query',
    });
  },
);

test(
  'dates, closes, highs, lows and volumes are equally many, and those of the response',
  java,
  async () => {
    const { bodies, answer } = await read();
    assert.equal(answer.reads.length, 2 * symbols.length);
    for (const [at, columns] of answer.reads.entries()) {
      const rows = JSON.parse(bodies[at] ?? '') as Readonly<Record<string, string | number>>[];
      for (const field of Object.keys(paths)) {
        assert.deepEqual(
          columns[field],
          rows.map((row) => row[field] ?? null),
          `${symbols[Math.floor(at / 2)]} ${field}`,
        );
      }
    }
    const lengths = answer.reads.map(({ fecha }) => fecha?.length ?? 0);
    assert.ok((lengths[0] ?? 0) > 300, `${lengths[0]} closes of GGAL`);
    assert.deepEqual(lengths.slice(-2), [0, 0], 'an unknown ticker');
    assert.ok(lengths.slice(0, -2).every((length) => length > 0));
  },
);

test('a spread below zero has closes without highs and lows', java, async () => {
  const { answer } = await read();
  const { ultimo = [], maximo = [] } = answer.reads[2 * symbols.indexOf('MEP-CCL')] ?? {};
  assert.ok(ultimo.length > 0 && ultimo.every((close) => Number(close) < 0));
  assert.ok(maximo.length > 0 && maximo.every((high) => high === null));
});

test('the page shows what is read', java, async () => {
  const { answer } = await read();
  const lines = answer.reads.slice(0, 2).flatMap((columns) => {
    const rows = (columns['fecha'] ?? []).map((_, at) =>
      Object.keys(paths).map((field) => String(columns[field]?.[at])),
    );
    return rows.slice(-3);
  });
  const cells = shown
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/));
  assert.deepEqual(cells, lines);
});
