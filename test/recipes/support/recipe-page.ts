import assert from 'node:assert/strict';
import { after } from 'node:test';

import { blocksIn, type Block } from '../../docs/blocks.ts';

/** The fenced blocks of a page of `docs/integraciones/` that a test of this folder must run or parse. */
export interface RecipePage {
  /** Takes the blocks of a language, in order, below a heading or in the whole page. Fails without one. */
  take(language: string, heading?: string): readonly string[];
}

/**
 * Reads the blocks of a page that are marked with `receta` (CONTRIBUTING.md). After the tests of the file,
 * it fails if no test took one of them, so take them outside of tests that may be skipped.
 *
 * @param name the name of the page: `libreoffice.md`.
 */
export function readRecipe(name: string): RecipePage {
  const left = new Set<Block>(
    blocksIn(`docs/integraciones/${name}`).filter(({ isRecipe }) => isRecipe),
  );
  after(() => {
    const lines = [...left].map(({ document, line }) => `${document}:${line}`);
    assert.deepEqual(lines, [], 'blocks that no test takes');
  });
  return {
    take: (language, heading) => {
      const taken = [...left].filter(
        (block) =>
          block.language === language && (heading === undefined || block.heading === heading),
      );
      assert.ok(taken.length > 0, `${name}: no block ${language} receta ${heading ?? ''}`);
      for (const block of taken) left.delete(block);
      return taken.map(({ text }) => text);
    },
  };
}
