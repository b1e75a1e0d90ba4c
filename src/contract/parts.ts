import { extrasOf, type QuoteExtras } from '../domain/quotes/quote-extra.ts';
import type { PanelCode } from '../domain/instruments/panel.ts';
import type { Selection } from '../domain/instruments/selection.ts';
import { parseChoice } from '../wire/params/choice-param.ts';
import { parseFields } from '../wire/params/fields-param.ts';
import { parseKnownAt } from '../wire/params/known-param.ts';
import { parseOptional } from '../wire/params/query-text.ts';
import { parsePanel } from '../wire/params/panel-param.ts';
import { parseSelection } from '../wire/params/quote-params.ts';
import { parseOpenDays, type OpenDays } from '../wire/params/range-params.ts';
import { extraNames } from '../wire/texts/quote-names.ts';
import type { Parsed } from '../domain/values/problem.ts';
import type { Input, Part } from './part.ts';

/** Parts that several paths have. A part that one path has stands in the file of that path. */

/** A parameter with a closed list of values, each of which stands for a value of the program. */
export function choice<Value>(
  name: string,
  choices: Readonly<Record<string, Value>>,
  input: Input,
): Part<Value | undefined> {
  const names = Object.keys(choices);
  return {
    inputs: { [name]: input },
    parse: (values) => {
      const sent = parseChoice(name, values[name] ?? [], names);
      if (!sent.ok) return sent;
      return { ok: true, value: sent.value === undefined ? undefined : choices[sent.value] };
    },
  };
}

/** A parameter with a closed list of values that the program knows by the same names. */
export function oneOf<const Name extends string>(
  name: string,
  names: readonly Name[],
  input: Input,
): Part<Name | undefined> {
  return {
    inputs: { [name]: input },
    parse: (values) => parseChoice(name, values[name] ?? [], names),
  };
}

/** A part with a value where nothing is sent. */
export function otherwise<Value>(
  part: Part<Value | undefined>,
  fallback: NoInfer<Value>,
): Part<Value> {
  return {
    ...part,
    parse: (values, scope) => {
      const sent = part.parse(values, scope);
      return sent.ok ? { ok: true, value: sent.value ?? fallback } : sent;
    },
  };
}

/** A parameter that may be sent once, parsed by a function of its own. Undefined without it. */
export function once<Value>(
  name: string,
  parse: (value: string) => Parsed<Value>,
  input: Input,
): Part<Value | undefined> {
  return {
    inputs: { [name]: input },
    parse: (values) => parseOptional(name, values[name] ?? [], parse),
  };
}

const integerShape = /^-?\d{1,15}$/;

/** A whole number within bounds. */
export function integer(
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  texts: Omit<Input, 'schema'>,
): Part<number | undefined> {
  return {
    inputs: { [name]: { schema: { type: 'integer', minimum: min, maximum: max }, ...texts } },
    parse: (values) =>
      parseOptional(name, values[name] ?? [], (sent) => {
        const value = integerShape.test(sent) ? Number(sent) : Number.NaN;
        if (value >= min && value <= max) return { ok: true, value };
        const problem = {
          type: 'integer-malformed',
          parameter: name,
          value: sent,
          min,
          max,
        } as const;
        return { ok: false, problem };
      }),
  };
}

/** The fields that `campos` adds to a row, in the order of the row. */
export function campos<Field extends string>(
  names: Readonly<Record<Field, string>>,
  input: Input,
): Part<readonly Field[]> {
  const order = Object.keys(names) as readonly string[] as readonly Field[];
  return {
    inputs: { campos: input },
    parse: ({ campos: sent = [] }) => {
      const requested = parseFields(sent, names);
      if (!requested.ok) return requested;
      return { ok: true, value: order.filter((field) => requested.value.includes(field)) };
    },
  };
}

/** The fields that `campos` adds to a quote. */
export const quoteExtras: Part<QuoteExtras> = {
  inputs: {
    campos: {
      schema: { type: 'array', items: 'CampoDeCotizacion' },
      es: 'Campos que se agregan a cada cotización, después de `volumen`: uno, o varios separados por comas. Sin este parámetro, la respuesta no los incluye. Los valores válidos son {campos}. Cualquier otro es un error (400). El orden del pedido no importa.',
      en: 'Further fields of each quote (2.7).',
    },
  },
  parse: ({ campos: sent = [] }) => {
    const requested = parseFields(sent, extraNames);
    return requested.ok ? { ok: true, value: extrasOf(requested.value) } : requested;
  },
};

/** What documents say of `panel`. */
export const panelInput: Input = {
  schema: 'Panel',
  es: 'Código de un grupo predefinido de instrumentos. Distingue mayúsculas de minúsculas. Se admite una sola vez.',
  en: 'A panel code, for all members of the panel.',
};

/** A panel, or all instruments without one. */
export const optionalPanel: Part<PanelCode | undefined> = {
  inputs: {
    panel: {
      schema: 'Panel',
      es: 'Código de un grupo predefinido de instrumentos. Se admite una sola vez.',
    },
  },
  parse: ({ panel: sent = [] }) => parsePanel(sent),
};

/** Instruments by ticker, by panel, or by both. At least one of the two parameters is sent. */
export const selection: Part<Selection> = {
  inputs: {
    especie: {
      schema: { type: 'array', items: { type: 'string' } },
      es: 'Una especie, o varias separadas por comas. Las entradas vacías se ignoran. Si el parámetro se repite, los valores forman una sola lista. Se admiten como máximo {tickersPerRequestMax} especies por pedido.',
      en: 'One ticker, or several separated by commas.',
    },
    panel: panelInput,
  },
  parse: ({ especie = [], panel = [] }, { tickersMax }) =>
    parseSelection(especie, panel, tickersMax),
};

const date = { type: 'string', format: 'date' } as const;

/** A range of days, both of which are optional and included. */
export const openDays: Part<OpenDays> = {
  inputs: {
    desde: {
      schema: date,
      es: 'Fecha inicial, incluida, con el formato AAAA-MM-DD.',
      en: 'First date, `YYYY-MM-DD`.',
    },
    hasta: {
      schema: date,
      es: 'Fecha final, incluida, con el formato AAAA-MM-DD. No puede ser anterior a «desde».',
      en: 'Last date, `YYYY-MM-DD`.',
    },
  },
  parse: ({ desde = [], hasta = [] }) => parseOpenDays({ desde, hasta }),
};

/** The instant as of which a request asks, in epoch milliseconds. Undefined for what is stored now. */
export const knownAt: Part<number | undefined> = {
  inputs: {
    conocido: {
      schema: { type: 'string', format: 'date-time' },
      es: 'Instante RFC 3339, con `Z` o con su zona. La respuesta es la que el servicio habría dado en ese instante, según los valores guardados entonces. El signo «+» de una zona se envía como `%2B`. No puede ser posterior a la hora del servicio en más de un minuto. Se admite una sola vez.',
      en: 'As of an instant (4.18).',
    },
  },
  parse: ({ conocido = [] }) => {
    const known = parseKnownAt({ conocido });
    return known.ok ? { ok: true, value: known.value.knownAt } : known;
  },
};
