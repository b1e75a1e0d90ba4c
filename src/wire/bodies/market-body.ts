import type { MarketSchedule } from '../../domain/calendar/market-schedule.ts';
import { textColumn } from '../texts/csv-text.ts';
import { Table } from './table.ts';

/** The names of the states in the public contract. */
export const stateNames: Readonly<Record<MarketSchedule['state'], string>> = {
  open: 'abierto',
  closed: 'cerrado',
};

/** The table of `/mercados` (contract 4.6.1). */
export const marketTable = new Table<MarketSchedule>({
  mercado: { column: textColumn, value: ({ code }) => code },
  nombre: { column: textColumn, value: ({ name }) => name },
  zona: { column: textColumn, value: ({ timeZone }) => timeZone },
  estado: { column: textColumn, value: ({ state }) => stateNames[state] },
  rueda: { column: textColumn, value: ({ sessionDate }) => sessionDate },
  abre: { column: textColumn, value: ({ openMinute }) => minuteText(openMinute) },
  cierra: { column: textColumn, value: ({ closeMinute }) => minuteText(closeMinute) },
  cambia: {
    column: textColumn,
    value: ({ changesAt, timeZone }) => localText(changesAt, timeZone),
  },
  feriados: {
    column: textColumn,
    value: ({ holidays }) => holidays.map(({ date, name }) => ({ fecha: date, nombre: name })),
    cell: ({ holidays }) => holidays.map(({ date, name }) => `${date} ${name}`).join('; '),
  },
});

/** A local time, `HH:MM`; the end of a day is `24:00`. */
function minuteText(minute: number): string {
  const [hours, minutes] = [Math.floor(minute / 60), minute % 60].map((one) =>
    String(one).padStart(2, '0'),
  );
  return `${hours}:${minutes}`;
}

/** An instant in a time zone with its offset (RFC 3339), in whole seconds. */
function localText(epochMs: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
