import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The first instant of the replay: a Thursday morning in Buenos Aires, before the open. */
export const begins = Date.parse('2026-11-19T10:00:00-03:00');

/** Prices at the start of the series. The instruments are of the universe that ships. */
const prices: Readonly<Record<string, number>> = {
  GGAL: 5_000,
  YPFD: 30_000,
  PAMP: 3_000,
  ALUA: 800,
  AL30: 60_000,
  AL30D: 55,
  GD30: 62_000,
  GD30D: 57,
  GGAL_US: 50,
  AAPL: 15_000,
  AAPL_US: 180,
  'DOLAR OFICIAL': 1_000,
  'DOLAR BLUE': 1_100,
  BTC: 60_000,
  MERVAL: 2_000_000,
  'RIESGO PAIS': 700,
};
export const tickers: readonly string[] = Object.keys(prices);

/** A number in [0, 1) that is the same for the same arguments. */
function noise(...of: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const char of of.join('|')) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const firstDay = '2025-06-02';

function weekdays(from: string, to: string): readonly string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) days.push(day.toISOString().slice(0, 10));
  }
  return days;
}

function closeOf(ticker: string, place: number, scale = 1): string {
  const base = (prices[ticker] ?? 100) * (1 + place / 2_000) * scale;
  return (base * (1 + (noise(ticker, place) - 0.5) / 25)).toFixed(2);
}

/** The closes of all instruments, which are those of a series that begins with {@link firstDay}. */
function closeRows(from: string, to: string, scale?: number): string {
  const rows = weekdays(firstDay, to).flatMap((day, place) =>
    tickers.map((ticker) => {
      const close = closeOf(ticker, place, scale);
      const high = (Number(close) * 1.01).toFixed(2);
      const low = (Number(close) * 0.985).toFixed(2);
      return `${ticker},${day},${low},${high},${low},${close},${1_000 + place}`;
    }),
  );
  const shown = rows.filter((row) => (row.split(',')[1] ?? '') >= from);
  return ['ticker,date,open,high,low,close,volume', ...shown, ''].join('\n');
}

/** Writes the files that both builds import: closes of 18 months, actions, indices, and a later correction. */
export async function writeMarketFiles(folder: string): Promise<void> {
  const days = weekdays('2026-01-01', '2026-12-04');
  const files = {
    'closes.csv': closeRows(firstDay, '2026-11-18'),
    'correction.csv': closeRows('2026-11-12', '2026-11-16', 1.02),
    'actions.csv': [
      'ticker,date,type,factor,amount,currency,newTicker,source',
      'YPFD,2026-08-24,split,10:1,,,,CNV',
      'YPFD,2026-05-04,cash-dividend,,12.5,ARS,,CNV',
      'GGAL,2026-06-15,cash-dividend,,40,ARS,,BYMA',
      'AAPL,2026-03-09,ratio-change,2,,,,BYMA',
      '',
    ].join('\n'),
    'more-actions.csv':
      'ticker,date,type,factor,amount,currency,newTicker,source\nPAMP,2026-09-14,split,2,,,,BYMA\n',
    'indices.csv': [
      'indice,fecha,valor',
      ...days.flatMap((day, place) => [
        `CER,${day},${(650 + place / 2).toFixed(4)}`,
        `UVA,${day},${(1_600 + place).toFixed(2)}`,
      ]),
      '',
    ].join('\n'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Updates of a minute of a session, as `POST /updates` takes them. */
export function updatesAt(instant: number, step: number): string {
  const at = new Date(instant).toISOString();
  return tickers
    .filter((ticker) => noise(ticker, step) < 0.7)
    .map((ticker) => {
      const last = Number(closeOf(ticker, 380)) * (1 + (noise(ticker, step, 'live') - 0.5) / 100);
      const spread = last / 1_000;
      return JSON.stringify({
        ticker,
        at,
        last: Number(last.toFixed(2)),
        volume: step * 1_000,
        ...(step % 2 === 0 && {
          bid: Number((last - spread).toFixed(2)),
          ask: Number((last + spread).toFixed(2)),
          bidSize: step,
          askSize: step * 2,
        }),
      });
    })
    .join('\n');
}
