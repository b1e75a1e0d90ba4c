import type { InstrumentInfo } from '../api/quote.ts';
import { decimalText } from '../format/decimal-text.ts';
import {
  formatChange,
  formatDay,
  formatFixed,
  formatPercent,
  formatPrice,
  formatVolume,
} from '../format/numbers.ts';
import { changeUnitOf } from '../instruments.ts';
import {
  alertsMax,
  isArmed,
  isInPercent,
  type Alert,
  type AlertKind,
  type AlertWay,
  type Condition,
  type Crossing,
  type Sight,
} from './alert.ts';

/** What the texts of an alert depend on: the unit of its values. */
type Info = Pick<InstrumentInfo, 'tipo' | 'unidadVariacion'> | undefined;

/** The texts of what an alert watches. */
interface KindTexts {
  /** As the name of a choice. */
  readonly name: string;
  /** Within a sentence. */
  readonly noun: string;
  /** The label of its level, where it says more than the name. */
  readonly label?: string;
  /** A level as an example. */
  readonly example: string;
  /** What an alert waits for that has seen no value. */
  readonly awaited: string;
}

export const kindTexts: Readonly<Record<AlertKind, KindTexts>> = {
  precio: {
    name: 'Precio',
    noun: 'el precio',
    example: '7.500,50',
    awaited: 'el primer precio.',
  },
  variacion: {
    name: 'Variación del día',
    noun: 'la variación',
    label: 'Variación',
    example: '+3,5 %',
    awaited: 'la primera variación: la especie no la tiene ahora.',
  },
  volumen: {
    name: 'Volumen de la rueda',
    noun: 'el volumen',
    label: 'Volumen nominal',
    example: '1.000.000',
    awaited: 'el primer volumen: la especie no lo tiene ahora.',
  },
  spread: {
    name: 'Spread (venta − compra)',
    noun: 'el spread',
    label: 'Spread, en % del precio medio',
    example: '0,75 %',
    awaited: 'puntas de compra y de venta: la especie no las tiene ahora.',
  },
  tir: {
    name: 'TIR',
    noun: 'la TIR',
    label: 'TIR, en %',
    example: '9,5 %',
    awaited: 'la primera TIR: el bono no la tiene ahora.',
  },
};

/** What an alert watches, at the beginning of a sentence. */
export function subjectOf(kind: AlertKind): string {
  const { noun } = kindTexts[kind];
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

/** What an alert on an instrument watches. The price of a gap is a gap. */
export function kindName(kind: AlertKind, info: Info): string {
  const { name } = kindTexts[kind];
  if (kind !== 'precio' || info === undefined) return name;
  return { brecha: 'Brecha', tasa: 'Tasa' }[info.tipo as string] ?? name;
}

/** The directions, as names of a choice. */
export const wayNames: Readonly<Record<AlertWay, string>> = {
  sube: 'sube hasta',
  baja: 'baja hasta',
};

const pastNames: Readonly<Record<AlertWay, string>> = {
  sube: 'subió hasta',
  baja: 'bajó hasta',
};

/** A value that an alert watches, with its unit: `7.500,00`, `+3,00 %`, `1.000.000`, `0,75 %`. */
export function formatLevel(kind: AlertKind, value: number, info: Info): string {
  if (kind === 'variacion') return formatChange(value, changeUnitOf(info));
  if (kind === 'volumen') return formatVolume(value);
  const text = formatPrice(value);
  return kind !== 'precio' || isInPercent(info) ? `${text}\u00a0%` : text;
}

/** The level of an alert as the user would enter it, with all of its decimals: `7500,5`, `+3,5`. */
export function levelText({ kind, level }: Pick<Condition, 'kind' | 'level'>): string {
  const sign = level < 0 ? '−' : kind === 'variacion' && level > 0 ? '+' : '';
  return sign + decimalText(Math.abs(level), { least: 0, most: 12 }).replaceAll('.', '');
}

/** A value that was seen, as {@link formatLevel}. A spread has three digits, and a yield two decimals. */
export function formatValue(kind: AlertKind, value: number, info: Info): string {
  if (kind === 'tir') return formatPercent(value);
  return formatLevel(kind, kind === 'spread' ? Number(value.toPrecision(3)) : value, info);
}

/** `GGAL sube hasta 7.500,00`, `GGAL: la variación baja hasta −3,00 %`. */
export function conditionText(condition: Condition, info: Info): string {
  const verb = condition.kind === 'volumen' ? 'llega a' : wayNames[condition.way];
  return sentence(condition, verb, info);
}

/** What the user reads after an alert was created. */
export function createdText(condition: Condition, info: Info): string {
  return `Alerta creada: ${conditionText(condition, info)}.`;
}

/** What the user reads instead, if no more alerts can be stored. */
export const alertsFullText = `Ya hay ${alertsMax} alertas, la cantidad máxima.`;

/** What has happened when the alert fires: `GGAL subió hasta 7.500,00`. */
export function firedText(condition: Condition, info: Info): string {
  const verb = condition.kind === 'volumen' ? 'llegó a' : pastNames[condition.way];
  return sentence(condition, verb, info);
}

function sentence({ ticker, kind, level }: Condition, verb: string, info: Info): string {
  const subject = kind === 'precio' ? ticker : `${ticker}: ${kindTexts[kind].noun}`;
  return `${subject} ${verb} ${formatLevel(kind, level, info)}`;
}

/** The value of now, and how far the level is from it: `Último: 7.400,00, a 1,36 % del nivel`. */
export function distanceText({ kind, level }: Condition, value: number, info: Info): string {
  const now = `${kind === 'precio' ? 'Último' : 'Ahora'}: ${formatValue(kind, value, info)}`;
  return `${now}, a ${distance({ kind, level }, value, info)} del nivel`;
}

function distance(
  { kind, level }: Pick<Condition, 'kind' | 'level'>,
  value: number,
  info: Info,
): string {
  const gap = Math.abs(level - value);
  if (kind === 'volumen') return formatVolume(gap);
  const isShare = kind === 'precio' && !isInPercent(info) && value > 0;
  return isShare ? formatPercent((gap / value) * 100) : `${formatFixed(gap, 2)}\u00a0pts`;
}

/** `7.510,00 el 20/11/2026 a las 15:03:11`. */
export function crossingText(
  kind: AlertKind,
  { value, fecha, hora }: Crossing,
  info: Info,
): string {
  const time = hora === undefined ? '' : ` a las ${hora}`;
  return `${formatValue(kind, value, info)} el ${formatDay(fecha)}${time}`;
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
  if (armed === undefined) return `Espera ${kindTexts[kind].awaited}`;
  if (armed) return '';
  if (kind === 'volumen') return 'El volumen ya llegó. Se activa con la próxima rueda.';
  const beyond = way === 'sube' ? 'por encima' : 'por debajo';
  const next = kind === 'variacion' ? 'cuando vuelva, o con la próxima rueda' : 'cuando vuelva';
  return `${subjectOf(kind)} ya está ${beyond} o es igual. Se activa ${next}.`;
}
