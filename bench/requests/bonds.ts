/**
 * The time in which `/bonos?panel=BONOS` is found: with every price changed, with one changed, and unchanged,
 * beside the same panel of `/cotizaciones`. In the process of the bench, without HTTP: what is compared is what
 * the figures cost. The sides take turns.
 *
 * Usage: node bench/requests/bonds.ts [ROUNDS]
 */
import { resolve } from 'node:path';

import { Board } from '../../src/board/board.ts';
import { Bonds } from '../../src/domain/bonds/bonds.ts';
import { addDays, toEpochDay, type PlainDate } from '../../src/domain/calendar/plain-date.ts';
import { indexNames } from '../../src/domain/indices/index-name.ts';
import { IndexSeries } from '../../src/domain/indices/index-series.ts';
import type { Instrument } from '../../src/domain/instruments/instrument.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import { bonos } from '../../src/http/public/bonos.ts';
import { ResponseMemory } from '../../src/http/answers/answers.ts';
import { HistoryRevisions } from '../../src/http/answers/history-revisions.ts';
import { ReadQueue } from '../../src/http/answers/read-queue.ts';
import { defaultHttpLimits } from '../../src/http/http-limits.ts';
import { cotizaciones } from '../../src/http/public/cotizaciones.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { InstantTexts } from '../../src/wire/texts/instant-texts.ts';
import { requireUniverse } from '../../src/node/market/require-universe.ts';
import { readNumbers } from '../support/arguments.ts';
import { report, secondsOf } from '../support/report.ts';
import { median } from '../support/statistics.ts';

const { rounds } = readNumbers(import.meta.filename, { rounds: 200 });
const tickersMax = 500;
const query = 'panel=BONOS';
const session = '2026-11-20' as PlainDate;

const universe = await requireUniverse(resolve(import.meta.dirname, '../../universe'));
const board = new Board(universe);
const days = Array.from({ length: 60 }, (_, at) => addDays(session, at - 50));
const indices = new IndexSeries(
  1,
  indexNames.flatMap((index) =>
    days.map((day) => ({ index, day: toEpochDay(day), value: 780, source: 'bench' })),
  ),
);
const queue = new ReadQueue({ ...defaultHttpLimits, clock: systemClock });
const memory = new ResponseMemory({ clock: systemClock, queue, bytesMax: 2 ** 24 });
const instants = new InstantTexts(universe);
const answering = { memory, tickersMax };
const bonds = bonos({ board, bonds: new Bonds(universe), indices: () => indices }, answering);
const history = { readSeries: () => Promise.reject(new Error('only a conversion reads closes')) };
const revisions = new HistoryRevisions();
const quotes = cotizaciones({ board, instants, history, revisions }, answering);

const members = universe.listOf('BONOS');
let version = 0;

/** Publishes a new price of some bonds: near 80 in dollars, and what that is in pesos. */
function change(instruments: readonly Instrument[]): void {
  version += 1;
  const changed = instruments.map((instrument) => {
    const dollars = 80 + ((version * 7) % 100) / 100;
    const last = instrument.currency === 'USD' ? dollars : dollars * 1550;
    const state = { sessionDate: session, last, volume: 1, asOf: version };
    return makeQuote(instrument, { version, session: state, references: {} });
  });
  board.adopt(changed);
}

const nobody = { key: undefined, departure: undefined };

const sides = {
  '/bonos': () => bonds.find(query, 'json', nobody),
  '/cotizaciones': () => quotes.find(query, 'json', nobody),
};

const [first] = members;
const cases: Readonly<Record<string, readonly Instrument[]>> = {
  'all changed': members,
  'one changed': first === undefined ? [] : [first],
  unchanged: [],
};

for (const [name, changed] of Object.entries(cases)) {
  const milliseconds: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    if (changed.length > 0) change(changed);
    for (const [side, find] of Object.entries(sides)) {
      // oxlint-disable-next-line no-await-in-loop
      (milliseconds[side] ??= []).push((await secondsOf(find)) * 1e3);
    }
  }
  const medians = Object.entries(milliseconds).map(([side, all]) => [side, median(all)] as const);
  for (const [side, one] of medians) report(`${side}, ${members.length} bonds, ${name}`, one, 'ms');
  report(`${name}: ratio`, (medians[0]?.[1] ?? 0) / (medians[1]?.[1] ?? 0), 'times');
}
