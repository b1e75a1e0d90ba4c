/**
 * The processor time of an update and of a plain response, with and without books: what a book costs
 * the installations whose sources report one, and that it costs nothing where none is reported or
 * requested. Median over rounds, in which the cases alternate.
 *
 * With another checkout as argument, the cases that it can run are measured in it too, in the same
 * rounds: before and after a change.
 *
 * Usage: node bench/book.ts [OTHER_CHECKOUT]
 */
import { join, resolve } from 'node:path';

import type { Quote } from '../src/domain/quotes/quote.ts';
import type { Update } from '../src/domain/quotes/update.ts';
import { figure, say } from './support/print.ts';
import { median } from './support/statistics.ts';

const rounds = 25;
const updatesPerRound = 20_000;
const responsesPerRound = 1_000;
const noon = Date.parse('2026-11-20T15:00:00Z');

const own = resolve(import.meta.dirname, '..');
const checkouts = [own, ...process.argv.slice(2, 3).map((path) => resolve(path))];

interface Case {
  readonly name: string;
  readonly count: number;
  readonly run: () => void;
}

const cases = (await Promise.all(checkouts.map(casesOf))).flat();
const times = new Map(cases.map((one) => [one, [] as number[]]));
for (let round = 0; round < rounds; round += 1) {
  for (const one of cases) {
    const before = process.cpuUsage();
    one.run();
    const { user, system } = process.cpuUsage(before);
    times.get(one)?.push((user + system) / one.count);
  }
}
for (const one of cases) say(`${one.name.padEnd(60)} ${figure(median(times.get(one) ?? []))} µs`);

function price(index: number): object {
  return { last: 100 + (index % 97), volume: index };
}

function book(index: number): object {
  return {
    bid: 90 + (index % 89),
    bidSize: index % 50,
    ask: 200 - (index % 83),
    askSize: index % 40,
  };
}

async function casesOf(checkout: string): Promise<readonly Case[]> {
  const load = (path: string): Promise<Record<string, never>> => import(join(checkout, path));
  const { Engine } = (await load('src/engine/engine.ts')) as unknown as EngineModule;
  const { loadUniverse } = (await load('src/universe/load-universe.ts')) as unknown as LoadModule;
  const { Board } = (await load('src/board/board.ts')) as unknown as BoardModule;
  const { QuoteResponses } = (await load(
    'src/http/content/quote-responses.ts',
  )) as unknown as ResponsesModule;
  const { packQuotes } = (await load(
    'src/store/sqlite/rows/quote-columns.ts',
  )) as unknown as PackModule;
  const loaded = await loadUniverse(join(checkout, 'universe'));
  if (!loaded.ok) throw new Error('the universe has faults');
  const { universe } = loaded;
  const cedears = universe.panels.get('CED') ?? [];
  const options = { settleDelayMs: 900_000, nextVersion: 1, isAlwaysOpen: true };
  let at = noon;
  const updates = (fields: (index: number) => object): readonly Update[] =>
    Array.from({ length: updatesPerRound }, (_, index) => {
      const { ticker } = cedears[index % cedears.length] as Named;
      return { ticker, at: (at += 1), ...fields(index) };
    });
  const folding = (name: string, fields: (index: number) => object): Case => {
    const engine = new Engine(universe, options);
    engine.apply(updates(price), at);
    const run = (): void => {
      // As in the service: folded and packed in batches.
      const all = updates(fields);
      for (let from = 0; from < all.length; from += 500) {
        packQuotes(engine.apply(all.slice(from, from + 500), at).stored);
      }
    };
    return { name, count: updatesPerRound, run };
  };
  const answering = (name: string, query: string, fields?: (index: number) => object): Case => {
    const engine = new Engine(universe, options);
    const board = new Board(universe);
    board.adopt(
      engine.apply(
        updates((index) => ({ ...price(index) })),
        at,
      ).quotes,
    );
    const clock = { now: () => noon, monotonic: () => 0 };
    const limits = { tickersMax: 500, responsesBytesMax: 2 ** 26 };
    const responses = new QuoteResponses({ board, clock, ...limits });
    const run = (): void => {
      const changes = fields === undefined ? [] : updates(fields);
      for (let index = 0; index < responsesPerRound; index += 1) {
        const change = changes[index];
        if (change !== undefined) board.adopt(engine.apply([change], at).quotes);
        const { value } = responses.find(query);
        value.current('json').body.pick(['identity']);
      }
    };
    return { name, count: responsesPerRound, run };
  };
  const label = checkout === own ? '' : ' (other checkout)';
  const plain = [
    folding(`update of a price${label}`, price),
    answering(`response of panel CED, no change${label}`, 'panel=CED'),
    answering(`price change and response of panel CED${label}`, 'panel=CED', price),
  ];
  if (checkout !== own) return plain;
  return [
    ...plain,
    folding('update of a price and a book', (index) => ({ ...price(index), ...book(index) })),
    folding('update of a book alone', book),
    answering('book change and response of panel CED', 'panel=CED', book),
    answering('the same with campos', 'panel=CED&campos=compra,venta', book),
  ];
}

/** What the cases use of either checkout. */
interface EngineModule {
  readonly Engine: new (
    universe: unknown,
    options: object,
  ) => {
    apply(
      updates: readonly Update[],
      now: number,
    ): { readonly quotes: readonly Quote[]; readonly stored: readonly unknown[] };
  };
}

interface LoadModule {
  readonly loadUniverse: (directory: string) => Promise<{
    readonly ok: boolean;
    readonly universe: { readonly panels: ReadonlyMap<string, readonly Named[]> };
  }>;
}

interface Named {
  readonly ticker: Update['ticker'];
}

interface BoardModule {
  readonly Board: new (universe: unknown) => { adopt(quotes: readonly Quote[]): void };
}

interface ResponsesModule {
  readonly QuoteResponses: new (options: object) => {
    find(query: string): {
      readonly value: {
        current(format: 'json'): { readonly body: { pick(codings: readonly string[]): unknown } };
      };
    };
  };
}

interface PackModule {
  readonly packQuotes: (quotes: readonly unknown[]) => unknown;
}
