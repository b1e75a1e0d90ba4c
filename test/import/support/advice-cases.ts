import type { Universe } from '../../../src/domain/instruments/universe.ts';
import type { ImportOptions } from '../../../src/import/refusals/import-refusal.ts';
import { makeUniverse } from '../../support/market/make-universe.ts';
import { makeWorkbook, type SheetSketch } from './make-workbook.ts';
import { makeZip } from './make-zip.ts';

/** A file that is refused, and what each option that the refusal names leads to. */
export interface AdviceCase {
  readonly universe: Universe;
  readonly file: string;
  readonly text: string;
  /** The content, where it is not text. */
  readonly bytes?: Uint8Array;
  readonly options?: ImportOptions;
  /** The files that are imported before. */
  readonly stored?: Readonly<Record<string, string>>;
  readonly refused: RegExp;
  /** The ticker that the operator knows, where the advice leaves it open. */
  readonly operator?: string;
  /** The stored closes by suggestion. A suggestion that is not listed fails the test. */
  readonly leads?: Readonly<Record<string, readonly string[]>>;
}

const universe = makeUniverse([
  { ticker: 'ALUA' },
  { ticker: 'GGAL' },
  { ticker: 'GGAL_US', kind: 'adr', market: 'NYSE', currency: 'USD' },
  { ticker: 'KO', kind: 'cedear' },
  { ticker: 'KO_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'TSLA_US', market: 'NYSE', currency: 'USD' },
  { ticker: 'MO', kind: 'cedear' },
  { ticker: 'MERVAL', kind: 'index' },
  { ticker: 'DOLAR OFICIAL', kind: 'exchange-rate' },
  { ticker: 'DOLAR OFICIAL COMPRA', kind: 'exchange-rate' },
  { ticker: 'DOLAR BLUE', kind: 'exchange-rate' },
]);

const ohlc = 'Date,Open,High,Low,Px,Otro\n2026-11-16,1,3,1,2,5\n2026-11-17,1,3,1,2,5';
const rates = [
  'day,type,value_buy,value_sell',
  ...['2026-11-16', '2026-11-17', '2026-11-18'].flatMap((day, at) => [
    `${day},Oficial,${800 + at},${820 + at}`,
    `${day},Blue,${1000 + at},${1020 + at}`,
  ]),
].join('\n');
const lean = ['20261116 00:00,682000,692000,672000,687000,100002'].join('\n');

function textCell(cell: string, value: string): string {
  return `<c r="${cell}" t="inlineStr"><is><t>${value}</t></is></c>`;
}

function sheet(name: string, close: number): SheetSketch {
  const values = `<c r="A2" s="1"><v>46342</v></c><c r="B2"><v>${close}</v></c>`;
  const head = `${textCell('A1', 'Fecha')}${textCell('B1', 'Cierre')}`;
  return { name, rows: `<row r="1">${head}</row><row r="2">${values}</row>` };
}

/** A sheet with the closes of several instruments on one day. */
function matrixSheet(
  name: string,
  tickers: readonly string[],
  closes: readonly number[],
): SheetSketch {
  const columns = ['B', 'C', 'D'];
  const head = tickers.map((ticker, at) => textCell(`${columns[at] ?? ''}1`, ticker)).join('');
  const values = closes.map((close, at) => `<c r="${columns[at] ?? ''}2"><v>${close}</v></c>`);
  const rows =
    `<row r="1">${textCell('A1', 'Fecha')}${head}</row>` +
    `<row r="2"><c r="A2" s="1"><v>46342</v></c>${values.join('')}</row>`;
  return { name, rows };
}

const cases: readonly Omit<AdviceCase, 'universe'>[] = [
  {
    file: 'ALUA.xlsx',
    text: '',
    bytes: makeWorkbook([sheet('Precios', 7), sheet('Otra hoja', 8)]),
    refused: /2 sheets with values; choose one with --sheet Precios or --sheet "Otra hoja"$/,
    leads: {
      '--sheet Precios': ['ALUA 2026-11-16 7'],
      '--sheet "Otra hoja"': ['ALUA 2026-11-16 8'],
    },
  },
  {
    file: 'ALUA.csv',
    text: 'Kurs,Tag,Otro\n7,2026-11-16,5',
    refused: /if one column has the dates, name it with --dates Tag/,
    leads: {
      '--dates Tag --column Kurs --ticker TICKER': ['GGAL 2026-11-16 7'],
      '--dates Tag --column Otro --ticker TICKER': ['GGAL 2026-11-16 5'],
    },
  },
  {
    file: 'ALUA.csv',
    text: 'Kurs report\nStand,Kurs\n1794787200000,7\n1794873600000,8',
    refused: /if one column has the dates, name it with --dates Stand --ticker TICKER$/,
    leads: { '--dates Stand --ticker TICKER': ['GGAL 2026-11-16 7', 'GGAL 2026-11-17 8'] },
  },
  {
    file: 'ALUA.json',
    text: '[{"Stand":1794787200,"Kurs":7},{"Stand":1794873600,"Kurs":8}]',
    refused: /name it with --dates Stand --ticker TICKER$/,
    leads: { '--dates Stand --ticker TICKER': ['GGAL 2026-11-16 7', 'GGAL 2026-11-17 8'] },
  },
  {
    file: 'x.json',
    text: '[["Fecha","Puntos"],["16-11-2026","600"],["17-11-2026","601"]]',
    refused: /unknown ticker Puntos; specify the instrument with --ticker TICKER$/,
    leads: { '--ticker TICKER': ['GGAL 2026-11-16 600', 'GGAL 2026-11-17 601'] },
  },
  {
    file: 'ALUA.csv',
    text: 'Date,Adj Close\n2026-11-16,7',
    refused:
      /only adjusted closes, which are not as traded; choose the close with --column "Adj Close"$/,
    leads: { '--column "Adj Close"': ['ALUA 2026-11-16 7'] },
  },
  {
    file: 'ALUA.csv',
    text: 'Date, Price, Open\nNov 16, 2026, 7, 6\nNov 17, 2026, 8, 7',
    refused: /^the rows have 4 cells and the heading 3; put quotes around values/,
  },
  {
    file: 'ALUA.csv',
    text: 'fecha,cierre,volumen\n16/11/2026,7,50,100\n17/11/2026,8,25,100',
    refused: /^the rows have 4 cells and the heading 3; put quotes around values/,
  },
  {
    file: 'x.csv',
    text: 'Tag,Kurs,Papel\n2026-11-16,7,ALUA\n2026-11-16,8,MERVAL',
    options: { dates: 'Tag', tickerColumn: 'Papel' },
    refused: /the close may be "Kurs"; choose the close with --column Kurs$/,
    leads: { '--column Kurs': ['ALUA 2026-11-16 7', 'MERVAL 2026-11-16 8'] },
  },
  {
    file: 'ALUA.csv',
    text: 'date,close\n2026-11-16T17:00:00Z,1\n2026-11-17T16:00:00Z,2\n2026-11-18T16:00:00Z,3',
    refused: /set --zone ZONE$/,
    leads: { '--zone ZONE': ['ALUA 2026-11-17 1', 'ALUA 2026-11-18 2', 'ALUA 2026-11-19 3'] },
  },
  {
    file: 'ALUA.csv',
    text: 'date,close\n2026-11-16,1',
    options: { zone: 'UTC' },
    refused: /have no offset from UTC; import it without --zone$/,
    leads: { 'without --zone': ['ALUA 2026-11-16 1'] },
  },
  {
    file: 'index.json',
    text: '[{"casa":"blue","compra":1400,"venta":1450,"fecha":"2026-11-16"}]',
    options: { tickerColumn: 'casa' },
    refused: /import it without --ticker-column$/,
    leads: { 'without --ticker-column': ['DOLAR BLUE 2026-11-16 1450'] },
  },
  {
    file: 'KO.csv',
    text: 'Date,Close\n2026-11-16,70',
    refused: /KO may be KO .* or KO_US .*; choose with --ticker KO, --ticker KO_US, --suffix ""/,
    leads: {
      '--ticker KO': ['KO 2026-11-16 70'],
      '--ticker KO_US': ['KO_US 2026-11-16 70'],
      '--suffix ""': ['KO 2026-11-16 70'],
      '--suffix _US': ['KO_US 2026-11-16 70'],
    },
  },
  {
    file: 'TSLA.csv',
    text: 'Date,Close\n2026-11-16,70',
    refused: /if it is the former, use --ticker TSLA_US or --suffix _US$/,
    leads: {
      '--ticker TSLA_US': ['TSLA_US 2026-11-16 70'],
      '--suffix _US': ['TSLA_US 2026-11-16 70'],
    },
  },
  {
    file: 'MO.csv',
    text: 'Date,Close\n2026-11-16,70',
    refused: /if it is the former, use --ticker MO or --suffix ""$/,
    leads: { '--ticker MO': ['MO 2026-11-16 70'], '--suffix ""': ['MO 2026-11-16 70'] },
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nKO,2026-11-16,70',
    refused: /choose with --suffix "" or --suffix _US$/,
    leads: { '--suffix ""': ['KO 2026-11-16 70'], '--suffix _US': ['KO_US 2026-11-16 70'] },
  },
  {
    file: 'prices.csv',
    text: 'date,ticker,field,value\n2026-11-16,KO,open,100\n2026-11-16,KO,close,105',
    options: { suffix: '_US' },
    refused: /the column "field"/,
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nTSLA,2026-11-16,70',
    refused: /use --suffix _US$/,
    leads: { '--suffix _US': ['TSLA_US 2026-11-16 70'] },
  },
  {
    file: 'nada.csv',
    text: 'Date,Close\n2026-11-16,70',
    refused: /unknown ticker nada; specify the instrument with --ticker TICKER$/,
    leads: { '--ticker TICKER': ['GGAL 2026-11-16 70'] },
  },
  {
    file: 'MO.csv',
    text: 'Date,Close\n2026-11-16,70',
    options: { suffix: '_US' },
    refused: /unknown ticker MO; .*--ticker TICKER or --suffix ""$/,
    leads: { '--ticker TICKER': ['GGAL 2026-11-16 70'], '--suffix ""': ['MO 2026-11-16 70'] },
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nNADA,2026-11-16,70',
    refused: /unknown ticker NADA; specify the instrument with --ticker TICKER$/,
    leads: { '--ticker TICKER': ['GGAL 2026-11-16 70'] },
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nNADA,2026-11-16,70\nNADIE,2026-11-16,80',
    refused: /unknown ticker NADA, NADIE; add them to the universe/,
  },
  {
    file: 'x.csv',
    text: 'especie,fecha,apertura,maximo,minimo,cierre,volumen\nNADA,2026-11-16,1,3,1,2,1',
    refused: /unknown ticker NADA; specify the instrument with --ticker TICKER$/,
    leads: { '--ticker TICKER': ['GGAL 2026-11-16 2'] },
  },
  {
    file: 'index.json',
    text: '[{"casa":"oficial","compra":1400,"venta":1450,"fecha":"2026-11-16"}]',
    options: { ticker: 'DOLAR OFICIAL' },
    refused: /closes of 3 instruments; choose one column with --column compra or --column venta$/,
    leads: {
      '--column compra': ['DOLAR OFICIAL 2026-11-16 1400'],
      '--column venta': ['DOLAR OFICIAL 2026-11-16 1450'],
    },
  },
  {
    file: 'm.csv',
    text: 'Date,NADA,NADIE\n2026-11-16,70,80',
    refused: /unknown ticker NADA, NADIE; import one column with --column NADA --ticker TICKER or/,
    leads: {
      '--column NADA --ticker TICKER': ['GGAL 2026-11-16 70'],
      '--column NADIE --ticker TICKER': ['GGAL 2026-11-16 80'],
    },
  },
  {
    file: 'm.csv',
    text: 'Date,KO,GGAL\n2026-11-16,70,80',
    options: { ticker: 'KO' },
    refused: /closes of 2 instruments; choose one column with --column KO or --column GGAL$/,
    leads: { '--column KO': ['KO 2026-11-16 70'], '--column GGAL': ['KO 2026-11-16 80'] },
  },
  {
    file: 'm.csv',
    text: 'Date,KO,TSLA\n2026-11-16,70,80',
    refused: /the column KO may be KO .*; if all columns are of one market, use/,
    leads: {
      '--suffix ""': ['KO 2026-11-16 70'],
      '--suffix _US': ['KO_US 2026-11-16 70', 'TSLA_US 2026-11-16 80'],
    },
  },
  {
    file: 'm.csv',
    text: 'Date,ALUA,KO\n2026-11-16,70,80',
    options: { suffix: '_US' },
    refused:
      /the column ALUA is a ticker, but not with --suffix _US; import it without --suffix or/,
    leads: {
      'without --suffix': ['ALUA 2026-11-16 70', 'KO 2026-11-16 80'],
      '--column KO': ['KO_US 2026-11-16 80'],
    },
  },
  {
    file: 'm.csv',
    text: 'Date,BTC:open,BTC:close,ETH:close\n2026-11-16,1,2,3',
    refused: /unknown ticker BTC, ETH; import one column with --column BTC --ticker/,
    leads: {
      '--column BTC --ticker TICKER': ['GGAL 2026-11-16 2'],
      '--column ETH --ticker TICKER': ['GGAL 2026-11-16 3'],
    },
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nALUA,2026-11-16,7\nMERVAL,2026-11-16,8',
    options: { ticker: 'ALUA' },
    refused: /the rows name ALUA, MERVAL; import it without --ticker$/,
    leads: { 'without --ticker': ['ALUA 2026-11-16 7', 'MERVAL 2026-11-16 8'] },
  },
  {
    file: 'x.csv',
    text: 'symbol,date,close\nNADA,2026-11-16,7\nNADIE,2026-11-16,8',
    options: { ticker: 'ALUA' },
    refused: /--ticker ALUA does not fit: the rows name NADA, NADIE$/,
  },
  {
    file: 'ALUA.csv',
    text: 'fecha,cierre,ultimo\n2026-11-16,1,2',
    refused: /"cierre" or "ultimo"; choose the close with --column cierre or --column ultimo$/,
    leads: { '--column cierre': ['ALUA 2026-11-16 1'], '--column ultimo': ['ALUA 2026-11-16 2'] },
  },
  {
    file: 'KO.csv',
    text: 'fecha,cierre,ultimo\n2026-11-16,1,2',
    refused: /choose the close with --column cierre --ticker KO, --column cierre --ticker KO_US, /,
    leads: {
      '--column cierre --ticker KO': ['KO 2026-11-16 1'],
      '--column cierre --ticker KO_US': ['KO_US 2026-11-16 1'],
      '--column cierre --suffix ""': ['KO 2026-11-16 1'],
      '--column cierre --suffix _US': ['KO_US 2026-11-16 1'],
      '--column ultimo --ticker KO': ['KO 2026-11-16 2'],
      '--column ultimo --ticker KO_US': ['KO_US 2026-11-16 2'],
      '--column ultimo --suffix ""': ['KO 2026-11-16 2'],
      '--column ultimo --suffix _US': ['KO_US 2026-11-16 2'],
    },
  },
  {
    file: 'ALUA.csv',
    text: ohlc,
    refused: /"Px" or "Otro"; choose the close with --column Px or --column Otro$/,
    leads: {
      '--column Px': ['ALUA 2026-11-16 2', 'ALUA 2026-11-17 2'],
      '--column Otro': ['ALUA 2026-11-16 5', 'ALUA 2026-11-17 5'],
    },
  },
  {
    file: 'ALUA.csv',
    text: 'Fecha,Cierre\n02/11/2026,1',
    refused: /; set --date-format DD\/MM\/YYYY or --date-format MM\/DD\/YYYY$/,
    leads: {
      '--date-format DD/MM/YYYY': ['ALUA 2026-11-02 1'],
      '--date-format MM/DD/YYYY': ['ALUA 2026-02-11 1'],
    },
  },
  {
    file: 'ALUA.csv',
    text: 'Fecha,Cierre\n2026-11-16,1.234',
    refused: /"1\.234" may be 1\.234 or 1234, .*; set --decimal \. or --decimal ,$/,
    leads: {
      '--decimal .': ['ALUA 2026-11-16 1.234'],
      '--decimal ,': ['ALUA 2026-11-16 1234'],
    },
  },
  {
    file: 'ALUA.csv',
    text: 'Fecha,Cierre,Volumen\n2026-11-16,10.5,987.654\n2026-11-17,10.6,12.345',
    refused: /may be 987\.654 or 987654, .*; if the first is right, set --decimal \.$/,
    leads: { '--decimal .': ['ALUA 2026-11-16 10.5', 'ALUA 2026-11-17 10.6'] },
  },
  {
    file: 'ALUA.csv',
    text: 'fecha,cierre,volumen\n2026-11-16,US$ 45.2,100\n2026-11-17,US$ 45.3,100',
    refused:
      /the prices are in USD, and ALUA is quoted in ARS; specify an instrument in that currency/,
    operator: 'GGAL_US',
    leads: { '--ticker TICKER': ['GGAL_US 2026-11-16 45.2', 'GGAL_US 2026-11-17 45.3'] },
  },
  {
    file: 'KO.csv',
    text: 'fecha,moneda,cierre\n2026-11-16,Pesos,21200',
    refused: /KO may be KO .* or KO_US .*; choose with --ticker KO or --suffix ""$/,
    leads: { '--ticker KO': ['KO 2026-11-16 21200'], '--suffix ""': ['KO 2026-11-16 21200'] },
  },
  {
    file: 'x.csv',
    text: 'especie,fecha,moneda,cierre\nALUA,2026-11-16,USD,45.2\nMERVAL,2026-11-16,USD,45.3',
    refused: /the prices are in USD, and ALUA is quoted in ARS$/,
  },
  {
    file: 'prices.csv',
    text: [
      'Date,Px,Company',
      ...['16', '17', '18'].flatMap((day, at) => [
        `2026-11-${day},${800 + at},KO`,
        `2026-11-${day},${900 + at},MO`,
      ]),
    ].join('\n'),
    options: { column: 'Px', ticker: 'KO' },
    refused:
      /may name, .*; if this column has the tickers, use --ticker-column Company --suffix ""/,
    leads: {
      '--ticker-column Company --suffix "" without --ticker': [
        ...['16 800', '17 801', '18 802'].map((close) => `KO 2026-11-${close}`),
        ...['16 900', '17 901', '18 902'].map((close) => `MO 2026-11-${close}`),
      ],
      '--ticker-column Company --suffix _US without --ticker': [
        'KO_US 2026-11-16 800',
        'KO_US 2026-11-17 801',
        'KO_US 2026-11-18 802',
      ],
    },
  },
  {
    file: 'ALUA.csv',
    text: [
      'date,close',
      ...['08', '09', '10', '11', '12', '15'].map(
        (day, at) => `2026-11-${day}T22:00:00Z,${at + 1}`,
      ),
    ].join('\n'),
    refused: /closes on Sundays and none on Fridays .*; set --zone ZONE$/,
    leads: {
      '--zone ZONE': [1, 2, 3, 4, 5, 6].map(
        (close, at) => `ALUA 2026-11-${['09', '10', '11', '12', '13', '16'][at] ?? ''} ${close}`,
      ),
    },
  },
  // A number of rows, a sheet of implied dollars, and a name that may be a word, are never advised.
  {
    file: 'ALUA.csv',
    text: 'Price,Date,Close\n0,2026-11-16,70\n1,2026-11-17,71\n2,2026-11-18,72',
    refused: /"Price" or "Close"; choose the close with --column Close$/,
    leads: { '--column Close': ['ALUA 2026-11-16 70', 'ALUA 2026-11-17 71', 'ALUA 2026-11-18 72'] },
  },
  {
    file: 'adr.xlsx',
    text: '',
    bytes: makeWorkbook([
      matrixSheet('local', ['ALUA', 'GGAL', 'KO'], [900, 7000, 15500]),
      matrixSheet('cable', ['ALUA', 'GGAL', 'KO'], [1530, 1531, 1529]),
    ]),
    refused: /2 sheets with values; choose one with --sheet local$/,
    leads: {
      '--sheet local': ['ALUA 2026-11-16 900', 'GGAL 2026-11-16 7000', 'KO 2026-11-16 15500'],
    },
  },
  {
    file: 'm.csv',
    text: 'Date,KO,COBRE,ORO FINO\n2026-11-16,70,80,90',
    refused:
      /the column KO may be KO .*, KO_US .*, or no ticker, like COBRE, ORO FINO beside it; import one column with --column KO --ticker TICKER, --column COBRE --ticker TICKER or --column "ORO FINO" --ticker TICKER$/,
    leads: {
      '--column KO --ticker TICKER': ['GGAL 2026-11-16 70'],
      '--column COBRE --ticker TICKER': ['GGAL 2026-11-16 80'],
      '--column "ORO FINO" --ticker TICKER': ['GGAL 2026-11-16 90'],
    },
  },
  {
    file: 'ALUA.csv',
    text: 'fecha,paridad\n2026-11-16,60\n2026-11-17,61',
    refused: /the column "paridad" contains parities, not prices$/,
  },
  {
    file: 'x.csv',
    text: 'date,close,currency\n2026-11-16,70,GBp',
    options: { ticker: 'ALUA' },
    refused: /the prices are in GBp, and ALUA is quoted in ARS$/,
  },
  // Most of the closes are on another level than the stored ones.
  {
    file: 'ALUA.csv',
    text: 'date,close\n2026-11-16,7\n2026-11-17,8\n2026-11-18,9',
    stored: { 'other.csv': 'ticker,date,close\nALUA,2026-11-16,900\nALUA,2026-11-17,901' },
    refused:
      /ALUA are on another level than the stored ones: its close of 2026-11-16 is 7, and the stored one of 2026-11-16 is 900; .* with --ticker TICKER or --replace$/,
    leads: {
      '--ticker TICKER': ['GGAL 2026-11-16 7', 'GGAL 2026-11-17 8', 'GGAL 2026-11-18 9'],
      '--replace': ['ALUA 2026-11-16 7', 'ALUA 2026-11-17 8', 'ALUA 2026-11-18 9'],
    },
  },
  {
    file: 'x.csv',
    text: 'ticker,date,close\nKO,2026-11-16,70\nKO,2026-11-17,71',
    stored: { 'other.csv': 'ticker,date,close\nKO,2026-11-16,15500' },
    refused: /may be KO .* or KO_US .*, because .* --suffix "" --replace or --suffix _US$/,
    leads: {
      '--suffix "" --replace': ['KO 2026-11-16 70', 'KO 2026-11-17 71'],
      '--suffix _US': ['KO_US 2026-11-16 70', 'KO_US 2026-11-17 71'],
    },
  },
  {
    file: 'SPY.csv',
    text: 'Date,SP500\n2026-06-01,11\n2026-07-01,12\n2026-08-03,13\n2026-09-01,14\n2026-10-01,15',
    refused: /the rows are a month apart \(2026-06-01, 2026-07-01, 2026-08-03, …\)/,
  },
  // Rows of several instruments under any name of a column.
  {
    file: 'evolution.csv',
    text: rates,
    refused: /of several instruments, which the column "type" may name/,
  },
  {
    file: 'evolution.csv',
    text: rates,
    options: { column: 'value_sell', ticker: 'DOLAR BLUE' },
    refused: /of several instruments, which the column "type" may name/,
  },
  // Prices of a US exchange are not those of a local instrument of the same name.
  {
    file: 'mo.zip',
    text: '',
    bytes: makeZip({ 'mo.csv': Buffer.from(lean) }),
    refused: /unknown ticker mo; specify the instrument with --ticker TICKER$/,
    operator: 'KO_US',
    leads: { '--ticker TICKER': ['KO_US 2026-11-16 68.7'] },
  },
];

/** Every kind of refusal that names an option, and refusals that must name none. */
export const adviceCases: readonly AdviceCase[] = cases.map((one) => ({ universe, ...one }));
