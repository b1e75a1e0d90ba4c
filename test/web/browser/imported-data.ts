import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { buenosAiresDay } from '../../../web/src/market/format/buenos-aires.ts';

const run = promisify(execFile);
const main = resolve(import.meta.dirname, '../../../bin/pizarra.js');
const dayMs = 86_400_000;

/** An instrument with a year of candles, a split of ten for one in the middle and a dividend. */
export const candleTicker = 'BHIP';
/** An instrument with a year of closes alone. */
export const lineTicker = 'AGRO';
/** An instrument with closes of a year of calendar days, whose market has no weekend. */
export const dailyTicker = 'ADA';
/**
 * An instrument with candles of a year of calendar days, whose market is always open. It has a split of
 * two for one today, so the first price that a test pushes changes the basis of its closes.
 */
export const sessionTicker = 'SOL';
/** An instrument of the leading panel with closes of 2022. The others of this panel have none. */
export const oldTicker = 'GGAL';

/** Two bonds in pesos. The second one has no close on some days. */
export const bondTickers = ['AL30', 'GD30'] as const;
/** The first of {@link bondTickers} in dollars. */
export const dollarBondTicker = 'AL30D';

const dayCount = 260;
/** The number of weekdays, before the last one, on which the dollar MEP has no close. Some may be holidays. */
const daysWithoutDollar = 6;
/** The index of the day of the split, and of that of the dividend. */
const splitAt = 130;
const dividendAt = 230;

/** The number of sessions after that of the dividend. */
export const daysSinceDividend = dayCount - 1 - dividendAt;

let directory = '';

/** Imports the closes and actions. It is the data of the one service with imported data. */
export async function importData(data: string): Promise<undefined> {
  directory = data;
  const days = weekdays(dayCount);
  // Without a suffix, the closes are those of the shares in Buenos Aires and not those of New York.
  await pizarra('import', await file('closes.csv', closesCsv(days)), '--suffix', '');
  await pizarra('actions', 'import', await file('actions.csv', actionsCsv(days)));
}

/** Further fields of a pushed update. */
type Further = Partial<
  Readonly<
    Record<'previousClose' | 'volume' | 'amount' | 'bid' | 'ask' | 'bidSize' | 'askSize', number>
  >
>;

/** Pushes a price of the present instant to the service with imported data. It can do so while a test runs. */
export const push = pusherTo(() => directory);

/** Makes a function that pushes a price of the present instant to the service of a data directory. */
export function pusherTo(
  directoryOf: () => string,
): (ticker: string, price: number, further?: Further) => Promise<void> {
  let ingestKey: string | undefined;
  return async (ticker, price, further = {}) => {
    const data = directoryOf();
    ingestKey ??= await createIngestKey(data);
    const record = JSON.parse(await readFile(join(data, 'serve.json'), 'utf8')) as {
      readonly privateUrl: string;
    };
    const response = await fetch(`${record.privateUrl}/updates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestKey}` },
      body: JSON.stringify({ ticker, at: new Date().toISOString(), last: price, ...further }),
    });
    const text = await response.text();
    if (!text.includes('"accepted":1')) throw new Error(`the price was not accepted: ${text}`);
  };
}

async function createIngestKey(data: string): Promise<string> {
  const flags = ['--name', 'test', '--scope', 'ingest', '--json', '--store', data];
  const { stdout } = await run(process.execPath, [main, 'keys', 'create', ...flags]);
  return (JSON.parse(stdout) as { readonly key: string }).key;
}

async function pizarra(...args: readonly string[]): Promise<string> {
  return (await run(process.execPath, [main, ...args, '--store', directory])).stdout;
}

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text);
  return join(directory, name);
}

/** The last weekdays of Buenos Aires up to yesterday, in ascending order. */
function weekdays(count: number): readonly string[] {
  return calendarDays(2 * count)
    .filter((day) => new Date(day).getUTCDay() % 6 !== 0)
    .slice(-count);
}

/** The last calendar days of Buenos Aires up to yesterday, in ascending order. */
function calendarDays(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    buenosAiresDay(Date.now() - (count - at) * dayMs),
  );
}

function closesCsv(days: readonly string[]): string {
  return [
    'especie,fecha,apertura,maximo,minimo,ultimo,volumen',
    ...days.map(candleRow),
    ...days.map((day, at) => `${lineTicker},${day},,,,${(500 + at).toFixed(2)},`),
    ...calendarDays(365).flatMap((day, at) => [
      `${dailyTicker},${day},,,,${(1 + at / 100).toFixed(2)},`,
      `${sessionTicker},${day},${100 + at},${104 + at},${98 + at},${102 + at},1000`,
    ]),
    ...days.flatMap(bondRows),
    `${oldTicker},2022-03-03,,,,10,`,
    `${oldTicker},2022-03-04,,,,371.26,`,
    '',
  ].join('\n');
}

/** The closes of a day of the bonds and of the dollars. */
function bondRows(day: string, at: number): readonly string[] {
  const mep = 1400 + 60 * Math.sin(at / 9) + at / 7;
  const dollars = 70 + 5 * Math.sin(at / 21);
  const spread = 1.06 + 0.03 * Math.sin(at / 5);
  const isWithoutDollar = at < dayCount - 1 && at >= dayCount - 1 - daysWithoutDollar;
  return [
    `${bondTickers[0]},${day},,,,${(dollars * mep).toFixed(2)},${1000 + at}`,
    ...(at % 11 === 3
      ? []
      : [`${bondTickers[1]},${day},,,,${(dollars * mep * spread).toFixed(2)},`]),
    `${dollarBondTicker},${day},,,,${dollars.toFixed(3)},`,
    ...(isWithoutDollar ? [] : [`DOLAR MEP,${day},,,,${mep.toFixed(2)},`]),
    `DOLAR CCL,${day},,,,${(mep * 1.03).toFixed(2)},`,
  ];
}

function candleRow(day: string, at: number): string {
  const close = (at < splitAt ? 10 : 1) * (1000 + 200 * Math.sin(at / 14) + at);
  const open = close * (1 + 0.012 * Math.sin(at * 2.3));
  const [high, low] = [Math.max(open, close) * 1.008, Math.min(open, close) * 0.992];
  const prices = [open, high, low, close].map((price) => price.toFixed(2));
  return [candleTicker, day, ...prices, 10_000 + ((at * 7919) % 9000)].join(',');
}

function actionsCsv(days: readonly string[]): string {
  return [
    'ticker,date,type,factor,amount,currency,newTicker,source',
    `${candleTicker},${days[splitAt]},split,10,,,,test`,
    `${candleTicker},${days[dividendAt]},cash-dividend,,25,ARS,,test`,
    `${sessionTicker},${buenosAiresDay(Date.now())},split,2,,,,test`,
    '',
  ].join('\n');
}
