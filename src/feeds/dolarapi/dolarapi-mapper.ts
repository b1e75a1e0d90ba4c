import type { Ticker } from '../../domain/ticker.ts';
import type { Update } from '../../domain/update.ts';
import type { FeedBatch, Rejected } from '../feed.ts';
import { parseRfc3339 } from '../rfc3339.ts';
import { reject } from '../sample.ts';

/** Where and when a snapshot was taken. */
export interface Snapshot {
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
  return Object.values(dollars).flatMap(({ bid, ask }) => (bid === undefined ? [ask] : [bid, ask]));
}

/**
 * Maps the entries of a document of dolarapi.com. Pure; docs/field-semantics.md gives the meaning.
 *
 * The documents differ in their entries, so the entries decide: one with a `casa` is a dollar rate,
 * one with an `exchange` is a quote of a crypto asset by that exchange. A faulty entry is rejected;
 * the rest of its snapshot is valid.
 */
export function mapEntries(
  entries: readonly unknown[],
  snapshot: Snapshot,
): Omit<FeedBatch, 'failed'> {
  const isTrueUtc = entries.some((entry) => isWrittenInUtc(entry, snapshot));
  const { at, path, isFromUtcMachine } = snapshot;
  const recorder: Recorder = { at, path, readsWallTimeAsUtc: isFromUtcMachine && !isTrueUtc };
  const updates: Update[] = [];
  const rejected: Rejected[] = [];
  for (const entry of entries) {
    const mapped = mapEntry(entry, recorder);
    if ('updates' in mapped) updates.push(...mapped.updates);
    else rejected.push(mapped);
  }
  return { updates, rejected };
}

/** The instruments of a dollar rate; a side that has none is not told. */
const dollars: Readonly<Record<string, { readonly bid?: string; readonly ask: string }>> = {
  oficial: { bid: 'DOLAR OFICIAL COMPRA', ask: 'DOLAR OFICIAL VENTA' },
  blue: { bid: 'DOLAR BLUE COMPRA', ask: 'DOLAR BLUE VENTA' },
  bolsa: { ask: 'DOLAR MEP' },
  contadoconliqui: { ask: 'DOLAR CCL' },
  mayorista: { ask: 'DOLAR MAYORISTA' },
  cripto: { ask: 'DOLAR CRIPTO' },
  tarjeta: { ask: 'DOLAR TARJETA' },
};

/** The crypto assets whose quotes in dollars are taken. */
const cryptoAssets = new Set(['BTC', 'ETH']);

/** A snapshot's recording: its instant, its document, and how its machine read wall time. */
interface Recorder {
  readonly at: number;
  readonly path: unknown;
  readonly readsWallTimeAsUtc: boolean;
}

function mapEntry(entry: unknown, recorder: Recorder): { readonly updates: Update[] } | Rejected {
  const fields = asRecord(entry);
  if (fields === undefined) return reject('unintelligible', entry);
  const { fechaActualizacion, compra, venta } = fields;
  // Absent is not broken: without the source's own instant, that of the recording is the best known.
  const stamp = isAbsent(fechaActualizacion) ? recorder.at : instantOf(fechaActualizacion);
  if (stamp === undefined) return reject('bad-instant', fechaActualizacion, symbolOf(fields));
  if (!isNumberOrAbsent(compra) || !isNumberOrAbsent(venta)) {
    return reject('unintelligible', { compra, venta }, symbolOf(fields));
  }
  const at = isAbsent(fechaActualizacion) ? stamp : trueInstant(stamp, fields['casa'], recorder);
  const sides = { at, compra: compra ?? undefined, venta: venta ?? undefined };
  return 'exchange' in fields ? mapCrypto(fields, sides) : mapDollar(fields, sides);
}

/** Buenos Aires has kept one offset since 2009. */
const buenosAiresBehindUtcMs = 3 * 3_600_000;

/** The rates of the document `dolares` that come from a source with true instants. */
const housesInTrueUtc = new Set<unknown>(['blue', 'bolsa', 'contadoconliqui', 'cripto']);

/**
 * The instant that a stamp stands for. The source behind most houses publishes the wall time of
 * Buenos Aires without an offset. A recorder in UTC reads that as UTC, and a recorder in Buenos Aires
 * reads it right. A stamp is never moved past the instant of its recording.
 *
 * Measured over 2025: stamps of these houses are at least 3.01 hours older than their recording,
 * stamps of the other houses 0.01 hours. The one snapshot recorded at -03:00 has them right.
 */
function trueInstant(stamp: number, house: unknown, recorder: Recorder): number {
  if (!recorder.readsWallTimeAsUtc || !isPublishedInWallTime(house, recorder.path)) return stamp;
  const shifted = stamp + buenosAiresBehindUtcMs;
  return shifted > recorder.at ? stamp : shifted;
}

/**
 * Whether an entry proves that its snapshot has true UTC: its stamp lies before the recording, and
 * read as wall time it would lie after it. In early 2024 the recordings were so. One machine writes
 * all stamps of a snapshot, so one entry decides for those that were last updated hours before.
 */
function isWrittenInUtc(entry: unknown, { at, path }: Pick<Recorder, 'at' | 'path'>): boolean {
  const { casa, fechaActualizacion } = asRecord(entry) ?? {};
  const stamp = instantOf(fechaActualizacion);
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
  { casa, moneda }: Record<string, unknown>,
  { at, compra, venta }: Sides,
): { readonly updates: Update[] } | Rejected {
  const tickers = typeof casa === 'string' && moneda === 'USD' ? own(dollars, casa) : undefined;
  if (tickers === undefined) return reject('no-instrument', { moneda, casa }, String(casa));
  // The house buys below what it sells at.
  if (compra !== undefined && venta !== undefined && compra > venta) {
    return reject('crossed', { compra, venta }, String(casa));
  }
  const updates: Update[] = [];
  if (tickers.bid !== undefined && compra !== undefined) {
    updates.push({ ticker: tickers.bid as Ticker, at, last: compra });
  }
  if (venta !== undefined) updates.push({ ticker: tickers.ask as Ticker, at, last: venta });
  return updates.length > 0 ? { updates } : reject('no-price', { compra, venta }, String(casa));
}

function mapCrypto(
  { exchange, monedaBase, moneda, criptomoneda }: Record<string, unknown>,
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
  // Told from the customer's side: who buys pays `compra`, which is the higher.
  if (compra < venta) {
    return reject('crossed', { exchange, compra, venta }, monedaBase);
  }
  return { updates: [{ ticker: monedaBase as Ticker, at, last: (compra + venta) / 2 }] };
}

export function asRecord(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

export function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value) : undefined;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isNumberOrAbsent(value: unknown): value is number | null | undefined {
  return isAbsent(value) || typeof value === 'number';
}

function symbolOf({ casa, monedaBase }: Record<string, unknown>): string {
  return String(casa ?? monedaBase);
}
