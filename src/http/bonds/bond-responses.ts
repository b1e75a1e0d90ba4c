import { LRUCache } from 'lru-cache';

import type { Board } from '../../board/board.ts';
import type { Bonds } from '../../domain/bonds/bonds.ts';
import { ConversionRates } from '../../domain/dollars/conversion-rates.ts';
import { DollarRates } from '../../domain/dollars/dollar-rates.ts';
import type { IndexSeries } from '../../domain/indices/index-series.ts';
import { MarketCalendars } from '../../domain/instruments/market-calendars.ts';
import type { Parsed } from '../../domain/values/problem.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { parseBondParams } from '../../wire/params/reference/bond-params.ts';
import type { TableFormat } from '../../wire/params/table-format.ts';
import type { Content } from '../content/content.ts';
import { BondResponse } from './bond-response.ts';
import type { BondMarket } from './bond-response.ts';

/** Maximum number of cached responses. One of a panel has about 100 KiB in all formats. */
const responsesMax = 128;

/** The responses of `/bonos` (contract 4.10), cached by the text of their queries. */
export class BondResponses {
  readonly #market: BondMarket;
  readonly #tickersMax: number;
  readonly #cached = new LRUCache<string, BondResponse>({ max: responsesMax });

  constructor(options: {
    readonly board: Board;
    readonly bonds: Bonds;
    readonly indices: () => IndexSeries;
    readonly clock: Clock;
    readonly tickersMax: number;
  }) {
    const { universe } = options.board;
    this.#market = {
      ...options,
      rates: new ConversionRates(universe, new DollarRates(universe, options.bonds)),
      calendars: new MarketCalendars(universe),
    };
    this.#tickersMax = options.tickersMax;
  }

  /** The response to a query as sent. */
  find(rawQuery: string, format: TableFormat): Parsed<Content> {
    const cached = this.#cached.get(rawQuery);
    if (cached !== undefined) return { ok: true, value: cached.current(format) };
    const query = parseBondParams(rawQuery, this.#tickersMax);
    if (!query.ok) return query;
    const response = new BondResponse(query.value, this.#market);
    this.#cached.set(rawQuery, response);
    return { ok: true, value: response.current(format) };
  }

  /** Drops all responses. */
  clear(): void {
    this.#cached.clear();
  }
}
