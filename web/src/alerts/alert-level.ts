import { parsePrice } from '../market/format/parse-price.ts';
import type { InstrumentInfo } from '../market/api/quote.ts';
import type { AlertKind } from './alert.ts';

/** The level that a text means, or why it means none. */
export type ReadLevel = { readonly level: number } | { readonly problem: string };

type LevelInfo = Pick<InstrumentInfo, 'tipo' | 'unidadVariacion'>;

/**
 * Reads the level of an alert as it is written in Argentina: `7.500,50`, `+3,5 %`. A change has a sign,
 * because "falls to 3 %" may mean both directions. The other values have none, except prices that can be
 * negative.
 *
 * @param info the instrument, if it is known.
 */
export function readLevel(kind: AlertKind, text: string, info: LevelInfo | undefined): ReadLevel {
  const plain = text.trim();
  if (plain === '') return { problem: `Falta ${nouns[kind].name}.` };
  const [, sign = '', digits = '', unit = ''] =
    /^([+\-\u2212]?)\s*([^%a-z]*?)\s*(%|pts|puntos)?$/i.exec(plain) ?? [];
  const size = parsePrice(digits);
  if (size === undefined || !isUnitOf(kind, unit, info)) return { problem: notNumber(kind, info) };
  const level = sign === '' || sign === '+' ? size : -size;
  const problem = problemOf(kind, level, sign, info);
  return problem === undefined ? { level } : { problem };
}

/** Why an instrument of a kind never has the value, or undefined if it can have it. */
export function neverHas(kind: AlertKind, info: LevelInfo | undefined): string | undefined {
  return kind === 'volumen' && info !== undefined && withoutVolume.has(info.tipo)
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

const nouns: Readonly<
  Record<AlertKind, { readonly name: string; readonly subject: string; readonly example: string }>
> = {
  precio: { name: 'el precio', subject: 'El precio', example: '7.500,50' },
  variacion: { name: 'la variación', subject: 'La variación', example: '+3,5 %' },
  volumen: { name: 'el volumen', subject: 'El volumen', example: '1.000.000' },
  spread: { name: 'el spread', subject: 'El spread', example: '0,75 %' },
};

/** A level as an example. */
export function exampleOf(kind: AlertKind, info: LevelInfo | undefined): string {
  return kind === 'variacion' && isInPoints(info) ? '+3,5 pts' : nouns[kind].example;
}

function notNumber(kind: AlertKind, info: LevelInfo | undefined): string {
  return `${nouns[kind].subject} no es un número. Ejemplo: ${exampleOf(kind, info)}`;
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
  if (kind === 'precio' && (info?.tipo === 'brecha' || info?.tipo === 'tasa')) return undefined;
  if (level <= 0) return `${nouns[kind].subject} tiene que ser mayor que cero.`;
  // The middle of two prices is more than half of their difference.
  return kind === 'spread' && level >= 200
    ? 'El spread es una parte del precio medio: siempre es menor que 200 %.'
    : undefined;
}

function isUnitOf(kind: AlertKind, unit: string, info: LevelInfo | undefined): boolean {
  if (unit === '') return true;
  if (kind === 'spread') return unit === '%';
  return kind === 'variacion' && (unit === '%') !== isInPoints(info);
}

function isInPoints(info: LevelInfo | undefined): boolean {
  return info?.unidadVariacion === 'puntos';
}
