import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { formatUniverseFaults } from './files/universe-fault.ts';
import { loadUniverse } from './load-universe.ts';
import { temporaryDirectory } from '../../test/store/temporary-directory.ts';

/** Universe files with every mistake that can occur together with others. */
const files = {
  'instruments.csv': `ticker,name,kind,market,currency,decimals,change_unit,panels
GGAL,Galicia,share,BYMA,ARS,,,LID
GGAL,Otra,share,BYMA,ARS,,,
,Sin nombre,share,BYMA,ARS,,,
SINNOM,,share,BYMA,ARS,,,
KIND,x,acción,BYMA,ARS,,,
MARKET,x,share,LSE,ARS,,,
MONEDA,x,share,BYMA,,,,
DEC,x,share,BYMA,ARS,16,,
DECX,x,share,BYMA,ARS,dos,,
UNIT,x,share,BYMA,ARS,,bps,
PANEL,x,share,BYMA,ARS,,,LIDER
TWICE,x,share,BYMA,ARS,,,LID;LID
FIXED,x,share,BYMA,ARS,,,ADR
CORTA,x,share
"A,B",x,share,BYMA,ARS,,,
MEP,x,exchange-rate,BYMA,ARS,,,
CCL,x,exchange-rate,BYMA,ARS,,,
BLUE,x,exchange-rate,BYMA,ARS,,,
TARJETA,x,exchange-rate,BYMA,ARS,,,
AL30,x,bond,BYMA,ARS,,,
`,
  'markets.yaml': `calendars:
  ar:
    holidays: { 2026-01-01: Año Nuevo, 2026-02-30: Nunca, 2026-05-01: '' }
    earlyCloses: { 2026-01-01: 15:00, 2026-12-24: 24:01, 2026-12-31: 09:00 }
    extends: otro
  otro: [ar]
markets:
  BYMA: { name: BYMA, timeZone: America/Argentina/Buenos_Aires, weekdays: [mon, tue], hours: [{ open: 10:30, close: 17:00 }], calendar: ar }
  ZONA: { name: x, timeZone: Mars/Olympus, weekdays: [mon], hours: [{ open: 10:30, close: 17:00 }] }
  OFFSET: { name: x, timeZone: -03:00, weekdays: [mon], hours: [{ open: 10:30, close: 17:00 }] }
  DIAS: { name: x, timeZone: America/New_York, weekdays: [mon, dom], hours: [{ open: 9:30, close: 17:00 }] }
  NADA: { name: x, timeZone: America/New_York, weekdays: [], hours: [] }
  HORAS: { name: '', timeZone: America/New_York, weekdays: [mon], hours: [{ since: 2026-01-01, open: 09:30, close: 16:00 }, { open: 09:30, close: 16:00 }, { since: ayer, open: 16:00, close: 09:30 }, { since: 2026-01-01, open: 16:00, close: 16:00 }] }
  CAL: { name: x, timeZone: America/New_York, weekdays: [mon], hours: [{ open: 09:30, close: 16:00 }], calendar: marte, settlementCalendar: venus }
  CLAVE: { name: x, zona: x }
  TEXTO: nada
`,
  'panels.yaml': `LID: { name: Líder }
GEN: { name: General, of: [LID], members: [GGAL] }
LIDGEN: { name: x, of: [LID, BON, NOHAY] }
BONOS: { name: Bonos, members: [GGAL, NADA, ggal] }
BON: { name: Bonos, aliasOf: ETF }
ETF: { name: x, aliasOf: BON }
ADR: { name: x, members: [] }
ADRARG: { nombre: x }
VARIAS: [GGAL]
CED: { name: x, of: LID }
CRIPTO: { name: x }
`,
  'derived.yaml': `derived:
  MEP: { ratio: { numerator: AL30 } }
  CCL: { gap: { value: CCL, base: NADA } }
  NOROW: { alias: AL30 }
  BLUE: { alias: AL30, ratio: { numerator: AL30, denominator: AL30 } }
  blue: { alias: AL30 }
  TARJETA: { scaled: AL30, factors: { 2026-01-01: cero, 2026-13-01: 1.3, 2026-02-01: 0 } }
  AL30: { alias: BLUE, factors: { 2026-01-01: 1 } }
  GGAL: { scaled: AL30 }
direct: [GGAL, PANEL, NADA]
otra: 1
`,
  'bonds.csv': `especie,series,emision,vencimiento,moneda,tem
GGAL,,2026-01-01,2027-01-01,ARS,
AL30,NADA,2027-01-01,2026-01-01,EUR,dos
AL30,,hoy,,USD,
`,
};

/** The operator's output: position, text at fault, what is wrong and what would be valid. */
const expected = `
bonds.csv:2:1: "GGAL": especie: is a share; only a bond, a corporate-bond or a bill has terms
bonds.csv:3:2: "NADA": series: unknown instrument; instruments.csv has no row with this ticker
bonds.csv:3:3: "2027-01-01": emision: must be before vencimiento (2026-01-01)
bonds.csv:3:5: "EUR": moneda: must be one of ARS, USD
bonds.csv:3:6: "dos": tem: must be a percentage such as 2.55
bonds.csv:4:1: "AL30": especie: line 3 has the terms of this ticker already
bonds.csv:4:3: "hoy": emision: not a valid date; use YYYY-MM-DD and a day that exists
bonds.csv:4:4: vencimiento: must not be empty; use YYYY-MM-DD
derived.yaml:2:17: the ratio requires denominator
derived.yaml:3:35: "NADA": unknown instrument; instruments.csv has no row with this ticker
derived.yaml:4:3: "NOROW": unknown instrument; instruments.csv has no row with this ticker
derived.yaml:5:9: "{ alias: AL30, ratio: { numerator: AL30, denominator: AL30 }": the derivation of BLUE needs exactly one of ratio, gap, scaled, alias
derived.yaml:7:51: "cero": not a valid factor; use a number above zero, such as 1.30
derived.yaml:7:57: "2026-13-01": not a valid date; use YYYY-MM-DD and a day that exists
derived.yaml:7:86: "0": not a valid factor; use a number above zero, such as 1.30
derived.yaml:8:24: "factors": only a scaled instrument has factors
derived.yaml:9:11: a scaled instrument requires "factors", by date
derived.yaml:10:10: "GGAL": the instrument has no derivation; remove it from "direct"
derived.yaml:10:23: "NADA": unknown instrument; instruments.csv has no row with this ticker
derived.yaml:11:1: "otra": unknown key in the file; its keys are derived, direct
instruments.csv:3:1: "GGAL": ticker: duplicate ticker; line 2 has it already, and case is ignored
instruments.csv:4:1: ticker: not a valid ticker; a ticker begins with a letter or digit and has at most 40 characters (letters, digits, single spaces, . _ / & ^ = + -)
instruments.csv:5:2: name: must not be empty
instruments.csv:6:3: "acción": kind: unknown kind; the kinds are share, cedear, adr, etf, bond, corporate-bond, bill, crypto, index, exchange-rate, interest-rate, spread, country-risk
instruments.csv:7:4: "LSE": market: unknown market; the markets are BYMA, ZONA, OFFSET, DIAS, NADA, HORAS, CAL, CLAVE, TEXTO
instruments.csv:8:5: currency: not a valid currency; use three to five capital letters, % or bp
instruments.csv:9:6: "16": decimals: must be a whole number from 0 to 15, or empty for the default of the kind
instruments.csv:10:6: "dos": decimals: must be a whole number from 0 to 15, or empty for the default of the kind
instruments.csv:11:7: "bps": change_unit: must be percent or points, or empty for the default of the kind
instruments.csv:12:8: "LIDER": panels: unknown panel; separate panels by ";"; the panels are LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND
instruments.csv:13:8: "LID;LID": panels: duplicate panel LID
instruments.csv:14:8: "ADR": panels: panels.yaml defines the members of this panel; remove the panel from this row
instruments.csv:15: "CORTA": the row has 3 cells and the header has 8; put quotes around a cell that contains the delimiter
instruments.csv:16:1: "A,B": ticker: not a valid ticker; a ticker begins with a letter or digit and has at most 40 characters (letters, digits, single spaces, . _ / & ^ = + -)
markets.yaml:3:40: "2026-02-30": not a valid date; use YYYY-MM-DD and a day that exists
markets.yaml:3:71: the name of a holiday must be a text
markets.yaml:4:20: "2026-01-01": the day is a holiday of this calendar; it cannot close early
markets.yaml:4:51: "24:01": not a valid time; use HH:MM, from 00:00 to 24:00
markets.yaml:4:70: "09:00": BYMA is not open at this time on 2026-12-31; an early close must be within the hours
markets.yaml:5:14: "otro": unknown calendar; a calendar can extend only the calendars above it: none
markets.yaml:6:9: "[ar]": the calendar otro must be a map of keys and values
markets.yaml:9:30: "Mars/Olympus": unknown time zone; use an IANA name such as America/Argentina/Buenos_Aires
markets.yaml:10:32: "-03:00": unknown time zone; use an IANA name such as America/Argentina/Buenos_Aires
markets.yaml:11:64: "dom": unknown weekday; the weekdays are mon, tue, wed, thu, fri, sat, sun
markets.yaml:11:86: "9:30": not a valid time; use HH:MM, from 00:00 to 24:00
markets.yaml:12:58: "[]": "weekdays" must be a list with at least one item
markets.yaml:12:69: "[]": "hours" must be a list with at least one item
markets.yaml:13:18: the name must be a text
markets.yaml:13:75: "2026-01-01": the first hours apply from the beginning; remove "since"
markets.yaml:13:125: "{ open: 09:30, close: 16:00 }": all hours but the first need a "since" that is later than the one before
markets.yaml:13:165: "ayer": not a valid date; use YYYY-MM-DD and a day that exists
markets.yaml:13:241: "16:00": the close must be after the open, on the same day
markets.yaml:14:114: "marte": unknown calendar; the calendars are ar, otro
markets.yaml:14:141: "venus": unknown calendar; the calendars are ar, otro
markets.yaml:15:10: the market CLAVE requires timeZone, weekdays, hours
markets.yaml:15:21: "zona": unknown key in the market CLAVE; its keys are name, timeZone, weekdays, hours, calendar, settlementCalendar
markets.yaml:16:10: "nada": the market TEXTO must be a map of keys and values
panels.yaml:1:1: panels are missing: IND
panels.yaml:2:34: "members": a panel can have only one of the keys of, aliasOf, members
panels.yaml:3:1: "LIDGEN": the panels in "of" must not have "of" or "aliasOf" themselves
panels.yaml:3:35: "NOHAY": unknown panel; the panels are LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND
panels.yaml:4:39: "NADA": unknown instrument; instruments.csv has no row with this ticker
panels.yaml:4:45: "ggal": duplicate member; the panel has this instrument already
panels.yaml:5:1: "BON": ETF is an alias itself; use the panel that it refers to
panels.yaml:5:1: "BON": BON must be "aliasOf: BONOS"; the contract requires it (docs/contract.md, 2.4)
panels.yaml:6:1: "ETF": BON is an alias itself; use the panel that it refers to
panels.yaml:7:26: "[]": "members" must be a list with at least one item
panels.yaml:8:9: the panel ADRARG requires name
panels.yaml:8:11: "nombre": unknown key in the panel ADRARG; its keys are name, of, aliasOf, members
panels.yaml:9:9: "[GGAL]": the panel VARIAS must be a map of keys and values
panels.yaml:10:21: "LID": "of" must be a list with at least one item
panels.yaml:11:1: "CRIPTO": unknown panel; the panels are LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND
`;

test('every mistake in a universe is reported in one run, with its position, its text and what is valid', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const loaded = await loadUniverse(directory);
  const faults = loaded.ok ? [] : loaded.faults;
  assert.deepEqual(formatUniverseFaults(faults).split('\n'), expected.trim().split('\n'));
});

test('each file that cannot be read at all is one fault, without consequential faults', async (t) => {
  const directory = await temporaryDirectory(t);
  const broken = {
    ...files,
    'markets.yaml': 'markets: [',
    'panels.yaml': '',
    'derived.yaml': '"derived',
    'instruments.csv': 'ticker,name\nGGAL,Galicia\n',
    'bonds.csv': 'especie\n"',
  };
  for (const [name, text] of Object.entries(broken)) await writeFile(join(directory, name), text);
  const loaded = await loadUniverse(directory);
  const faults = loaded.ok ? [] : loaded.faults;
  const missing = ['kind', 'market', 'currency', 'decimals', 'change_unit', 'panels'];
  assert.deepEqual(formatUniverseFaults(faults).split('\n'), [
    ...['emision', 'vencimiento', 'moneda'].map(
      (name) => `bonds.csv:1: the column ${name} is missing`,
    ),
    'derived.yaml:1:9: Missing closing "quote',
    ...missing.map((name) => `instruments.csv:1: the column ${name} is missing`),
    'markets.yaml:1:11: Flow sequence in block collection must be sufficiently indented and end with a ]',
    'panels.yaml:1:1: the file is empty',
  ]);
});
