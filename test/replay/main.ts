/**
 * `npm run replay -- COMMIT`: what does a client, an operator or an agent notice of the changes since a commit?
 *
 * Starts the commit and this checkout side by side, each over a store of its own made from the same files, with one
 * clock. Sends both the same requests before the open, in a session, after imports and after the close; opens
 * streams; runs every command; calls the tools of agents. Prints in groups where status, headers, bytes or the order
 * of events differ, and exits with 1 if they do.
 */
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { openStream, type EventStream } from '../support/http/event-stream.ts';
import { helpIfRequested } from '../support/program/help-if-requested.ts';
import { agentAnswers } from './agents.ts';
import { Build, CommonClock, type Service } from './build.ts';
import { eachCommand } from './commands.ts';
import { begins, updatesAt, writeMarketFiles } from './market-files.ts';
import {
  exchange,
  requests,
  type Answered,
  type Keys,
  type OpenApi,
  type Replayed,
} from './requests.ts';

const project = resolve(import.meta.dirname, '../..');
helpIfRequested(import.meta.filename);
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    'per-path': { type: 'string', default: '60' },
    shown: { type: 'string', default: '2' },
    only: { type: 'string', multiple: true, default: ['http', 'streams', 'commands', 'agents'] },
  },
});
const [commit] = positionals;
if (commit === undefined)
  throw new Error('name the commit to compare with: npm run replay -- COMMIT');
const does = (part: string): boolean => flags.only.includes(part);
const minute = 60_000;
/** The real day in UTC, which no time of the replay has. */
const today = new Date().toISOString().slice(0, 10);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const streamTargets = [
  '/cotizaciones/stream?panel=LID',
  '/cotizaciones/stream?especie=GGAL,AL30,AL30D,DOLAR%20MEP',
  '/cotizaciones/stream?especie=GGAL&campos=compra,venta,cantCompra,cantVenta',
  '/cotizaciones/stream?especie=GGAL,BTC&barras=1m',
  '/cotizaciones/stream?panel=IND&latido=on',
];

/** Differences, by group. */
const groups = new Map<string, string[]>();
let compared = 0;

function compare(group: string, what: string, before: string, after: string): void {
  compared += 1;
  if (before === after) return;
  const [left, right] = [before.split('\n'), after.split('\n')];
  const place = left.findIndex((line, index) => line !== right[index]);
  const at = place === -1 ? left.length : place;
  const around = (lines: readonly string[]): string =>
    excerpt(lines[at] ?? '(ends)', before, after, at);
  const shown = `${what}\n      line ${at + 1}\n      - ${around(left)}\n      + ${around(right)}`;
  groups.set(group, [...(groups.get(group) ?? []), shown]);
}

/** The part of a long line in which the two differ. */
function excerpt(line: string, before: string, after: string, at: number): string {
  const [one = '', other = ''] = [before, after].map((text) => text.split('\n')[at] ?? '');
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - 60);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + 200)}`;
}

await using cleanUp = new AsyncDisposableStack();
const root = await realpath(await mkdtemp(join(tmpdir(), 'replay-')));
cleanUp.defer(() => rm(root, { recursive: true, force: true }));
using clock = new CommonClock(join(root, 'clock'), begins);

const checkout = join(root, 'commit');
execFileSync('git', ['worktree', 'add', '--detach', '--quiet', checkout, commit], { cwd: project });
cleanUp.defer(
  () => void execFileSync('git', ['worktree', 'remove', '--force', checkout], { cwd: project }),
);
const isLocked =
  execFileSync('git', ['diff', commit, '--', 'package-lock.json'], { cwd: project }).length === 0;
if (isLocked) symlinkSync(join(project, 'node_modules'), join(checkout, 'node_modules'));
else
  execFileSync('npm', ['ci', '--no-fund', '--no-audit', '--silent'], {
    cwd: checkout,
    stdio: 'inherit',
  });

const folders = [join(root, 'before'), join(root, 'after.')] as const;
for (const folder of folders) await mkdir(folder);
await writeMarketFiles(folders[0]);
await cp(folders[0], folders[1], { recursive: true });
const builds = [
  new Build(checkout, folders[0], clock),
  new Build(project, folders[1], clock),
] as const;

/** Does the same with both builds at once. */
function both<T>(work: (build: Build, side: 0 | 1) => Promise<T>): Promise<[T, T]> {
  return Promise.all([work(builds[0], 0), work(builds[1], 1)]);
}

const keyOf = (build: Build, scope: string): Promise<string> => {
  const expiry =
    scope === 'url' ? ['--expires', '2027-01-01', '--limit', '100000/min burst 100000'] : [];
  return build.mustRun([
    'keys',
    'create',
    '--name',
    scope,
    '--scope',
    scope,
    ...expiry,
    '--key-only',
  ]);
};
const keys = await both(async (build) => {
  // The files have prices on holidays, too, so the names are told to be those of Argentine instruments.
  await build.mustRun(['import', 'closes.csv', '--suffix', '']);
  await build.mustRun(['actions', 'import', 'actions.csv']);
  await build.mustRun(['indices', 'import', 'indices.csv']);
  return {
    read: await keyOf(build, 'read'),
    url: await keyOf(build, 'url'),
    ingest: await keyOf(build, 'ingest'),
  };
});
const keyIds = await both(async (build) => {
  const listed = await build.mustRun(['keys', 'list', '--json']);
  return (JSON.parse(listed) as readonly { readonly id: string }[]).map(({ id }) => id);
});
if (does('http') || does('streams') || does('agents')) await replayService();
if (does('commands')) {
  const count = await eachCommand(builds, (command, [before, after]) => {
    const name = command.split(' ')[0] ?? '';
    const of = ({ code, stdout, stderr }: typeof before): string =>
      withoutSecrets(`exit code ${code}\n${stdout}\n${stderr}`.replaceAll(/ {2,}|─+/g, '  '));
    compare(`command ${name}`, command, of(before), of(after));
  });
  print(`${count} commands`);
}

/** What differs at each start: the instance, ids of keys, digests of data that contain them, durations. */
function withoutSecrets(text: string): string {
  const secrets = keys.flatMap(({ read, url, ingest }) => [read, url, ingest]);
  const withoutKeys = secrets.reduce((found, key) => found.replaceAll(key, '<key>'), text);
  return (
    keyIds
      .flat()
      .reduce((found, id) => found.replaceAll(id, '<id>'), withoutKeys)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<digest>')
      .replaceAll(/\b[\d.,]+ ?(ms|s|kB|MB|MiB|GiB|GB)\b/g, '<n> $1')
      .replaceAll(/"instancia":"[^"]*"/g, '"instancia":"<id>"')
      .replaceAll(/\bcli\[\d+\]/g, 'cli[<pid>]')
      .replaceAll(/^((?:keys|audit log) +\d+ +)[0-9a-f]{16}$/gm, '$1<digest>')
      .replaceAll(/;r=\d+;t=\d+/g, ';r=<n>;t=<n>')
      // SQLite reads a clock of its own when it creates a store.
      .replaceAll(new RegExp(`\\b${today}T[\\d:.]+Z`, 'g'), '<today>')
      .replaceAll(/\b127\.0\.0\.1:\d+/g, '<address>')
  );
}

async function replayService(): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const services = await both(async (build) => ends.use(await build.serve()));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  ends.defer(() => agent.destroy());
  const sides = services.map(({ url }, side) => ({ url, agent, keys: keys[side] as Keys }));
  const document = (await (await fetch(`${services[0].url}/openapi.json`)).json()) as OpenApi;
  const all = requests(document, { seed: Number(flags.seed), perPath: Number(flags['per-path']) });
  const push = async (step: number): Promise<void> => {
    const body = updatesAt(clock.now, step);
    const outcomes = await Promise.all(
      services.map((service, side) => pushTo(service, keys[side]?.ingest ?? '', body)),
    );
    compare('pushed updates', `step ${step}`, outcomes[0] ?? '', outcomes[1] ?? '');
  };
  const session = async (until: string, from: number, steps: number): Promise<void> => {
    const begin = clock.now;
    const end = Date.parse(until);
    for (let step = 1; step <= steps; step += 1) {
      clock.set(begin + Math.round(((end - begin) * step) / steps / minute) * minute);
      await push(from + step);
    }
  };
  const phase = async (name: string): Promise<void> => {
    // The service reads changes of its store up to four times a second.
    await sleep(1_500);
    if (does('http')) await compareRequests(name, sides, all);
  };
  await phase('before the open');
  clock.set(Date.parse('2026-11-19T11:00:00-03:00'));
  await session('2026-11-19T13:00:00-03:00', 0, 12);
  await phase('in a session');
  if (does('streams'))
    await compareStreams(sides, async (step) => {
      clock.set(clock.now + 7_000);
      await push(100 + step);
    });
  await session('2026-11-19T13:59:00-03:00', 200, 3);
  await both(async (build) => {
    await build.mustRun(['import', 'correction.csv', '--suffix', '']);
    await build.mustRun(['actions', 'import', 'more-actions.csv']);
  });
  await phase('after imports');
  clock.set(Date.parse('2026-11-19T17:30:00-03:00'));
  await phase('after the close');
  clock.set(Date.parse('2026-11-20T11:30:00-03:00'));
  await session('2026-11-20T12:30:00-03:00', 300, 5);
  await phase('in the next session');
  if (does('agents')) {
    const answers = await both((_, side) => {
      const env = {
        PIZARRA_KEY: keys[side]?.read ?? '',
        REPLAY_CLOCK: clock.path,
        PATH: process.env['PATH'] ?? '',
      };
      const options = `--import=${import.meta.dirname}/common-clock.ts`;
      const command = [
        process.execPath,
        `${side === 0 ? checkout : project}/bin/pizarra.js`,
        'mcp',
        '--url',
        services[side].url,
      ];
      return agentAnswers(command, { env: { ...env, NODE_OPTIONS: options }, cwd: folders[side] });
    });
    for (const name of new Set([...answers[0].keys(), ...answers[1].keys()])) {
      const [before, after] = answers.map((one) =>
        withoutSecrets(one.get(name) ?? '(no such tool)'),
      );
      compare(`agents: ${name.split(' ')[0]}`, name, before ?? '', after ?? '');
    }
    print(`${answers[0].size} calls of agents`);
  }
}

async function pushTo({ privateUrl }: Service, key: string, body: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' };
  const response = await fetch(`${privateUrl}/updates`, { method: 'POST', headers, body });
  return `${response.status} ${await response.text()}`;
}

interface Side {
  readonly url: string;
  readonly agent: Agent;
  readonly keys: Keys;
}

/** A response as a text: the status, the body decoded, and the headers, among them the tag of the bytes as sent. */
function textOf({ head, body }: Answered): string {
  const coding = /^content-encoding: (\S+)$/im.exec(head)?.[1];
  const decoded =
    coding === 'gzip' ? gunzipSync : coding === 'br' ? brotliDecompressSync : undefined;
  const plain = body.length === 0 || decoded === undefined ? body : decoded(body);
  const [status = '', ...headers] = head.split('\n');
  return withoutSecrets([status, plain.toString('latin1'), ...headers].join('\n'));
}

async function compareRequests(
  name: string,
  sides: readonly Side[],
  all: readonly Replayed[],
): Promise<void> {
  const ask = (one: Replayed): Promise<Answered[]> =>
    Promise.all(sides.map((side) => exchange(side, one)));
  const statuses = new Map<string, number>();
  let conditional = 0;
  for (const one of all) {
    let [before, after] = (await ask(one)) as [Answered, Answered];
    const path = one.target.split('?')[0] ?? '';
    // A body that is being compressed is sent as it is, so what differs is requested again.
    for (let again = 0; again < 3 && textOf(before) !== textOf(after); again += 1) {
      await sleep(100);
      [before, after] = (await ask(one)) as [Answered, Answered];
    }
    const status = before.head.slice(0, one.raw === undefined ? 3 : 12);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const what = `${name}: ${one.method} ${one.target} ${JSON.stringify(one.headers)}`;
    compare(
      `${path.slice(0, 40)} ${one.raw === undefined ? '' : 'raw'}`,
      what,
      textOf(before),
      textOf(after),
    );
    const tags = [before, after].map(({ head }) => /^etag: (.*)$/im.exec(head)?.[1]);
    if (one.raw !== undefined || tags[0] === undefined || tags[1] === undefined) continue;
    conditional += 1;
    const withTag = (tag: string): Replayed => ({
      ...one,
      headers: { ...one.headers, 'if-none-match': tag },
    });
    const answers = await Promise.all(
      sides.map((side, place) => exchange(side, withTag(tags[place] ?? ''))),
    );
    compare(`${path} with its tag`, what, ...(answers.map(textOf) as [string, string]));
  }
  const counts = [...statuses]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([status, count]) => `${count} × ${status}`);
  print(`${name}: ${all.length} requests and ${conditional} with their tag (${counts.join(', ')})`);
}

function eventsOf({ status, events }: EventStream): string {
  const lines = events.map(({ event, id, data }) => `${event} ${id} ${data}`);
  return withoutSecrets([status, ...lines].join('\n'));
}

async function compareStreams(
  sides: readonly Side[],
  push: (step: number) => Promise<void>,
): Promise<void> {
  const open = ({ url, keys: { read } }: Side, target: string, more = {}): Promise<EventStream> =>
    openStream(`${url}${target}`, { authorization: `Bearer ${read}`, ...more });
  const pairs = await Promise.all(
    streamTargets.map(
      async (target) =>
        [target, await Promise.all(sides.map((side) => open(side, target)))] as const,
    ),
  );
  for (let step = 1; step <= 20; step += 1) {
    await push(step);
    await sleep(150);
  }
  let count = 0;
  for (const [target, streams] of pairs) {
    count += streams[0]?.events.length ?? 0;
    compare('streams', target, ...(streams.map(eventsOf) as [string, string]));
    const middle = streams.map(({ events }) => events[Math.floor(events.length / 2)]?.id ?? '');
    const again = await Promise.all(
      sides.map((side, place) => open(side, target, { 'last-event-id': middle[place] })),
    );
    await sleep(300);
    compare('streams that continue', target, ...(again.map(eventsOf) as [string, string]));
    for (const stream of [...streams, ...again]) stream[Symbol.dispose]();
  }
  print(`${pairs.length} streams with ${count} events`);
}

for (const [group, found] of [...groups].toSorted(
  ([, one], [, other]) => other.length - one.length,
)) {
  print(`\n${found.length} differ: ${group}`);
  for (const one of found.slice(0, Number(flags.shown))) print(`  ${one}`);
}
const differing = [...groups.values()].reduce((sum, found) => sum + found.length, 0);
print(`\n${compared} compared with ${commit}, ${differing} differ`);
process.exitCode = differing === 0 ? 0 : 1;
