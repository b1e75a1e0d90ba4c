import { connection } from './market/connection.ts';
import { whenIdleAfter } from './ui/when-idle.ts';

/**
 * Prepares the page for a time without a network, once it shows live quotes and has nothing else to do: the
 * service worker stores its files. So nothing of it delays the first view.
 * Browsers offer this only over HTTPS and on the same machine.
 */
export function openOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  whenIdleAfter(
    () => connection.value?.kind === 'live',
    () => void register(),
  );
}

async function register(): Promise<void> {
  const script = new URL('service-worker.js', document.baseURI);
  // The service worker stores several times as much as the first view takes, so the typeface comes before it.
  await document.fonts.load('1em Inter').catch(() => []);
  try {
    await navigator.serviceWorker.register(script, { updateViaCache: 'none' });
  } catch {
    // The browser or a policy forbids service workers. The page works as before, with a network.
  }
}
