import { panelCodes, type PanelCode } from '../../domain/instruments/panel.ts';
import type {
  OfferedInstrument,
  OfferedTerms,
  OfferedUniverse,
} from '../../universe/pull/merge-universe.ts';
import { marketTable } from '../../contract/paths/mercados.ts';
import type { OriginReader } from './origin.ts';
import type { HorarioDeMercado } from '../../../clients/typescript/src/index.ts';
import { parseMinute, type Market, type SessionHours } from '../../domain/calendar/market.ts';
import { parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import { instrumentKinds, type InstrumentKind } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import { instrumentTable, kindNames } from '../../contract/paths/especies-json.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';

/** What another Pizarra offers, and what it does not say. */
interface ReadUniverse {
  readonly offered: OfferedUniverse;
  /** What is not as it seems, each a sentence without its final period. */
  readonly notes: readonly string[];
}

/**
 * Reads the instruments, markets and panels of another Pizarra.
 *
 * @throws OperatorFault
 */
export async function readOffered(origin: OriginReader): Promise<ReadUniverse> {
  const listed = await origin.read('/especies.json', (client, options) =>
    client.instruments({ campos: instrumentTable.onRequest }, options),
  );
  const notes = listed.isSimulated
    ? ['it runs a demonstration: its prices are made up, and its markets are always open']
    : [];
  // Another server may answer any array.
  const rows: readonly unknown[] = listed.data;
  const instruments = rows.every(isRow) ? offeredInstruments(rows, notes) : undefined;
  if (instruments === undefined) throw origin.notPizarra('/especies.json');
  const hours = await origin.read('/mercados', (client, options) =>
    client.markets({ anio: 'todos', campos: marketTable.onRequest }, options),
  );
  const markets = mapMarkets(hours.data);
  const codes = new Set(markets?.map(({ code }) => code));
  // The service loaded another universe between the two requests, or is none.
  if (markets === undefined || instruments.some(({ market }) => !codes.has(market))) {
    throw origin.notPizarra('/mercados');
  }
  const panels = new Map<PanelCode, readonly string[]>();
  for (const panel of panelCodes) {
    // It has the members of BONOS (contract 2.4).
    if (panel === 'BON') continue;
    const { data } = await origin.read(`/especies.txt?panel=${panel}`, (client, options) =>
      client.tickers({ panel }, options),
    );
    panels.set(panel, data);
  }
  return {
    offered: {
      instruments,
      markets,
      panels,
      terms: offeredTerms(rows.filter(isRow)),
    },
    notes,
  };
}

function isRow(value: unknown): value is OriginRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const everyDay = new Set([1, 2, 3, 4, 5, 6, 7]);

/**
 * The rows of `/mercados` as markets.
 *
 * @returns undefined for rows that no Pizarra sends.
 */
export function mapMarkets(rows: readonly HorarioDeMercado[]): readonly Market[] | undefined {
  try {
    return rows.length === 0 ? undefined : rows.map(mapMarket);
  } catch {
    return undefined;
  }
}

function mapMarket(row: HorarioDeMercado): Market {
  const { mercado, nombre, zona, dias, horarios, cierresAnticipados, feriados } = row;
  const weekdays = textOf(dias).split(' ').map(Number);
  if (!weekdays.every((day) => everyDay.has(day))) throw new TypeError('not weekdays');
  return {
    code: textOf(mercado),
    name: textOf(nombre),
    timeZone: textOf(zona),
    weekdays: new Set(weekdays),
    hours: textOf(horarios).split(';').map(hoursIn),
    holidays: new Map(feriados.map((one) => [dateIn(one.fecha), textOf(one.nombre)])),
    unsettled: new Set((row.sinLiquidacion ?? []).map(dateIn)),
    earlyCloses: new Map(
      cierresAnticipados === ''
        ? []
        : textOf(cierresAnticipados)
            .split(';')
            .map((part) => part.split('='))
            .map(([day, time]) => [dateIn(day), minuteIn(time)]),
    ),
  };
}

/** `11:00-17:00`, or `2025-07-28=10:30-17:00` from a day on (contract 4.6.5). */
function hoursIn(part: string): SessionHours {
  const [span = '', date] = part.split('=').toReversed();
  const [open, close] = span.split('-');
  return {
    ...(date !== undefined && { since: dateIn(date) }),
    openMinute: minuteIn(open),
    closeMinute: minuteIn(close),
  };
}

function textOf(value: string | undefined): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError('not a text');
}

function dateIn(text: string | undefined): PlainDate {
  const date = parsePlainDate(textOf(text));
  if (date === undefined) throw new TypeError('not a date');
  return date;
}

function minuteIn(text: string | undefined): number {
  const minute = parseMinute(textOf(text));
  if (minute === undefined) throw new TypeError('not a time of day');
  return minute;
}

/** A row of a table of the contract, not checked yet. */
export type OriginRow = Readonly<Record<string, unknown>>;

const kinds = new Map(
  Object.entries(kindNames).map(([kind, name]) => [name, kind as InstrumentKind]),
);

const paidNames: Readonly<Record<string, string>> = { MEP: 'mep', CABLE: 'cable' };

/**
 * The rows of `/especies.json` as rows of `instruments.csv`. A value that is the default of the kind is left
 * out. An instrument of a kind that this version does not know is left out, and noted.
 *
 * @returns undefined for rows that no Pizarra sends.
 */
export function offeredInstruments(
  rows: readonly OriginRow[],
  notes: string[],
): readonly OfferedInstrument[] | undefined {
  const offered: OfferedInstrument[] = [];
  for (const row of rows) {
    const { especie, nombre, tipo, mercado, moneda, decimales, unidadVariacion: unit } = row;
    const isSound =
      [especie, nombre, tipo, mercado, moneda].every((one) => typeof one === 'string') &&
      typeof decimales === 'number' &&
      (unit === 'puntos' || unit === 'por-ciento');
    if (!isSound) return undefined;
    const kind = kinds.get(tipo as string);
    if (kind === undefined) {
      notes.push(
        `${especie as string}: not added, because its kind ${tipo as string} is not known here`,
      );
      continue;
    }
    const changeUnit = unit === 'puntos' ? 'points' : 'percent';
    const paid = paidNames[cell(row, 'clase')] ?? '';
    const pricePer = cell(row, 'precioPor');
    offered.push({
      ticker: especie as string,
      name: nombre as string,
      kind,
      market: mercado as string,
      currency: moneda as string,
      decimals: String(decimales),
      change_unit: changeUnit === instrumentKinds[kind].changeUnit ? '' : changeUnit,
      ratio: cell(row, 'ratio'),
      underlying: cell(row, 'subyacente'),
      maturity: canMature(kind) ? cell(row, 'vencimiento') : '',
      price_per: pricePer === String(instrumentKinds[kind].pricePer) ? '' : pricePer,
      base: paid === '' ? '' : cell(row, 'base'),
      class: paid,
      issuer: cell(row, 'emisor'),
    });
  }
  return offered;
}

/** The terms in the rows of `/especies.json` as rows of `bonds.csv`: one for each issue. */
export function offeredTerms(rows: readonly OriginRow[]): readonly OfferedTerms[] {
  const classes = new Map<string, OriginRow[]>();
  for (const row of rows) {
    const issue = cell(row, 'titulo');
    if (issue !== '') classes.getOrInsertComputed(issue, () => []).push(row);
  }
  return Array.from(classes, ([issue, own]): OfferedTerms => {
    const row = own[0] ?? {};
    const others = own.map((one) => cell(one, 'especie')).filter((ticker) => ticker !== issue);
    const index = cell(row, 'indice');
    const factor = cell(row, 'factor');
    return {
      especie: issue,
      series: others.join(' '),
      isin: cell(row, 'isin'),
      ley: cell(row, 'ley'),
      emision: cell(row, 'emision'),
      vencimiento: cell(row, 'vencimiento'),
      moneda: cell(row, 'monedaPagos'),
      frecuencia: cell(row, 'frecuencia'),
      primer_cupon: cell(row, 'primerCupon'),
      fechas: cell(row, 'fechasCupon'),
      tasa: cell(row, 'tasa'),
      base: cell(row, 'conteoDias'),
      amortizacion: cell(row, 'amortizacion'),
      indice: index,
      // The lag of a rate is not used, but its cell is required.
      rezago: index !== '' && cell(row, 'rezago') === '' ? '0' : cell(row, 'rezago'),
      base_indice: cell(row, 'baseIndice'),
      margen: cell(row, 'margen'),
      factor: factor === '1' ? '' : factor,
      tem: cell(row, 'tem'),
      dual: cell(row, 'dual'),
      ajuste_fecha: cell(row, 'ajusteFecha'),
      opcion: cell(row, 'opcion'),
      estado: cell(row, 'terminos'),
      revisado: cell(row, 'terminosRevisados'),
      fuentes: cell(row, 'terminosFuentes'),
    };
  });
}

/** A field as a cell. Empty for a field that is absent or no scalar. */
function cell(row: OriginRow, field: string): string {
  const value = row[field];
  if (typeof value === 'number') return formatExactNumber(value);
  return typeof value === 'string' ? value : '';
}
