import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { formatClock } from '../../market/format/buenos-aires.ts';
import { serviceNow } from '../../market/health-watch.ts';

/** The time of the service in Buenos Aires, to the second. */
export function WallClock() {
  const now = useSignal(serviceNow());
  useEffect(() => {
    const timer = setInterval(() => {
      now.value = serviceNow();
    }, 1_000);
    return () => clearInterval(timer);
  }, [now]);
  return <time class="wall-clock">{formatClock(now.value)}</time>;
}
