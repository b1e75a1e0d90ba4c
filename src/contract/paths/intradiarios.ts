import { operation } from '../operation.ts';
import { campos, choice, oneTicker, openDays, otherwise } from '../parts.ts';
import { barTable, intervals } from '../rows/bar.ts';

const lastSession = {
  es: 'El valor predeterminado es la fecha de la última rueda del instrumento.',
  en: 'Default: the last session.',
};

/** The bars of the last sessions of one instrument (contract 4.9). */
export const intradiarios = operation({
  path: '/intradiarios',
  clause: '4.9',
  params: {
    ticker: oneTicker({
      es: 'Especie del instrumento. Se admite una sola.',
      en: 'One ticker. Required.',
    }),
    days: openDays({ desde: lastSession, hasta: lastSession }),
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
