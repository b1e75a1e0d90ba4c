// The obvious code with swagger-typescript-api.
import { Api } from './generated';

const api = new Api({
  baseUrl: process.env['PIZARRA_URL'] ?? '',
  baseApiParams: { headers: { Authorization: `Bearer ${process.env['PIZARRA_KEY']}` } },
});

const { data: quotes } = await api.cotizaciones.getCotizaciones({
  especie: ['GGAL', 'AL30'],
  campos: ['compra'],
});
for (const { especie, ultimo, variacion, compra } of quotes) {
  const last: number = ultimo;
  const change: number | null = variacion;
  const bid: number | undefined = compra;
  console.log(especie, last, change, bid);
}
const range = { especie: 'GGAL', desde: '2026-01-01', hasta: '2026-12-31' };
const { data: rows } = await api.historicos.getHistoricos(range);
console.log(rows.reduce((sum, row) => sum + ('especie' in row ? row.ultimo : 0), 0));
const { data: events } = await api.eventos.getEventos(range);
for (const event of events) {
  if (event.tipo === 'dividendo') console.log(event.importe.toFixed(2), event.moneda);
  else if (event.tipo === 'cambio-ticker') console.log(event.detalle.length);
  else console.log(event.factor.toFixed(2));
}
