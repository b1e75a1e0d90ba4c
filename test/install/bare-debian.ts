import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt, run } from './commands.ts';

/** The oldest Debian release that the documents support. */
const suite = 'bookworm';

/** Why no bare machine can be created here; undefined when one can. */
export function obstacle(tools: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can create a system to install in';
  const missing = tools.filter((tool) => attempt(['sh', '-c', `command -v ${tool}`]).status !== 0);
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed`;
}

/**
 * Creates the file system of a Debian with only its essential packages. It has the mirror, the resolver, the
 * certificate authorities and the npm registry of this machine.
 */
export function makeBareDebian(root: string): void {
  const targets = run(['apt-get', 'indextargets', '--format', '$(ORIGIN) $(REPO_URI)']);
  const mirrors = Array.from(targets.matchAll(/^Debian (\S+)$/gm), ([, uri = '']) => uri);
  const mirror = mirrors.find((uri) => !uri.includes('security'));
  if (mirror === undefined) throw new Error('apt on this machine has no mirror of Debian');
  run(['debootstrap', '--variant=minbase', suite, root, mirror]);

  const settings = run(['apt-config', 'dump', '--format', '%f "%v";%n', 'Acquire']);
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99test'), settings);
  // The system is only needed for the test, so packages need not be synced to disk.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/test'), 'force-unsafe-io\n');
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/usr/local/share/ca-certificates']) {
    if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
  const registry = run(['npm', 'config', 'get', 'registry']).trim();
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  writeFileSync(join(root, 'etc/npmrc'), `registry=${registry}\ncafile=${authorities}\n`);
}
