import { minuteText, type Market } from '../../domain/calendar/market.ts';
import type { MarketSchedule } from '../../domain/calendar/market-schedule.ts';
import { refused } from '../../domain/values/problem.ts';
import { stateNames } from '../../wire/bodies/health-body.ts';
import { operation } from '../operation.ts';
import { campos, once } from '../parts.ts';
import { dateField, instantField, list, named, Table, text } from '../table.ts';

/** The value of `anio` for the holidays of all years (contract 4.6.2). */
export const allYears = 'todos';

const inputs = {
  anio: {
    schema: { type: 'string', pattern: '^((?!0000)\\d{4}|todos)$' },
    es: 'Año de los feriados y de los días sin liquidación, de cuatro cifras, o `todos` para los de todos los años del calendario. El valor predeterminado es el año en curso en la zona horaria de cada mercado. Se admite una sola vez.',
  },
  campos: {
    es: 'Campos que se agregan a cada fila después de los demás, separados por comas: `dias`, `horarios`, `cierresAnticipados` y `liquidacion`, que agrega `sinLiquidacion`. Si el parámetro se repite, los valores forman una sola lista.',
  },
} as const;

const yearShape = /^(?!0000)\d{4}$/;

/** A market with its schedule at an instant. */
interface ListedMarket {
  readonly schedule: MarketSchedule;
  readonly market: Market;
}

const plain = new Table<ListedMarket>({
  mercado: text(({ schedule: { code } }) => code, {
    schema: { type: 'string', minLength: 1 },
    es: 'Código del mercado, como en `/especies.json`.',
    en: 'Code of the market, as in `/especies.json`.',
  }),
  nombre: text(({ schedule: { name } }) => name, { en: 'Name of the market.' }),
  zona: text(({ schedule: { timeZone } }) => timeZone, {
    schema: { type: 'string', examples: ['America/Argentina/Buenos_Aires'] },
    es: 'Zona horaria del mercado, con el nombre de la base de datos de la IANA.',
    en: 'IANA time zone of the market.',
  }),
  estado: named(stateNames, ({ schedule: { state } }) => state, {
    es: '`abierto` desde la apertura hasta el instante anterior al cierre. Un mercado que opera todo el día está abierto todas las horas de sus días hábiles.',
    en: '`abierto` from the open until just before the close.',
  }),
  rueda: dateField(({ schedule: { sessionDate } }) => sessionDate, {
    es: 'Fecha de la rueda en curso o, con el mercado cerrado, de la última rueda que abrió, en la zona del mercado.',
    en: 'The current session or, if the market is closed, the last session that opened.',
  }),
  abre: text(({ schedule: { openMinute } }) => minuteText(openMinute), {
    schema: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
    es: 'Hora de apertura de `rueda`, en hora local del mercado.',
    en: 'The open of `rueda`, in local time of the market.',
  }),
  cierra: text(({ schedule: { closeMinute } }) => minuteText(closeMinute), {
    schema: { type: 'string', pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$' },
    es: 'Hora de cierre de `rueda`, en hora local del mercado. Contempla los cierres anticipados. `24:00` es el fin del día.',
    en: 'The close of `rueda`, in local time, early closes included. `24:00` is the end of the day.',
  }),
  cambia: instantField(({ schedule: { changesAt, timeZone } }) => localText(changesAt, timeZone), {
    es: 'Próximo instante en que cambia `estado` o `rueda`, con la diferencia horaria del mercado: el cierre o, con el mercado cerrado, la próxima apertura. En un mercado que opera todo el día es la medianoche, cuando empieza otra rueda o cierra.',
    en: 'The next instant at which `estado` or `rueda` changes, with the offset of the market: the close or, if the market is closed, the open that follows.',
  }),
  feriados: list(
    ({ schedule: { holidays } }) =>
      holidays.map(({ date, name }) => ({ fecha: date, nombre: name })),
    ({ schedule: { holidays } }) => holidays.map(({ date, name }) => `${date} ${name}`).join('; '),
    {
      schema: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['fecha', 'nombre'],
          properties: { fecha: { type: 'string', format: 'date' }, nombre: { type: 'string' } },
        },
      },
      es: 'Feriados del año, o de todos los años si se pidió `anio=todos`, en orden de fecha, según el calendario cargado. Los días de la semana en que el mercado nunca opera no son feriados. Está vacío si el mercado no tiene feriados o si el calendario no contempla ese año. En CSV es una celda, con los feriados separados por punto y coma.',
      en: 'The holidays of a year in order of date, each `{fecha, nombre}`.',
    },
  ),
});

export const marketTable = plain.withExtras(
  {
    dias: text(({ market }) => [...market.weekdays].toSorted((a, b) => a - b).join(' '), {
      schema: { type: 'string', pattern: '^[1-7]( [1-7]){0,6}$' },
      es: 'Días de la semana en que opera, de 1 (lunes) a 7 (domingo), separados por espacios. Solo si se pidió en `campos`.',
    }),
    horarios: text(
      ({ market }) =>
        market.hours
          .map(({ since, openMinute, closeMinute }) => {
            const hours = `${minuteText(openMinute)}-${minuteText(closeMinute)}`;
            return since === undefined ? hours : `${since}=${hours}`;
          })
          .join(';'),
      {
        schema: { type: 'string', minLength: 1 },
        es: 'Horarios en hora local, en orden, cada uno desde su fecha; el primero, desde siempre: `11:00-17:00;2025-07-28=10:30-17:00`. Solo si se pidió en `campos`.',
      },
    ),
    cierresAnticipados: text(
      ({ market }) =>
        [...market.earlyCloses]
          .map(([date, minute]) => `${date}=${minuteText(minute)}`)
          .toSorted()
          .join(';'),
      {
        es: 'Días en que cierra antes, con la hora local: `2026-12-24=13:00;2026-12-31=13:00`. Vacío si no hay. Solo si se pidió en `campos`.',
      },
    ),
    liquidacion: list(
      ({ schedule: { unsettled } }) => unsettled,
      ({ schedule: { unsettled } }) => unsettled.join('; '),
      {
        schema: { type: 'array', items: { type: 'string', format: 'date' } },
        es: 'Días del año en que opera y no liquida, porque sus bancos están cerrados, en orden de fecha. Solo si se pidió `liquidacion` en `campos`.',
      },
    ),
  },
  { names: { liquidacion: 'sinLiquidacion' } },
);

/** An instant in a time zone with its offset (RFC 3339), in whole seconds. */
function localText(epochMs: number, timeZone: string): string {
  const zoned = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timeZone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

/** The markets with their state, hours and holidays (contract 4.6). */
export const mercados = operation({
  path: '/mercados',
  clause: '4.6',
  params: {
    /** Of the holidays and of the days without settlement. Undefined for the current year. */
    year: once(
      'anio',
      (value) =>
        value === allYears || yearShape.test(value)
          ? { ok: true, value }
          : refused({ type: 'year-malformed', parameter: 'anio', value }),
      inputs.anio,
    ),
    fields: campos(marketTable.onRequest, 'CampoDeMercado', inputs.campos),
  },
  tables: { HorarioDeMercado: marketTable },
});
