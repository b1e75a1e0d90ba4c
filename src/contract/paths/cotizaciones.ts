import { quoteTable } from '../rows/quote.ts';
import { operation } from '../operation.ts';
import { quoteExtras, selection } from '../parts.ts';

export const cotizaciones = operation({
  path: '/cotizaciones',
  clause: '4.1',
  params: { selection, extras: quoteExtras },
  tables: { Cotizacion: quoteTable() },
});
