import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';

const defaultUniverse = resolve(import.meta.dirname, '../../universe');

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * Writes the default universe to a new directory, with all markets open at all hours. A bench pushes updates
 * with the current time, and updates outside the hours of a market change nothing.
 *
 * @param more further instruments, as lines of `instruments.csv`.
 */
export async function writeAlwaysOpenUniverse(
  directory: string,
  more: readonly string[] = [],
): Promise<void> {
  await cp(defaultUniverse, directory, { recursive: true });
  await appendFile(join(directory, 'instruments.csv'), more.map((line) => `${line}\n`).join(''));
  const file = join(directory, 'markets.yaml');
  const { markets } = parse(await readFile(file, 'utf8')) as {
    readonly markets: Readonly<
      Record<string, { readonly name: string; readonly timeZone: string }>
    >;
  };
  const open = Object.entries(markets).map(([code, { name, timeZone }]) => [
    code,
    { name, timeZone, weekdays: everyDay, hours: [{ open: '00:00', close: '24:00' }] },
  ]);
  await writeFile(file, stringify({ markets: Object.fromEntries(open) as unknown }));
}
