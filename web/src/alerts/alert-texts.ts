import { decimalText } from '../market/format/decimal-text.ts';
import {
  formatChange,
  formatDay,
  formatPrice,
  formatVolume,
  type ChangeUnit,
} from '../market/format/numbers.ts';
import {
  isArmed,
  type Alert,
  type AlertKind,
  type AlertWay,
  type Condition,
  type Crossing,
  type Sight,
} from './alert.ts';

/** What an alert watches, as the name of a choice. */
export const kindNames: Readonly<Record<AlertKind, string>> = {
  precio: 'Precio',
  variacion: 'Variación del día',
  volumen: 'Volumen de la rueda',
  spread: 'Spread (venta − compra)',
};

/** The directions, as names of a choice. */
export const wayNames: Readonly<Record<AlertWay, string>> = {
  sube: 'sube hasta',
  baja: 'baja hasta',
};

const subjects: Readonly<Record<AlertKind, string>> = {
  precio: '',
  variacion: ': la variación',
  volumen: ': el volumen',
  spread: ': el spread',
};

/** A value that an alert watches, with its unit: `7.500,00`, `+3,00 %`, `1.000.000`, `0,75 %`. */
export function formatLevel(kind: AlertKind, value: number, unit: ChangeUnit | undefined): string {
  if (kind === 'variacion') return formatChange(value, unit);
  if (kind === 'volumen') return formatVolume(value);
  const text = formatPrice(value);
  return kind === 'spread' ? `${text}\u00a0%` : text;
}

/** The level of an alert as the user would enter it, with all of its decimals: `7500,5`, `+3,5`. */
export function levelText({ kind, level }: Condition): string {
  const sign = level < 0 ? '−' : kind === 'variacion' && level > 0 ? '+' : '';
  return sign + decimalText(Math.abs(level), { least: 0, most: 12 }).replaceAll('.', '');
}

/** A value that was seen, as {@link formatLevel}. A spread has three digits. */
export function formatValue(kind: AlertKind, value: number, unit: ChangeUnit | undefined): string {
  return formatLevel(kind, kind === 'spread' ? Number(value.toPrecision(3)) : value, unit);
}

/** `GGAL sube hasta 7.500,00`, `GGAL: la variación baja hasta −3,00 %`. */
export function conditionText(condition: Condition, unit: ChangeUnit | undefined): string {
  const { ticker, kind, way, level } = condition;
  const verb = kind === 'volumen' ? 'llega a' : wayNames[way];
  return `${ticker}${subjects[kind]} ${verb} ${formatLevel(kind, level, unit)}`;
}

/** `7.510,00 el 20/11/2026 a las 15:03:11`. */
export function crossingText(
  kind: AlertKind,
  { value, fecha, hora }: Crossing,
  unit: ChangeUnit | undefined,
): string {
  const time = hora === undefined ? '' : ` a las ${hora}`;
  return `${formatValue(kind, value, unit)} el ${formatDay(fecha)}${time}`;
}

/** The state of an alert in one word. */
export function stateName(alert: Alert, seen: Sight | undefined): string {
  if (alert.isPaused === true) return 'En pausa';
  const armed = isArmed(alert, seen);
  if (armed === true) return 'Activa';
  return seen?.crossed === undefined ? 'En espera' : 'Avisó';
}

/** What an alert that does not fire at the next crossing waits for. Empty for the others. */
export function waitText(alert: Alert, seen: Sight | undefined): string {
  const { kind, way } = alert;
  if (alert.isPaused === true) return 'No avisa hasta que se reanude.';
  const armed = isArmed(alert, seen);
  if (armed === undefined) return firstValues[kind];
  if (armed) return '';
  if (kind === 'volumen') return 'El volumen ya llegó. Se activa con la próxima rueda.';
  const beyond = way === 'sube' ? 'por encima' : 'por debajo';
  const next = kind === 'variacion' ? 'cuando vuelva, o con la próxima rueda' : 'cuando vuelva';
  return `${valueNames[kind]} ya está ${beyond} o es igual. Se activa ${next}.`;
}

const valueNames = { precio: 'El precio', variacion: 'La variación', spread: 'El spread' } as const;

const firstValues: Readonly<Record<AlertKind, string>> = {
  precio: 'Espera el primer precio.',
  variacion: 'Espera la primera variación: la especie no la tiene ahora.',
  volumen: 'Espera el primer volumen: la especie no lo tiene ahora.',
  spread: 'Espera puntas de compra y de venta: la especie no las tiene ahora.',
};
