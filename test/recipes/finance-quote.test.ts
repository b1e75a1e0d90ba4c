/** The module `Finance::Quote::Pizarra`, in Finance::Quote and in the programs of GnuCash 4 that use it. */
import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { Board } from '../../src/board/board.ts';
import type { PlainDate } from '../../src/domain/calendar/plain-date.ts';
import type { Ticker } from '../../src/domain/instruments/ticker.ts';
import { makeQuote } from '../../src/domain/quotes/quote.ts';
import { RateLimits } from '../../src/http/admission/rate-limits.ts';
import { RatePlans } from '../../src/auth/rate-plans.ts';
import { blocksIn, project } from '../docs/blocks.ts';
import { startTestServer } from '../support/http/start-test-server.ts';
import { makeUniverse } from '../support/market/make-universe.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { unusedPort } from '../support/program/unused-ports.ts';
import { startRecipeService } from './support/recipe-service.ts';
import { needs, runTool } from './support/run-tool.ts';

const client = join(project, 'clients/perl');
const cleanUp = new AsyncDisposableStack();
after(() => cleanUp.disposeAsync());
const service = cleanUp.use(await startRecipeService({ accessLog: 'all' }));

const financeQuote = needs(['perl', '-MFinance::Quote', '-e', '1'], 'libfinance-quote-perl');
const gnucash = { ...needs(['gnc-fq-check'], 'gnucash'), ...financeQuote };

/** The environment in which a program gets its quotes from the service of this test. */
const environment = {
  PERL5LIB: join(client, 'lib'),
  FQ_LOAD_QUOTELET: '-defaults Pizarra',
  PIZARRA_URL: service.url,
  PIZARRA_KEY: service.key,
};

/** What Finance::Quote gives for some symbols, in one call, as JSON like that which GnuCash 5 reads. */
const program = [
  'use Finance::Quote; use JSON; use utf8;',
  String.raw`my %flat = Finance::Quote->new->fetch('pizarra', @ARGV);`,
  String.raw`my %nested; for (keys %flat) { my ($s, $f) = split /\x1c/, $_, 2; utf8::decode($s); $nested{$s}{$f} = $flat{$_} }`,
  'print encode_json \\%nested;',
].join('\n');

/** The block of a language in the README of the module. */
function shownIn(language: string): string {
  const block = blocksIn('clients/perl/README.md').find((one) => one.language === language);
  return block?.text ?? assert.fail(language);
}

type Fields = Readonly<Record<string, string | number>>;

async function fetchQuotes(
  symbols: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, Fields>>> {
  const { code, stdout, stderr } = await runTool(['perl', '-w', '-e', program, ...symbols], {
    env: { ...environment, ...env },
  });
  assert.equal(code, 0, stderr);
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Readonly<Record<string, Fields>>;
}

function requestsTo(path: string): number {
  return service.server.logged.filter((line) => line['path'] === path).length;
}

test('the tests of the module pass, and its documentation has no fault', financeQuote, async () => {
  const options = { cwd: client };
  const proved = await runTool(['prove', '-w', '-Ilib', 't'], options);
  assert.equal(proved.code, 0, proved.stdout + proved.stderr);
  const checked = await runTool(['podchecker', 'lib/Finance/Quote/Pizarra.pm'], options);
  assert.equal(checked.code, 0, checked.stderr);
});

test('the program in the README of the module prints a price', financeQuote, async () => {
  const command = ['perl', '-w', '-e', shownIn('perl')];
  const { stdout, stderr } = await runTool(command, { env: environment });
  assert.deepEqual({ stdout, stderr }, { stdout: '8340.5 ARS\n', stderr: '' });
});

test('the commands in the README of the module print a quote', gnucash, async () => {
  await using directory = await temporaryDirectory();
  const folder = join(directory.path, '.config/pizarra');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'key'), `${service.key}\n`);
  const commands = shownIn('sh').replace('https://quotes.example', service.url);
  const options = { cwd: project, env: { HOME: directory.path } };
  const { stdout, stderr } = await runTool(['sh', '-c', commands], options);
  assert.match(stdout, /symbol: GGAL .*[^]*last: 8340\.5 /, stderr);
});

test(
  'the programs of GnuCash 4 say that a price cannot be used only without one',
  gnucash,
  async () => {
    const dump = ['gnc-fq-dump', 'pizarra', 'GGAL', 'NOEXISTE'];
    const { stdout } = await runTool(dump, { env: environment });
    assert.equal(stdout.match(/cannot be used by GnuCash/g)?.length, 1, stdout);
    assert.match(stdout, /symbol: NOEXISTE \(deduced\)[^]*cannot be used by GnuCash/);
  },
);

/** The fields of a quote as the helper of GnuCash writes them. */
function fieldsOf(price: string, currency: string): string {
  return `(gnc:time-no-zone . "2026-11-20 12:00:00") (last . #e${price}) (currency . "${currency}")`;
}

test(
  'GnuCash 4 gets exact prices at noon of the session, and #f without one',
  gnucash,
  async () => {
    const input = '(pizarra "AL30" "DOGE" "MEP-CCL")\n';
    const { stdout } = await runTool(['gnc-fq-helper'], { env: environment, input });
    assert.equal(
      stdout,
      `(("AL30" (symbol . "AL30") ${fieldsOf('91250.5', 'ARS')})\n` +
        ` ("DOGE" (symbol . "DOGE") ${fieldsOf('0.00000012', 'USD')})\n #f)\n`,
    );
  },
);

test('GnuCash lists the source beside its own', gnucash, async () => {
  const { stdout } = await runTool(['gnc-fq-check'], { env: environment });
  assert.match(stdout, /^\("[\d.]+" .*"alphavantage".*"pizarra"/);
});

test(
  'several symbols are one request for quotes and one for the instruments',
  financeQuote,
  async () => {
    const [quotes, instruments] = [requestsTo('/cotizaciones'), requestsTo('/especies.json')];
    const { tickers } = {
      tickers: ['GGAL', 'AL30', 'dolar  mep', 'DOLAR/EURO', 'BTC', 'NOEXISTE'],
    };
    const found = await fetchQuotes(tickers);
    assert.equal(requestsTo('/cotizaciones'), quotes + 1);
    assert.equal(requestsTo('/especies.json'), instruments + 1);
    assert.deepEqual(
      tickers.map((ticker) => {
        const { success, symbol, isodate, date, currency, last } = found[ticker] ?? {};
        return [success, symbol, isodate, date, currency, last];
      }),
      [
        [1, 'GGAL', '2026-11-20', '11/20/2026', 'ARS', '8340.5'],
        [1, 'AL30', '2026-11-20', '11/20/2026', 'ARS', '91250.5'],
        [1, 'DOLAR MEP', '2026-11-20', '11/20/2026', 'ARS', '1502.35'],
        [1, 'DOLAR/EURO', '2026-11-20', '11/20/2026', 'USD', '1.1625'],
        [1, 'BTC', '2026-11-20', '11/20/2026', 'USD', '91234.56781234'],
        [0, undefined, undefined, undefined, undefined, undefined],
      ],
    );
  },
);

interface Instrument {
  readonly especie: string;
  readonly moneda: string;
}

test(
  'every price of the market has the digits of the service, and all else is refused',
  financeQuote,
  async () => {
    const headers = { authorization: `Bearer ${service.key}` };
    const read = async (target: string): Promise<string> =>
      (await fetch(`${service.url}${target}`, { headers })).text();
    const instruments = JSON.parse(await read('/especies.json')) as readonly Instrument[];
    const before = requestsTo('/cotizaciones');
    const found = await fetchQuotes(instruments.map(({ especie }) => especie));
    assert.equal(requestsTo('/cotizaciones'), before + Math.ceil(instruments.length / 200));

    const shown = new Map<string, string>();
    for (let at = 0; at < instruments.length; at += 400) {
      const names = instruments
        .slice(at, at + 400)
        .map(({ especie }) => encodeURIComponent(especie));
      const csv = await read(`/cotizaciones?especie=${names.join(',')}&formato=csv`);
      for (const line of csv.trim().split('\r\n').slice(1)) {
        const [especie = '', , , ultimo = ''] = line.split(',');
        shown.set(especie, ultimo);
      }
    }
    assert.equal(shown.size, instruments.length);
    const refused: string[] = [];
    for (const { especie, moneda } of instruments) {
      const { success, last, currency, errormsg } = found[especie] ?? {};
      if (success === 1) assert.deepEqual([last, currency], [shown.get(especie), moneda], especie);
      else refused.push(`${moneda} ${errormsg}`);
    }
    assert.ok(refused.length > 5);
    for (const text of refused)
      assert.match(text, /^(%|bp) Pizarra – «.*» se expresa en «\1», que no es una moneda/);
  },
);

test(
  'a unit that is no currency of ISO 4217 is refused, and an instrument without a quote',
  financeQuote,
  async () => {
    const universe = makeUniverse([
      { ticker: 'ETH', kind: 'crypto', currency: 'USDT' },
      { ticker: 'TASA', kind: 'interest-rate', currency: '%' },
      { ticker: 'UVA', currency: 'UVA' },
      { ticker: 'NUEVA', currency: 'ARS' },
    ]);
    const board = new Board(universe);
    const session = { sessionDate: '2026-11-20' as PlainDate, last: 3000, volume: null };
    board.adopt(
      ['ETH', 'TASA', 'UVA'].map((name, at) =>
        makeQuote(universe.get(name as Ticker), { version: at + 1, session, references: {} }),
      ),
    );
    await using server = await startTestServer({ board });
    const env = { PIZARRA_URL: `http://127.0.0.1:${server.port}`, PIZARRA_KEY: server.key };
    const found = await fetchQuotes(['ETH', 'TASA', 'UVA', 'NUEVA'], env);
    const texts = Object.fromEntries(
      Object.entries(found).map(([symbol, fields]) => {
        assert.deepEqual(Object.keys(fields).toSorted(), ['errormsg', 'success']);
        assert.equal(fields['success'], 0);
        return [symbol, fields['errormsg']];
      }),
    );
    const isNone = 'que no es una moneda de la norma ISO 4217: no es un precio.';
    assert.deepEqual(texts, {
      ETH: `Pizarra – «ETH» se expresa en «USDT», ${isNone}`,
      TASA: `Pizarra – «TASA» se expresa en «%», ${isNone}`,
      UVA: `Pizarra – «UVA» se expresa en «UVA», ${isNone}`,
      NUEVA: 'Pizarra – La especie «NUEVA» no tiene cotización.',
    });
  },
);

test(
  'a symbol that no ticker can be is unknown, and a quoted one is that of KMyMoney',
  financeQuote,
  async () => {
    const found = await fetchQuotes(['GGAL,AL30', '', '%00', 'Ñandú', "'DOLAR MEP'", 'GGAL']);
    const texts = ['GGAL,AL30', '', '%00', 'Ñandú'].map((symbol) => found[symbol]?.['errormsg']);
    assert.deepEqual(texts, [
      'Pizarra – La especie «GGAL,AL30» no existe.',
      'Pizarra – La especie «» no existe.',
      'Pizarra – La especie «%00» no existe.',
      'Pizarra – La especie «ÑANDÚ» no existe.',
    ]);
    assert.equal(found["'DOLAR MEP'"]?.['last'], '1502.35');
    assert.equal(found['GGAL']?.['last'], '8340.5');
  },
);

test(
  'a wrong key, an exceeded limit and no service fail all symbols with a text in Spanish',
  financeQuote,
  async () => {
    const plans = new RatePlans({
      plans: new Map([['once', { requests: 1, seconds: 3600, burst: 1 }]]),
      defaultPlan: 'once',
    });
    await using limited = await startTestServer({ rateLimits: new RateLimits({ plans }) });
    const cases = [
      [{ PIZARRA_KEY: 'pz_wrong' }, /^Pizarra – La clave de acceso no es válida/],
      [
        { PIZARRA_URL: `http://127.0.0.1:${limited.port}`, PIZARRA_KEY: limited.key },
        /^Pizarra – Se superó la cantidad de pedidos admitida\. Reintentar en \d+ s\.$/,
      ],
      [
        { PIZARRA_URL: `http://127.0.0.1:${await unusedPort()}` },
        /^Pizarra – No se pudo conectar con http:/,
      ],
      [{ PIZARRA_URL: `${service.url}/v9` }, /^Pizarra – .*no existe/],
      [{ PIZARRA_KEY: '' }, /^Pizarra – Falta la clave/],
    ] as const;
    for (const [env, text] of cases) {
      const found = await fetchQuotes(['GGAL', 'AL30'], env);
      for (const symbol of ['GGAL', 'AL30']) {
        assert.equal(found[symbol]?.['success'], 0);
        assert.match(String(found[symbol]?.['errormsg']), text);
        assert.ok(!JSON.stringify(found).includes(service.key));
      }
    }
  },
);

test(
  'the distribution has every file that its manifest names, and installs',
  financeQuote,
  async () => {
    await using directory = await temporaryDirectory();
    const copy = join(directory.path, 'distribution');
    await cp(client, copy, { recursive: true });
    const make =
      'perl Makefile.PL INSTALL_BASE="$PWD/installed" && make && make install && make dist';
    const made = await runTool(['sh', '-c', make], { cwd: copy });
    assert.equal(made.code, 0, made.stdout + made.stderr);
    assert.doesNotMatch(made.stdout + made.stderr, /Warning|not found/i);
    const use = [
      'perl',
      '-w',
      '-e',
      'use Finance::Quote::Pizarra; print $INC{"Finance/Quote/Pizarra.pm"}',
    ];
    const env = { PERL5LIB: join(copy, 'installed/lib/perl5') };
    assert.match((await runTool(use, { env })).stdout, /distribution\/installed\//);
  },
);
