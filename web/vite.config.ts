import { resolve } from 'node:path';

import type { InlineConfig } from 'vite';

import { compressOutput } from './build/compress-output.ts';
import { preloadFont } from './build/preload-font.ts';

/** How the playground is built: `scripts/prepare.ts` runs Vite with this configuration. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: import.meta.dirname,
  // Addresses are relative, so the same files serve under any base path.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    // Assets stay files: a data: URL would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    // The reference is one library, and is loaded only when it is opened.
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // It would remark that compressing takes most of the time.
      checks: { pluginTimings: false },
      input: resolve(import.meta.dirname, 'index.html'),
    },
  },
  plugins: [preloadFont(), compressOutput()],
};
