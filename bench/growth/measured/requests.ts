import { fromEpochDay, type EpochDay } from '../../../src/domain/calendar/plain-date.ts';
import { Http1Load } from '../../support/request-load.ts';
import type { FigureName } from './figures.ts';
import type { GrownNode } from './grown-node.ts';

/** Number of instruments whose bars are requested for the first time. */
const coldInstruments = 300;

/** Measures the processor time of each kind of request, once. */
export async function measureRequests(node: GrownNode, seconds: number): Promise<void> {
  const { url, privateUrl, keys } = node.service;
  const day = dateOf(node.store.barDays.at(-1));
  const cases: readonly (readonly [name: FigureName, url: string, key: string])[] = [
    ['one', `${url}/cotizaciones?especie=GGAL`, keys.read],
    ['panel', `${url}/cotizaciones?panel=CED`, keys.read],
    ['year', `${url}/historicos?especie=GGAL&desde=2025-11-14&hasta=2026-11-13`, keys.read],
    ['bars', `${url}${barsTarget('GGAL', day)}`, keys.read],
    ['list', `${url}/especies.json`, keys.read],
    ['health', `${url}/healthz`, keys.read],
    ['metrics', `${privateUrl}/metrics`, keys.metrics],
  ];
  for (const [name, target, key] of cases) {
    using load = new Http1Load(target);
    await load.ready();
    const sent = { url: target, targets: [''], headers: { authorization: `Bearer ${key}` } };
    let requests = 0;
    const microseconds = await node.cost(async () => {
      requests = await load.run(sent, seconds * 1_000);
    });
    node.figures.add(name, microseconds / requests);
  }
}

/** Measures the first requests for the bars of instruments. Each round has another day, as far as there are days. */
export async function measureColdBars(node: GrownNode, round: number): Promise<void> {
  const { tickers } = node.source;
  const { barDays } = node.store;
  const day = dateOf(barDays[round % Math.max(1, barDays.length - 1)]);
  const stride = Math.max(1, Math.floor(tickers.length / coldInstruments));
  const targets = tickers
    .filter((_, index) => index % stride === 0)
    .map((ticker) => barsTarget(ticker, day));
  const microseconds = await node.cost(() => node.requestInTurn(targets));
  node.figures.add('coldBars', microseconds / targets.length);
}

function barsTarget(ticker: string, day: string): string {
  return `/intradiarios?especie=${encodeURIComponent(ticker)}&desde=${day}&hasta=${day}&intervalo=1m`;
}

function dateOf(day: number | undefined): string {
  return fromEpochDay((day ?? 0) as EpochDay);
}
