// Follows a panel until Ctrl+C, or for a number of quotes: node examples/stream.ts LID 100
import { PizarraClient } from 'pizarra-client';
import type { Panel } from 'pizarra-client';

const client = new PizarraClient({
  url: process.env['PIZARRA_URL'] ?? 'http://127.0.0.1:8080',
  key: process.env['PIZARRA_KEY'] ?? '',
});
const [panel = 'LID', count = 'Infinity'] = process.argv.slice(2);

const controller = new AbortController();
process.once('SIGINT', () => controller.abort());

let left = Number(count);
const stream = client.stream(
  { panel: panel as Panel },
  {
    signal: controller.signal,
    onState: (state) => {
      if (state.state === 'open') console.log(state.isResumed ? 'resumed' : 'connected');
      else console.log('lost, next attempt in', Math.round(state.waitMs), 'ms');
    },
  },
);
try {
  for await (const event of stream) {
    if (event.type === 'cotizacion') console.log(event.data.especie, event.data.ultimo);
    left -= 1;
    if (left <= 0) break;
  }
} catch (error) {
  if (!controller.signal.aborted) throw error;
}
