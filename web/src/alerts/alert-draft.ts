import type { InstrumentInfo } from '../market/api/quote.ts';
import { isBond } from '../market/facts/instrument-facts.ts';
import { parsePrice } from '../market/format/parse-price.ts';
import {
  isInPercent,
  levelAt,
  type AlertKind,
  type AlertWay,
  type Condition,
} from '../market/alerts/alert.ts';
import { kindTexts, subjectOf } from '../market/alerts/alert-texts.ts';

/** What the user has entered for an alert. */
export interface AlertDraft {
  /** In the spelling of the universe, if it has the instrument. */
  readonly ticker: string;
  readonly info: InstrumentInfo | undefined;
  readonly kind: AlertKind;
  /** Undefined until the user chooses a direction. */
  readonly way: AlertWay | undefined;
  readonly text: string;
  /** The value that the instrument has now, if it has one. */
  readonly current: number | undefined;
}

/** The fields of the form in which an entry can be wrong. */
export type DraftField = 'ticker' | 'kind' | 'level';

/** The condition that a draft means, or what is wrong with it and in which field. */
export type ReadDraft =
  | { readonly condition: Condition }
  | { readonly field: DraftField; readonly problem: string };

/** Reads a draft. The first wrong field counts. */
export function readDraft(draft: AlertDraft): ReadDraft {
  const { ticker, info, kind } = draft;
  if (ticker.trim() === '') return { field: 'ticker', problem: 'Falta la especie.' };
  if (info === undefined) {
    return { field: 'ticker', problem: `La especie «${ticker}» no existe.` };
  }
  const never = neverHas(kind, info);
  if (never !== undefined) return { field: 'kind', problem: never };
  const read = readLevel(draft);
  if ('problem' in read) return { field: 'level', problem: read.problem };
  return { condition: { ticker, kind, way: wayOf(draft), level: read.level } };
}

/**
 * The direction of a draft. Until the user chooses one, it is that from the current value to the level.
 * A volume only rises.
 */
export function wayOf(draft: AlertDraft): AlertWay {
  const { kind, way, current } = draft;
  if (kind === 'volumen') return 'sube';
  if (way !== undefined) return way;
  const read = readLevel(draft);
  return 'level' in read && current !== undefined && read.level < current ? 'baja' : 'sube';
}

/** The level that a text means, or why it means none. */
type ReadLevel = { readonly level: number } | { readonly problem: string };

type LevelInfo = Pick<InstrumentInfo, 'tipo' | 'unidadVariacion'> &
  Partial<Pick<InstrumentInfo, 'decimales'>>;

/** The part of a draft that its level depends on. */
type LevelDraft = Pick<AlertDraft, 'kind' | 'text' | 'current'> & {
  readonly info: LevelInfo | undefined;
};

/**
 * Reads the level of an alert as it is written in Argentina: `7.500,50`, `+3,5 %`. A change has a sign,
 * because "falls to 3 %" may mean both directions. The other values have none, except those that can be
 * negative. A price with a sign and a percent sign, `+2 %`, is counted from the current price.
 */
export function readLevel({ kind, text, info, current }: LevelDraft): ReadLevel {
  const plain = text.trim();
  if (plain === '') return { problem: `Falta ${kindTexts[kind].noun}.` };
  const [, sign = '', digits = '', unit = ''] =
    /^([+\-\u2212]?)\s*([^%a-z]*?)\s*(%|pts|puntos)?$/i.exec(plain) ?? [];
  const size = parsePrice(digits);
  const isRelative = kind === 'precio' && !isInPercent(info) && sign !== '' && unit === '%';
  if (size === undefined || (!isRelative && !isUnitOf(kind, unit, info))) {
    return { problem: notNumber(kind, info) };
  }
  const signed = sign === '' || sign === '+' ? size : -size;
  if (isRelative && current === undefined) {
    return { problem: 'La especie no tiene un último precio del que contar el porcentaje.' };
  }
  const level = isRelative ? levelFrom(current ?? 0, signed, info) : signed;
  const problem = problemOf(kind, level, sign, info);
  return problem === undefined ? { level } : { problem };
}

/** A price with a change in percent, with the decimals of the instrument. */
export function levelFrom(
  price: number,
  percent: number,
  info: Partial<Pick<InstrumentInfo, 'decimales'>> | undefined,
): number {
  return levelAt(price * (1 + percent / 100), info);
}

/** Why an instrument of a kind never has the value, or undefined if it can have it. */
export function neverHas(kind: AlertKind, info: LevelInfo | undefined): string | undefined {
  if (info === undefined) return undefined;
  if (kind === 'tir' && !isBond(info)) return 'Esta especie no tiene TIR: no es un bono.';
  return kind === 'volumen' && withoutVolume.has(info.tipo)
    ? 'Esta especie no tiene volumen: es un índice, una tasa o un tipo de cambio.'
    : undefined;
}

/** Their volume is always null (contract 2.1.6). */
const withoutVolume: ReadonlySet<LevelInfo['tipo']> = new Set([
  'indice',
  'tipo-de-cambio',
  'tasa',
  'brecha',
  'riesgo-pais',
]);

/** A level as an example. */
export function exampleOf(kind: AlertKind, info: LevelInfo | undefined): string {
  return kind === 'variacion' && isInPoints(info) ? '+3,5 pts' : kindTexts[kind].example;
}

function notNumber(kind: AlertKind, info: LevelInfo | undefined): string {
  return `${subjectOf(kind)} no es un número. Ejemplo: ${exampleOf(kind, info)}`;
}

function problemOf(
  kind: AlertKind,
  level: number,
  sign: string,
  info: LevelInfo | undefined,
): string | undefined {
  if (kind === 'variacion') {
    if (sign === '' && level !== 0) return 'Falta el signo de la variación: + o −.';
    const isBelowAll = !isInPoints(info) && level < -100;
    return isBelowAll ? 'Ningún precio baja más de 100 %.' : undefined;
  }
  if (kind === 'tir') {
    return level <= -100 ? 'La TIR siempre es mayor que −100 %.' : undefined;
  }
  if (kind === 'precio' && isInPercent(info)) return undefined;
  if (level <= 0) return `${subjectOf(kind)} tiene que ser mayor que cero.`;
  // The middle of two prices is more than half of their difference.
  return kind === 'spread' && level >= 200
    ? 'El spread es una parte del precio medio: siempre es menor que 200 %.'
    : undefined;
}

function isUnitOf(kind: AlertKind, unit: string, info: LevelInfo | undefined): boolean {
  if (unit === '') return true;
  if (kind === 'spread' || kind === 'tir') return unit === '%';
  if (kind === 'precio') return unit === '%' && isInPercent(info);
  return kind === 'variacion' && (unit === '%') !== isInPoints(info);
}

function isInPoints(info: LevelInfo | undefined): boolean {
  return info?.unidadVariacion === 'puntos';
}
