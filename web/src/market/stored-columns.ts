import { storedValue } from '../ui/stored-value.ts';
import { readFields, type ColumnField } from './columns.ts';

/** The kinds of boards, each with columns of its own. A list of the user is `general`. */
export type BoardKind = 'general' | 'bonos' | 'cedears';

/** The last columns of a new visitor, for boards of any kind. */
const laterFields = [
  'minimo',
  'maximo',
  'anterior',
  'varMTD',
  'varYTD',
  'volumen',
  'hora',
] as const;

/** The columns of a new visitor, by kind. Where not all fit, the least important ones are left out. */
export const defaultFields: Readonly<Record<BoardKind, readonly ColumnField[]>> = {
  general: ['ultimo', 'variacion', 'rueda', 'apertura', ...laterFields],
  bonos: [
    'ultimo',
    'variacion',
    'tir',
    'durationModificada',
    'paridad',
    'vencimiento',
    'rueda',
    'moneda',
    'precioPor',
    ...laterFields,
  ],
  cedears: ['ultimo', 'variacion', 'rueda', 'ratio', 'subyacente', 'implicito', ...laterFields],
};

/** The columns that the user chose for each kind, in order. The browser stores them. */
export const storedColumns = {
  general: fieldsStore('pizarra.columns', 'general'),
  bonos: fieldsStore('pizarra.columns.bonos', 'bonos'),
  cedears: fieldsStore('pizarra.columns.cedears', 'cedears'),
};

function fieldsStore(name: string, kind: BoardKind) {
  return storedValue<readonly ColumnField[]>({
    name,
    initial: defaultFields[kind],
    read: readFields,
  });
}
