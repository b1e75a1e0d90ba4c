import { signal } from '@preact/signals';

/** Whether the service has responded since the page was opened. */
export const wasReached = signal(false);

/** Whether the latest attempt found no service. */
export const isUnreached = signal(false);
