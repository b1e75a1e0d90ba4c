import { priceAt, tradedAt, tradesAt } from './recording.ts';
import { minuteMs, opensAt } from './timetable.ts';

/** The messages of the sources that send over a WebSocket, by the start of the path. */
export const frames: Readonly<Record<string, (now: number) => readonly string[]>> = {
  '/stream': (now) => {
    const c = priceAt('BTC', now).toFixed(8);
    const L = Math.floor(tradedAt(now) / minuteMs);
    const data = { e: '24hrTicker', E: Math.floor(now), s: 'BTCUSDT', c, L };
    return [JSON.stringify({ data })];
  },
  '/kraken': (now) => {
    const timestamp = new Date(tradedAt(now)).toISOString();
    const data = (['BTC', 'ETH'] as const).map((ticker) => ({
      symbol: `${ticker}/USD`,
      price: priceAt(ticker, now),
      timestamp,
    }));
    return [
      JSON.stringify({ channel: 'heartbeat' }),
      JSON.stringify({ channel: 'trade', type: 'update', data }),
    ];
  },
  '/alpaca': (now) => {
    const t = new Date(tradedAt(now)).toISOString();
    const trade = { T: 't', S: 'AAPL', p: priceAt('AAPL_US', now), c: ['@'], t };
    // An odd lot sets no last price.
    return [JSON.stringify([trade, { ...trade, p: 1, c: ['I'] }])];
  },
  '/primary': (now) => {
    const hasTraded = now >= opensAt;
    const marketData = {
      LA: { price: priceAt('AL30', now), size: 10, date: tradedAt(now) },
      OP: hasTraded ? priceAt('AL30', opensAt) : null,
      NV: hasTraded ? (tradesAt(now) + 1) * 10 : 0,
    };
    const instrumentId = { marketId: 'ROFX', symbol: 'MERV - XMEV - AL30 - 24hs' };
    return [JSON.stringify({ type: 'Md', timestamp: Math.floor(now), instrumentId, marketData })];
  },
};
