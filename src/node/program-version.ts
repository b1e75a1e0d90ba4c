import { readFileSync } from 'node:fs';

/** The version of the program, as its package names it. */
export function programVersion(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { readonly version: string };
  return version;
}
