/**
 * What the heartbeats of open streams cost the service: 10,000 streams without a change, with the heartbeat
 * of the service (15 s) and with that of a board (`latido=2s`). The two take turns. The real program runs on
 * one core, and the clients are in this process, on the other core.
 *
 * Usage: taskset -c 1 node bench/updates/heartbeats.ts [STREAMS] [ROUNDS]
 */
import { setTimeout as sleep } from 'node:timers/promises';

import { readNumbers } from '../support/arguments.ts';
import { figure, say } from '../support/print.ts';
import { processorTime, residentBytes } from '../support/process-tree.ts';
import { startService } from '../support/running-service.ts';
import { scratchDirectory } from '../support/scratch-directory.ts';
import { StreamClient } from '../support/stream-client.ts';
import { median } from '../support/statistics.ts';

const { streams, rounds } = readNumbers(import.meta.filename, { streams: 10_000, rounds: 3 });
/** Two heartbeats of the service. */
const seconds = 30;
const max = String(2 * streams);

await using directory = await scratchDirectory();
await using service = await startService(directory.path, {
  args: [
    '--streams-per-key-max',
    '--streams-max',
    '--connections-per-address-max',
    '--connections-max',
  ].flatMap((flag) => [flag, max]),
});
/** Milliseconds of processor time. */
const cpu = (): number => {
  const { user, kernel } = processorTime([service.pid]);
  return (user + kernel) * 1_000;
};
const shares: Record<string, number[]> = { 'especie=GGAL': [], 'especie=GGAL&latido=2s': [] };
for (let round = 0; round < rounds; round += 1) {
  for (const [query, measured] of Object.entries(shares)) {
    const clients: StreamClient[] = [];
    while (clients.length < streams) clients.push(await StreamClient.open(service, query));
    await sleep(1_000);
    const before = cpu();
    const began = performance.now();
    await sleep(seconds * 1_000);
    const share = (cpu() - before) / (performance.now() - began);
    measured.push(share * 100);
    if (clients.some(({ hasEnded }) => hasEnded)) throw new Error('a stream has ended');
    say(
      `${query}: ${figure(share * 100)} % of a core, ${Math.round(residentBytes([service.pid]) / 2 ** 20)} MiB`,
    );
    for (const client of clients) client[Symbol.dispose]();
    await sleep(1_000);
  }
}
for (const [query, measured] of Object.entries(shares)) {
  say(`${query}: median ${figure(median(measured))} % of a core for ${streams} streams`);
}
