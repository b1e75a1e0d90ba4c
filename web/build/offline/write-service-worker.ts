import { createHash } from 'node:crypto';
import { resolve } from 'node:path';

import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

const web = resolve(import.meta.dirname, '../..');

/**
 * Writes `service-worker.js` with the list of the files of this build. It is a bundle of its own, because
 * older browsers run no modules in a service worker. Its name has no hash, because browsers look for a new
 * version at the same address.
 */
export function writeServiceWorker(): Plugin {
  return {
    name: 'pizarra:service-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .toSorted();
      const page = bundle['index.html'];
      if (page?.type !== 'asset') throw new Error('the build has no page');
      // The page itself has no hash in its name.
      const hash = createHash('sha256').update(JSON.stringify(files));
      hash.update(page.source);
      const version = hash.digest('hex').slice(0, 12);
      await using built = await rolldown({
        input: resolve(web, 'src/offline/service-worker.ts'),
        transform: {
          define: {
            offlineFiles: JSON.stringify(files),
            offlineVersion: JSON.stringify(version),
          },
        },
      });
      const { output } = await built.generate({ format: 'iife', minify: true });
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: output[0].code });
    },
  };
}
