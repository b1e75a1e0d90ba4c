import type { BondFigures, InstrumentInfo, Quote } from '../../market/api/quote.ts';
import { isBond, missingReason } from '../../market/facts/instrument-facts.ts';
import { families, familyOf, type Family } from './families.ts';
import { decimalText } from '../../market/format/decimal-text.ts';
import { formatDay, formatFixed, formatPercent } from '../../market/format/numbers.ts';

/** What is known of an instrument of the board. */
export interface CurveSource {
  readonly ticker: string;
  readonly quote: Quote | undefined;
  readonly info: InstrumentInfo | undefined;
  /** Its terms and its class, as `/especies.json` has them on request. */
  readonly terms: InstrumentInfo | undefined;
  /** Null if the service has none. */
  readonly bond: BondFigures | null;
  /** Whether its quote is of an earlier session. */
  readonly isEarlier: boolean;
}

/** A bond with a yield. */
export interface CurvePoint {
  readonly ticker: string;
  readonly family: Family;
  /** The modified duration, in years. */
  readonly duration: number;
  /** The yield, in percent. */
  readonly rate: number;
  readonly bond: BondFigures;
  /** Whether its price is of an earlier session. */
  readonly isEarlier: boolean;
  /** The change of its price from the previous close, in percent. Undefined if it is not known. */
  readonly change?: number | undefined;
}

/** A bond without a yield, with the reason. */
export interface Missing {
  readonly ticker: string;
  readonly reason: string;
}

export interface Curve {
  readonly points: readonly CurvePoint[];
  readonly missing: readonly Missing[];
}

/** The classes of an issue, the one that stands for all first: its price needs no exchange rate. */
const classOrder: readonly unknown[] = ['MEP', 'CABLE', 'ARS', undefined];

/**
 * The points of a curve, in the order of the board. What is no bond is left out.
 *
 * @param isOnePerIssue leaves one class of each issue, because all of them have nearly the same yield. A class
 *   with a yield comes before one without.
 */
export function curveOf(sources: readonly CurveSource[], isOnePerIssue: boolean): Curve {
  const all = sources.filter(({ info }) => isBond(info)).map(partOf);
  const chosen = isOnePerIssue ? onePerIssue(all) : all;
  return {
    points: chosen.flatMap(({ point }) => point ?? []),
    missing: chosen.flatMap(({ missing }) => missing ?? []),
  };
}

interface Part {
  readonly source: CurveSource;
  readonly point?: CurvePoint;
  readonly missing?: Missing;
}

function partOf(source: CurveSource): Part {
  const { ticker, bond, terms, info, isEarlier, quote } = source;
  const reason = missingReason(source, 'Faltan sus condiciones de emisión');
  const { durationModificada: duration = null, tir: rate = null } = bond ?? {};
  if (reason !== undefined || bond === null || duration === null || rate === null) {
    return { source, missing: { ticker, reason: reason ?? 'Sin TIR' } };
  }
  const family = familyOf(bond, terms ?? info);
  const change = quote?.variacion ?? undefined;
  return { source, point: { ticker, family, duration, rate, bond, isEarlier, change } };
}

function onePerIssue(parts: readonly Part[]): readonly Part[] {
  const byIssue = new Map<string, Part>();
  for (const part of parts) {
    const issue = part.source.terms?.base ?? part.source.ticker;
    const known = byIssue.get(issue);
    if (known === undefined || rankOf(part) < rankOf(known)) byIssue.set(issue, part);
  }
  const kept = new Set(byIssue.values());
  return parts.filter((part) => kept.has(part));
}

/** Lower is better. */
function rankOf({ point, source }: Part): number {
  const order = classOrder.indexOf(source.terms?.clase);
  return (point === undefined ? classOrder.length : 0) + order;
}

/**
 * What a point says of its bond, line by line.
 *
 * @param spread by how much its yield is above the curve of its family, in percent. Undefined without a curve.
 */
export function pointLines(point: CurvePoint, spread: number | undefined): readonly string[] {
  const { family, rate, duration, bond, isEarlier } = point;
  const { paridad, vencimiento, fecha } = bond;
  return [
    families[family].name,
    `TIR ${formatPercent(rate)}`,
    `Duration modificada ${formatFixed(duration, 2)} años`,
    ...(spread === undefined ? [] : [spreadText(spread)]),
    ...(paridad === null ? [] : [`Paridad ${formatPercent(paridad)}`]),
    `Vence el ${formatDay(vencimiento)}`,
    ...(isEarlier ? [`Precio de una rueda anterior: ${formatDay(fecha)}`] : []),
  ];
}

/** `+35 pb sobre la curva ajustada`. */
function spreadText(spread: number): string {
  const points = decimalText(spread * 100, { least: 0, most: 0, hasPlus: true });
  return `${points} pb ${spread < 0 ? 'bajo' : 'sobre'} la curva ajustada`;
}

/** The bonds without a yield, counted by their reasons: the index and the day that are missing do not matter. */
export function countReasons(missing: readonly Missing[]): string {
  const counts = new Map<string, number>();
  for (const { reason } of missing) {
    const [name = ''] = reason.split(':');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} (${count})`)
    .join('; ');
}
