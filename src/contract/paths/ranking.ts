import { panelCodes } from '../../domain/instruments/panel.ts';
import type { RankBy, RankOrder } from '../../domain/quotes/rank-quotes.ts';
import { refused } from '../../domain/values/problem.ts';
import { extraNames } from '../../wire/texts/quote-names.ts';
import { operation } from '../operation.ts';
import { described, refined } from '../part.ts';
import { choice, integer, optionalPanel, otherwise, panelInput, quoteExtras } from '../parts.ts';
import { quoteTable } from '../rows/quote.ts';

export const criteria = {
  variacion: 'change',
  varMTD: 'monthToDatePct',
  varYTD: 'yearToDatePct',
  volumen: 'volume',
  [extraNames.amount]: 'amount',
} as const satisfies Readonly<Record<string, RankBy>>;

export const orders = { desc: 'descending', asc: 'ascending' } as const satisfies Record<
  string,
  RankOrder
>;

export const ranking = operation({
  path: '/ranking',
  clause: '4.16',
  params: {
    panel: refined(
      described(optionalPanel, {
        panel: { ...panelInput, isRequired: true, en: 'A panel code. Required.' },
      }),
      (value, { path }) =>
        value === undefined
          ? refused({ type: 'panel-missing', path, valid: panelCodes })
          : { ok: true, value },
    ),
    by: otherwise(
      choice<RankBy>('por', criteria, {
        schema: 'CriterioDeRanking',
        es: 'El valor por el que se ordena. El predeterminado es `variacion`. Se admite una sola vez.',
        en: 'The value by which the quotes are sorted: `variacion` (default), `varMTD`, `varYTD`, `volumen`, `monto`.',
      }),
      'change',
    ),
    order: otherwise(
      choice<RankOrder>('orden', orders, {
        schema: 'OrdenDeRanking',
        es: 'De mayor a menor (`desc`, el predeterminado) o de menor a mayor (`asc`). Se admite una sola vez.',
        en: '`desc` (default) or `asc`.',
      }),
      'descending',
    ),
    limit: otherwise(
      integer(
        'limite',
        { min: 1, max: 50 },
        {
          es: 'Cantidad máxima de cotizaciones. La predeterminada es 10. Se admite una sola vez.',
          en: 'Maximum number of quotes, 1 to 50. Default: 10.',
        },
      ),
      10,
    ),
    extras: described(quoteExtras, { campos: { en: 'As that of `/cotizaciones` (4.1.7).' } }),
  },
  tables: { Cotizacion: quoteTable() },
});
