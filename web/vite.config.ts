import { resolve } from 'node:path';

import type { InlineConfig } from 'vite';

import { compressOutput } from './build/compress-output.ts';
import { inlineEarlyScript } from './build/inline-early-script.ts';
import { writeNotices } from './build/notices/plugin.ts';
import { writeServiceWorker } from './build/offline/write-service-worker.ts';
import { assetName, subsetFonts } from './build/subset-font.ts';

/** The build configuration of the playground. `scripts/prepare.ts` runs Vite with it. */
export const viteConfig: InlineConfig = {
  configFile: false,
  root: import.meta.dirname,
  // URLs are relative, so the same files work under any base path.
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // Named widths of the screen (`@custom-media`).
  css: { transformer: 'lightningcss', lightningcss: { drafts: { customMedia: true } } },
  build: {
    target: 'es2023',
    // Do not inline assets: a data: URL would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Vite would warn that compression takes most of the time.
      checks: { pluginTimings: false },
      input: resolve(import.meta.dirname, 'index.html'),
      // One file for the first view: it takes one request, however many pages share its modules.
      output: {
        codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] },
        assetFileNames: assetName,
      },
    },
  },
  plugins: [
    subsetFonts(),
    inlineEarlyScript(),
    writeNotices(),
    writeServiceWorker(),
    compressOutput(),
  ],
};
