import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { attempt, run } from './commands.ts';

/** The oldest Debian for which the documents claim that the installation works. */
const suite = 'bookworm';

/** Why no bare machine can be made here, if so. */
export function obstacle(tools: readonly string[]): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can make another system to install in';
  const missing = tools.filter((tool) => attempt(['sh', '-c', `command -v ${tool}`]).status !== 0);
  return missing.length === 0 ? undefined : `${missing.join(', ')} not installed`;
}

/**
 * Makes the file system of a Debian with nothing but its essential packages. It reaches the package
 * registries as this machine does: the same mirror, resolver, certificate authorities and npm
 * registry.
 */
export function makeBareDebian(root: string): void {
  const targets = run(['apt-get', 'indextargets', '--format', '$(ORIGIN) $(REPO_URI)']);
  const mirrors = Array.from(targets.matchAll(/^Debian (\S+)$/gm), ([, uri = '']) => uri);
  const mirror = mirrors.find((uri) => !uri.includes('security'));
  if (mirror === undefined) throw new Error('apt on this machine names no mirror of Debian');
  run(['debootstrap', '--variant=minbase', suite, root, mirror]);

  const settings = run(['apt-config', 'dump', '--format', '%f "%v";%n', 'Acquire']);
  writeFileSync(join(root, 'etc/apt/apt.conf.d/99test'), settings);
  // Nothing of it outlives the test, so it need not survive a power cut.
  writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/test'), 'force-unsafe-io\n');
  for (const path of ['/etc/resolv.conf', '/etc/hosts', '/usr/local/share/ca-certificates']) {
    if (existsSync(path)) cpSync(path, join(root, path), { recursive: true, dereference: true });
  }
  const registry = run(['npm', 'config', 'get', 'registry']).trim();
  const authorities = '/etc/ssl/certs/ca-certificates.crt';
  writeFileSync(join(root, 'etc/npmrc'), `registry=${registry}\ncafile=${authorities}\n`);
}
