import { barIntervals, type BarInterval } from '../../domain/quotes/bar-interval.ts';
import { parseOpenRange, type OpenTickerRange } from '../../wire/params/range-params.ts';
import { operation } from '../operation.ts';
import { described, type Part } from '../part.ts';
import { campos, choice, openDays, otherwise } from '../parts.ts';
import { barTable } from '../rows/bar.ts';

const days = described(openDays, {
  desde: {
    es: 'Fecha inicial, incluida, con el formato AAAA-MM-DD. El valor predeterminado es la fecha de la última rueda del instrumento.',
    en: 'First date, `YYYY-MM-DD`. Default: the last session.',
  },
  hasta: {
    es: 'Fecha final, incluida, con el formato AAAA-MM-DD. No puede ser anterior a «desde». El valor predeterminado es la fecha de la última rueda del instrumento.',
    en: 'Last date, `YYYY-MM-DD`. Default: the last session.',
  },
});

/** One ticker, and days that are those of its last session where they are not sent. */
const range: Part<OpenTickerRange> = {
  inputs: {
    especie: {
      schema: { type: 'string', minLength: 1 },
      isRequired: true,
      es: 'Especie del instrumento. Se admite una sola.',
      en: 'One ticker. Required.',
    },
    ...days.inputs,
  },
  parse: ({ especie = [], desde = [], hasta = [] }, { path }) =>
    parseOpenRange({ especie, desde, hasta }, path),
};

const intervals: Readonly<Record<string, BarInterval>> = Object.fromEntries(
  barIntervals.map((minutes) => [`${minutes}m`, minutes]),
);

/** The bars of the last sessions of one instrument (contract 4.9). */
export const intradiarios = operation({
  path: '/intradiarios',
  clause: '4.9',
  params: {
    range,
    interval: otherwise(
      choice('intervalo', intervals, {
        schema: 'Intervalo',
        es: 'Duración de cada barra. El valor predeterminado es `5m`. Se admite una sola vez.',
        en: 'Length of a bar: `1m`, `5m` (default), `15m` or `60m`.',
      }),
      5,
    ),
    fields: campos(barTable().onRequest, 'CampoDeBarra', {
      es: 'Campo que se agrega a cada barra después de `volumen`. El único valor válido es `instante`.',
      en: 'Fields of 2.9 on request: `instante`.',
    }),
  },
  tables: { Barra: barTable() },
});
