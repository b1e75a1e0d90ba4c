import type { Ticker } from '../../domain/instruments/ticker.ts';
import type { Update } from '../../domain/quotes/update.ts';
import {
  mapEach,
  reject,
  type FeedMessage,
  type RecordedBatch,
  type Rejected,
} from '../contract/feed.ts';
import { polledType } from '../net/polled-feed.ts';
import { requireList } from '../net/read-body.ts';
import { isNone, asRecord, fieldsOf, parseJson, instantIn } from '../shapes/as-record.ts';
import { sideOf } from '../shapes/book-fields.ts';

/**
 * Reads one line of the recorded history of dolarapi.com: a snapshot of one of its documents, with
 * the instant at which it was recorded. Pure.
 */
export function mapDolarapiLine(text: string): RecordedBatch {
  const { committedAt, data, path } = fieldsOf(parseJson(text));
  const at = instantIn(committedAt);
  if (at === undefined || !Array.isArray(data)) return unreadable(text);
  const isFromUtcMachine = /(?:Z|[+-]00:00)$/i.test(String(committedAt));
  return { at, ...mapEntries(data, { at, path, isFromUtcMachine }) };
}

function unreadable(text: string): RecordedBatch {
  return { at: undefined, updates: [], rejected: [reject('unintelligible', text)] };
}

/** Where and when a snapshot was taken. */
interface SnapshotOrigin {
  /** When it was requested or recorded, in epoch milliseconds. */
  readonly at: number;
  /** The path of the document in the source's repository; decides how its stamps are read. */
  readonly path: unknown;
  /** Whether the machine that published the snapshot runs in UTC. */
  readonly isFromUtcMachine: boolean;
}

/** The document that `GET /v1/dolares` answers with. */
export const dollarsPath = 'datos/v1/dolares/index.json';

/** The tickers that {@link mapEntries} gives updates of. */
export function dolarapiTickers(): readonly string[] {
  return [...dollars.values()].flatMap(({ bid, ask }) => (bid === undefined ? [ask] : [bid, ask]));
}

/**
 * Maps the entries of a document of dolarapi.com. Pure; docs/source-data.md gives the meaning.
 *
 * The documents differ in their entries, so the entries decide: one with a `casa` is a dollar rate,
 * one with an `exchange` is a quote of a crypto asset by that exchange. A faulty entry is rejected;
 * the rest of its snapshot is valid.
 */
export function mapEntries(entries: readonly unknown[], snapshot: SnapshotOrigin): FeedMessage {
  const isTrueUtc = entries.some((entry) => isWrittenInUtc(entry, snapshot));
  const { at, path, isFromUtcMachine } = snapshot;
  const recorder: Recorder = { at, path, readsWallTimeAsUtc: isFromUtcMachine && !isTrueUtc };
  const { taken, rejected } = mapEach(entries, (entry) => mapEntry(entry, recorder));
  return { updates: taken.flatMap(({ updates }) => updates), rejected };
}

/** The instruments of each dollar rate. A side without an instrument is not used. */
const dollars: ReadonlyMap<unknown, { readonly bid?: string; readonly ask: string }> = new Map([
  ['oficial', { bid: 'DOLAR OFICIAL COMPRA', ask: 'DOLAR OFICIAL VENTA' }],
  ['blue', { bid: 'DOLAR BLUE COMPRA', ask: 'DOLAR BLUE VENTA' }],
  ['bolsa', { ask: 'DOLAR MEP' }],
  ['contadoconliqui', { ask: 'DOLAR CCL' }],
  ['mayorista', { ask: 'DOLAR MAYORISTA' }],
  ['cripto', { ask: 'DOLAR CRIPTO' }],
  ['tarjeta', { ask: 'DOLAR TARJETA' }],
]);

/** The crypto assets whose quotes in dollars are used. */
const cryptoAssets = new Set(['BTC', 'ETH']);

/** The recording of a snapshot: its instant, its document, and how wall times were recorded. */
interface Recorder {
  readonly at: number;
  readonly path: unknown;
  readonly readsWallTimeAsUtc: boolean;
}

function mapEntry(entry: unknown, recorder: Recorder): { readonly updates: Update[] } | Rejected {
  const fields = asRecord(entry);
  if (fields === undefined) return reject('unintelligible', entry);
  const { fechaActualizacion, compra, venta } = fields;
  // An absent instant is no fault. The instant of the recording is then the best one known.
  const stamp = isNone(fechaActualizacion) ? recorder.at : instantIn(fechaActualizacion);
  if (stamp === undefined) return reject('bad-instant', fechaActualizacion, symbolOf(fields));
  if (!isNumberOrAbsent(compra) || !isNumberOrAbsent(venta)) {
    return reject('unintelligible', { compra, venta }, symbolOf(fields));
  }
  const at = isNone(fechaActualizacion) ? stamp : trueInstant(stamp, fields['casa'], recorder);
  const sides = { at, compra: compra ?? undefined, venta: venta ?? undefined };
  return 'exchange' in fields ? mapCrypto(fields, sides) : mapDollar(fields, sides);
}

/** Buenos Aires time has had one offset from UTC since 2009. */
const buenosAiresBehindUtcMs = 3 * 3_600_000;

/** The rates of the document `dolares` whose source publishes true instants. */
const housesInTrueUtc = new Set<unknown>(['blue', 'bolsa', 'contadoconliqui', 'cripto']);

/**
 * The true instant of an entry. The source of most rates publishes the wall time of Buenos Aires
 * without an offset. A recorder whose clock is in UTC records it as UTC, three hours early. A
 * recorder in Buenos Aires records it correctly. A corrected instant is never after its recording.
 *
 * Measured over 2025: the instants of these rates are at least 3.01 hours before their recording,
 * those of the other rates 0.01 hours. The only snapshot recorded at -03:00 has correct instants.
 */
function trueInstant(stamp: number, house: unknown, recorder: Recorder): number {
  if (!recorder.readsWallTimeAsUtc || !isPublishedInWallTime(house, recorder.path)) return stamp;
  const shifted = stamp + buenosAiresBehindUtcMs;
  return shifted > recorder.at ? stamp : shifted;
}

/**
 * Whether an entry proves that its snapshot has true UTC instants: its instant is before the
 * recording, and corrected as wall time it would be after it. The recordings of early 2024 are of
 * this kind. One machine writes all instants of a snapshot, so one such entry also decides for the
 * entries that were last updated hours before.
 */
function isWrittenInUtc(entry: unknown, { at, path }: Pick<Recorder, 'at' | 'path'>): boolean {
  const { casa, fechaActualizacion } = fieldsOf(entry);
  const stamp = instantIn(fechaActualizacion);
  if (stamp === undefined || !isPublishedInWallTime(casa, path)) return false;
  return stamp <= at && stamp + buenosAiresBehindUtcMs > at;
}

function isPublishedInWallTime(house: unknown, path: unknown): boolean {
  if (typeof path !== 'string') return false;
  if (path.startsWith('datos/v1/dolares/')) return !housesInTrueUtc.has(house);
  return path.startsWith('datos/v1/ambito/') || path.startsWith('datos/v1/cotizaciones/');
}

interface Sides {
  readonly at: number;
  readonly compra: number | undefined;
  readonly venta: number | undefined;
}

function mapDollar(
  { casa, moneda }: Readonly<Record<string, unknown>>,
  { at, compra, venta }: Sides,
): { readonly updates: Update[] } | Rejected {
  const tickers = moneda === 'USD' ? dollars.get(casa) : undefined;
  if (tickers === undefined) return reject('no-instrument', { moneda, casa }, String(casa));
  // The house buys below what it sells at.
  if (compra !== undefined && venta !== undefined && compra > venta) {
    return reject('crossed', { compra, venta }, String(casa));
  }
  const updates: Update[] = [];
  // Both instruments of a rate have both of its sides beside the price.
  const book = { ...sideOf('bid', compra, undefined), ...sideOf('ask', venta, undefined) };
  if (tickers.bid !== undefined && compra !== undefined) {
    updates.push({ ticker: tickers.bid as Ticker, at, last: compra, ...book });
  }
  if (venta !== undefined) {
    updates.push({ ticker: tickers.ask as Ticker, at, last: venta, ...book });
  }
  return updates.length > 0 ? { updates } : reject('no-price', { compra, venta }, String(casa));
}

function mapCrypto(
  { exchange, monedaBase, moneda, criptomoneda }: Readonly<Record<string, unknown>>,
  { at, compra, venta }: Sides,
): { readonly updates: Update[] } | Rejected {
  const isTaken =
    typeof monedaBase === 'string' &&
    cryptoAssets.has(monedaBase) &&
    moneda === 'USD' &&
    criptomoneda === 'USDT';
  if (!isTaken) return reject('no-instrument', { monedaBase, moneda, criptomoneda });
  if (compra === undefined || venta === undefined) {
    return reject('no-price', { compra, venta }, monedaBase);
  }
  // From the customer's point of view: a buyer pays `compra`, which is the higher price.
  if (compra < venta) {
    return reject('crossed', { exchange, compra, venta }, monedaBase);
  }
  return { updates: [{ ticker: monedaBase as Ticker, at, last: (compra + venta) / 2 }] };
}

function isNumberOrAbsent(value: unknown): value is number | null | undefined {
  return isNone(value) || typeof value === 'number';
}

function symbolOf({ casa, monedaBase }: Readonly<Record<string, unknown>>): string {
  return String(casa ?? monedaBase);
}

/** The dollars of dolarapi.com. */
export const dolarapiType = polledType({
  type: 'dolarapi',
  staleAfterSeconds: 14_400,
  url: 'https://dolarapi.com',
  pollSeconds: { usual: 900, min: 60 },
  delayMinutes: 0,
  closedPollSeconds: 3_600,
  offers: dolarapiTickers(),
  requests: (_instruments, config) => [
    {
      request: () => ({ url: new URL('/v1/dolares', config.url) }),
      map: ({ json, snapshotAt }) => {
        const entries = requireList(json());
        // The documents are written by a machine in UTC.
        const snapshot = { at: snapshotAt, path: dollarsPath, isFromUtcMachine: true };
        return { ...mapEntries(entries, snapshot), rows: entries.length };
      },
    },
  ],
  mapRecordedLine: mapDolarapiLine,
});
