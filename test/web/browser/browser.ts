import { existsSync } from 'node:fs';

import { chromium, type Browser } from 'playwright-core';

/** The path of Debian's Chromium. The variable `CHROMIUM` sets another one. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why the browser tests cannot run; undefined when they can. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `there is no browser at ${executablePath} (Debian: apt-get install chromium)`;

/** Starts a real browser without a window. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}
