/**
 * Adds to package-lock.json the platform binaries that a package names as optional and `npm install`
 * left out, because the registry it asked does not carry them. `npm ci` refuses a lock without them
 * ("Missing: … from lock file"), even on platforms that need none of them.
 *
 * Run it after `npm install` where `npm ci` says so: `npm run lockfile`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface LockEntry {
  readonly version?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const systems = new Set([
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'sunos',
  'win32',
]);
const processors = new Set(['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64']);

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };

const added: string[] = [];
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (key in lock.packages || !/^\d/.test(version)) continue;
    lock.packages[key] = {
      version,
      ...platformOf(name),
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
    };
    added.push(`${name}@${version}`);
  }
}
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} added\n${added.join('\n')}\n`);

/** The platform that a binary's name tells: `…-linux-x64-musl`, `…/darwin-arm64`. */
function platformOf(name: string): { os: string[]; cpu: string[]; libc?: string[] } {
  const words = name.split(/[/-]/);
  const os = words.filter((word) => systems.has(word));
  const cpu = words.filter((word) => processors.has(word)).slice(0, 1);
  if (os.length !== 1 || cpu.length !== 1) throw new Error(`${name} names no platform`);
  const isMusl = words.some((word) => word.startsWith('musl'));
  const isGnu = words.some((word) => word.startsWith('gnu'));
  const libc = isMusl ? ['musl'] : ['glibc'];
  return { os, cpu, ...(os[0] === 'linux' && (isMusl || isGnu) ? { libc } : {}) };
}
