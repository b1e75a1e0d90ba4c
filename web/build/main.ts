import { buildWhenStale } from './build-when-stale.ts';

const outcome = await buildWhenStale();
if (outcome === 'no-tools') {
  process.stderr.write(
    'The playground is not built: Vite is not installed ("npm ci" without --omit=dev brings it).\n',
  );
}
