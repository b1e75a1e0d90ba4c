// Prints the latest quotes of some tickers: node examples/quotes.ts GGAL AL30 "DOLAR MEP"
import { PizarraClient, PizarraHttpError } from 'pizarra-client';

const client = new PizarraClient({
  url: process.env['PIZARRA_URL'] ?? 'http://127.0.0.1:8080',
  key: process.env['PIZARRA_KEY'] ?? '',
});
const tickers = process.argv.slice(2);

try {
  const quotes = await client.quotes({
    especie: tickers.length > 0 ? tickers : ['GGAL', 'AL30', 'DOLAR MEP'],
    campos: ['compra', 'venta'],
  });
  if (quotes.isSimulated) console.log('Made-up prices of a demonstration');
  for (const { especie, fecha, hora = '', ultimo, variacion, compra, venta } of quotes.data) {
    const change = variacion === null ? '' : `${variacion.toFixed(2)} %`;
    console.log(especie, fecha, hora, ultimo, change, compra ?? '-', venta ?? '-');
  }
  if (quotes.missing.length > 0) console.log('Not found:', quotes.missing.join(', '));
} catch (error) {
  if (!(error instanceof PizarraHttpError)) throw error;
  console.error(error.status, error.text);
  process.exitCode = 1;
}
