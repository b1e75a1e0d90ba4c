// The obvious code with orval and its client for fetch.
import { getCotizaciones, getEventos, getHistoricos, type PrecioHistorico } from './generated';

const options = { headers: { Authorization: `Bearer ${process.env['PIZARRA_KEY']}` } };

const quotes = await getCotizaciones({ especie: ['GGAL', 'AL30'], campos: ['compra'] }, options);
if (quotes.status === 400) throw new Error(quotes.data.error);
if (quotes.status === 200) {
  for (const { especie, ultimo, variacion, compra } of quotes.data) {
    const last: number = ultimo;
    const change: number | null = variacion;
    const bid: number | undefined = compra;
    console.log(especie, last, change, bid);
  }
}
const range = { especie: 'GGAL', desde: '2026-01-01', hasta: '2026-12-31' };
const rows = await getHistoricos(range, options);
if (rows.status === 200) {
  const closes = rows.data as PrecioHistorico[];
  console.log(closes.reduce((sum, { ultimo }) => sum + ultimo, 0));
}
const events = await getEventos(range, options);
for (const event of events.status === 200 ? events.data : []) {
  if (event.tipo === 'dividendo') console.log(event.importe.toFixed(2), event.moneda);
  else if (event.tipo === 'cambio-ticker') console.log(event.detalle.length);
  else console.log(event.factor.toFixed(2));
}
