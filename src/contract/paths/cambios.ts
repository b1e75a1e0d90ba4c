import { fromEpochDay } from '../../domain/calendar/plain-date.ts';
import type { ChangeOrigin } from '../../domain/changes/version.ts';
import type { ChangedField, FieldChange } from '../../domain/history/field-changes.ts';
import { indexNames, type IndexName } from '../../domain/indices/index-name.ts';
import type { Ticker } from '../../domain/instruments/ticker.ts';
import { refused, type Parsed } from '../../domain/values/problem.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { actionNames } from '../../wire/texts/action-names.ts';
import { operation } from '../operation.ts';
import { all, type Part } from '../part.ts';
import { allDays, atMostOneTicker, oneOf } from '../parts.ts';
import {
  dateField,
  instantField,
  named,
  scalar,
  Table,
  text,
  tickerField,
  word,
  type Field,
  type FieldAbout,
} from '../table.ts';
import { termsNames } from './especies-json.ts';

/** What is asked for: the changes of an instrument, or of an index. */
type ChangeSubject = { readonly ticker: string } | { readonly index: IndexName };

const ofIndex = oneOf('indice', indexNames, {
  schema: 'CodigoDeIndice',
  es: 'Índice cuyos cambios se piden, en lugar de `especie`. Se admite uno solo y se distinguen mayúsculas de minúsculas.',
  en: 'One of the indices of 4.14, instead of `especie`.',
});
const ofTicker = atMostOneTicker({
  es: 'Especie del instrumento. Se admite una sola. Es obligatoria si no se envía `indice`.',
  en: 'One ticker.',
});
const byTicker = all({ ticker: ofTicker });
const byIndex = all({ index: ofIndex });

/** Exactly one of the two is named (contract 4.19.1). */
const subject: Part<ChangeSubject> = {
  inputs: { ...ofTicker.inputs, ...ofIndex.inputs },
  parse: (values, scope) => {
    const { especie = [], indice = [] } = values;
    const isOfInstrument = especie.some((sent) => sent.trim() !== '');
    if (isOfInstrument === indice.length > 0) {
      return refused({ type: 'subject-not-single', path: scope.path });
    }
    const asked = isOfInstrument ? byTicker : byIndex;
    return asked.parse(values, scope) as Parsed<ChangeSubject>;
  },
};

/** The public names of the fields of a close that a change replaces (contract 4.19.3). */
const closeNames = {
  close: 'ultimo',
  open: 'apertura',
  high: 'maximo',
  low: 'minimo',
  volume: 'volumen',
  source: 'fuente',
} as const;

const changedNames: Readonly<Record<ChangedField, string>> = {
  ...closeNames,
  value: 'valor',
  ...actionNames,
  ...termsNames,
};

/** The public names of the origins of changes (contract 4.19.4). */
const originNames: Readonly<Record<ChangeOrigin, string>> = {
  import: 'importacion',
  fetch: 'descarga',
  session: 'rueda',
  confirm: 'confirmacion',
  revert: 'reversion',
  remove: 'eliminacion',
  universe: 'universo',
  demonstration: 'demostracion',
  unknown: 'desconocido',
};

/** `terminosRevisados` and `terminosFuentes` have no rows. */
function changedTerms(): readonly string[] {
  return Object.values(termsNames).filter(
    (name) => name !== termsNames.termsReviewed && name !== termsNames.termsSources,
  );
}

const instante: Field<FieldChange> = instantField(({ by }) => instantText(by.at), {
  es: 'Instante en que se guardó el cambio, en UTC, con milisegundos.',
  en: 'When the change was stored, in UTC with milliseconds.',
});

/** What the rows of both kinds have in common. */
const dateText =
  'The session date, the ex date, or the day of the index. Of a term, the day of the change in Buenos Aires.';
const fieldText = 'The field that has changed (4.19.3).';

/** The fields after the one that names the subject. */
function fields(of: {
  readonly fecha: Partial<FieldAbout>;
  readonly campo: Partial<FieldAbout>;
}): Readonly<Record<string, Field<FieldChange>>> {
  return {
    fecha: dateField(({ day }) => fromEpochDay(day), of.fecha),
    campo: named(changedNames, ({ field }) => field, of.campo),
    antes: scalar(({ before }) => before, {
      without: 'null',
      es: 'Valor anterior, con todos sus decimales. Es `null` si no había un valor.',
      en: 'The value before, with all its decimals. Null for none.',
    }),
    despues: scalar(({ after }) => after, {
      without: 'null',
      es: 'Valor nuevo, con todos sus decimales. Es `null` si ya no hay un valor.',
      en: 'The value after, with all its decimals. Null for none.',
    }),
    fuente: text(({ source }) => source ?? null, {
      without: 'null',
      es: 'Fuente del valor nuevo o, si ya no hay un valor, del último. Es `null` si no se conoce.',
      en: 'The source of the new value, or of the last one if there is none any more. Null if it is not known.',
    }),
    origen: named(originNames, ({ by }) => by.origin, {
      schema: 'OrigenDeCambio',
      en: 'What made the change (4.19.4).',
    }),
  };
}

/** The rows with `especie`. */
export const changeTable = new Table<FieldChange & { readonly ticker: Ticker }>({
  instante,
  especie: tickerField((change) => change.ticker, {
    es: 'Especie de la fila de `/historicos`, de `/eventos` o de `/especies.json` que cambió.',
    en: 'The ticker of the row of `/historicos`, `/eventos` or `/especies.json` that has changed. With `indice`, the field is `indice` instead.',
  }),
  ...fields({
    fecha: {
      es: 'Fecha de la rueda o fecha ex del evento. De una condición de emisión, la fecha del cambio en Buenos Aires.',
      en: dateText,
    },
    campo: {
      schema: {
        type: 'string',
        enum: [...Object.values(closeNames), ...Object.values(actionNames), ...changedTerms()],
      },
      es: 'Campo que cambió. `fuente` es la de un cierre. Para un evento, su tipo: el valor es el factor, la especie nueva o, de un dividendo, el importe y la moneda (`12.5 ARS`). Para una condición de emisión, su campo en `/especies.json`, con un valor de la misma forma.',
      en: fieldText,
    },
  }),
});

/** The rows with `indice`. */
export const indexChangeTable = new Table<FieldChange & { readonly index: IndexName }>({
  instante,
  indice: word(({ index }) => index, { schema: 'CodigoDeIndice' }),
  ...fields({
    fecha: { es: 'Día al que corresponde el valor.', en: dateText },
    campo: {
      schema: { type: 'string', enum: [changedNames.value, changedNames.source] },
      es: 'Campo que cambió.',
      en: fieldText,
    },
  }),
});

/** The changes of stored values of an instrument or of an index (contract 4.19). */
export const cambios = operation({
  path: '/cambios',
  clause: '4.19',
  params: {
    subject,
    days: allDays({
      desde: { es: 'Sin ella, desde el primer día.', en: 'Default: the first day.' },
      hasta: { es: 'Sin ella, hasta el último día.', en: 'Default: the last day.' },
    }),
  },
  tables: { Cambio: changeTable, CambioDeIndice: indexChangeTable },
});
