import { signal } from '@preact/signals';

import { silentSince } from '../market/connection.ts';
import { formatDay } from '../market/format/numbers.ts';
import { serviceNow } from '../market/health-watch.ts';
import { buenosAiresDay, formatClock } from '../market/format/buenos-aires.ts';
import { isPrinted } from '../ui/preferences.ts';
import { pageTitle } from '../ui/use-page-title.ts';

/** When the page was printed, by the clock of the service. Undefined before the first print. */
const printedAt = signal<number | undefined>(undefined);

/** Notes the time of each print, and gives the paper light colours. */
export function watchPrint(): void {
  const printing = matchMedia('print');
  const note = () => {
    if (printing.matches) printedAt.value = serviceNow();
    isPrinted.value = printing.matches;
  };
  printing.addEventListener('change', note);
}

/** The first line of a printed page: what it is, and of when. A screen does not show it. */
export function PrintLine() {
  const { value: printed } = printedAt;
  if (printed === undefined) return null;
  const since = silentSince.value;
  return (
    <p class="print-line">
      <strong>{pageTitle.value}</strong> · Impreso el {momentOf(printed)} · Datos del{' '}
      {momentOf(since ?? printed)} (hora de Buenos Aires)
    </p>
  );
}

/** A day and a time: `26/11/2026 a las 11:00:05`. */
function momentOf(epochMs: number): string {
  return `${formatDay(buenosAiresDay(epochMs))} a las ${formatClock(epochMs)}`;
}
