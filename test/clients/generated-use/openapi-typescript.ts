// The obvious code with openapi-typescript and openapi-fetch.
import createClient from 'openapi-fetch';

import type { paths } from './generated.ts';

const client = createClient<paths>({
  baseUrl: process.env['PIZARRA_URL'] ?? '',
  headers: { Authorization: `Bearer ${process.env['PIZARRA_KEY']}` },
});

const { data: quotes, error } = await client.GET('/cotizaciones', {
  params: { query: { especie: ['GGAL', 'AL30'], campos: ['compra'] } },
});
if (error !== undefined) throw new Error(error.error);
for (const { especie, ultimo, variacion, compra } of quotes) {
  const last: number = ultimo;
  const change: number | null = variacion;
  const bid: number | undefined = compra;
  console.log(especie, last, change, bid);
}
const range = { especie: 'GGAL', desde: '2026-01-01', hasta: '2026-12-31' };
const { data: rows = [] } = await client.GET('/historicos', { params: { query: range } });
console.log(rows.reduce((sum, row) => sum + ('especie' in row ? row.ultimo : 0), 0));
const { data: events = [] } = await client.GET('/eventos', { params: { query: range } });
for (const event of events) {
  if (event.tipo === 'dividendo') console.log(event.importe.toFixed(2), event.moneda);
  else if (event.tipo === 'cambio-ticker') console.log(event.detalle.length);
  else console.log(event.factor.toFixed(2));
}
const { data: tickers } = await client.GET('/especies.txt', { parseAs: 'text' });
console.log(tickers?.split('\n').length);
