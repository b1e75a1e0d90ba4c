import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

const sources = resolve(import.meta.dirname, '../src');

/**
 * Writes the script that begins requests into the page, so that it takes no request of its own. The service
 * allows this script by its digest.
 */
export function inlineEarlyScript(): Plugin {
  return {
    name: 'pizarra:inline-early-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(_html, { bundle = {} }) {
        const typeface = Object.keys(bundle).find((name) => name.endsWith('.woff2'));
        if (typeface === undefined) throw new Error('the build has no typeface');
        const styles = await readFile(resolve(sources, 'styles/breakpoints.css'), 'utf8');
        const screens = { split: screensIn(styles, 'split'), small: screensIn(styles, 'small') };
        await using built = await rolldown({
          input: resolve(sources, 'open-early.ts'),
          transform: {
            target: 'es2023',
            define: { screens: JSON.stringify(screens), typeface: JSON.stringify(`./${typeface}`) },
          },
        });
        const { output } = await built.generate({ format: 'iife', minify: true });
        // After the code in the page, which the browser requests first.
        return [{ tag: 'script', children: output[0].code.trim(), injectTo: 'head' }];
      },
    },
  };
}

/** The screens of a size that the styles name. */
function screensIn(styles: string, name: string): string {
  const [, size] = new RegExp(`--${name} (\\(.*\\));`).exec(styles) ?? [];
  if (size === undefined) throw new Error(`the styles name no size "${name}"`);
  return size;
}
