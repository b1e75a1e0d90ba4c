import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { until } from '../support/wait.ts';
import { fieldsIn } from '../support/fields-in.ts';

/**
 * Contract 2.6.6: at any hour of any day, all that a demonstration shows agrees. The real program runs with
 * a clock that the tests set.
 */

const timeMachine = resolve(import.meta.dirname, '../support/market/time-machine.ts');

/** Of several markets: traded, published and derived. */
const samples = ['GGAL', 'AAPL_US', 'BTC', 'DOLAR BLUE', 'DOLAR MEP'];

interface Quote {
  readonly fecha: string;
  readonly hora: string;
  readonly ultimo: number;
  readonly variacion: number | null;
  readonly anterior: number;
  readonly apertura: number;
  readonly minimo: number;
  readonly maximo: number;
  readonly volumen: number | null;
}

type Bar = Omit<Quote, 'variacion' | 'anterior'>;
type Close = Partial<Bar> & Pick<Bar, 'fecha' | 'ultimo' | 'volumen'>;

class Demonstration implements AsyncDisposable {
  readonly #service: RunningService;
  readonly #timeFile: string;
  readonly #authorization: string;

  private constructor(service: RunningService, timeFile: string, key: string) {
    this.#service = service;
    this.#timeFile = timeFile;
    this.#authorization = `Bearer ${key}`;
  }

  static async start(directory: string, instant: string, key?: string): Promise<Demonstration> {
    const timeFile = join(directory, 'time');
    await writeFile(timeFile, instant);
    const service = await startPizarra(
      ['--store', join(directory, 'data'), '--demonstration', 'auto'],
      undefined,
      { env: { TIME_MACHINE: timeFile, NODE_OPTIONS: `--import=${timeMachine}` } },
    );
    return new Demonstration(service, timeFile, key ?? (await service.firstKey()));
  }

  get key(): string {
    return this.#authorization.slice('Bearer '.length);
  }

  /** Sets the clock, as a machine finds it that was suspended. */
  async wakeAt(instant: string): Promise<void> {
    await writeFile(this.#timeFile, instant);
    this.#service.child.kill('SIGUSR2');
  }

  async get<T>(path: string): Promise<T> {
    const { url } = this.#service;
    const headers = { authorization: this.#authorization };
    const response = await fetch(url + path, { headers });
    assert.deepEqual([response.status, response.headers.get('data-source')], [200, 'simulated']);
    return (await response.json()) as T;
  }

  async quote(ticker: string): Promise<Quote> {
    const quotes = await this.get<Quote[]>(`/cotizaciones?especie=${encodeURIComponent(ticker)}`);
    return quotes[0] ?? assert.fail(`${ticker} has no quote`);
  }

  /** Stops the program at once, as a machine does that loses its power. */
  async kill(): Promise<void> {
    await this.#service.stop('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
  }
}

/** Fails unless the markets are open in the session of a day, and so does the health of the service say. */
async function assertOpen(demo: Demonstration, today: string): Promise<void> {
  const markets = await demo.get<
    {
      estado: string;
      rueda: string;
      abre: string;
      cierra: string;
      cambia: string;
      feriados: [];
    }[]
  >('/mercados?anio=2026');
  const midnight = `${dayAfter(today)}T00:00:00-03:00`;
  for (const { estado, rueda, abre, cierra, cambia, feriados } of markets) {
    assert.deepEqual(
      [estado, rueda, abre, cierra, cambia, feriados],
      ['abierto', today, '00:00', '24:00', midnight, []],
    );
  }
  const health = await demo.get<{
    ahora: string;
    mercados: { estado: string; rueda: string; cambia: string }[];
  }>('/healthz');
  assert.equal(localDay(Date.parse(health.ahora)), today);
  assert.equal(health.mercados.length, markets.length);
  for (const { estado, rueda, cambia } of health.mercados) {
    assert.deepEqual([estado, rueda, Date.parse(cambia)], ['abierto', today, Date.parse(midnight)]);
  }
}

/** Fails unless quote, bars and closes of an instrument agree on a day, and on some days before it. */
async function assertAgrees(
  demo: Demonstration,
  ticker: string,
  { today, daysBack }: { readonly today: string; readonly daysBack: number },
): Promise<void> {
  const especie = encodeURIComponent(ticker);
  const from = daysBefore(today, daysBack);
  // A price may come between two requests.
  const { quote, bars, closes } = await until(`${ticker} is read between two prices`, async () => {
    const before = await demo.quote(ticker);
    const range = `especie=${especie}&desde=${from}&hasta=${today}`;
    const read = {
      quote: before,
      bars: await demo.get<Bar[]>(`/intradiarios?${range}&intervalo=1m`),
      closes: await demo.get<Close[]>(`/historicos?${range}&campos=apertura,maximo,minimo`),
    };
    const after = await demo.quote(ticker);
    // A close that was stored just now is served a moment after the quote that follows it.
    const isWhole = read.closes.at(-1)?.fecha === daysBefore(today, 1);
    return isWhole && JSON.stringify(after) === JSON.stringify(before) ? read : undefined;
  });
  assert.equal(quote.fecha, today, ticker);
  const days = Map.groupBy(bars, ({ fecha }) => fecha);
  const past = Array.from({ length: daysBack }, (_, index) => daysBefore(today, daysBack - index));
  assert.deepEqual([...days.keys()], [...past, today], `${ticker} has bars of each day`);
  assert.deepEqual(fieldsIn(closes, 'fecha'), past, `${ticker} has a close of each day before`);
  for (const close of closes) {
    const own = days.get(close.fecha) ?? assert.fail();
    assert.equal(own.length, 1440, `${ticker} ${close.fecha}`);
    assertFigures(own, close, ticker);
  }
  const own = days.get(today) ?? assert.fail();
  assertFigures(own, quote, ticker);
  // Each minute has a bar, up to that of the quote.
  const last = own.at(-1) ?? assert.fail();
  assert.equal(last.hora.slice(0, 5), quote.hora.slice(0, 5), ticker);
  assert.equal(own.length, minuteOf(last.hora) + 1, `${ticker} lacks minutes of ${today}`);
  // The variation is that against the close of the day before.
  assert.equal(quote.anterior, closes.at(-1)?.ultimo, ticker);
  const change = quote.ultimo - quote.anterior;
  const variations = [change, (change / quote.anterior) * 100];
  assert.ok(
    variations.some((one) => Math.abs(one - (quote.variacion ?? Number.NaN)) <= 0.00501),
    `${ticker} changed by ${quote.variacion}, not by ${variations.join(' or ')}`,
  );
}

/** Fails unless the minutes of a day have its figures. */
function assertFigures(bars: readonly Bar[], figures: Close, ticker: string): void {
  const volume =
    figures.volumen === null ? null : bars.reduce((sum, bar) => sum + (bar.volumen ?? 0), 0);
  // Some closes of what is published have no range.
  const { apertura, maximo, minimo } = figures;
  assert.deepEqual(
    [bars.at(-1)?.ultimo, volume, apertura, maximo, minimo],
    [
      figures.ultimo,
      figures.volumen,
      apertura && bars[0]?.apertura,
      maximo && Math.max(...bars.map((bar) => bar.maximo)),
      minimo && Math.min(...bars.map((bar) => bar.minimo)),
    ],
    `${ticker} ${figures.fecha}`,
  );
}

/** Waits until every instrument is in the session of a day. */
async function allAreOf(demo: Demonstration, today: string): Promise<void> {
  await until(`all quotes are of ${today}`, async () => {
    const panels = ['LIDGEN', 'BONOS', 'ETF', 'ADR', 'ADRARG', 'VARIAS', 'CED', 'IND'];
    const all = await Promise.all(
      panels.map((panel) => demo.get<Quote[]>(`/cotizaciones?panel=${panel}`)),
    );
    return all.flat().every(({ fecha }) => fecha === today);
  });
}

async function assertAllAgree(demo: Demonstration, today: string, daysBack = 2): Promise<void> {
  await allAreOf(demo, today);
  await assertOpen(demo, today);
  for (const ticker of samples) await assertAgrees(demo, ticker, { today, daysBack });
}

function localDay(epochMs: number): string {
  return new Date(epochMs - 3 * 3_600_000).toISOString().slice(0, 10);
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10);
}

function dayAfter(day: string): string {
  return daysBefore(day, -1);
}

function minuteOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

test('contract 2.6.6: a demonstration agrees with itself over midnight, from a Sunday to a holiday', async () => {
  await using directory = await temporaryDirectory();
  await using demo = await Demonstration.start(directory.path, '2026-11-22T23:58:20-03:00');
  await assertAllAgree(demo, '2026-11-22');
  // No minute is missed, so this is as if the program had run until then. It runs over midnight.
  await demo.wakeAt('2026-11-22T23:59:57-03:00');
  await assertAllAgree(demo, '2026-11-23');
  const { hora } = await demo.quote('GGAL');
  assert.equal(hora.slice(0, 3), '00:');
});

test('contract 2.6.6: a demonstration that starts in the night agrees with itself, also after the machine was suspended or off', async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  let key: string;
  {
    await using demo = await Demonstration.start(path, '2026-11-21T03:17:20-03:00');
    ({ key } = demo);
    await assertAllAgree(demo, '2026-11-21');
    const before = await demo.quote('GGAL');
    assert.ok((before.volumen ?? 0) > 0, 'GGAL is traded in the night');
    // Suspended for some hours of one day, over midnight, and for days.
    for (const instant of ['2026-11-21T11:42:05', '2026-11-22T00:00:01', '2026-11-24T18:30:50']) {
      await demo.wakeAt(`${instant}-03:00`);
      await until(`the quotes are of ${instant}`, async () => {
        const { fecha, hora } = await demo.quote('GGAL');
        return `${fecha}T${hora}` >= instant.slice(0, 16);
      });
      await assertAllAgree(demo, instant.slice(0, 10));
    }
    await demo.kill();
  }
  // Off for a moment, for some hours, and for days.
  for (const instant of ['2026-11-24T18:31:10', '2026-11-24T22:03:00', '2026-11-28T06:00:30']) {
    await using demo = await Demonstration.start(path, `${instant}-03:00`, key);
    // The last time from before the day on which it was killed.
    await assertAllAgree(demo, instant.slice(0, 10), 5);
    await demo.kill();
  }
});
