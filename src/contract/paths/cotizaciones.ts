import { operation } from '../operation.ts';
import { described } from '../part.ts';
import { choice, quoteExtras, selection } from '../parts.ts';
import { intervals } from '../rows/bar.ts';
import { quoteTable } from '../rows/quote.ts';
import { conversion } from './dolares.ts';

export const cotizaciones = operation({
  path: '/cotizaciones',
  clause: '4.1',
  params: { selection, extras: quoteExtras, conversion },
  tables: { Cotizacion: quoteTable() },
});

const asThere = { es: 'Como en `/cotizaciones`.' };

/** The quotes of a selection as they change, as server-sent events (contract 4.4.1). */
export const cotizacionesStream = operation({
  path: '/cotizaciones/stream',
  clause: '4.4',
  params: {
    selection: described(selection, { especie: asThere, panel: asThere }),
    extras: described(quoteExtras, {
      campos: {
        es: 'Como en `/cotizaciones`. Se transmite cada cambio de los campos pedidos. Con `instante`, también cada barra lleva el suyo.',
      },
    }),
    /** The interval of the bars. Undefined for a stream without bars (contract 4.9.5). */
    barInterval: choice('barras', intervals, {
      schema: 'Intervalo',
      es: 'Intervalo de las barras que se transmiten además. Sin él, no se transmiten barras.',
    }),
    /** The longest time without data that the client wants, in milliseconds. Undefined for that of the service. */
    heartbeatMs: choice(
      'latido',
      { '2s': 2_000, '5s': 5_000, '10s': 10_000 },
      {
        schema: 'Latido',
        es: 'Tiempo máximo sin datos: si no hay cambios, se envía un comentario. Para un tablero que debe notar enseguida que se cortó la conexión.',
      },
    ),
  },
});
