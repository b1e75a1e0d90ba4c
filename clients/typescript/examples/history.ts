// Prints the return and the volatility of a ticker: node examples/history.ts GGAL 2025-01-01 2026-12-31
import { PizarraClient } from 'pizarra-client';

const client = new PizarraClient({
  url: process.env['PIZARRA_URL'] ?? 'http://127.0.0.1:8080',
  key: process.env['PIZARRA_KEY'] ?? '',
});
const [especie = 'GGAL', desde = '2025-01-01', hasta = '2026-12-31'] = process.argv.slice(2);

// Adjusted prices are comparable across splits and dividends.
const series = await client.historyColumns({ especie, desde, hasta, ajuste: 'total' });
const { fecha, ultimo } = series.data;
if (series.missingDividends.length > 0) {
  console.log('Without the dividends of', series.missingDividends.join(', '));
}
const returns = ultimo.slice(1).map((price, at) => Math.log(price / (ultimo[at] ?? price)));
const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
const variance = returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / returns.length;
console.log(`${especie}: ${ultimo.length} closes from ${fecha.at(0)} to ${fecha.at(-1)}`);
console.log(`return ${(Math.expm1(mean * returns.length) * 100).toFixed(2)} %`);
console.log(`volatility ${(Math.sqrt(variance * 250) * 100).toFixed(2)} % a year`);
