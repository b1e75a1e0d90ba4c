import type { Market } from '../../domain/calendar/market.ts';
import type { MarketSchedule } from '../../domain/calendar/market-schedule.ts';
import { textColumn } from '../texts/csv-text.ts';
import { marketFieldNames } from '../params/reference/market-params.ts';
import type { MarketField } from '../params/reference/market-params.ts';
import { Table } from './table.ts';
import type { TableField } from './table.ts';

/** The names of the states in the public contract. */
export const stateNames: Readonly<Record<MarketSchedule['state'], string>> = {
  open: 'abierto',
  closed: 'cerrado',
};

/** A market with its schedule at an instant. */
export interface ListedMarket {
  readonly schedule: MarketSchedule;
  readonly market: Market;
}

/** The names of the fields on request in a row. */
const extraNames: Readonly<Record<MarketField, string>> = {
  ...marketFieldNames,
  settlement: 'sinLiquidacion',
};

const extraFields: Readonly<Record<MarketField, TableField<ListedMarket>>> = {
  weekdays: {
    column: textColumn,
    value: ({ market }) => [...market.weekdays].toSorted((a, b) => a - b).join(' '),
  },
  hours: {
    column: textColumn,
    value: ({ market }) =>
      market.hours
        .map(({ since, openMinute, closeMinute }) => {
          const hours = `${minuteText(openMinute)}-${minuteText(closeMinute)}`;
          return since === undefined ? hours : `${since}=${hours}`;
        })
        .join(';'),
  },
  earlyCloses: {
    column: textColumn,
    value: ({ market }) =>
      [...market.earlyCloses]
        .map(([date, minute]) => `${date}=${minuteText(minute)}`)
        .toSorted()
        .join(';'),
  },
  settlement: {
    column: textColumn,
    value: ({ schedule: { unsettled } }) => unsettled,
    cell: ({ schedule: { unsettled } }) => unsettled.join('; '),
  },
};

const fields: Readonly<Record<string, TableField<ListedMarket>>> = {
  mercado: { column: textColumn, value: ({ schedule: { code } }) => code },
  nombre: { column: textColumn, value: ({ schedule: { name } }) => name },
  zona: { column: textColumn, value: ({ schedule: { timeZone } }) => timeZone },
  estado: { column: textColumn, value: ({ schedule: { state } }) => stateNames[state] },
  rueda: { column: textColumn, value: ({ schedule: { sessionDate } }) => sessionDate },
  abre: { column: textColumn, value: ({ schedule: { openMinute } }) => minuteText(openMinute) },
  cierra: { column: textColumn, value: ({ schedule: { closeMinute } }) => minuteText(closeMinute) },
  cambia: {
    column: textColumn,
    value: ({ schedule: { changesAt, timeZone } }) => localText(changesAt, timeZone),
  },
  feriados: {
    column: textColumn,
    value: ({ schedule: { holidays } }) =>
      holidays.map(({ date, name }) => ({ fecha: date, nombre: name })),
    cell: ({ schedule: { holidays } }) =>
      holidays.map(({ date, name }) => `${date} ${name}`).join('; '),
  },
};

/**
 * The table of `/mercados` (contract 4.6.1), and then the fields on request (contract 4.6.5).
 *
 * @param requested in the order of a row
 */
export function marketTable(requested: readonly MarketField[] = []): Table<ListedMarket> {
  const added = requested.map((field) => [extraNames[field], extraFields[field]] as const);
  return new Table({ ...fields, ...Object.fromEntries(added) });
}

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
