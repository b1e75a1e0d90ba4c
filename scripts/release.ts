/**
 * Makes a release up to its publication: `npm run release -- 1.2.3`. docs/releasing.md describes it.
 *
 * It writes the version and the changelog, builds the files of the release, commits and tags. It publishes
 * nothing: it prints the commands that do. When a step fails, the clone is as before.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { buildArtifacts } from './release/artifacts.ts';
import { readManifest } from './package/manifest.ts';
import { releaseChanges } from './release/changelog.ts';
import { run } from './release/run.ts';
import { requireNotOlder } from './release/version.ts';
import { setVersion } from './release/versioned-files.ts';

const project = join(import.meta.dirname, '..');

try {
  await release(process.argv[2] ?? '');
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function release(version: string): Promise<void> {
  const git = (...args: readonly string[]): string => run('git', args, project).trim();
  const { version: current } = await readManifest(project);
  requireNotOlder(version, String(current));
  if (git('status', '--porcelain') !== '') throw new Error('Commit or remove the changes first.');
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists.`);

  const before = git('rev-parse', 'HEAD');
  const date = Temporal.Now.plainDateISO('America/Argentina/Buenos_Aires').toString();
  const changelog = join(project, 'CHANGELOG.md');
  const released = releaseChanges(await readFile(changelog, 'utf8'), { version, date });
  let folder: string;
  try {
    await writeFile(changelog, released.changelog);
    await setVersion(project, version);
    folder = await buildArtifacts(project, { version, notes: released.notes });
    git('commit', '--quiet', '--all', '--message', `release: ${version}`);
    git(
      'tag',
      '--annotate',
      `v${version}`,
      '--cleanup=verbatim',
      '--message',
      `Pizarra ${version}\n\n${released.notes}`,
    );
  } catch (error) {
    // Without a tag, the commit must not stay either. The tree was clean.
    git('reset', '--quiet', '--hard', before);
    throw error;
  }
  process.stdout.write(await nextSteps(version, folder));
}

/** The files of the release, and the commands that publish it. */
async function nextSteps(version: string, folder: string): Promise<string> {
  const names = (await readdir(folder)).toSorted();
  const archives = names.filter((name) => name.endsWith('.tgz'));
  const python = names.filter((name) => name.startsWith('pizarra_client-'));
  const perl = names.filter((name) => name.startsWith('Finance-Quote-'));
  // A pre-release must not become what "npm install" chooses.
  const tag = version.includes('-') ? ' --tag next' : '';
  return [
    `Pizarra ${version} is committed and tagged as v${version}. Its files are in ${folder}:`,
    ...names.map((name) => `  ${name}`),
    '',
    'Nothing is published yet. docs/releasing.md says what to check before. Then:',
    '  git push --follow-tags',
    ...archives.map((name) => `  npm publish ${join(folder, name)}${tag}`),
    ...python.map((name) => `  twine upload ${join(folder, name)}`),
    ...perl.map((name) => `  cpan-upload ${join(folder, name)}`),
    '',
  ].join('\n');
}
