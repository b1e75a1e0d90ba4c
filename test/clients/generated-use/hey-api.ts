// The obvious code with @hey-api/openapi-ts.
import { getCotizaciones, getEspecies, getEventos, getHistoricos } from './generated';

const access = {
  auth: process.env['PIZARRA_KEY'] ?? '',
  baseUrl: process.env['PIZARRA_URL'] ?? '',
};

const { data: quotes, error } = await getCotizaciones({
  ...access,
  query: { especie: ['GGAL', 'AL30'], campos: ['compra'] },
});
if (error !== undefined) throw new Error(error.error);
for (const { especie, ultimo, variacion, compra } of quotes) {
  const last: number = ultimo;
  const change: number | null = variacion;
  const bid: number | undefined = compra;
  console.log(especie, last, change, bid);
}
const query = { especie: 'GGAL', desde: '2026-01-01', hasta: '2026-12-31' };
const { data: rows = [] } = await getHistoricos({ ...access, query });
console.log(rows.reduce((sum, row) => sum + ('especie' in row ? row.ultimo : 0), 0));
const { data: events = [] } = await getEventos({ ...access, query });
for (const event of events) {
  if (event.tipo === 'dividendo') console.log(event.importe.toFixed(2), event.moneda);
  else if (event.tipo === 'cambio-ticker') console.log(event.detalle.length);
  else console.log(event.factor.toFixed(2));
}
const { data: tickers } = await getEspecies(access);
console.log(tickers?.split('\n').length);
