import {
  firstEpochDay,
  fromEpochDay,
  lastEpochDay,
  parsePlainDate,
  toEpochDay,
  type EpochDay,
} from '../domain/calendar/plain-date.ts';
import { parseRfc3339 } from '../domain/calendar/rfc3339.ts';
import { isPanelCode, panelCodes, type PanelCode } from '../domain/instruments/panel.ts';
import type { Selection } from '../domain/instruments/selection.ts';
import { foldTicker } from '../domain/instruments/ticker.ts';
import { extrasOf, quoteExtras as extras, type QuoteExtras } from '../domain/quotes/quote-extra.ts';
import { refused, type Parsed, type Refused } from '../domain/values/problem.ts';
import { extraNames } from '../wire/texts/quote-names.ts';
import {
  all,
  described,
  mapped,
  refined,
  type Input,
  type Part,
  type Scope,
  type Texts,
} from './part.ts';

/** Parts that several paths have. A part that one path has stands in the file of that path. */

/** A parameter with a closed list of values, each of which stands for a value of the program. */
export function choice<Value>(
  name: string,
  choices: Readonly<Record<string, Value>>,
  input: Input,
): Part<Value | undefined> {
  const names = oneOf(name, Object.keys(choices), input);
  return mapped(names, (sent) => (sent === undefined ? undefined : choices[sent]));
}

/**
 * A parameter with a closed list of values that the program knows by the same names. They are case-sensitive, and an
 * empty value is none of them.
 */
export function oneOf<const Name extends string>(
  name: string,
  names: readonly Name[],
  input: Input,
): Part<Name | undefined> {
  const parse = (value: string): Parsed<Name> => {
    const known = names.find((one) => one === value);
    if (known !== undefined) return { ok: true, value: known };
    return refused({ type: 'value-unknown', parameter: name, value, valid: names });
  };
  return once(name, parse, input);
}

/** A part with a value where nothing is sent. */
export function otherwise<Value>(
  part: Part<Value | undefined>,
  fallback: NoInfer<Value>,
): Part<Value> {
  return mapped(part, (sent) => sent ?? fallback);
}

/** A parameter that may be sent once, parsed by a function of its own. Undefined without it. */
export function once<Value>(
  name: string,
  parse: (value: string, scope: Scope) => Parsed<Value>,
  input: Input,
): Part<Value | undefined> {
  return {
    inputs: { [name]: input },
    parse: (values, scope) => {
      const [value, ...others] = values[name] ?? [];
      if (value === undefined) return { ok: true, value };
      if (others.length > 0) return refused({ type: 'parameter-repeated', parameter: name });
      return parse(value, scope);
    },
  };
}

/** A parameter that has to be sent. An empty value counts as missing. */
export function required<Value>(name: string, part: Part<Value | undefined>): Part<Value> {
  const inputs = Object.entries(part.inputs).map(
    ([own, input]) => [own, { ...input, isRequired: true }] as const,
  );
  return {
    inputs: Object.fromEntries(inputs),
    parse: (values, scope) => {
      const sent = values[name] ?? [];
      if (sent.length <= 1 && isBlank(sent[0])) return missing(name, scope);
      const parsed = part.parse(values, scope);
      return parsed.ok ? { ok: true, value: parsed.value as Value } : parsed;
    },
  };
}

function isBlank(sent = ''): boolean {
  return sent.trim() === '';
}

function missing(parameter: string, { path }: Scope): Refused {
  return refused({ type: 'parameter-missing', parameter, path });
}

const integerShape = /^-?\d{1,15}$/;

/** A whole number within bounds. */
export function integer(
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  texts: Omit<Input, 'schema'>,
): Part<number | undefined> {
  const parse = (sent: string): Parsed<number> => {
    const value = integerShape.test(sent) ? Number(sent) : Number.NaN;
    if (value >= min && value <= max) return { ok: true, value };
    return refused({ type: 'integer-malformed', parameter: name, value: sent, min, max });
  };
  return once(name, parse, { schema: { type: 'integer', minimum: min, maximum: max }, ...texts });
}

/**
 * The fields that `campos` adds to a row, in the order of the row. Several parameters count as one list, as those of
 * `especie` do. A name may be repeated.
 *
 * @param valid the names of the fields that may be requested.
 * @param schema the name of their schema in the document.
 */
export function campos<Name extends string>(
  valid: readonly Name[],
  schema: string,
  texts: Texts,
): Part<readonly Name[]> {
  return {
    inputs: { campos: { schema: { type: 'array', items: schema }, ...texts } },
    parse: ({ campos: sent = [] }) => {
      const requested = sent.flatMap((list) => list.split(','));
      const unknown = requested.find((name) => !valid.some((one) => one === name.trim()));
      if (unknown !== undefined) {
        return refused({ type: 'field-unknown', value: unknown, valid });
      }
      const asked = new Set(requested.map((name) => name.trim()));
      return { ok: true, value: valid.filter((name) => asked.has(name)) };
    },
  };
}

const quoteFields = campos(Object.values(extraNames), 'CampoDeCotizacion', {
  es: 'Campos que se agregan a cada cotización, después de `volumen`: uno, o varios separados por comas. Sin este parámetro, la respuesta no los incluye. Los valores válidos son {campos}. Cualquier otro es un error (400). El orden del pedido no importa.',
  en: 'Further fields of each quote (2.7).',
});

/** The fields that `campos` adds to a quote. */
export const quoteExtras: Part<QuoteExtras> = mapped(quoteFields, (requested) => {
  const names: readonly string[] = requested;
  return extrasOf(extras.filter((one) => names.includes(extraNames[one])));
});

/** What documents say of `panel`. */
export const panelInput: Input = {
  schema: 'Panel',
  es: 'Código de un grupo predefinido de instrumentos. Distingue mayúsculas de minúsculas. Se admite una sola vez.',
  en: 'A panel code, for all members of the panel.',
};

/** A panel, or all instruments without one (contract 4.1.2). An empty value is not a panel code. */
export const optionalPanel: Part<PanelCode | undefined> = {
  inputs: {
    panel: {
      schema: 'Panel',
      es: 'Código de un grupo predefinido de instrumentos. Se admite una sola vez.',
    },
  },
  parse: ({ panel: sent = [] }) => {
    const [value, ...others] = sent;
    if (value === undefined) return { ok: true, value };
    if (others.length > 0) return refused({ type: 'panel-repeated' });
    if (isPanelCode(value)) return { ok: true, value };
    return refused({ type: 'panel-unknown', value, valid: panelCodes });
  },
};

/** Instruments by ticker, by panel, or by both: at least one is sent (contract 4.1.1 to 4.1.3 and 4.1.6). */
export const selection: Part<Selection> = {
  inputs: {
    especie: {
      schema: { type: 'array', items: { type: 'string' } },
      es: 'Una especie, o varias separadas por comas. Las entradas vacías se ignoran. Si el parámetro se repite, los valores forman una sola lista. Se admiten como máximo {tickersPerRequestMax} especies por pedido.',
      en: 'One ticker, or several separated by commas.',
    },
    panel: panelInput,
  },
  parse: (values, scope) => {
    const panel = optionalPanel.parse(values, scope);
    if (!panel.ok) return panel;
    const tickers = (values['especie'] ?? [])
      .flatMap((list) => list.split(','))
      .map(foldTicker)
      .filter((ticker) => ticker !== '');
    const [count, max] = [tickers.length, scope.tickersMax];
    if (count > max) {
      return refused({ type: 'tickers-too-many', parameter: 'especie', count, max });
    }
    if (panel.value !== undefined) return { ok: true, value: { tickers, panel: panel.value } };
    if (count > 0) return { ok: true, value: { tickers } };
    return refused({ type: 'selection-missing' });
  },
};

/** The same, or all instruments if neither parameter is sent. An empty list of tickers is a mistake here too. */
export const optionalSelection: Part<Selection | undefined> = {
  inputs: selection.inputs,
  parse: (values, scope) =>
    [...(values['especie'] ?? []), ...(values['panel'] ?? [])].length === 0
      ? { ok: true, value: undefined }
      : selection.parse(values, scope),
};

/** One ticker that has to be sent, as the client spelled it, with white space folded. */
export function oneTicker(texts: Texts): Part<string> {
  return required('especie', atMostOneTicker(texts));
}

export function atMostOneTicker(texts: Texts): Part<string | undefined> {
  return once(
    'especie',
    (value, { path }) =>
      value.includes(',')
        ? refused({ type: 'ticker-not-single', parameter: 'especie', value, path })
        : { ok: true, value: foldTicker(value) },
    { schema: { type: 'string', minLength: 1 }, ...texts },
  );
}

/** A day. An empty value counts as missing. */
export function day(name: string, texts: Texts): Part<EpochDay | undefined> {
  const parse = (value: string): Parsed<EpochDay | undefined> => {
    if (isBlank(value)) return { ok: true, value: undefined };
    const date = parsePlainDate(value);
    return date === undefined
      ? refused({ type: 'date-malformed', parameter: name, value })
      : { ok: true, value: toEpochDay(date) };
  };
  return once(name, parse, { schema: { type: 'string', format: 'date' }, ...texts });
}

/** A range of days. Both are included, and `from` is not after `to`. */
export interface Days {
  readonly from: EpochDay;
  readonly to: EpochDay;
}

/** A range of days, either of which may be left to the service. */
type OpenDays = { readonly [Name in keyof Days]: Days[Name] | undefined };

const firstText = {
  es: 'Fecha inicial, incluida, con el formato AAAA-MM-DD.',
  en: 'First date, `YYYY-MM-DD`.',
};
const lastText = {
  es: 'Fecha final, incluida, con el formato AAAA-MM-DD. No puede ser anterior a «desde».',
  en: 'Last date, `YYYY-MM-DD`.',
};

const eitherDay: Part<OpenDays> = refined(
  all({ from: day('desde', firstText), to: day('hasta', lastText) }),
  ({ from, to }) => {
    if (from === undefined || to === undefined || from <= to) {
      return { ok: true, value: { from, to } };
    }
    const [first, last] = [fromEpochDay(from), fromEpochDay(to)];
    return refused({ type: 'range-reversed', from: first, to: last });
  },
);

/** What documents say of a day that is not sent. */
interface DefaultDays {
  readonly desde: Required<Texts>;
  readonly hasta: Required<Texts>;
}

/** A range of days, both of which are optional and included. */
export function openDays({ desde, hasta }: DefaultDays): Part<OpenDays> {
  return described(eitherDay, {
    desde: followed(firstText, desde),
    hasta: followed(lastText, hasta),
  });
}

function followed(first: Required<Texts>, { es, en }: Required<Texts>): Texts {
  return { es: `${first.es} ${es}`, en: `${first.en} ${en}` };
}

/** A range of days, both of which are required (contract 4.2.1). */
export const days: Part<Days> = refined(
  described(eitherDay, { desde: { isRequired: true }, hasta: { isRequired: true } }),
  ({ from, to }, scope) => {
    if (from === undefined) return missing('desde', scope);
    if (to === undefined) return missing('hasta', scope);
    return { ok: true, value: { from, to } };
  },
);

/** The same as {@link openDays}, from the first day to the last one where none is sent. */
export function allDays(defaults: DefaultDays): Part<Days> {
  return mapped(openDays(defaults), ({ from = firstEpochDay, to = lastEpochDay }) => ({
    from,
    to,
  }));
}

/** An instant whose `+` was decoded to a space (contract 2.5.2). */
const lostSign = / \d{2}:\d{2}$/;

/** The instant as of which a request asks, in epoch milliseconds (contract 4.18.1). Undefined for what is stored now. */
export const knownAt: Part<number | undefined> = once(
  'conocido',
  (value) => {
    const parsed = parseRfc3339(value);
    if (parsed !== undefined) return { ok: true, value: parsed };
    const isSignLost =
      parseRfc3339(value.replace(lostSign, (zone) => zone.replace(' ', '+'))) !== undefined;
    const type = isSignLost ? 'instant-without-sign' : 'instant-malformed';
    return refused({ type, parameter: 'conocido', value });
  },
  {
    schema: { type: 'string', format: 'date-time' },
    es: 'Instante RFC 3339, con `Z` o con su zona. La respuesta es la que el servicio habría dado en ese instante, según los valores guardados entonces. El signo «+» de una zona se envía como `%2B`. No puede ser posterior a la hora del servicio en más de un minuto. Se admite una sola vez.',
    en: 'As of an instant (4.18).',
  },
);
