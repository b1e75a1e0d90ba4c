/// <reference types="./subset-font-package.d.ts" />

import { createHash } from 'node:crypto';

import subsetFont from 'subset-font';
import type { Plugin, Rolldown } from 'vite';

/** What the pages take of the typeface. Other characters come from a typeface of the reader's machine. */
const taken = {
  /** ASCII, the letters of Spanish and of names in languages near to it, and the signs of the texts of the pages. */
  text: [
    characters(0x20, 0x7e),
    'ÁÉÍÓÚÜÑÀÂÃÇÊÔÕÖáéíóúüñàâãäåçèêëîïôõöøû',
    '\u00a0¡¿ªº«»°·±²³×÷½©®–—‘’“”•…€™−←↑→↓',
  ].join(''),
  options: {
    targetFormat: 'woff2',
    /** Kerning, figures of equal width, and colons between figures at the height of the figures. */
    keepFeatures: ['kern', 'tnum', 'calt'],
    /** The weights of the styles. */
    variationAxes: { wght: { min: 400, max: 700 } },
  },
} as const;

/** The name of a file of the build. The hash is of the source, so the name of a font has what is taken of it too. */
export function assetName({ names }: Rolldown.PreRenderedAsset): string {
  const isFont = names.some((name) => name.endsWith('.woff2'));
  const part = createHash('sha256').update(JSON.stringify(taken)).digest('hex').slice(0, 8);
  return isFont ? `assets/[name]-${part}-[hash][extname]` : 'assets/[name]-[hash][extname]';
}

/** Leaves out of the typeface what no page shows, which is half of its bytes. */
export function subsetFonts(): Plugin {
  return {
    name: 'pizarra:subset-fonts',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue;
        file.source = await subsetFont(Buffer.from(file.source), taken.text, taken.options);
      }
    },
  };
}

function characters(first: number, last: number): string {
  const points = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  return String.fromCodePoint(...points);
}
