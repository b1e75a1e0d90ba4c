import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Packs a staged folder with npm. The same files give the same archive, because npm gives every file the
 * same date.
 *
 * @returns the path of the archive.
 * @throws with the output of npm.
 */
export function pack(stage: string, destination: string): string {
  const args = ['pack', stage, '--json', '--ignore-scripts', '--pack-destination', destination];
  const { error, status, stdout, stderr } = spawnSync('npm', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`npm cannot pack ${stage}:\n${stderr}`);
  const [packed] = JSON.parse(stdout) as readonly { readonly filename: string }[];
  if (packed === undefined) throw new Error(`npm packed nothing of ${stage}`);
  return join(destination, packed.filename);
}
