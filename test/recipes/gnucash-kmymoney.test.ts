/**
 * docs/integraciones/gnucash-kmymoney.md: its commands and files, in GnuCash and as KMyMoney uses them,
 * and the program pizarra-precio beside it.
 */
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { project, textOf } from '../docs/blocks.ts';
import { outputIsAsShown, stepsOf } from '../docs/transcript.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { readRecipe } from './support/recipe-page.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { needs, runTool } from './support/run-tool.ts';

const page = readRecipe('gnucash-kmymoney.md');
const [keyFile = '', environment = ''] = page.take('sh');
const script = textOf('docs/integraciones/pizarra-precio');
const [variables = '', sessionVariables = ''] = page.take('ini');
const steps = page.take('console').flatMap(stepsOf);
const [source = ''] = page.take('text');

const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService({ accessLog: 'all' }));
const home = cleanUp.use(await temporaryDirectory()).path;
await cp(join(project, 'clients/perl'), join(home, 'pizarra/clients/perl'), { recursive: true });
await mkdir(join(home, 'bin'));
await writeFile(join(home, 'bin/pizarra-precio'), atService(script), { mode: 0o755 });

const curl = needs(['curl', '--fail-with-body', '--version'], 'curl');
const financeQuote = needs(['perl', '-MFinance::Quote', '-e', '1'], 'libfinance-quote-perl');
const gnucash = { ...needs(['gnc-fq-dump'], 'gnucash'), ...financeQuote };
/** The test gives GnuCash another folder `/etc/gnucash` than that of the machine. */
const ownFolder = { ...gnucash, ...needs(['unshare', '-rm', 'true'], 'util-linux') };
/** The program with which KMyMoney calls Finance::Quote. */
const ofKmymoney = '/usr/share/kmymoney/misc/financequote.pl';
const kmymoney = { ...needs(['test', '-e', ofKmymoney], 'kmymoney-common'), ...financeQuote };
/** The program with which systemd reads the variables of a session. */
const ofSession = '/usr/lib/systemd/user-environment-generators/30-systemd-environment-d-generator';
const session = needs(['test', '-x', ofSession], 'systemd');

function atService(text: string): string {
  return text.replaceAll('https://cotizaciones.example.com', service.url);
}

/** Runs commands in a shell whose home has the module, the file of the key and the program of the page. */
async function runShell(commands: string, settings = environment): Promise<string> {
  const { stdout, stderr } = await runTool(
    ['sh', '-c', `${atService(`${keyFile}${settings}`)}\n${commands}`],
    { cwd: home, env: { HOME: home, KEY: service.key } },
  );
  return stdout + stderr;
}

const ofBook = ({ command }: { readonly command: string }): boolean =>
  command.startsWith('gnucash-cli');

for (const { command, output } of steps.filter((step) => !ofBook(step))) {
  const options = command.startsWith('~/bin/') ? curl : gnucash;
  test(`the page shows what this command prints: ${command}`, options, async () => {
    const printed = await runShell(command);
    assert.ok(outputIsAsShown(output, printed, new Map()), printed);
    assert.doesNotMatch(printed, /cannot be used/);
  });
}

test('only its owner can read the file of the key', async () => {
  const mode = await runShell('stat -c %a ~/.config/pizarra ~/.config/pizarra/encabezado', '');
  assert.equal(mode, '700\n600\n');
});

test(
  'GnuCash reads the variables of the page and stores the prices in a book',
  ownFolder,
  async () => {
    await runShell('', '');
    const file = join(home, 'libro.gnucash');
    await writeFile(file, bookWith(['GGAL', 'DOLAR MEP', 'NOEXISTE']));
    const folder = join(home, 'etc');
    await cp('/etc/gnucash', folder, { recursive: true });
    await writeFile(join(folder, 'environment.local'), atService(variables));
    const { command, output } = steps.find(ofBook) ?? assert.fail();
    const { stdout, stderr } = await runTool(
      ['unshare', '-rm', 'sh', '-c', `mount --bind ${folder} /etc/gnucash && exec ${command}`],
      { cwd: home, env: { HOME: home } },
    );
    // The order of the two outputs is that of a terminal.
    assert.ok(outputIsAsShown(output, stdout + stderr, new Map()), stdout + stderr);
    const saved = await readFile(file);
    const xml = (saved[0] === 0x1f ? gunzipSync(saved) : saved).toString();
    const prices = Array.from(xml.matchAll(/<price>[^]*?<\/price>/g), ([price]) =>
      ['cmdty:id', 'ts:date', 'price:value'].map((tag) =>
        new RegExp(`<${tag}>([^<]*)<`).exec(price)?.[1]?.slice(0, 10),
      ),
    );
    const expected = [
      ['DOLAR MEP', '2026-11-20', '30047/20'],
      ['GGAL', '2026-11-20', '16681/2'],
    ];
    assert.deepEqual(new Set(prices.map(String)), new Set(expected.map(String)));
  },
);

/** The variables of a file, with the folder of the user as a shell writes it. */
function variablesIn(text: string): readonly (readonly string[])[] {
  return Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [
    name,
    value.replace(/^\$?\{HOME\}/, '~'),
  ]);
}

test('the variables of GnuCash and of the session are those that the page exports', () => {
  const exported = Array.from(
    environment.matchAll(/^export (\w+)="?([^"\n]*)"?$/gm),
    ([, ...one]) => one,
  );
  assert.equal(exported.length, 4);
  assert.deepEqual(variablesIn(variables), exported);
  assert.deepEqual(variablesIn(sessionVariables), exported);
});

test('systemd gives a session the variables of the page', session, async () => {
  const folder = join(home, '.config/environment.d');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'pizarra.conf'), sessionVariables);
  const { stdout } = await runTool([ofSession], { env: { HOME: home } });
  for (const [name, value = ''] of variablesIn(sessionVariables)) {
    const expected = value.replace('~', home);
    const written = expected.includes(' ') ? `"${expected}"` : expected;
    assert.ok(stdout.split('\n').includes(`${name}=${written}`), stdout);
  }
});

test(
  'KMyMoney gets prices and dates by Finance::Quote, also of a symbol that it quotes',
  kmymoney,
  async () => {
    assert.match(await runShell(`perl ${ofKmymoney} -l`), /^pizarra$/m);
    for (const [symbol, printed] of [
      ['GGAL', '"GGAL","2026-11-20","8340.5"'],
      ["'DOLAR MEP'", `"'DOLAR MEP'","2026-11-20","1502.35"`],
      ['DOLAR/EURO', '"DOLAR/EURO","2026-11-20","1.1625"'],
      ['NOEXISTE', 'Error 2'],
    ] as const) {
      assert.equal(await runShell(`perl ${ofKmymoney} pizarra "${symbol}"`), printed);
    }
  },
);

/** The values of the source that the page creates in KMyMoney, by their labels. */
const values = new Map(
  source
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', value = ''] = line.split(/ {2,}/);
      return [name, value] as const;
    }),
);

/** What KMyMoney finds in the output of a program, whose white space it folds. */
function found(printed: string): readonly (string | undefined)[] {
  const text = printed.replaceAll(/\s+/g, ' ').trim();
  return ['Símbolo', 'Precio', 'Fecha'].map(
    (name) => new RegExp(values.get(name) ?? assert.fail(name)).exec(text)?.[1],
  );
}

test(
  'KMyMoney finds symbol, price and date in what the program of the page writes',
  curl,
  async () => {
    assert.equal(values.get('Formato de fecha'), '%y-%m-%d');
    assert.match(values.get('URL') ?? '', /^file:\/.*\/bin\/pizarra-precio %1$/);
    // KMyMoney replaces %1, and splits the command at spaces.
    for (const [symbol, price] of [
      ['GGAL', '8340.5'],
      ['DOLAR MEP', '1502.35'],
      ['DOGE', '0.00000012'],
    ] as const) {
      const printed = await runShell(`~/bin/pizarra-precio ${symbol}`, '');
      assert.deepEqual(found(printed), [symbol, price, '2026-11-20']);
    }
  },
);

test('KMyMoney finds no price in the failures of the program of the page', curl, async () => {
  const unknown = await runShell('~/bin/pizarra-precio NOEXISTE', '');
  assert.equal(unknown, 'La especie «NOEXISTE» no existe o no tiene cotización.\n');
  const wrong = 'echo "Authorization: Bearer x" >~/.config/pizarra/encabezado';
  const refused = await runShell(`${wrong}; ~/bin/pizarra-precio GGAL`, '');
  assert.match(refused, /La clave de acceso no es válida/);
  for (const printed of [unknown, refused]) {
    const [, price, date] = found(printed);
    assert.deepEqual([price, date], [undefined, undefined]);
  }
});

/** A book of GnuCash with securities that get their quotes from the source of the module. */
function bookWith(symbols: readonly string[]): string {
  const spaces = ['gnc', 'book', 'cd', 'cmdty'].map(
    (name) => `xmlns:${name}="http://www.gnucash.org/XML/${name}"`,
  );
  const securities = symbols.map(
    (symbol) => `<gnc:commodity version="2.0.0">
      <cmdty:space>BYMA</cmdty:space><cmdty:id>${symbol}</cmdty:id>
      <cmdty:name>${symbol}</cmdty:name><cmdty:fraction>1</cmdty:fraction>
      <cmdty:get_quotes/><cmdty:quote_source>pizarra</cmdty:quote_source><cmdty:quote_tz/>
    </gnc:commodity>`,
  );
  return `<?xml version="1.0" encoding="utf-8" ?>
    <gnc-v2 ${spaces.join(' ')}>
    <gnc:count-data cd:type="book">1</gnc:count-data>
    <gnc:book version="2.0.0"><book:id type="guid">0123456789abcdef0123456789abcdef</book:id>
    ${securities.join('\n')}
    </gnc:book></gnc-v2>
  `;
}
