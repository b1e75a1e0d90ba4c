import {
  firstEpochDay,
  lastEpochDay,
  toEpochDay,
  type EpochDay,
  type PlainDate,
} from '../../domain/calendar/plain-date.ts';
import { UsageFault } from '../../lib/reports/operator-fault.ts';
import { parseDay } from '../form/flags.ts';

/** The options of a range of days, both of which are included and may be left out. */
export function daysFlags(from: string, to: string) {
  return {
    desde: { value: '<DATE>', text: from, parse: parseDay },
    hasta: { value: '<DATE>', text: to, parse: parseDay },
  } as const;
}

/** The range of days of the options. */
export function dayRange({
  desde,
  hasta,
}: {
  readonly desde: PlainDate | undefined;
  readonly hasta: PlainDate | undefined;
}): { readonly first: EpochDay; readonly last: EpochDay } {
  if (desde !== undefined && hasta !== undefined && desde > hasta) {
    throw new UsageFault(
      `--desde ${desde} is after --hasta ${hasta}. Set --desde to an earlier day.`,
    );
  }
  return {
    first: desde === undefined ? firstEpochDay : toEpochDay(desde),
    last: hasta === undefined ? lastEpochDay : toEpochDay(hasta),
  };
}
