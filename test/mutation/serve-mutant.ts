/**
 * Preloaded with `--import` into every process and thread of a test. It loads one source file with a mutant
 * instead of the file on disk. The files of the repository are never changed.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { MUTANT_URL, MUTANT_SOURCE } = process.env;

if (MUTANT_URL !== undefined && MUTANT_SOURCE !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      if (url !== MUTANT_URL) return nextLoad(url, context);
      const source = readFileSync(MUTANT_SOURCE, 'utf8');
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
