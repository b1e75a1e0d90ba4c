import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const main = resolve(import.meta.dirname, '../../bin/pizarra.js');
const dayMs = 86_400_000;

/** Data for charts, and a way to push prices. */
export interface ChartData {
  /** For `setStage`: imports the data and returns a key. */
  readonly fill: (data: string) => Promise<string>;
  /** The number of sessions after that of the dividend. */
  readonly daysSinceDividend: number;
  /** Pushes a price of the present instant. */
  readonly push: (ticker: string, price: number) => Promise<void>;
}

/**
 * A year of daily closes: GGAL with open, high and low and a split of ten for one in the middle, YPFD
 * with closes alone.
 */
export function chartData(): ChartData {
  let directory = '';
  let ingestKey = '';
  return {
    daysSinceDividend: dayCount - 1 - dividendAt,
    fill: async (data) => {
      directory = data;
      const pizarra = async (...args: readonly string[]) =>
        (await run(process.execPath, [main, ...args, '--data', data])).stdout;
      const file = async (name: string, text: string) => {
        await writeFile(join(data, name), text);
        return join(data, name);
      };
      const days = weekdays(dayCount);
      await pizarra('import', await file('GGAL.csv', candlesCsv(days)), '--ticker', 'GGAL');
      await pizarra('import', await file('YPFD.csv', closesCsv(days)), '--ticker', 'YPFD');
      await pizarra('actions', 'import', await file('actions.csv', actionsCsv(days)));
      const createKey = async (scope: string) => {
        const text = await pizarra('keys', 'create', '--name', scope, '--scope', scope, '--json');
        return (JSON.parse(text) as { readonly key: string }).key;
      };
      ingestKey = await createKey('ingest');
      return createKey('read');
    },
    push: async (ticker, price) => {
      const record = JSON.parse(await readFile(join(directory, 'serve.json'), 'utf8')) as {
        readonly privateUrl: string;
      };
      const response = await fetch(`${record.privateUrl}/updates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestKey}` },
        body: JSON.stringify({ ticker, at: new Date().toISOString(), last: price }),
      });
      const text = await response.text();
      if (!text.includes('"accepted":1')) throw new Error(`the price was not accepted: ${text}`);
    },
  };
}

/** The last weekdays up to yesterday, in ascending order. */
function weekdays(count: number): readonly string[] {
  const days: string[] = [];
  for (let at = Date.now() - dayMs; days.length < count; at -= dayMs) {
    const day = new Date(at);
    if (day.getUTCDay() % 6 !== 0) days.unshift(day.toISOString().slice(0, 10));
  }
  return days;
}

const dayCount = 260;
/** The index of the day of the split, and of that of the dividend. */
const splitAt = 130;
const dividendAt = 230;

function closeOf(at: number): number {
  return (at < splitAt ? 10 : 1) * (1000 + 200 * Math.sin(at / 14) + at);
}

function candlesCsv(days: readonly string[]): string {
  const rows = days.map((day, at) => {
    const close = closeOf(at);
    const open = close * (1 + 0.012 * Math.sin(at * 2.3));
    const [high, low] = [Math.max(open, close) * 1.008, Math.min(open, close) * 0.992];
    const prices = [open, high, low, close].map((price) => price.toFixed(2));
    return [day, ...prices, 10_000 + ((at * 7919) % 9000)].join(',');
  });
  return ['fecha,apertura,maximo,minimo,ultimo,volumen', ...rows, ''].join('\n');
}

function closesCsv(days: readonly string[]): string {
  const rows = days.map((day, at) => `${day},${(500 + at).toFixed(2)}`);
  return ['fecha,ultimo', ...rows, ''].join('\n');
}

function actionsCsv(days: readonly string[]): string {
  return [
    'ticker,date,type,factor,amount,currency,newTicker,source',
    `GGAL,${days[splitAt]},split,10,,,,test`,
    `GGAL,${days[dividendAt]},cash-dividend,,25,ARS,,test`,
    '',
  ].join('\n');
}
