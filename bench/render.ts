/**
 * The processor time of a response of the public listener, compared with a bare `node:http` handler that
 * writes the same bytes: user and kernel time of the server per response, in alternating turns, median.
 * `npm run bench` compares whole programs.
 *
 * Usage: node bench/render.ts [ROUNDS] [SECONDS]      needs wrk and taskset
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { load } from './compare/wrk.ts';
import { PinnedProcess, cores } from './support/pinned-process.ts';
import { figure, say } from './support/print.ts';
import { processorTime } from './support/process-tree.ts';
import { scratchDirectory } from './support/scratch-directory.ts';
import { median } from './support/statistics.ts';

const rounds = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 2);
const server = join(import.meta.dirname, 'render-server.ts');

interface Case {
  readonly name: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the request has the ETag of the first response. */
  readonly isConditional?: boolean;
}

const year = 'desde=2025-11-20&hasta=2026-11-20';
const decade = 'desde=2016-11-20&hasta=2026-11-20';
const cases: readonly Case[] = [
  { name: 'one ticker', target: '/cotizaciones?especie=GGAL' },
  { name: 'three tickers', target: '/cotizaciones?especie=GGAL,AL30,DOLAR%20MEP' },
  { name: 'panel CED', target: '/cotizaciones?panel=CED' },
  {
    name: 'panel CED, gzip',
    target: '/cotizaciones?panel=CED',
    headers: { 'accept-encoding': 'gzip' },
  },
  { name: 'panel CED, CSV', target: '/cotizaciones?panel=CED', headers: { accept: 'text/csv' } },
  { name: 'panel CED, 304', target: '/cotizaciones?panel=CED', isConditional: true },
  { name: 'a year of closes', target: `/historicos?especie=AL30&${year}` },
  {
    name: '20 years of closes',
    target: '/historicos?especie=AL30&desde=2000-01-01&hasta=2026-12-31',
  },
  { name: '10 years of closes', target: `/historicos?especie=AL30&${decade}` },
  { name: '10 years, adjusted', target: `/historicos?especie=AL30&${decade}&ajuste=total` },
];

interface Side {
  readonly pid: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

await using directory = await scratchDirectory();

async function start(args: readonly string[]): Promise<PinnedProcess & { readonly at: string }> {
  const program = new PinnedProcess({
    core: cores.server,
    command: process.execPath,
    args: [server, ...args],
  });
  const [line] = await program.printed(/^\{.*\}$/m);
  return Object.assign(program, { at: line });
}

function sideOf(program: PinnedProcess & { readonly at: string }, one: Case): Side {
  const { port, key } = JSON.parse(program.at) as { readonly port: number; readonly key: string };
  const headers = { ...one.headers, authorization: `Bearer ${key}` };
  return { pid: program.pid, url: `http://127.0.0.1:${port}${one.target}`, headers };
}

/** Processor time per response, in microseconds. */
async function cost({ pid, url, headers }: Side): Promise<number> {
  const before = processorTime([pid]);
  const { requests } = await load(url, headers, seconds);
  const after = processorTime([pid]);
  return ((after.user + after.kernel - before.user - before.kernel) / requests) * 1e6;
}

say('µs of processor time per response: the service, a bare node:http handler, their ratio');
await using service = await start(['service']);
for (const one of cases) {
  const own = sideOf(service, one);
  const first = await fetch(own.url, {
    headers: { 'accept-encoding': 'identity', ...own.headers },
  });
  const etag = first.headers.get('etag') ?? '';
  const file = join(directory.path, 'body');
  // fetch decompresses the body. The bare side only needs a body of the same compressed length.
  const length = Number(first.headers.get('content-length'));
  await writeFile(file, Buffer.alloc(one.isConditional === true ? 0 : length, 'x'));
  const conditional = one.isConditional === true ? { 'if-none-match': etag } : {};
  await using bare = await start(['bare', file, one.isConditional === true ? '304' : '200']);
  const sides = { service: own, bare: sideOf(bare, one) };
  const costs: Record<keyof typeof sides, number[]> = { service: [], bare: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of ['service', 'bare'] as const) {
      const side = sides[name];
      const value = await cost({ ...side, headers: { ...side.headers, ...conditional } });
      // The first round warms up.
      if (round > 0) costs[name].push(value);
    }
  }
  const [a, b] = [median(costs.service), median(costs.bare)];
  const columns = [one.name.padEnd(20), figure(a), figure(b), (a / b).toFixed(2)];
  say(columns.join('\t'));
}
