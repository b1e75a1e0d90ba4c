// Avisa cuando un precio cruza un límite (avisos.md).
import { PizarraClient } from 'pizarra-client';

const { PIZARRA_URL = 'http://127.0.0.1:8080', PIZARRA_KEY = '', AVISOS_URL = '' } = process.env;
const limites: Record<string, { desde?: number; hasta?: number }> = {
  GGAL: { desde: 8400 },
  'DOLAR MEP': { desde: 1550, hasta: 1480 },
};

const client = new PizarraClient({ url: PIZARRA_URL, key: PIZARRA_KEY });
const cruzadas = new Set<string>();
for await (const { type, data } of client.stream({ especie: Object.keys(limites) })) {
  if (type !== 'cotizacion') continue;
  const { desde = Infinity, hasta = -Infinity } = limites[data.especie] ?? {};
  if (data.ultimo < desde && data.ultimo > hasta) cruzadas.delete(data.especie);
  else if (!cruzadas.has(data.especie)) {
    const body = `${data.especie} ${data.ultimo} (${data.fecha} ${data.hora})`;
    const response = await fetch(AVISOS_URL, { method: 'POST', body });
    if (!response.ok) throw new Error(`${AVISOS_URL} respondió ${response.status}`);
    cruzadas.add(data.especie);
  }
}
