import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { networkTypes } from '../../src/config/feeds/feed-types.ts';
import {
  checkSources,
  type SourcesCheckRequest,
} from '../../src/operator/sources/check-sources.ts';
import type { SourceCheck } from '../../src/operator/sources/judge-source.ts';
import { formatCheck } from '../../src/commands/sources.ts';
import { makeCertificate } from '../support/program/make-certificate.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { serveSaved } from '../support/http/saved-source.ts';
import {
  drip,
  fixed,
  hang,
  healthy,
  SourceServer,
  truncate,
  type Responder,
} from '../support/http/source-server.ts';
import { fieldsIn } from '../support/fields-in.ts';
import {
  answerAs,
  closedAt,
  isSocket,
  openAt,
  sampleOf,
  sampleTypes,
  streamAs,
} from './check-samples.ts';

const universe = join(import.meta.dirname, '../../universe');

/** The keys of every source here. */
const [user, password] = ['us3r-4c', 'sk-5f2c9e01b7/="&'];

/** Limits that a server exceeds only if a test makes it. */
const patient = { headMs: 20_000, idleMs: 20_000, totalMs: 20_000, bodyBytesMax: 1_048_576 };
const short = { ...patient, headMs: 300, idleMs: 300, totalMs: 600 };

type Options = Partial<SourcesCheckRequest> & { readonly now?: number };

/** Checks the feeds of a configuration in a directory. */
function check(
  feeds: readonly object[],
  directory: string,
  { now = openAt, ...options }: Options = {},
): Promise<readonly SourceCheck[]> {
  return checkSources({
    settings: { universe, market: 'none' },
    file: { name: join(directory, 'pizarra.yaml'), values: {}, feeds },
    names: [],
    save: undefined,
    signal: new AbortController().signal,
    waitMs: 10_000,
    timeoutMs: 600_000,
    clock: { now: () => now, monotonic: () => performance.now() },
    feedLimits: { fetchLimits: patient },
    ...options,
  });
}

/** The check of one source. */
async function checkOne(feed: object, directory: string, options?: Options): Promise<SourceCheck> {
  const [one, ...others] = await check([{ name: 'one', ...feed }], directory, options);
  assert.deepEqual(others, []);
  return one ?? assert.fail('there is no result');
}

/** A directory with the files of the keys. */
async function directoryWithKeys() {
  const directory = await temporaryDirectory();
  await writeFile(join(directory.path, 'key.txt'), `${user}\n`);
  await writeFile(join(directory.path, 'secret.txt'), `${password}\n`);
  return directory;
}

const keys = { key: { file: 'key.txt' }, secret: { file: 'secret.txt' } };

/** A feed of a type that connects to a server. */
function feedOf(type: string, server: SourceServer): object {
  const { config, hasAccount } = sampleOf(type);
  const url = isSocket(type) ? server.socketUrl : server.url + (type === 'http' ? '/precios' : '');
  const account = hasAccount === 'key' ? { key: keys.key } : keys;
  return { name: type, type, url, ...config, ...(hasAccount === undefined ? {} : account) };
}

/** A server for each type. */
async function startAll(types: readonly string[]) {
  const servers = new Map<string, SourceServer>();
  for (const type of types) {
    const server = await SourceServer.start();
    server.respond = answerAs(type);
    server.upgrade = streamAs(type);
    servers.set(type, server);
  }
  return {
    feeds: [...servers].map(([type, server]) => feedOf(type, server)),
    servers,
    async [Symbol.asyncDispose]() {
      for (const server of servers.values()) await server[Symbol.asyncDispose]();
    },
  };
}

test('the samples are of every type that connects to a source', () => {
  const types = networkTypes.map(({ type }) => type);
  assert.deepEqual([...sampleTypes].toSorted(), types.toSorted());
});

test('every type of source is checked: its rows, those understood, its instruments and its delay', async () => {
  await using directory = await directoryWithKeys();
  await using all = await startAll(sampleTypes);
  const checks = await check(all.feeds, directory.path);
  const facts = checks.map(({ type, state, instruments, rows, understood, newestRowSeconds }) => {
    const { served, expected } = instruments;
    return {
      type,
      isWrong: state === 'wrong',
      served: `${served}/${expected}`,
      rows,
      understood,
      newestRowSeconds,
    };
  });
  const expected = sampleTypes.map((type) => {
    const { rows, understood, newestRowSeconds, config } = sampleOf(type);
    const count =
      (config['instruments'] as { include: readonly string[] } | undefined)?.include.length ?? 1;
    return {
      type,
      isWrong: false,
      served: `${count}/${count}`,
      rows,
      understood,
      newestRowSeconds,
    };
  });
  // The two sources of daily values date their rows by the session, so their age is that of the session.
  const undated = facts.map((one) =>
    ['argentinadatos', 'bcra'].includes(one.type) ? { ...one, newestRowSeconds: undefined } : one,
  );
  assert.deepEqual(undated, expected);
});

test('a check sends one poll and opens one connection, and no more', async () => {
  await using directory = await directoryWithKeys();
  await using all = await startAll(sampleTypes);
  await check(all.feeds, directory.path);
  for (const [type, server] of all.servers) {
    const paths = server.requests.map(({ url }) => url.split('?')[0]);
    assert.deepEqual(new Set(paths).size, paths.length, type);
    const { bodies = { '/': '' } } = sampleOf(type);
    const login = type === 'primary' ? 1 : 0;
    assert.equal(paths.length, Object.keys(bodies).length + login, `${type}: ${paths.join()}`);
  }
});

test('what a check saves is served by a stand-in, and gives the same result again', async () => {
  await using directory = await directoryWithKeys();
  await using all = await startAll(sampleTypes);
  const first = join(directory.path, 'saved');
  const [mended, html] = ['mended', 'html'];
  await using page = await SourceServer.start();
  page.respond = fixed(200, { 'content-type': 'text/html' }, '<!doctype html><title>…</title>');
  await using cut = await SourceServer.start();
  cut.respond = truncate(JSON.stringify([{ casa: 'blue', moneda: 'USD', venta: 1_560 }]));
  await using refusing = await SourceServer.start();
  refusing.upgrade = (_, socket) =>
    void socket.end('HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\n\r\n');
  const bad = [
    { name: html, type: 'dolarapi', url: page.url },
    { name: mended, type: 'dolarapi', url: cut.url },
    { name: 'refusing', type: 'kraken', url: refusing.socketUrl },
  ];
  const saved = await check([...all.feeds, ...bad], directory.path, { save: first });
  assert.deepEqual(fieldsIn(saved.slice(-bad.length), 'state'), ['wrong', 'wrong', 'wrong']);
  const again: SourceCheck[] = [];
  for (const { name, type } of saved) {
    await using server = await serveSaved(first, name);
    const feed = bad.some((one) => one.name === name)
      ? { name, type, url: isSocket(type) ? server.socketUrl : server.url }
      : feedOf(type, server);
    again.push(...(await check([feed], directory.path)));
  }
  assert.deepEqual(again.map(comparable), saved.map(comparable));
});

/** A result without its times, and without the port of the server. */
function comparable(one: SourceCheck): unknown {
  const text = JSON.stringify(one, (name, value: unknown) =>
    name === 'responseMs' || name === 'totalMs' ? undefined : value,
  );
  return JSON.parse(text.replaceAll(/localhost:\d+/g, 'localhost'));
}

const json = { 'content-type': 'application/json' };

/** A behaviour of a source, and what the check must say: where it failed, and words of what to do. */
const failures: readonly (readonly [string, Responder, string, RegExp])[] = [
  ['status 401', fixed(401), 'status', /userAgent/],
  ['status 404', fixed(404, json, '{}'), 'status', /no longer has this path/],
  ['status 429', fixed(429, { 'retry-after': '70' }), 'status', /^Wait 70 s .* pollSeconds/],
  ['status 500', fixed(500, {}, 'broken'), 'status', /fault of its own \(status 500\)/],
  [
    'a redirect elsewhere',
    fixed(302, { location: 'https://example.com/' }),
    'status',
    /Check `url`/,
  ],
  [
    'a page with status 200',
    fixed(200, {}, '<!doctype html><p>robot?'),
    'content',
    /browser .* --save/,
  ],
  ['an empty list', fixed(200, json, '[]'), 'content', /--save DIR and report/],
  ['another JSON', fixed(200, json, '{"ok":true}'), 'content', /--save DIR and report/],
  ['a text about a limit', fixed(200, {}, 'rate limit exceeded'), 'content', /Wait some minutes/],
  ['a cut body', truncate('[{"casa":"blue"}]'), 'body', /connection broke/],
];

test('each failure of a source is named with its place and with what to do', async () => {
  await using directory = await temporaryDirectory();
  for (const [name, respond, failedAt, todo] of failures) {
    await using server = await SourceServer.start();
    server.respond = respond;
    const { state, paths, ...one } = await checkOne(
      { type: 'dolarapi', url: server.url },
      directory.path,
    );
    const [path] = paths;
    assert.equal(state, 'wrong', name);
    assert.equal(path?.failedAt, failedAt, name);
    assert.equal(path.reached, true, name);
    assert.match(one.todo?.replaceAll('`pollSeconds`', 'pollSeconds') ?? '', todo, name);
    assert.ok(one.says.length > 0 && one.instruments.served === 0, name);
    assert.ok(one.instruments.missing.length > 0, name);
  }
});

test('a server that is too slow, before its response or within it, is named so', async () => {
  await using directory = await temporaryDirectory();
  for (const [respond, failedAt] of [
    [hang, 'response'],
    [drip, 'body'],
  ] as const) {
    await using server = await SourceServer.start();
    server.respond = respond;
    const feed = { type: 'dolarapi', url: server.url };
    const options = { feedLimits: { fetchLimits: short } };
    const { paths, state } = await checkOne(feed, directory.path, options);
    assert.deepEqual([state, paths[0]?.failedAt], ['wrong', failedAt]);
    assert.match(paths[0]?.says ?? '', /has not .* within \d+ ms/);
  }
});

test('a name that does not exist and a port that is closed are told apart, for requests and WebSockets', async () => {
  await using directory = await temporaryDirectory();
  const gone = await SourceServer.start();
  await gone[Symbol.asyncDispose]();
  for (const [type, url, failedAt, todo] of [
    ['dolarapi', 'https://pizarra.invalid', 'name', /getent hosts pizarra\.invalid/],
    ['kraken', 'wss://pizarra.invalid', 'name', /getent hosts pizarra\.invalid/],
    ['dolarapi', gone.url, 'connection', /firewall/],
    ['kraken', gone.socketUrl, 'connection', /firewall/],
  ] as const) {
    const { state, paths, ...one } = await checkOne({ type, url }, directory.path);
    assert.deepEqual([state, paths.length, paths[0]?.reached], ['wrong', 1, false], url);
    assert.equal(paths[0]?.failedAt, failedAt, `${url}: ${one.says}`);
    assert.match(one.todo ?? '', todo);
  }
});

test('an unknown authority is named, and with `ca` the source is read', async (t) => {
  const certificate = makeCertificate();
  if (certificate === undefined) return t.skip('needs openssl');
  await using directory = await directoryWithKeys();
  await writeFile(join(directory.path, 'ca.pem'), certificate.cert);
  for (const type of ['dolarapi', 'kraken']) {
    await using server = await SourceServer.start(certificate);
    server.respond = answerAs(type);
    server.upgrade = streamAs(type);
    const untrusted = await checkOne(feedOf(type, server), directory.path);
    assert.deepEqual([untrusted.state, untrusted.paths[0]?.failedAt], ['wrong', 'tls']);
    assert.match(untrusted.todo ?? '', /as `ca` of this source/);
    const trusted = await checkOne({ ...feedOf(type, server), ca: 'ca.pem' }, directory.path);
    assert.notEqual(trusted.state, 'wrong', trusted.says);
  }
});

test('no key, no token and no value of a configured query is in the result, the report, a saved file or its name', async () => {
  await using directory = await directoryWithKeys();
  const queryKey = 'q-77ab31c9';
  const token = 'token-8f21c07a';
  const echo: Responder = ({ url, headers, method }, response) => {
    if (url === '/auth/getToken') {
      response.writeHead(200, { 'x-auth-token': token, 'set-cookie': `id=${token}` });
      response.end(
        `${headers['x-username']?.toString()} ${headers['x-password']?.toString()} ${token}`,
      );
      return;
    }
    const all = JSON.stringify({ url, headers, method }).replaceAll('/', String.raw`\/`);
    const encoded = `${encodeURIComponent(password)} ${Buffer.from(password).toString('base64')}`;
    const header = {
      server: queryKey,
      'content-type': `text/html; ${queryKey}`,
      'set-cookie': `a=${password}`,
    };
    response.writeHead(url.startsWith('/bad') ? 403 : 200, header);
    response.end(
      `${all} ${encoded} ${password.replaceAll('&', '&amp;')} ${JSON.stringify({ password })}`,
    );
  };
  await using server = await SourceServer.start();
  server.respond = echo;
  server.upgrade = ({ headers, url }, _, accept) =>
    accept((socket) => {
      socket.send(
        JSON.stringify({ status: 'ERROR', description: JSON.stringify({ headers, url }) }),
      );
      socket.send(`${url} ${password} ${user} ${token}`);
    });
  const expression = '$';
  const http = { type: 'http', expression, ...sampleOf('http').config, key: keys.secret };
  const feeds = [
    { ...http, name: 'header', url: `${server.url}/precios?apikey=${queryKey}&x=1` },
    { ...http, name: 'bad', url: `${server.url}/bad?${queryKey}` },
    { ...http, name: 'path', url: `${server.url}/p/${encodeURIComponent(password)}` },
    { ...feedOf('primary', server), url: `${server.socketUrl}/?t=${queryKey}` },
    { ...feedOf('alpaca', server), url: `${server.socketUrl}/v2?t=${queryKey}` },
  ];
  const save = join(directory.path, 'saved');
  const checks = await check(feeds, directory.path, { save, waitMs: 300 });
  const names = await readdir(save, { recursive: true });
  const texts = [JSON.stringify(checks), formatCheck(checks, { save }), names.join('\n')];
  let bodies = 0;
  for (const one of await readdir(save, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(join(one.parentPath, one.name));
    assert.equal(mode & 0o077, 0, `others can read ${one.name}`);
    if (!one.isFile()) continue;
    texts.push(await readFile(join(one.parentPath, one.name), 'utf8'));
    bodies += 1;
  }
  assert.ok(bodies >= 6, names.join());
  const forms = [user, password, queryKey, token].flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64'),
  ]);
  assert.ok(JSON.stringify(server.requests).includes(queryKey), 'the keys are sent');
  const index = await readFile(join(save, 'sources.json'), 'utf8');
  assert.doesNotMatch(index, /set-cookie|id=|Bearer/i);
  for (const text of texts) {
    for (const form of forms) assert.ok(!text.includes(form), `${form} in ${text}`);
  }
});

test('a key that does not exist is named by its place before anything is requested', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  const one = await checkOne(feedOf('primary', server), directory.path);
  assert.deepEqual([one.state, one.paths, server.requests], ['wrong', [], []]);
  assert.match(one.says, /the file key\.txt cannot be read: ENOENT/);
  assert.match(one.todo ?? '', /as the user of the service/);
});

test('while its markets are closed, a WebSocket without rows is no failure, and the check says until when', async () => {
  await using directory = await directoryWithKeys();
  await using server = await SourceServer.start();
  server.upgrade = (_, __, accept) => accept(() => undefined);
  const feed = feedOf('alpaca', server);
  const options = { waitMs: 100 };
  const closed = await checkOne(feed, directory.path, { ...options, now: closedAt });
  assert.equal(closed.state, 'closed');
  assert.match(closed.says, /nothing is expected until 2026-11-23T14:30:00\.000Z/);
  const open = await checkOne(feed, directory.path, options);
  assert.equal(open.state, 'wrong');
  assert.match(open.says, /no rows within 0 s/);
});

test('a source that refuses a key within its messages, or ends the connection, is named so', async () => {
  await using directory = await directoryWithKeys();
  await using server = await SourceServer.start();
  server.upgrade = (_, __, accept) =>
    accept((socket) => socket.send('[{"T":"error","code":402,"msg":"auth failed"}]'));
  const refused = await checkOne(feedOf('alpaca', server), directory.path);
  assert.deepEqual([refused.state, refused.paths[0]?.failedAt], ['wrong', 'content']);
  assert.match(refused.todo ?? '', /Check the key/);
  server.upgrade = (_, __, accept) => accept((socket) => socket.close(1013));
  const ended = await checkOne(feedOf('alpaca', server), directory.path);
  assert.deepEqual([ended.state, ended.paths[0]?.failedAt], ['wrong', 'body']);
});

/** A sound row of dolarapi. */
const dollarRow = {
  moneda: 'USD',
  casa: 'blue',
  compra: 1,
  venta: 2,
  fechaActualizacion: '2026-11-20T17:59:00.000Z',
};

test('what is wrong with a Pizarra that is to be followed is named at its path, with what to do', async () => {
  await using directory = await directoryWithKeys();
  const asJson = { 'content-type': 'application/json' };
  const health = { estado: 'ok', instancia: 'abc', datos: 'reales' };
  const cases: readonly (readonly [Responder, RegExp, RegExp])[] = [
    [
      fixed(200, { 'content-type': 'text/html' }, '<html>'),
      /^\/healthz is not that of a Pizarra \(.* a page/,
      /Open the address in/,
    ],
    [fixed(200, asJson, '[]'), /^\/healthz is not that of a Pizarra: url is/, /Save the bodies/],
    [
      fixed(200, asJson, JSON.stringify({ ...health, datos: 'simulados' })),
      /the origin is a demonstration/,
      /^Follow a service that has prices of the market/,
    ],
    [
      fixed(200, asJson, JSON.stringify(health)),
      /^\/especies\.json is not that of a Pizarra/,
      /Save the bodies/,
    ],
    [fixed(401), /answered 401; its key is wrong/, /^Check the key/],
    [fixed(404), /answered 404; no Pizarra is at/, /^Check `url`/],
  ];
  for (const [respond, says, todo] of cases) {
    await using server = await SourceServer.start();
    server.respond = respond;
    const one = await checkOne(feedOf('pizarra', server), directory.path);
    const failed = one.paths.find(({ state }) => state === 'wrong');
    assert.equal(one.state, 'wrong');
    assert.match(failed?.says ?? '', says);
    assert.match(one.todo ?? '', todo);
  }
});

test('rows that are not as the source documents them are counted by reason, with a sample of each', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  const rows = [
    dollarRow,
    { ...dollarRow, venta: 'dos' },
    { ...dollarRow, fechaActualizacion: 'ayer' },
    7,
  ];
  server.respond = healthy(() => ({ body: JSON.stringify(rows) }));
  const one = await checkOne(feedOf('dolarapi', server), directory.path);
  assert.deepEqual([one.state, one.rows, one.understood], ['warning', 4, 1]);
  assert.deepEqual(one.paths[0]?.rejected, [
    { reason: 'unintelligible', count: 2, samples: ['blue: {"compra":1,"venta":"dos"}', '7'] },
    { reason: 'bad-instant', count: 1, samples: ['blue: ayer'] },
  ]);
});

test('rows that are rejected every day, such as a crossed quote, are listed and are no warning', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  const rows = [dollarRow, { ...dollarRow, casa: 'oficial', compra: 3 }];
  server.respond = healthy(() => ({ body: JSON.stringify(rows) }));
  const one = await checkOne(feedOf('dolarapi', server), directory.path);
  assert.deepEqual([one.state, one.todo, one.rows, one.understood], ['fine', undefined, 2, 1]);
  assert.deepEqual(
    one.paths[0]?.rejected.map(({ reason }) => reason),
    ['crossed'],
  );
});

test('a poll that ends early says how many paths it has not requested', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  server.respond = fixed(429);
  const feed = { type: 'data912', url: server.url };
  const one = await checkOne(feed, directory.path);
  assert.deepEqual([one.state, one.paths.length, one.notRequested], ['wrong', 1, 6]);
  assert.match(one.says, /6 more paths were not requested/);
});

test('an interrupt and the time limit end a check at once, and the result says so', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  const interrupt = new AbortController();
  server.respond = () => interrupt.abort();
  const feed = { type: 'dolarapi', url: server.url };
  const interrupted = await checkOne(feed, directory.path, { signal: interrupt.signal });
  assert.deepEqual([interrupted.state, interrupted.says], ['wrong', 'interrupted']);
  server.respond = hang;
  const late = await checkOne(feed, directory.path, { timeoutMs: 300 });
  assert.equal(late.state, 'wrong');
  assert.match(late.says, /^not finished within \d+ s$/);
  assert.match(late.paths[0]?.says ?? '', /ended before the response/);
  const socket = { type: 'kraken', url: server.socketUrl };
  const opening = new AbortController();
  server.upgrade = () => opening.abort();
  const { says } = await checkOne(socket, directory.path, { signal: opening.signal });
  assert.equal(says, 'interrupted');
  const open = new AbortController();
  server.upgrade = (_, __, accept) => accept((one) => one.once('message', () => open.abort()));
  const waiting = await checkOne(socket, directory.path, { signal: open.signal });
  assert.deepEqual([waiting.state, waiting.says], ['wrong', 'interrupted']);
});

test('feeds that connect to nothing are skipped, and a source without an instrument is named', async () => {
  await using directory = await temporaryDirectory();
  const feeds = [
    { name: 'desk', type: 'push' },
    { name: 'none', type: 'dolarapi', instruments: { include: ['GGAL'] } },
  ];
  const checks = await check(feeds, directory.path);
  assert.deepEqual(
    checks.map(({ name, state }) => `${name} ${state}`),
    ['desk skipped', 'none warning'],
  );
  assert.match(formatCheck(checks, { save: undefined }), /^desk +– /m);
});

test('an unknown name lists the configured ones, and a directory that is not empty is refused, before anything is requested', async () => {
  await using directory = await temporaryDirectory();
  await using server = await SourceServer.start();
  const feeds = [{ name: 'one', type: 'dolarapi', url: server.url }];
  await assert.rejects(check(feeds, directory.path, { names: ['one', 'two'] }), {
    name: 'UsageFault',
    message: 'No configured feed is called two. Valid: one.',
  });
  const save = join(directory.path, 'full');
  await mkdir(save);
  await writeFile(join(save, 'note'), '');
  await assert.rejects(check(feeds, directory.path, { save }), /full is not empty/);
  await assert.rejects(check(feeds, directory.path, { save: join(save, 'note') }), {
    name: 'OperatorFault',
  });
  await assert.rejects(check([], directory.path), /No feed is configured/);
  assert.deepEqual(server.requests, []);
});
