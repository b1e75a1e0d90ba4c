import { instrumentKinds, type InstrumentKind } from '../../domain/instruments/instrument.ts';
import { canMature } from '../../domain/instruments/maturity.ts';
import type { OfferedInstrument, OfferedTerms } from '../../universe/pull/offered-universe.ts';
import { kindNames } from '../../contract/paths/especies-json.ts';
import { formatExactNumber } from '../../lib/numbers/exact-number.ts';

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
      cells: {
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
      },
    });
  }
  return offered;
}

/** The terms in the rows of `/especies.json` as rows of `bonds.csv`: one for each issue. */
export function offeredTerms(rows: readonly OriginRow[]): readonly OfferedTerms[] {
  const classes = new Map<string, OriginRow[]>();
  for (const row of rows) {
    const issue = cell(row, 'titulo');
    if (issue !== '') classes.set(issue, [...(classes.get(issue) ?? []), row]);
  }
  return Array.from(classes, ([issue, own]): OfferedTerms => {
    const row = own[0] ?? {};
    const others = own.map((one) => cell(one, 'especie')).filter((ticker) => ticker !== issue);
    const index = cell(row, 'indice');
    const factor = cell(row, 'factor');
    return {
      tickers: [issue, ...others],
      cells: {
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
      },
    };
  });
}

/** A field as a cell. Empty for a field that is absent or no scalar. */
function cell(row: OriginRow, field: string): string {
  const value = row[field];
  if (typeof value === 'number') return formatExactNumber(value);
  return typeof value === 'string' ? value : '';
}
