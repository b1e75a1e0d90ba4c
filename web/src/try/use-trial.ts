import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { apiKey } from '../key/api-key.ts';
import { send, sendStream, type Answer } from './try-request.ts';

/** A request of the page and its response. */
interface Trial {
  readonly answer: Answer | undefined;
  readonly isBusy: boolean;
  readonly start: (url: string) => void;
  /** Ends a stream. */
  readonly stop: () => void;
}

/** Sends requests of one operation. A stream ends when the component is unmounted. */
export function useTrial(isStream: boolean): Trial {
  const answer = useSignal<Answer | undefined>(undefined);
  const isBusy = useSignal(false);
  const stream = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stream.current?.abort(), []);
  const run = async (url: string) => {
    isBusy.value = true;
    if (isStream) {
      const { signal } = (stream.current = new AbortController());
      const report = (next: Answer) => {
        answer.value = next;
      };
      await sendStream(url, apiKey.value, { signal, report });
    } else answer.value = await send(url, apiKey.value);
    isBusy.value = false;
  };
  return {
    answer: answer.value,
    isBusy: isBusy.value,
    start: (url) => void run(url),
    stop: () => stream.current?.abort(),
  };
}
