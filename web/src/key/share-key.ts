import { effect } from '@preact/signals';

import {
  apiKey,
  forgetKey,
  keepingOf,
  storageName,
  takeKey,
  usableKey,
  type Keeping,
} from './api-key.ts';
import { canBeKey } from './key-form.ts';

/** A message between the tabs of one service. A browser delivers it within the same origin only. */
type Message =
  | { readonly kind: 'wanted' }
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'given'; readonly key: string; readonly keeping: Keeping };

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(storageName) : undefined;

/** Asks the open tabs for their key if this one has none, and gives them its own when they ask and when it is new. */
export function shareKey(): void {
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const key = usableKey.peek();
    switch (data.kind) {
      case 'wanted':
        if (key !== undefined) send({ kind: 'given', key, keeping: keepingOf() });
        break;
      case 'given':
        // A key that the service refused stays refused.
        if (key === undefined && apiKey.peek() !== data.key && canBeKey(data.key)) {
          takeKey(data.key, data.keeping);
        }
        break;
      case 'forgotten':
        forgetKey();
        break;
    }
  });
  if (apiKey.peek() === undefined) send({ kind: 'wanted' });
  effect(() => {
    const key = usableKey.value;
    if (key !== undefined) send({ kind: 'given', key, keeping: keepingOf() });
  });
}

/** Deletes the key in all tabs. */
export function forgetEverywhere(): void {
  forgetKey();
  send({ kind: 'forgotten' });
}

function send(message: Message): void {
  // The rule is for windows: a channel takes no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message);
}
