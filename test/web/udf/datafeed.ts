/** A bar as the charting library wants it. Its time is in milliseconds. */
export interface Bar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume?: number;
}

/** The members of a symbol that the page uses. */
export interface SymbolInfo {
  readonly ticker: string;
  readonly description: string;
  readonly timezone: string;
  readonly session: string;
  readonly session_holidays?: string;
  readonly corrections?: string;
  readonly currency_code?: string;
}

export interface Mark {
  readonly time: number;
  readonly color: string;
  readonly label: string;
  readonly tooltip: readonly string[];
}

interface History {
  readonly s: string;
  readonly errmsg?: string;
  readonly t: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c: readonly number[];
  readonly v?: readonly number[];
}

/**
 * Requests what the data feed of TradingView's charting library requests, and reads the responses as it does:
 * it ignores the status, and recognizes an error by `s`. It was written for this test.
 */
export class Datafeed {
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  time(): Promise<number> {
    return this.#send<number>('time');
  }

  async resolve(name: string): Promise<SymbolInfo> {
    const symbol = await this.#send<SymbolInfo & { readonly s?: string }>('symbols', {
      symbol: name,
    });
    if (symbol.s !== undefined) throw new Error('unknown_symbol');
    return symbol;
  }

  async bars(
    { ticker, currency_code }: SymbolInfo,
    resolution: string,
    period: { readonly from: number; readonly to: number; readonly countback: number },
  ): Promise<readonly Bar[]> {
    const currency = currency_code === undefined ? {} : { currencyCode: currency_code };
    const query = { symbol: ticker, resolution, ...period, ...currency };
    const history = await this.#send<History>('history', query);
    if (history.s !== 'ok' && history.s !== 'no_data') throw new Error(history.errmsg);
    if (history.s === 'no_data') return [];
    const { t, c, o = c, h = c, l = c, v } = history;
    return t.map((second, index) => ({
      time: second * 1000,
      open: o[index] ?? Number.NaN,
      high: h[index] ?? Number.NaN,
      low: l[index] ?? Number.NaN,
      close: c[index] ?? Number.NaN,
      ...(v === undefined ? {} : { volume: v[index] ?? Number.NaN }),
    }));
  }

  /** The last bar and the one before it, which the library needs to close the earlier one. */
  async lastBars(symbol: SymbolInfo, resolution: string): Promise<readonly Bar[]> {
    const to = await this.time();
    const bars = await this.bars(symbol, resolution, { from: to - 864_000, to, countback: 2 });
    if (bars.length < 2) throw new Error('Not enough bars in history for proper pulse update.');
    return bars;
  }

  marks({ ticker }: SymbolInfo, from: number, to: number): Promise<readonly Mark[]> {
    return this.#send('timescale_marks', { symbol: ticker, from, to, resolution: '1D' });
  }

  async lastPrice({ ticker }: SymbolInfo): Promise<number> {
    const { d } = await this.#send<{
      readonly d: readonly { readonly v: { readonly lp: number } }[];
    }>('quotes', { symbols: ticker });
    return d[0]?.v.lp ?? Number.NaN;
  }

  async #send<T>(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<T> {
    const pairs = Object.entries(query).map(
      ([name, value]) => `${name}=${encodeURIComponent(value)}`,
    );
    const target = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
    const headers = { Authorization: `Bearer ${this.#key}` };
    const response = await fetch(`${this.#url}/${target}`, { credentials: 'same-origin', headers });
    return JSON.parse(await response.text()) as T;
  }
}
