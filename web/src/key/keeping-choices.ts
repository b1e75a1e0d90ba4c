import type { Keeping } from './api-key.ts';

/** Whether the service runs on the machine of the browser. */
export const isOnThisMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(location.hostname);

/** How long a key may be kept. On the machine of the service, where nobody else is, the longest is first. */
export const keepings: readonly Exclude<Keeping, 'page'>[] = isOnThisMachine
  ? ['device', 'tab']
  : ['tab', 'device'];
