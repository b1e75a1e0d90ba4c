import { existsSync } from 'node:fs';

import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

/** Where Debian puts its Chromium; another may be named. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why the tests in a browser cannot run here, or undefined when they can. */
export const noBrowser: string | undefined = existsSync(executablePath)
  ? undefined
  : `there is no browser at ${executablePath} (Debian: apt-get install chromium)`;

/** A real browser without a screen. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
}
