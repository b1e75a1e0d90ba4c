import { fromEpochDay, parsePlainDate, type PlainDate } from '../../domain/calendar/plain-date.ts';
import type { ChangedValue, FieldChange } from '../../domain/history/field-changes.ts';
import type { IndexName } from '../../domain/indices/index-name.ts';
import { actionTypeNames } from '../../import/actions/action-fields.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { instantText } from '../../lib/time/instant-text.ts';
import { listChanges } from '../../operator/history/change-log.ts';
import { revertChange, type Reverted } from '../../operator/history/revert-change.ts';
import { requireIndex } from '../../operator/indices/check-series.ts';
import { actionValue, parseType } from '../actions/action-texts.ts';
import { command } from '../form/command.ts';
import { parseInstant } from '../form/flags.ts';
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

export const revert = command({
  name: 'revert',
  summary: 'put an earlier close of a day back, as a change of its own that no fetch replaces',
  args: {
    first: ['[TICKER]', 'the instrument; absent with --index'],
    second: ['[DATE]', 'the day (YYYY-MM-DD)'],
  },
  flags: {
    to: {
      value: '<INSTANT>',
      text: 'put back what was known at this instant, such as 2027-01-31T15:00:00Z; by default, what was replaced last',
      parse: parseInstant,
    },
    action: {
      value: '<TYPE>',
      text: `put back the corporate action of that ex date: ${actionTypeNames}`,
      parse: parseType,
      conflicts: ['index'],
    },
    index: { value: '<INDEX>', text: 'put back the value of an index' },
    json: { text: 'print one JSON object' },
  },
  settings: ['store'],
  examples: [
    'pizarra history revert GGAL 2026-11-18',
    'pizarra history revert --to 2026-11-18T21:00:00Z GGAL 2026-11-18',
    'pizarra history revert --action split GGAL 2026-11-18',
  ],
  async run({ args, flags, configuration }) {
    const { subject: named, day } = subjectIn(args, flags.index);
    if (day === undefined) throw new UsageFault('Name the day, such as 2027-01-31.');
    const subject = 'index' in named ? named : { ...named, action: flags.action };
    const { settings } = await configuration();
    const { store: storeAt } = settings;
    const reverted = await revertChange({ storeAt, subject, day, to: flags.to });
    const { kind, before = null, after } = reverted;
    return {
      sections: [revertedText(reverted, day)],
      json: { kind, subject: reverted.subject, date: day, before, after },
    };
  },
});

/** What the arguments of a command name: an instrument or an index, and a day, if they name one. */
interface ChangeSubject {
  readonly subject: { readonly ticker: string } | { readonly index: IndexName };
  readonly day: PlainDate | undefined;
}

/** Reads the arguments `[TICKER] [DATE]`. With an index, the only argument is the day. */
function subjectIn(
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

/** What was put back, as a sentence. */
export function revertedText(reverted: Reverted, day: string): string {
  const [after, before] = valuesOf(reverted);
  const what = { close: 'close', action: 'action', index: 'value' }[reverted.kind];
  const replaced = before === undefined ? 'which had been removed' : `which replaces ${before}`;
  return `Put back the ${what} ${after} of ${reverted.subject} of ${day}, ${replaced}.`;
}

function valuesOf({ kind, before, after }: Reverted): readonly [string, string | undefined] {
  switch (kind) {
    case 'close':
      return [`${after.close}`, before && `${before.close}`];
    case 'index':
      return [`${after.value}`, before && `${before.value}`];
    case 'action':
      return [`${after.type} ${actionValue(after)}`, before && actionValue(before)];
  }
}
