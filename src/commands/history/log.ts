import { fromEpochDay, parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { ChangedValue, FieldChange } from '../../domain/history/field-changes.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { listChanges } from '../../operator/history/change-log.ts';
import { requireIndex } from '../../operator/indices/check-series.ts';
import { command } from '../form/command.ts';
import { rows, type Rows } from '../form/report.ts';

export const log = command({
  name: 'log',
  summary:
    'list the changes of the closes, corporate actions and bond terms of an instrument, the latest first',
  args: {
    first: ['[TICKER]', 'the instrument; absent with --index'],
    second: ['[DATE]', 'a day (YYYY-MM-DD), whose first value is listed too'],
  },
  flags: {
    index: { value: '<INDEX>', text: 'list the changes of the values of an index instead' },
    json: { text: 'print one JSON array' },
  },
  settings: ['store'],
  examples: [
    'pizarra history log GGAL',
    'pizarra history log GGAL 2026-11-18',
    'pizarra history log --index CER --json',
  ],
  async run({ args, flags, configuration }) {
    const { subject, day } = subjectIn(args, flags.index);
    const { settings } = await configuration();
    const changes = changeRows(await listChanges({ storeAt: settings.store, subject, day }));
    if (changes.objects.length > 0) return { sections: [changes] };
    return { sections: ['Nothing was replaced.'], json: [] };
  },
});

/** What the arguments of a command name: an instrument or an index, and a day, if they name one. */
export interface ChangeSubject {
  readonly subject: { readonly ticker: string } | { readonly index: IndexName };
  readonly day: PlainDate | undefined;
}

/** Reads the arguments `[TICKER] [DATE]`. With an index, the only argument is the day. */
export function subjectIn(
  { first, second }: { readonly first: string | undefined; readonly second: string | undefined },
  index: string | undefined,
): ChangeSubject {
  if (index !== undefined) {
    if (second !== undefined) throw new UsageFault('With --index, the only argument is the day.');
    return { subject: { index: requireIndex(index) }, day: dayIn(first) };
  }
  if (first === undefined) throw new UsageFault('Name an instrument, or an index with --index.');
  return { subject: { ticker: first }, day: dayIn(second) };
}

function dayIn(text: string | undefined): PlainDate | undefined {
  if (text === undefined) return undefined;
  const day = parsePlainDate(text);
  if (day !== undefined) return day;
  throw new UsageFault(`"${text}" is not a day such as 2027-01-31.`);
}

/** Changes as a table. */
export function changeRows(changes: readonly FieldChange[]): Rows {
  return rows<FieldChange>(changes, {
    instant: ['INSTANT', ({ by }) => instantText(by.at)],
    date: ['DATE', ({ day }) => fromEpochDay(day)],
    field: ['FIELD', ({ field }) => field],
    before: ['BEFORE', ({ before }): ChangedValue => before],
    after: ['AFTER', ({ after }): ChangedValue => after],
    source: ['SOURCE', ({ source = null }) => source],
    origin: ['ORIGIN', ({ by }) => by.origin],
  });
}
