import { figure } from '../../support/print.ts';
import { median } from '../../support/statistics.ts';

/** A figure that is measured at both sizes. */
interface FigureRow {
  readonly title: string;
  readonly unit: string;
  /** Whether it is of something that is as many times as large at the larger size. The others stay the same. */
  readonly isWhole: boolean;
}

/** What is measured, in the order of the table. */
const figureRows = {
  firstStart: { title: 'first start, to ready', unit: 's', isWhole: true },
  start: { title: 'later start, to ready', unit: 's', isWhole: true },
  check: { title: 'check of the whole store after a start', unit: 's', isWhole: true },
  store: { title: 'store on disk', unit: 'MB', isWhole: true },
  idle: { title: 'resident, idle', unit: 'MiB', isWhole: true },
  loaded: { title: 'resident, after all closes were requested', unit: 'MiB', isWhole: true },
  streaming: { title: 'resident, with the streams too', unit: 'MiB', isWhole: true },
  atEnd: { title: 'resident, at the end', unit: 'MiB', isWhole: true },
  rest: { title: 'at rest with the streams', unit: '% of a core', isWhole: true },
  one: { title: 'one ticker', unit: 'µs', isWhole: false },
  panel: { title: 'a panel (CED)', unit: 'µs', isWhole: false },
  year: { title: 'a year of closes, from memory', unit: 'µs', isWhole: false },
  coldSeries: { title: 'all closes of an instrument, from the store', unit: 'µs', isWhole: false },
  bars: { title: 'minute bars of a session, from memory', unit: 'µs', isWhole: false },
  coldBars: { title: 'minute bars of a session, from the store', unit: 'µs', isWhole: false },
  list: { title: '`/especies.json`', unit: 'µs', isWhole: true },
  health: { title: '`/healthz`', unit: 'µs', isWhole: false },
  metrics: { title: '`/metrics`', unit: 'µs', isWhole: true },
  open: { title: 'a stream that opens', unit: 'µs', isWhole: false },
  again: { title: 'a stream that connects again', unit: 'µs', isWhole: false },
  event: {
    title: 'an event of a stream, with its share of the update',
    unit: 'µs',
    isWhole: false,
  },
  pushed: { title: 'a push of 20 updates until durable, p50', unit: 'ms', isWhole: false },
  delay: { title: 'push to stream, p50', unit: 'ms', isWhole: false },
  delayP99: { title: 'push to stream, p99', unit: 'ms', isWhole: false },
  request: { title: 'a request meanwhile, p50', unit: 'ms', isWhole: false },
  requestP99: { title: 'a request meanwhile, p99', unit: 'ms', isWhole: false },
  all: { title: 'a push of all instruments until durable', unit: 'ms', isWhole: true },
  allShown: { title: 'the same until the last stream has it', unit: 'ms', isWhole: true },
  allEvent: { title: 'an event of such a push', unit: 'µs', isWhole: false },
} as const satisfies Readonly<Record<string, FigureRow>>;

/** The name of a figure. */
export type FigureName = keyof typeof figureRows;

/** The measured values of one size. Of several values, the median counts. */
export class Figures {
  readonly #values = new Map<FigureName, number[]>();

  add(name: FigureName, value: number): void {
    this.#values.set(name, [...(this.#values.get(name) ?? []), value]);
  }

  get(name: FigureName): number {
    return median(this.#values.get(name) ?? []);
  }
}

/** What stays the same may cost this many times as much: measurements differ, and caches of the processor have a size. */
const sameMax = 1.2;

/** What grows may grow by this much more than the size: a larger table of a database has more levels. */
const wholeMax = 1.02;

/** The lines of a table that compares two sizes, of which the second is `scale` times the first. */
export function comparisonLines(base: Figures, grown: Figures, scale: number): readonly string[] {
  const rows = (Object.keys(figureRows) as FigureName[]).map((name) => {
    const { title, unit, isWhole } = figureRows[name];
    const [before, after] = [base.get(name), grown.get(name)];
    const ratio = after / before;
    const most = isWhole ? scale * wholeMax : sameMax;
    const verdict = ratio <= most ? 'met' : 'missed';
    const cells = [
      title,
      unit,
      figure(before),
      figure(after),
      `${figure(ratio)} ×`,
      `${figure(most)} ×`,
    ];
    return `| ${[...cells, verdict].join(' | ')} |`;
  });
  return [
    '| what | unit | base | grown | ratio | at most | |',
    '| --- | --- | --: | --: | --: | --: | --- |',
    ...rows,
  ];
}
