import assert from 'node:assert/strict';
import { priceAt, pushPrice } from '../support/http/ask-service.ts';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import { createKey } from '../../src/node/keys/keys.ts';
import type { KeyScope } from '../../src/domain/access/api-key.ts';
import { openStream } from '../support/http/event-stream.ts';
import {
  startPizarra,
  temporaryDirectory,
  type RunningService,
} from '../support/program/program.ts';
import { once, until } from '../support/wait.ts';
import { storeAt } from '../support/program/test-store.ts';

const defaultUniverse = join(import.meta.dirname, '../../universe');

/** Creates an installation with a key of each scope, whose universe a test may edit. */
async function install(): Promise<
  AsyncDisposable & {
    readonly args: readonly string[];
    readonly instruments: string;
    readonly bonds: string;
    readonly readKey: string;
    readonly ingestKey: string;
    readonly metricsKey: string;
  }
> {
  const directory = await temporaryDirectory();
  const universe = join(directory.path, 'universe');
  const data = join(directory.path, 'data');
  await cp(defaultUniverse, universe, { recursive: true });
  const makeKey = async (scope: KeyScope): Promise<string> =>
    (await createKey(storeAt(data), { name: scope, scope })).key;
  return {
    args: ['--store', data, '--universe', universe],
    instruments: join(universe, 'instruments.csv'),
    bonds: join(universe, 'bonds.csv'),
    readKey: await makeKey('read'),
    ingestKey: await makeKey('ingest'),
    metricsKey: await makeKey('metrics'),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** The log lines with a message, so far. */
function logged(service: RunningService, message: string): Record<string, unknown>[] {
  return service
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function hangup(service: RunningService, message: string): Promise<Record<string, unknown>> {
  const before = logged(service, message).length;
  service.child.kill('SIGHUP');
  return until(`"${message}" is logged`, () => logged(service, message)[before]);
}

/** Sends requests continuously, on one kept connection and on new ones, and records every response. */
class Load implements AsyncDisposable {
  readonly lists = new Set<string>();
  readonly faults = new Set<string>();
  answers = 0;
  readonly #stopping = new AbortController();
  readonly #running: Promise<unknown>;
  readonly #base: string;
  readonly #key: string;

  constructor(base: string, key: string) {
    this.#base = base;
    this.#key = key;
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    const paths = [
      '/especies.txt?panel=LID',
      '/cotizaciones?panel=LID',
      '/historicos?especie=GGAL&desde=2026-01-01&hasta=2026-12-31',
    ];
    const agents = [kept, kept, undefined];
    this.#running = Promise.all(
      paths.map((path, at) => this.#ask(path, agents[at] ?? new Agent())),
    ).finally(() => kept.destroy());
  }

  async #ask(path: string, agent: Agent): Promise<void> {
    const headers = { authorization: `Bearer ${this.#key}` };
    while (!this.#stopping.signal.aborted) {
      try {
        const outgoing = request(`${this.#base}${path}`, { headers, agent }).end();
        const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
        const body = await text(response);
        const status = response.statusCode;
        this.answers += 1;
        if (status !== 200) this.faults.add(`${path}: ${status} ${body}`);
        if (path.startsWith('/especies')) this.lists.add(body);
      } catch (fault) {
        this.faults.add(`${path}: ${String(fault)}`);
      }
    }
  }

  async more(answers: number): Promise<void> {
    const goal = this.answers + answers;
    await until('there are more answers', () => this.answers >= goal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }
}

const added = 'ZZZZ,Una especie nueva,share,BYMA,ARS,,,LID,,\n';

test('SIGHUP replaces the universe atomically, and no request fails', async () => {
  await using place = await install();
  await using service = await startPizarra(place.args);
  const old = await readFile(place.instruments, 'utf8');
  const fresh = `${old.replaceAll(/^ALUAD?,.*\n/gm, '').replace(/^BMA,[^,]*/m, 'BMA,Otro nombre')}${added}`;
  await using load = new Load(service.url, place.readKey);
  await load.more(50);
  for (const [content, expected] of [
    [fresh, { added: ['ZZZZ'], removed: ['ALUA', 'ALUAD'], changed: ['BMA'] }],
    [old, { added: ['ALUA', 'ALUAD'], removed: ['ZZZZ'], changed: ['BMA'] }],
    [fresh, { added: ['ZZZZ'], removed: ['ALUA', 'ALUAD'], changed: ['BMA'] }],
  ] as const) {
    await writeFile(place.instruments, content);
    const line = await hangup(service, 'configuration reloaded');
    for (const [sort, tickers] of Object.entries(expected)) {
      assert.deepEqual(line[sort], { count: tickers.length, first: tickers });
    }
    const seen = await (
      await fetch(`${service.url}/especies.txt?panel=LID`, {
        headers: { authorization: `Bearer ${place.readKey}` },
      })
    ).text();
    assert.equal(seen.includes('ZZZZ'), content === fresh);
    assert.equal(seen.includes('ALUA'), content === old);
    await load.more(20);
  }
  assert.deepEqual([...load.faults], []);
  assert.equal(load.lists.size, 2, 'every list is either the old one or the new one');
});

test('SIGHUP with faults in the universe or the configuration logs them and changes nothing', async () => {
  await using place = await install();
  const config = join(place.instruments, '../../pizarra.yaml');
  await writeFile(config, 'tickersPerRequestMax: 3\n');
  await using service = await startPizarra([...place.args, '--config', config]);
  await using load = new Load(service.url, place.readKey);
  const sound = await readFile(place.instruments, 'utf8');

  await writeFile(place.instruments, `${sound}ALUA,Twice,share,BYMA,ARS,,,LID,,\n`);
  const universe = await hangup(service, 'configuration not reloaded');
  assert.match(String(universe['reason']), /instruments\.csv:\d+.*"ALUA"/s);

  // A fault of the terms alone rejects the whole reload: the instrument that is new, too.
  await writeFile(place.instruments, `${sound}${added}`);
  const bonds = await readFile(place.bonds, 'utf8');
  await writeFile(place.bonds, bonds.replace('2024-07-09=4;', '2024-07-09=5;'));
  const terms = await hangup(service, 'configuration not reloaded');
  assert.match(String(terms['reason']), /bonds\.csv:3:13: "101": amortizacion: .* sum to 100/);
  const headers = { authorization: `Bearer ${place.readKey}` };
  const kept = await fetch(`${service.url}/especies.txt?panel=LID`, { headers });
  assert.doesNotMatch(await kept.text(), /ZZZZ/);
  const flows = await fetch(`${service.url}/bonos/flujos?especie=AL30&desde=2024-07-09`, {
    headers,
  });
  const [first] = (await flows.json()) as readonly { readonly amortizacion: number }[];
  assert.equal(first?.amortizacion, 4);
  await writeFile(place.instruments, sound);

  await writeFile(place.bonds, bonds.replace('2025-12-12=6.5', '2025-12-12=6.25'));
  await writeFile(config, 'tickersPerRequestMax: many\n');
  const settings = await hangup(service, 'configuration not reloaded');
  assert.match(
    String(settings['reason']),
    /pizarra\.yaml:1:23: tickersPerRequestMax cannot be "many"/,
  );

  await writeFile(config, 'tickersPerRequestMax: 2\nkeepAliveTimeoutMs: 20000\n');
  const line = await hangup(service, 'configuration reloaded');
  assert.deepEqual(line['settings'], ['tickersPerRequestMax']);
  assert.deepEqual(line['terms'], { count: 1, first: ['AN29'] });
  assert.equal(logged(service, 'changed settings apply after a restart').length, 1);
  const answer = await fetch(`${service.url}/cotizaciones?especie=ALUA,BMA,GGAL`, {
    headers: { authorization: `Bearer ${place.readKey}` },
  });
  assert.equal(answer.status, 400, await answer.text());
  await load.more(20);
  assert.deepEqual([...load.faults], []);
});

test('during a reload no pushed update is lost, and a stream whose selection is unchanged continues', async () => {
  await using place = await install();
  await using service = await startPizarra(place.args);
  const old = await readFile(place.instruments, 'utf8');
  let acknowledged = 0;
  const stopping = new AbortController();
  const pushing = (async () => {
    for (let last = 1; !stopping.signal.aborted; last += 1) {
      const response = await pushPrice(service, place.ingestKey, last);
      const report = (await response.json()) as Record<string, unknown>;
      assert.equal(response.status, 200, JSON.stringify(report));
      assert.equal(report['accepted'], 1, JSON.stringify(report));
      acknowledged = last;
    }
  })();
  const headers = { authorization: `Bearer ${place.readKey}` };
  const streamUrl = `${service.url}/cotizaciones/stream?especie=BTC`;
  using stream = await openStream(streamUrl, headers);
  await stream.until(({ events }) => events.length > 0);
  for (let round = 1; round <= 4; round += 1) {
    await writeFile(place.instruments, round % 2 === 1 ? old + added : old);
    await hangup(service, 'configuration reloaded');
  }
  stopping.abort();
  await pushing;
  assert.equal(await priceAt(service, place.readKey), acknowledged);
  assert.ok(acknowledged > 4, `only ${acknowledged} updates`);
  const isLast = ({ data }: { readonly data: string }): boolean =>
    (JSON.parse(data) as { ultimo: number }).ultimo === acknowledged;
  await stream.until(({ events }) => events.some(isLast));
  const versions = stream.events.map(({ id }) => Number(id));
  assert.deepEqual(
    versions,
    [...new Set(versions)].toSorted((a, b) => a - b),
    'no update is lost or repeated',
  );
  assert.ok(stream.events.every(({ event }) => event === 'cotizacion'));
  const metrics = await fetch(`${service.privateUrl}/metrics`, {
    headers: { authorization: `Bearer ${place.metricsKey}` },
  });
  const counted = /pizarra_updates_total\{feed="push",outcome="accepted"\} (\d+)/;
  assert.equal(
    Number(counted.exec(await metrics.text())?.[1]),
    acknowledged,
    'the reload resets no counter',
  );
});
