/**
 * Compares Pizarra with its alternatives on the same requests: nginx with the responses as static files, a
 * bare Node server, Fastify with one query per request over SQLite and PostgreSQL, and InfluxDB.
 * bench/README.md explains what is measured, and docs/performance.md shows a result.
 *
 * Usage: npm run bench -- --help
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describeMachine } from './result/machine.ts';
import { measureCase, type Contender, type Plan } from './load/measure.ts';
import { carriers, type Carrier, type Case } from './cases/cases.ts';
import { writeCertificate } from './cases/certificate.ts';
import { startContenders } from './load/contenders.ts';
import { openDataset, type Dataset } from './cases/dataset.ts';
import { replaceSection, reportMarkdown } from './result/markdown.ts';
import { readOptions, usage, type Options } from './cases/options.ts';
import { takeAnswers } from './cases/own-answers.ts';
import { plot } from './result/plot.ts';
import { reportCase, type CaseReport, type Report } from './result/report.ts';
import { ownName, unscaledName, type Side } from './cases/side.ts';
import { bareNodeSide } from './sides/bare-node.ts';
import { fastifyPostgresSide } from './sides/fastify-postgres.ts';
import { fastifySqliteSide } from './sides/fastify-sqlite.ts';
import { influxdbSide } from './sides/influxdb.ts';
import { nginxSide } from './sides/nginx.ts';
import { dataDirectoryIn, startPizarra, type OwnSide } from './sides/pizarra.ts';
import { measureStartUp } from './load/start-up.ts';
import { barLines, judge } from './result/bars.ts';
import { measurePaced, type PacedReport } from './load/paced.ts';
import { casesTable, pacedTable, startUpLines, updateLines } from './result/tables.ts';
import { measureUpdatesAlone } from './load/updates-alone.ts';
import { whichProgram } from '../support/pinned-process.ts';
import { say } from '../support/print.ts';
import { untilIdle } from '../support/process-tree.ts';

/** Pizarra with the default history, for comparison with a larger history. */
const unscaledSide: Side = {
  name: unscaledName,
  title: 'Pizarra, default history',
  missing: async () => undefined,
  start: async ({ cache, scratch }) =>
    startPizarra(await openDataset(cache, 1), dataDirectoryIn(scratch, unscaledName)),
};

const rivals: readonly Side[] = [
  nginxSide,
  bareNodeSide,
  fastifySqliteSide,
  fastifyPostgresSide,
  influxdbSide,
];

const options = readOptions(process.argv.slice(2));
if (options === undefined) say(usage);
else await compare(options);

async function compare(wish: Options): Promise<void> {
  const tools = ['wrk', 'taskset', ...(wish.cases.some(isOverHttp2) ? ['h2load'] : [])];
  for (const tool of tools) {
    if ((await whichProgram(tool)) === undefined)
      throw new Error(`${tool} is not installed. The bench needs it.`);
  }
  await mkdir(wish.cache, { recursive: true });
  const dataset = await openDataset(wish.cache, wish.scale);
  const scratch = await mkdtemp(join(wish.cache, 'run-'));
  try {
    // PostgreSQL runs as another user, and its directory is in this one.
    await chmod(scratch, 0o711);
    const machine = await describeMachine(new Date());
    const startUp = wish.startUp ? await measureStartUp(dataset, scratch) : undefined;
    for (const line of startUp === undefined ? [] : startUpLines(startUp)) say(line);
    const compared = await compareSides(wish, dataset, scratch);
    const report: Report = {
      machine,
      rounds: wish.rounds,
      seconds: wish.seconds,
      rows: dataset.rows,
      ...compared,
      ...(startUp === undefined ? {} : { startUp }),
    };
    say(`\n${casesTable(report)}`);
    for (const line of updateLines(report)) say(line);
    say(`\n${pacedTable(report.paced)}`);
    for (const line of ['', ...barLines(judge(report))]) say(line);
    if (wish.json !== undefined) await writeFile(wish.json, `${JSON.stringify(report, null, 2)}\n`);
    if (wish.plot !== undefined) await writeFile(wish.plot, plot(report));
    if (wish.docs) await writeDocs(wish, report);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Writes the result into docs/performance.md. A larger history has its own section, without a plot. */
async function writeDocs({ scale }: Options, report: Report): Promise<void> {
  const page = resolve(import.meta.dirname, '../../docs/performance.md');
  const section = scale > 1 ? 'ten times' : 'result';
  const text = await readFile(page, 'utf8');
  await writeFile(page, replaceSection(text, section, reportMarkdown(report)));
  if (scale === 1) await writeFile(page.replace(/md$/, 'svg'), plot(report));
  await promisify(execFile)('npx', ['oxfmt', page]);
}

async function compareSides(
  wish: Options,
  dataset: Dataset,
  scratch: string,
): Promise<Pick<Report, 'sides' | 'cases' | 'updateUs' | 'paced'>> {
  await using running = new AsyncDisposableStack();
  const own = running.use(await startPizarra(dataset, dataDirectoryIn(scratch, 'own')));
  const setup = {
    dataset,
    cache: wish.cache,
    scratch,
    key: own.key,
    certificate: await writeCertificate(scratch),
    ...(await takeAnswers(own, dataset)),
  };
  const contenders: Contender[] = [{ name: ownName, title: 'Pizarra', side: own }];
  const sides: { name: string; title: string; version?: string; skipped?: string }[] = [
    { name: ownName, title: 'Pizarra', version: own.version },
  ];
  for (const rival of rivalsOf(wish)) {
    const { name, title } = rival;
    const missing = await rival.missing();
    if (missing === undefined) {
      const side = running.use(await rival.start(setup));
      contenders.push({ name, title, side });
      sides.push({ name, title, version: side.version });
    } else {
      say(`${title} skipped: ${missing} is not installed`);
      sides.push({ name, title, skipped: `${missing} is not installed` });
    }
  }
  const plan = { ...wish, ...setup, universe: dataset.universe };
  await untilIdle(own.pids);
  const reports = new Map<string, CaseReport>();
  const measure = async (carrier: Carrier, sidesOf: readonly Contender[]): Promise<void> => {
    for (const one of wish.cases.filter((other) => other.carrier === carrier)) {
      say(`${one.title} …`);
      reports.set(one.name, reportCase(await measureCase(one, sidesOf, plan)));
    }
  };
  await measure('http', contenders);
  const hasUpdates = wish.cases.some(({ withUpdates }) => withUpdates);
  const updateUs = hasUpdates ? await measureUpdatesAlone(contenders, plan) : {};
  const paced = await compareAtPace(wish, own, plan);
  await running.disposeAsync();
  for (const carrier of carriers) {
    if (wish.scale > 1 || !wish.cases.some((one) => one.carrier === carrier)) continue;
    await using others = await startContenders(carrier, setup);
    await untilIdle(others.all.flatMap(({ side }) => side.pids));
    await measure(carrier, others.all);
    for (const { name, title, side } of others.all) {
      if (sides.some((one) => one.name === name)) continue;
      sides.push({ name, title, version: side.version });
    }
  }
  const cases = wish.cases.flatMap(({ name }) => reports.get(name) ?? []);
  return { sides, cases, updateUs, paced };
}

function isOverHttp2({ carrier }: Case): boolean {
  return carrier === 'h2';
}

function rivalsOf({ scale, rivals: names }: Options): readonly Side[] {
  if (scale > 1) return [unscaledSide];
  return rivals.filter(({ name }) => names?.includes(name) ?? true);
}

/** Measures the selected cases of quotes at a steady rate, without and with updates. */
async function compareAtPace(
  wish: Options,
  own: OwnSide,
  plan: Plan,
): Promise<readonly PacedReport[]> {
  const quotes = wish.cases.filter(
    ({ question, manner, withUpdates, carrier }) =>
      carrier === 'http' && question.kind !== 'history' && manner === 'plain' && !withUpdates,
  );
  const paced: PacedReport[] = [];
  for (const one of quotes) {
    say(`${one.title}, at a steady rate …`);
    paced.push(await measurePaced(one, own, plan));
  }
  return paced;
}
