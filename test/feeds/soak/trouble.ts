import { Noise } from '../../../src/lib/numbers/noise.ts';
import { fixed, reset, truncate, type Responder } from '../../support/http/source-server.ts';
import { minuteMs, opensAt } from './timetable.ts';
import { sourceNames, type SourceName } from './true-market.ts';

const json = { 'content-type': 'application/json' };

/** How single requests fail, with the name for the report. */
const failures: readonly (readonly [name: string, respond: (body: string) => Responder])[] = [
  ['HTML with 200', () => fixed(200, { 'content-type': 'text/html' }, '<!doctype html><html>')],
  ['cut body', truncate],
  ['reset', reset],
  ['500', () => fixed(500, json, '{}')],
  ['empty list', () => fixed(200, json, '[]')],
  ['429 with Retry-After', () => fixed(429, { 'retry-after': '45' })],
  ['429 without Retry-After', () => fixed(429)],
];

/** After so many failed requests in a row at least one poll has failed as a whole. */
const failedPollMin = 8;

/** The part of the requests that fail by themselves. */
const failingPart = 0.015;

interface Outage {
  readonly source: SourceName;
  readonly from: number;
  readonly until: number;
}

/** Decides which requests fail, and how. */
export class Trouble {
  /** How often each kind was met. */
  readonly met = new Map<string, number>();
  readonly outages: readonly Outage[];
  readonly #refused: { readonly from: number; readonly until: number };
  readonly #noise: Noise;
  readonly #counts = new Map<string, number>();
  readonly #failedInARow = new Map<SourceName, number>();

  constructor(seed: number, endsAt: number) {
    this.#noise = new Noise(seed, 'trouble');
    const length = endsAt - opensAt;
    const at = (part: number): number => opensAt + part * length;
    const drawn = sourceNames.flatMap((source, address) => {
      const count = Math.max(1, Math.round(length / (90 * minuteMs)));
      return Array.from({ length: count }, (_, index): Outage => {
        const from = at(this.#noise.uniform(address, index * 2));
        const minutes = 1 + 12 * this.#noise.uniform(address, index * 2 + 1);
        return { source, from, until: from + minutes * minuteMs };
      });
    });
    // So long that the delayed source takes its place.
    const long = { source: 'data912', from: at(0.28), until: at(0.28) + 27 * minuteMs } as const;
    this.outages = [long, ...drawn];
    this.#refused = { from: at(0.7), until: at(0.7) + 14 * minuteMs };
  }

  /** How a request fails. Undefined if it does not. */
  draw(
    source: SourceName,
    path: string,
    { body, now }: { readonly body: string; readonly now: number },
  ): Responder | undefined {
    const found = this.#find(source, path, now);
    if (found === undefined) {
      this.#failedInARow.set(source, 0);
      return undefined;
    }
    const [name, respond] = found;
    this.met.set(name, (this.met.get(name) ?? 0) + 1);
    const isLimited = name.startsWith('429');
    this.#failedInARow.set(
      source,
      isLimited ? Infinity : (this.#failedInARow.get(source) ?? 0) + 1,
    );
    return respond(body);
  }

  /** Whether the service knows that a source has failed: all requests of a poll, or it is limited. */
  isDown(source: SourceName): boolean {
    return (this.#failedInARow.get(source) ?? 0) >= failedPollMin;
  }

  #find(source: SourceName, path: string, now: number): (typeof failures)[number] | undefined {
    const count = (this.#counts.get(path) ?? 0) + 1;
    this.#counts.set(path, count);
    if (this.outages.some((one) => one.source === source && one.from <= now && now < one.until)) {
      return ['outage', count % 2 === 0 ? reset : () => fixed(503)];
    }
    const { from, until } = this.#refused;
    if (path === '/live/arg_bonds' && from <= now && now < until) {
      return ['401 on one path', () => fixed(401)];
    }
    const draws = new Noise(this.#noise.uniform(9) * 2 ** 32, path);
    if (draws.uniform(count, 0) >= failingPart) return undefined;
    return failures[Math.floor(draws.uniform(count, 1) * failures.length)];
  }
}
