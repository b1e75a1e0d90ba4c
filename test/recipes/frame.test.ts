/** What the tests of the recipes rely on: the service, its market, and how tools are run. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { temporaryDirectory } from '../support/program/program.ts';
import { readRecipe } from './support/recipe-page.ts';
import { sessionDate, splitDate } from './support/recipe-market.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { needs, runTool } from './support/run-tool.ts';

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService());

type Row = Readonly<Record<string, unknown>>;

async function rowsAt(url: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200, url);
  return (await response.json()) as readonly Row[];
}

const isBeforeSplit = (date: string): boolean => date < splitDate;

function lastClose(rows: readonly Row[], matches: (date: string) => boolean = () => true): number {
  return Number(rows.findLast(({ fecha }) => matches(String(fecha)))?.['ultimo']);
}

test('every instrument has a quote, with a key in the header and with one in the URL', async () => {
  const list = await (await fetch(`${service.keyedUrl}/especies.txt`)).text();
  const tickers = list.trim().split('\n');
  assert.equal(tickers.length, service.server.board.universe.instruments.length);
  for (let from = 0; from < tickers.length; from += 100) {
    const some = tickers.slice(from, from + 100);
    const asked = some.map(encodeURIComponent).join(',');
    const rows = await rowsAt(`${service.keyedUrl}/cotizaciones?especie=${asked}`);
    assert.equal(rows.length, some.length);
  }
  const authorization = `Bearer ${service.key}`;
  const [spread, dollar] = await rowsAt(`${service.url}/cotizaciones?especie=MEP-CCL,DOLAR%20MEP`, {
    authorization,
  });
  assert.deepEqual([spread?.['ultimo'], dollar?.['ultimo']], [-2.35, 1502.35]);
  assert.equal(dollar?.['fecha'], sessionDate);
  service.show('DOLAR MEP', 1503.5);
  const [later] = await rowsAt(`${service.keyedUrl}/cotizaciones?especie=DOLAR%20MEP`);
  assert.equal(later?.['ultimo'], 1503.5);
});

test('the closes include an early close and a split', async () => {
  const target = `${service.keyedUrl}/historicos?desde=2025-01-01&hasta=2026-12-31&ajuste=splits`;
  const dates = (await rowsAt(`${target}&especie=GGAL`)).map(({ fecha }) => fecha);
  assert.ok(dates.length > 400);
  assert.ok(dates.includes('2025-12-24'));
  const adjusted = await rowsAt(`${target}&especie=AAPL`);
  const traded = await rowsAt(`${target.replace('splits', 'ninguno')}&especie=AAPL`);
  assert.ok(
    Math.abs(lastClose(traded, isBeforeSplit) / lastClose(adjusted, isBeforeSplit) - 4) < 0.001,
  );
  assert.equal(lastClose(traded), lastClose(adjusted));
});

test('a tool gets its input and sees only its own environment', async () => {
  await using directory = await temporaryDirectory();
  const program = ['sh', '-c', 'cat; pwd; env | grep -c npm_; echo "$A" >&2; exit 3'];
  const ran = await runTool(program, { cwd: directory.path, env: { A: 'one' }, input: 'in\n' });
  assert.deepEqual(ran, { code: 3, stdout: `in\n${directory.path}\n0\n`, stderr: 'one\n' });
});

test('a tool that does not end is killed with its children', async () => {
  const { code } = await runTool(['sh', '-c', 'sleep 3600 & wait'], { timeoutMs: 50 });
  assert.equal(code, null);
});

test('a test whose program is missing is skipped with the package that has it', () => {
  assert.deepEqual(needs(['sh'], 'dash'), {});
  assert.deepEqual(needs(['sh', '-c', 'true'], 'dash'), {});
  assert.match(needs(['sh', '-c', 'false'], 'dash').skip ?? '', /sh -c false .*install dash/);
  assert.match(needs(['no-such-program'], 'nothing').skip ?? '', /no-such-program .*nothing/);
});

test('a recipe without the block that a test runs is an error', () => {
  assert.throws(() => readRecipe('tradingview.md').take('perl'), /no block perl receta/);
});
