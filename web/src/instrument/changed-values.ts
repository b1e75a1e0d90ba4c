import { actionNames } from '../chart/drawing/actions.ts';
import type { ChangeRow } from '../market/api/quote.ts';
import { decimalText } from '../market/format/decimal-text.ts';
import { absent } from '../market/format/numbers.ts';

/** The name of each field that a change replaces. */
export const changedNames: Readonly<Record<ChangeRow['campo'], string>> = {
  ultimo: 'Cierre',
  apertura: 'Apertura',
  maximo: 'Máximo',
  minimo: 'Mínimo',
  volumen: 'Volumen',
  fuente: 'Fuente',
  split: actionNames.split.name,
  'dividendo-acciones': actionNames['dividendo-acciones'].name,
  dividendo: actionNames.dividendo.name,
  ratio: actionNames.ratio.name,
  'cambio-ticker': actionNames['cambio-ticker'].name,
  isin: 'ISIN',
  ley: 'Ley',
  monedaPagos: 'Moneda de los pagos',
  opcion: 'Opción',
  terminos: 'Condiciones',
  vencimiento: 'Vencimiento',
  titulo: 'Título',
  emision: 'Emisión',
  frecuencia: 'Frecuencia',
  primerCupon: 'Primer cupón',
  fechasCupon: 'Fechas de los cupones',
  tasa: 'Tasa',
  conteoDias: 'Conteo de días',
  amortizacion: 'Amortización',
  indice: 'Índice',
  rezago: 'Rezago',
  baseIndice: 'Base del índice',
  margen: 'Margen',
  factor: 'Factor',
  tem: 'TEM',
  dual: 'Dual',
  ajusteFecha: 'Ajuste de fechas',
};

/** The name of each origin of a change. */
export const originNames: Readonly<Record<ChangeRow['origen'], string>> = {
  importacion: 'Importación',
  descarga: 'Descarga',
  rueda: 'Rueda',
  confirmacion: 'Confirmación',
  reversion: 'Reversión',
  eliminacion: 'Eliminación',
  universo: 'Universo',
  demostracion: 'Demostración',
  desconocido: 'Desconocido',
};

/** The most decimals of a stored value that are shown. A difference is then never rounded away. */
const decimalsMax = 12;

/** An amount with its currency, as the service writes it. */
const amount = /^(\d+(?:\.\d+)?) ([A-Z]{3})$/;

/** A value before or after a change: `41.205,123`, `12,5 ARS`, `import:cierres.csv`. */
export function changedValue(value: ChangeRow['antes']): string {
  if (value === null) return absent;
  if (typeof value === 'number') return decimalText(value, { least: 0, most: decimalsMax });
  const [, digits, currency] = amount.exec(value) ?? [];
  if (digits === undefined || currency === undefined) return value;
  return `${changedValue(Number(digits))} ${currency}`;
}
