import { z } from 'zod';
import { bonos, bondTable } from '../contract/paths/bonos.ts';
import { bondHistoryTable, bonosHistoricos } from '../contract/paths/bonos-historicos.ts';
import { bonosFlujos, flowTable } from '../contract/paths/bonos-flujos.ts';
import { dolares, dollarTable } from '../contract/paths/dolares.ts';
import { choiceOf, firstDate, lastDate, panel, ticker, tickers } from './arguments.ts';
import { dateOf, fieldsOf, tool } from './tool.ts';

/** What a dollar costs, as published and as securities imply it. */
export const dollarsTool = tool({
  name: 'dolares',
  title: 'Dólares',
  description:
    'Precio del dólar en pesos: publicado, e implícito en bonos, acciones y CEDEARs (especie en pesos ÷ especie en dólares), con puntas y brecha. Un estado distinto de ok se debe informar. Sin argumentos no incluye los CEDEARs. ' +
    'Price of the dollar in pesos, published and implied, with orders and the gap over the wholesale dollar.',
  input: {
    dolar: choiceOf(dolares, 'dolar')
      .optional()
      .describe('Un dólar; sin este argumento, todos. canje: diferencia entre CCL y MEP, en %.'),
    base: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Especie en pesos de la que se obtiene (AL30, SPY), mercado que lo publica (BCRA), o CEDEARS. Un nombre de ambos (BYMA) es el de la especie.',
      ),
  },
  limit: [60, 600],
  others: () => 'Pedir un dolar o una base, o subir "limite".',
  lists: { dolares: fieldsOf(dollarTable) },
  read: dolares,
});

/** How a price becomes figures. */
const figures = {
  convencion: choiceOf(bonos, 'convencion')
    .default('pizarra')
    .describe('Convención de las cifras. Nombrarla siempre. Always name it.'),
  dolar: choiceOf(bonos, 'dolar').default('mep'),
};

/** Yields, durations and parities by a convention. */
export const bondsTool = tool({
  name: 'bonos',
  title: 'Bonos',
  description:
    'TIR, duration, paridad y valor técnico de especies de bonos, según una convención que se debe nombrar. Un estado distinto de ok dice por qué faltan cifras: no completarlas. ' +
    'Yield, duration and parity of bonds by a named convention; a state other than ok says why figures are missing.',
  input: {
    especies: tickers.describe('Bonos, letras u obligaciones negociables. Tickers of bonds.'),
    panel,
    ...figures,
  },
  limit: [60, 600],
  others: () => 'Pedir menos especies, o subir "limite".',
  repeats: ['convencion'],
  lists: { bonos: fieldsOf(bondTable) },
  read: bonos,
});

/** The yields of a bond at its closes. */
export const bondHistoryTool = tool({
  name: 'historia_bono',
  title: 'Historia de un bono',
  description:
    'TIR, duration y paridad de una especie de bono a cada cierre, del más antiguo al más reciente, según una convención que se debe nombrar; con "contra", la diferencia con la TIR de otro bono, en puntos. Sin fechas, las últimas ruedas. ' +
    'Yield, duration and parity of a bond at its closes, oldest first; with contra the difference of the yields in points.',
  input: {
    especie: ticker,
    desde: firstDate,
    hasta: lastDate,
    contra: ticker.optional().describe('Otro bono, cuya TIR se resta. Another bond.'),
    intervalo: choiceOf(bonosHistoricos, 'intervalo').default('1d'),
    ...figures,
  },
  limit: [250, 1000],
  keeps: 'last',
  repeats: ['especie', 'convencion'],
  lists: { cierres: fieldsOf(bondHistoryTable, ['especie']) },
  read: bonosHistoricos,
});

/** The payments of a bond. */
export const flowsTool = tool({
  name: 'flujos_bono',
  title: 'Flujos de un bono',
  description:
    'Pagos de una especie de bono desde una fecha (sin ella, desde hoy), cada 100 nominales originales. ' +
    'Payments of a bond from a date on, per 100 of the original nominal.',
  input: { especie: ticker, desde: firstDate },
  limit: [60, 600],
  others: (last) => `Para las siguientes, pedir con desde=${dateOf(last)}, o subir "limite".`,
  repeats: ['especie'],
  lists: { flujos: fieldsOf(flowTable) },
  read: bonosFlujos,
});
