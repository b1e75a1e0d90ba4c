/**
 * Runs the end-to-end tests with their data in a PostgreSQL server that this run starts: `npm run test:postgres`,
 * or `npm run test:postgres -- test/e2e/keys.test.ts` for single files.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { availableParallelism } from 'node:os';

import { startPostgres } from '../support/postgres/postgres-server.ts';
import { lacksPostgres } from '../support/postgres/postgres-programs.ts';
import { postgresVariable } from '../support/program/test-store.ts';
import { once } from '../support/wait.ts';
import { excludedFiles, excludedTests } from './excluded.ts';
import { postgresTestFiles } from './files.ts';

/** Maximum time of the whole run, in milliseconds. */
const runMsMax = 3_600_000;

const project = join(import.meta.dirname, '../..');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const lacks = lacksPostgres();
if (lacks === false) process.exitCode = await run(process.argv.slice(2));
else print(`SKIPPED: ${lacks}`);

async function run(chosen: readonly string[]): Promise<number> {
  await using server = await startPostgres({
    // `doctor` refuses a server that may lose acknowledged data.
    isDurable: true,
    settings: { max_connections: '500' },
  });
  const files = chosen.length > 0 ? chosen : await postgresTestFiles();
  const skipped = excludedTests.map(({ test }) => `--test-skip-pattern=/^${escaped(test)}$/`);
  const args = [
    '--test',
    `--test-concurrency=${Math.max(2, availableParallelism())}`,
    '--test-timeout=3600000',
    ...skipped,
    ...files,
  ];
  const child = spawn(process.execPath, args, {
    cwd: project,
    stdio: 'inherit',
    env: { ...process.env, [postgresVariable]: server.url('public') },
  });
  const [code] = (await once(child, 'exit', { withinMs: runMsMax })) as [number | null];
  if (chosen.length === 0) report();
  return code ?? 1;
}

/** Says what has not run, and why. */
function report(): void {
  print(`not run over PostgreSQL: ${excludedFiles.length} files, ${excludedTests.length} tests`);
  for (const { file, reason } of excludedFiles) print(`  ${file}: ${reason}`);
  for (const { file, test, reason } of excludedTests) print(`  ${file}, "${test}": ${reason}`);
}

function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
