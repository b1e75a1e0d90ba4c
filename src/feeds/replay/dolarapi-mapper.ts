import type { Ticker } from '../../domain/ticker.ts';
import type { Update } from '../../domain/update.ts';
import { parseRfc3339 } from '../rfc3339.ts';
import type { RecordedBatch, Rejected } from './recording.ts';

/**
 * Maps one line of the recorded history of dolarapi.com: a snapshot of one of its documents, with
 * the instant of the recording. Pure. docs/field-semantics.md describes the fields.
 *
 * The fields of an entry determine its kind: an entry with `casa` is a dollar rate, an entry with
 * `exchange` is a quote of a crypto asset at that exchange. A faulty entry is rejected with a
 * reason, and the rest of its snapshot is used.
 */
export function mapDolarapiLine(text: string): RecordedBatch | { readonly rejected: Rejected } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { rejected: { reason: 'not-json', detail: 'the line is not JSON' } };
  }
  const { committedAt, data, path } = asRecord(value) ?? {};
  const at = instantOf(committedAt);
  if (at === undefined || !Array.isArray(data)) {
    const detail = 'the line has no committedAt with a date and time, or no data';
    return { rejected: { reason: 'unintelligible', detail } };
  }
  const isInUtc = isUtc(String(committedAt));
  const isTrueUtc = data.some((entry: unknown) => isWrittenInUtc(entry, { at, path }));
  const recorder: Recorder = { at, path, readsWallTimeAsUtc: isInUtc && !isTrueUtc };
  const updates: Update[] = [];
  const rejected: Rejected[] = [];
  for (const entry of data as readonly unknown[]) {
    const mapped = mapEntry(entry, recorder);
    if ('updates' in mapped) updates.push(...mapped.updates);
    else rejected.push(mapped);
  }
  return { at, updates, rejected };
}

/** The instruments of each dollar rate. A side without an instrument is not used. */
const dollars: Readonly<Record<string, { readonly bid?: string; readonly ask: string }>> = {
  oficial: { bid: 'DOLAR OFICIAL COMPRA', ask: 'DOLAR OFICIAL VENTA' },
  blue: { bid: 'DOLAR BLUE COMPRA', ask: 'DOLAR BLUE VENTA' },
  bolsa: { ask: 'DOLAR MEP' },
  contadoconliqui: { ask: 'DOLAR CCL' },
  mayorista: { ask: 'DOLAR MAYORISTA' },
  cripto: { ask: 'DOLAR CRIPTO' },
  tarjeta: { ask: 'DOLAR TARJETA' },
};

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
  if (fields === undefined) return unintelligible('an entry is no object');
  const { fechaActualizacion, compra, venta } = fields;
  // An absent instant is no fault. The instant of the recording is then the best one known.
  const stamp = isAbsent(fechaActualizacion) ? recorder.at : instantOf(fechaActualizacion);
  if (stamp === undefined) return unintelligible('fechaActualizacion is no date and time');
  if (!isNumberOrAbsent(compra) || !isNumberOrAbsent(venta)) {
    return unintelligible('compra or venta is no number');
  }
  const at = isAbsent(fechaActualizacion) ? stamp : trueInstant(stamp, fields['casa'], recorder);
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

function isUtc(stamp: string): boolean {
  return /(?:Z|[+-]00:00)$/i.test(stamp);
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
  if (tickers === undefined) return noInstrument(`${String(moneda)} ${String(casa)}`);
  // The house buys at a lower price than it sells at.
  if (compra !== undefined && venta !== undefined && compra > venta) {
    return crossed(`${String(casa)}: compra ${compra}, venta ${venta}`);
  }
  const updates: Update[] = [];
  if (tickers.bid !== undefined && compra !== undefined) {
    updates.push({ ticker: tickers.bid as Ticker, at, last: compra });
  }
  if (venta !== undefined) updates.push({ ticker: tickers.ask as Ticker, at, last: venta });
  return updates.length > 0 ? { updates } : unintelligible(`${String(casa)} has no price`);
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
  if (!isTaken) return noInstrument(`${String(monedaBase)} in ${String(criptomoneda ?? moneda)}`);
  if (compra === undefined || venta === undefined) {
    return unintelligible(`${monedaBase} has only one side, so it has no middle price`);
  }
  // From the customer's point of view: a buyer pays `compra`, which is the higher price.
  if (compra < venta) {
    return crossed(`${monedaBase} at ${String(exchange)}: compra ${compra}, venta ${venta}`);
  }
  return { updates: [{ ticker: monedaBase as Ticker, at, last: (compra + venta) / 2 }] };
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Record<string, unknown>;
}

function own<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function instantOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseRfc3339(value) : undefined;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isNumberOrAbsent(value: unknown): value is number | null | undefined {
  return isAbsent(value) || typeof value === 'number';
}

function unintelligible(detail: string): Rejected {
  return { reason: 'unintelligible', detail };
}

function noInstrument(what: string): Rejected {
  return { reason: 'no-instrument', detail: `the universe has no instrument for ${what}` };
}

function crossed(detail: string): Rejected {
  return { reason: 'crossed', detail };
}
