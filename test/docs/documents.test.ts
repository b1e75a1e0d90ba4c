/**
 * This test follows each document from its top. It runs the commands of its blocks in order, in one shell
 * for each document, against one service, which the README starts. It compares the output with the one
 * that the document shows.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { planTable } from '../../src/config/settings/rate-plans.ts';
import { readConfig } from '../../src/config/settings/read-config.ts';
import { readFeeds } from '../../src/config/feeds/read-feeds.ts';
import { resolveSettings } from '../../src/config/settings/resolve-settings.ts';
import { panelCodes } from '../../src/domain/instruments/panel.ts';
import { checksWithPath } from '../../src/http/private/routes.ts';
import { loadUniverse } from '../../src/universe/load-universe.ts';
import { until } from '../support/wait.ts';
import { lacks, temporaryDirectory } from '../support/program/program.ts';
import { blocksIn, documents, inlineCode, project, textOf, type Block } from './blocks.ts';
import { Reader, type Service } from './reader.ts';
import { outputIsAsShown, stepsOf, withIds } from './transcript.ts';

/** Maximum time until the service applies a change by another program, in ms. The documents say 2 s. */
const followsWithinMs = 180_000;

/** The pause between two tries of a command, in milliseconds. */
const pauseMs = 50;

/** Sections whose commands install the program; `npm run test:install` runs them. */
const runByInstallation: Readonly<Record<string, string>> = {
  'What a machine needs': 'test/install/bare-machine.ts',
  'On a machine with systemd': 'test/install/bare-machine.ts',
  'From a clone': 'test/install/bare-machine.ts',
  'In a container': 'test/install/container.ts',
};
/** Sections for developers. Their commands take minutes to hours, so only their existence is checked. */
const onlyNamed = new Set([
  'CONTRIBUTING.md Set up',
  'bench/README.md The benchmark',
  'docs/releasing.md The command',
]);
/** Not run here, because it would replace the packages of this test. The installation test runs it. */
const installs = 'npm ci\n';
/** Paths that the public listener does not serve. */
const ofPrivateListener = new Set([
  '/metrics',
  '/readyz',
  ...checksWithPath.map((name) => `/readyz/${name}`),
]);
/** Paths that need a query, with a valid query. */
const queries: Readonly<Record<string, string>> = {
  '/cotizaciones': '?panel=LID',
  '/cotizaciones/stream': '?panel=LID',
  '/historicos': '?especie=GGAL&desde=2024-01-01&hasta=2024-12-31',
  '/eventos': '?especie=GGAL&desde=2024-01-01&hasta=2024-12-31',
  '/cambios': '?especie=GGAL',
  '/intradiarios': '?especie=GGAL',
  '/recorridos': '?panel=LID',
  '/ranking': '?panel=LID',
  '/bonos': '?panel=BONOS',
  '/bonos/historicos': '?especie=AL30&desde=2026-01-01&hasta=2026-12-31',
  '/bonos/flujos': '?especie=AL30',
};
/** A command that runs until it is stopped. */
const serves = /^(?:npm start|pizarra serve .*)\n$/m;

type AgentServers = Readonly<
  Record<string, { command: string; args: string[]; env?: Readonly<Record<string, string>> }>
>;

/** All documents. The README comes first, because it starts the service. */
const inOrder = ['README.md', ...documents().filter((document) => document !== 'README.md')];

describe('what the documents show', { concurrency: 1, skip: lacks('curl') }, () => {
  const cleanUp = new AsyncDisposableStack();
  let scratch = '';
  let reader: Reader;
  let service: Service;
  /** Services that the current document starts in addition to that of the README. */
  const others: Service[] = [];

  before(async () => {
    ({ path: scratch } = cleanUp.use(await temporaryDirectory()));
    reader = cleanUp.use(new Reader(scratch));
  });
  after(() => cleanUp.disposeAsync());

  for (const document of inOrder) {
    // Tests in test/recipes/ run or parse the blocks of recipes.
    const blocks = blocksIn(document).filter(
      ({ language, isRecipe }) => language !== 'text' && !isRecipe,
    );
    if (blocks.length === 0) continue;
    test(`${document}: its commands work as written and print what it shows`, async (t) => {
      reader.beginDocument();
      const ids = new Map<string, string>();
      let last = { command: '', output: '' };
      for (const block of blocks) {
        await t.test(`${block.language}, line ${block.line}`, async (inner) => {
          last = await follow(block, last, ids, inner);
        });
      }
      for (const other of others.splice(0)) assert.equal(await other.stop(), 0);
    });
  }

  test('every request in a document gets 200', async () => {
    const requests = documents()
      .flatMap(inlineCode)
      .flatMap((code) => /^GET (\/\S*)$/.exec(code)?.[1] ?? [])
      .filter((target) => !ofPrivateListener.has(target));
    assert.ok(requests.length > 5);
    // Documents that ran before may have given the other keys a limit.
    const made = await reader.run('pizarra keys create --name requests --limit unlimited --json');
    const authorization = `Bearer ${(JSON.parse(made) as { readonly key: string }).key}`;
    await until('the service accepts the key', async () => {
      const { status } = await fetch(`${service.url}/especies.txt`, { headers: { authorization } });
      return status === 200;
    });
    for (const target of new Set(requests)) {
      const request = `${service.url}${target}${queries[target] ?? ''}`;
      const response = await fetch(request, { headers: { authorization } });
      await response.body?.cancel();
      assert.equal(response.status, 200, request);
    }
  });

  test('the derivations in docs/universe.md are valid in a universe', async () => {
    const directory = join(scratch, 'universe');
    await cp(join(project, 'universe'), directory, { recursive: true });
    const examples = inlineCode('docs/universe.md').filter((code) =>
      /: \{ (?:ratio|gap|scaled|alias):/.test(code),
    );
    assert.equal(examples.length, 4);
    const derived = ['derived:', ...examples.map((code) => `  ${code}`), ''].join('\n');
    await writeFile(join(directory, 'derived.yaml'), derived);
    const universe = await loadUniverse(directory);
    assert.ok(universe.ok, JSON.stringify(universe));
  });

  /** Follows one block. @returns the last command, and its output. */
  async function follow(
    block: Block,
    last: { readonly command: string; readonly output: string },
    ids: Map<string, string>,
    t: TestContext,
  ): Promise<{ readonly command: string; readonly output: string }> {
    const { document, heading, language, text } = block;
    if (language === 'sh') {
      const runsElsewhere = document === 'docs/deploying.md' && runByInstallation[heading];
      if (typeof runsElsewhere === 'string') {
        assert.ok(
          textOf(runsElsewhere).includes(`'${heading}'`),
          `${runsElsewhere} does not run it`,
        );
        return last;
      }
      if (onlyNamed.has(`${document} ${heading}`)) {
        for (const line of text.trim().split('\n'))
          checkThatItExists(line.replace(/#.*/, '').trim());
        return last;
      }
      const lack = needsOpenssl(block) && lacks('openssl', ['version']);
      if (lack !== false) {
        t.skip(`not run: ${lack}`);
        return last;
      }
      return { command: text, output: await runShell(text) };
    }
    if (language === 'console') return runConsole(text, ids);
    if (block.isAgentHost) await connectAgentHost(text);
    else if (language === 'json') await compareJson(block, last);
    else if (language === 'yaml') await readYaml(text, t);
    else if (language === 'csv') await readActions(text);
    else if (language === 'http') await requestUntil(document, text);
    else if (language === 'python') runPython(text, t);
    // An excerpt of a function. It is only parsed, because its names are not defined.
    else if (language === 'ts') stripTypeScriptTypes(text);
    // Another test parses them.
    else if (document === 'docs/spreadsheets.md' && language === 'powerquery') {
      assert.ok(textOf('test/docs/spreadsheets.test.ts').includes(`'${language}'`));
    } else assert.fail(`nothing runs or reads a block of the language "${language}"`);
    return last;
  }

  async function runShell(text: string): Promise<string> {
    const script = text.replace(installs, '');
    const command = serves.exec(script)?.[0];
    if (command === undefined) return reader.run(script);
    assert.ok(script.endsWith(command), `nothing can follow ${command}`);
    const output = await reader.run(script.slice(0, -command.length));
    if (command === 'npm start\n') {
      service = await reader.serve('npm start');
      return output;
    }
    others.push(await reader.serve(command));
    return output;
  }

  async function runConsole(text: string, ids: Map<string, string>) {
    let last = { command: '', output: '' };
    for (const step of stepsOf(text)) {
      const command = withIds(step.command, ids);
      const isStream = command.startsWith('curl -N ');
      const isShown = (output: string): boolean =>
        outputIsAsShown(step.output, output, ids, isStream);
      const output = await reader.run(command, isStream ? isShown : undefined);
      // The output of the last command may be in a separate block.
      if (step.output !== '' && !isShown(output)) assert.equal(output, step.output, command);
      last = { command, output };
    }
    return last;
  }

  /** Starts the program as a host with this configuration does, and reads a quote with it. */
  async function connectAgentHost(text: string): Promise<void> {
    const host = JSON.parse(text) as {
      readonly mcpServers?: AgentServers;
      readonly servers?: AgentServers;
    };
    const { pizarra = assert.fail() } = host.mcpServers ?? host.servers ?? {};
    assert.equal(pizarra.command, 'pizarra');
    const keyFile = join(scratch, '.config/pizarra/agent.key');
    const transport = new StdioClientTransport({
      command: join(project, 'bin/pizarra'),
      args: pizarra.args.map((one) =>
        one.replace('http://127.0.0.1:8080', service.url).replace(/^\/.*agent\.key$/, keyFile),
      ),
      env: pizarra.env === undefined ? {} : { PIZARRA_KEY: readFileSync(keyFile, 'utf8') },
    });
    const client = new Client({ name: 'documents', version: '1' });
    await client.connect(transport);
    const call = { name: 'cotizaciones', arguments: { especies: ['DOLAR MEP'] } };
    const { isError, structuredContent } = await client.callTool(call);
    assert.ok(isError !== true, JSON.stringify(structuredContent));
    await client.close();
  }

  async function compareJson(
    { text, isExample }: Block,
    last: { readonly command: string; readonly output: string },
  ): Promise<void> {
    const toCompare = (json: string): string =>
      JSON.stringify(JSON.parse(json), isExample ? typesAlone : undefined);
    const expected = toCompare(text);
    let { output } = last;
    // A change by another program takes up to two seconds. The demonstration starts with quotes from its
    // history, which have fewer fields than later quotes.
    const request = /^curl .*\n$/m.exec(last.command)?.[0];
    if (request !== undefined) {
      const attemptsMax = followsWithinMs / pauseMs;
      for (let tries = 0; toCompare(output) !== expected && tries < attemptsMax; tries += 1) {
        await pause(pauseMs);
        output = await reader.run(request);
      }
    }
    assert.equal(toCompare(output), expected);
  }

  /** Reads the file that the first line names. */
  /** The only tables in the documents are of corporate actions. */
  async function readActions(text: string): Promise<void> {
    const path = join(scratch, 'actions.csv');
    await writeFile(path, text);
    const output = await reader.run(`pizarra actions import --dry-run '${path}'`);
    const rows = text.trim().split('\n').length - 1;
    assert.match(output, new RegExp(`Actions: added ${rows}, changed 0, same 0`));
  }

  async function readYaml(text: string, t: TestContext): Promise<void> {
    const [, name = ''] = /^# (\S+\.ya?ml)/.exec(text) ?? [];
    const directory = join(scratch, 'yaml');
    await mkdir(directory, { recursive: true });
    const path = join(directory, name);
    await writeFile(path, text);
    if (name === 'pizarra.yaml') {
      const file = (await readConfig(path)) ?? assert.fail();
      const settings = resolveSettings({ flags: {}, environment: {}, file });
      planTable(settings);
      const universe = await loadUniverse(join(project, 'universe'));
      assert.ok(universe.ok);
      readFeeds({ settings, file }, universe.universe);
    } else if (name === 'markets.yaml') {
      const panels = panelCodes.map((code) => {
        const how = { LIDGEN: ', of: [LID, GEN]', BON: ', aliasOf: BONOS' }[code as string] ?? '';
        return `${code}: { name: ${code}${how} }\n`;
      });
      await writeFile(join(directory, 'panels.yaml'), panels.join(''));
      const [header] = readFileSync(join(project, 'universe/instruments.csv'), 'utf8').split('\n');
      await writeFile(join(directory, 'instruments.csv'), `${header}\n`);
      await writeFile(join(directory, 'derived.yaml'), 'derived: {}\n');
      const universe = await loadUniverse(directory);
      assert.ok(universe.ok, JSON.stringify(universe));
    } else if (name === 'prometheus.yml') {
      const { error, status, stderr } = spawnSync(
        'promtool',
        ['check', 'config', '--syntax-only', path],
        { encoding: 'utf8' },
      );
      if (error !== undefined) t.skip('not checked: promtool is not installed');
      else assert.equal(status, 0, stderr);
    } else {
      assert.fail('the first line of a yaml block must name its file: # pizarra.yaml');
    }
  }

  /** Repeats a request with a key of the configured plan until it gets the status. */
  async function requestUntil(document: string, text: string): Promise<void> {
    const plans = blocksIn(document).find(({ language }) => language === 'yaml') ?? assert.fail();
    await writeFile(join(reader.clone, 'pizarra.yaml'), plans.text);
    service.signal('SIGHUP');
    await service.shows('"msg":"configuration reloaded"');
    const made = await reader.run('pizarra keys create --name limited --plan free --json');
    const authorization = `Bearer ${(JSON.parse(made) as { readonly key: string }).key}`;

    const [head = '', body] = text.trim().split('\n\n');
    const [statusLine = '', ...headers] = head.split('\n');
    for (let requests = 1; ; requests += 1) {
      const response = await fetch(`${service.url}/cotizaciones?especie=GGAL`, {
        headers: { authorization },
      });
      const answer = await response.text();
      if (!statusLine.includes(` ${response.status} `)) {
        assert.ok(requests < 50, `no ${statusLine}`);
        continue;
      }
      assert.equal(statusLine, `HTTP/1.1 ${response.status} ${response.statusText}`);
      for (const header of headers) {
        const [name = '', value = ''] = header.split(': ');
        const isFixed = name === 'RateLimit-Policy';
        assert.match(
          response.headers.get(name) ?? '',
          isFixed ? exactly(value) : anyNumbers(value),
        );
      }
      if (body !== undefined) assert.match(answer, anyNumbers(body));
      return;
    }
  }
});

function runPython(text: string, t: TestContext): void {
  const key = /pz_0[0-9A-Za-z]+/.exec(textOf('docs/security.md'))?.[0] ?? assert.fail();
  const script = `${text}\nprint(is_key("${key}"), is_key("${key.slice(0, -1)}x"))\n`;
  const { error, stdout, stderr } = spawnSync('python3', ['-c', script], { encoding: 'utf8' });
  if (error !== undefined) t.skip('not run: python3 is not installed');
  else assert.equal(stdout, 'True False\n', stderr);
}

/** Whether a command of its section creates a certificate. */
function needsOpenssl({ document, heading }: Block): boolean {
  return blocksIn(document).some(
    (block) => block.heading === heading && block.text.startsWith('openssl '),
  );
}

/** Replaces a value by its type. A number and null are the same type, because a change may be null. */
function typesAlone(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return value;
  return value === null ? 'number' : typeof value;
}

function exactly(text: string): RegExp {
  return new RegExp(`^${RegExp.escape(text)}$`);
}

/** A pattern for the text with any numbers. */
function anyNumbers(text: string): RegExp {
  const parts = text.split(/\d+/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join(String.raw`\d+`)}$`);
}

const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

function checkThatItExists(command: string): void {
  const [program = '', first = '', second = ''] = command.split(' ');
  if (program === 'npm') {
    const script = first === 'run' ? second : first;
    assert.ok(script === 'ci' || Object.hasOwn(scripts, script), command);
  } else if (program === 'node') {
    assert.ok(existsSync(join(project, first)), command);
  } else {
    accessSync(join(project, program), constants.X_OK);
  }
}
