import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { formatUniverseFaults } from './format-universe-faults.ts';
import { loadUniverse } from './load-universe.ts';
import { temporaryDirectory } from '../../test/store/temporary-directory.ts';

/** A universe with every mistake that can be made beside others. */
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
    earlyCloses: { 2026-01-01: 15:00, 2026-12-24: 25:00, 2026-12-31: 09:00 }
    extends: us
  otro: [ar]
markets:
  BYMA: { name: BYMA, timeZone: America/Argentina/Buenos_Aires, weekdays: [mon, tue], hours: [{ open: 10:30, close: 17:00 }], calendar: ar }
  ZONA: { name: x, timeZone: Mars/Olympus, weekdays: [mon], hours: [{ open: 10:30, close: 17:00 }] }
  OFFSET: { name: x, timeZone: -03:00, weekdays: [mon], hours: [{ open: 10:30, close: 17:00 }] }
  DIAS: { name: x, timeZone: America/New_York, weekdays: [mon, dom], hours: [{ open: 9:30, close: 17:00 }] }
  NADA: { name: x, timeZone: America/New_York, weekdays: [], hours: [] }
  HORAS: { name: '', timeZone: America/New_York, weekdays: [mon], hours: [{ since: 2026-01-01, open: 09:30, close: 16:00 }, { open: 09:30, close: 16:00 }, { since: ayer, open: 16:00, close: 09:30 }, { since: 2026-01-01, open: 16:00, close: 16:00 }] }
  CAL: { name: x, timeZone: America/New_York, weekdays: [mon], hours: [{ open: 09:30, close: 16:00 }], calendar: marte }
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
};

/** What an operator reads: where, what stands there, what is wrong and what would be valid. */
const expected = `
derived.yaml:2:17: the ratio lacks denominator
derived.yaml:3:35: "NADA": no such instrument; instruments.csv has no row with this ticker
derived.yaml:4:3: "NOROW": no such instrument; instruments.csv has no row with this ticker
derived.yaml:5:9: "{ alias: AL30, ratio: { numerator: AL30, denominator: AL30 }": the derivation of BLUE needs exactly one of ratio, gap, scaled, alias
derived.yaml:7:51: "cero": no factor; write a number above zero, such as 1.30
derived.yaml:7:57: "2026-13-01": no date; write a day that exists as YYYY-MM-DD
derived.yaml:7:86: "0": no factor; write a number above zero, such as 1.30
derived.yaml:8:24: "factors": only a scaled instrument has factors
derived.yaml:9:11: a scaled instrument needs "factors", by date
derived.yaml:10:10: "GGAL": the instrument is not derived, so it is direct already
derived.yaml:10:23: "NADA": no such instrument; instruments.csv has no row with this ticker
derived.yaml:11:1: "otra": the file has no such key; its keys are derived, direct
instruments.csv:3:1: "GGAL": ticker: line 2 has this ticker already; case does not tell two apart
instruments.csv:4:1: ticker: no ticker; it begins with a letter or digit, has at most 40 characters (letters, digits, single spaces, . _ / & ^ = + -)
instruments.csv:5:2: name: must not be empty
instruments.csv:6:3: "acción": kind: no such kind; there are share, cedear, adr, etf, bond, corporate-bond, bill, crypto, index, exchange-rate, interest-rate, spread, country-risk
instruments.csv:7:4: "LSE": market: no such market; there are BYMA, ZONA, OFFSET, DIAS, NADA, HORAS, CAL, CLAVE, TEXTO
instruments.csv:8:5: currency: no currency; write three to five capital letters, % or bp
instruments.csv:9:6: "16": decimals: must be a whole number from 0 to 15, or empty for the default of the kind
instruments.csv:10:6: "dos": decimals: must be a whole number from 0 to 15, or empty for the default of the kind
instruments.csv:11:7: "bps": change_unit: must be percent or points, or empty for the default of the kind
instruments.csv:12:8: "LIDER": panels: no such panel; there are LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND, separated by ";"
instruments.csv:13:8: "LID;LID": panels: LID is named twice
instruments.csv:14:8: "ADR": panels: panels.yaml says what is in this panel; rows cannot name it
instruments.csv:15: "CORTA": the row has 3 cells where the header has 8; quote a cell that holds the delimiter
instruments.csv:16:1: "A,B": ticker: no ticker; it begins with a letter or digit, has at most 40 characters (letters, digits, single spaces, . _ / & ^ = + -)
markets.yaml:3:40: "2026-02-30": no date; write a day that exists as YYYY-MM-DD
markets.yaml:3:71: the name of a holiday must be a text
markets.yaml:4:20: "2026-01-01": the day is a holiday of this calendar; it cannot close early
markets.yaml:4:51: "25:00": no time; write HH:MM, from 00:00 to 24:00
markets.yaml:4:70: "09:00": BYMA is not open until then on 2026-12-31; an early close lies within the hours
markets.yaml:5:14: "us": no such calendar above this one; there are none
markets.yaml:6:9: "[ar]": the calendar otro must be a map of keys and values
markets.yaml:9:30: "Mars/Olympus": no such time zone; write an IANA name such as America/Argentina/Buenos_Aires
markets.yaml:10:32: "-03:00": no such time zone; write an IANA name such as America/Argentina/Buenos_Aires
markets.yaml:11:64: "dom": no such weekday; there are mon, tue, wed, thu, fri, sat, sun
markets.yaml:11:86: "9:30": no time; write HH:MM, from 00:00 to 24:00
markets.yaml:12:58: "[]": "weekdays" must be a list of at least one
markets.yaml:12:69: "[]": "hours" must be a list of at least one
markets.yaml:13:18: the name must be a text
markets.yaml:13:75: "2026-01-01": the oldest hours hold from the beginning and have no "since"
markets.yaml:13:125: "{ open: 09:30, close: 16:00 }": hours after the first need a "since", each later than the one before
markets.yaml:13:165: "ayer": no date; write a day that exists as YYYY-MM-DD
markets.yaml:13:241: "16:00": the close must be after the open, on the same day
markets.yaml:14:114: "marte": no such calendar; there are ar, otro
markets.yaml:15:10: the market CLAVE lacks timeZone, weekdays, hours
markets.yaml:15:21: "zona": the market CLAVE has no such key; its keys are name, timeZone, weekdays, hours, calendar
markets.yaml:16:10: "nada": the market TEXTO must be a map of keys and values
panels.yaml:1:1: panels are missing: IND
panels.yaml:2:34: "members": a panel has only one of of, aliasOf, members
panels.yaml:3:1: "LIDGEN": the panels in "of" must not be composed or aliases themselves
panels.yaml:3:35: "NOHAY": no such panel; there are LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND
panels.yaml:4:39: "NADA": no such instrument; instruments.csv has no row with this ticker
panels.yaml:4:45: "ggal": the panel has this instrument already
panels.yaml:5:1: "BON": ETF is an alias itself; name the panel it stands for
panels.yaml:5:1: "BON": BON must be "aliasOf: BONOS", for the contract says so
panels.yaml:6:1: "ETF": BON is an alias itself; name the panel it stands for
panels.yaml:7:26: "[]": "members" must be a list of at least one
panels.yaml:8:9: the panel ADRARG lacks name
panels.yaml:8:11: "nombre": the panel ADRARG has no such key; its keys are name, of, aliasOf, members
panels.yaml:9:9: "[GGAL]": the panel VARIAS must be a map of keys and values
panels.yaml:10:21: "LID": "of" must be a list of at least one
panels.yaml:11:1: "CRIPTO": no such panel; there are LID, GEN, LIDGEN, BONOS, BON, ETF, ADR, ADRARG, VARIAS, CED, IND
`;

test('every mistake in a universe is reported in one run, with its place, its text and what is valid', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  const loaded = await loadUniverse(directory);
  const faults = loaded.ok ? [] : loaded.faults;
  assert.deepEqual(formatUniverseFaults(faults).split('\n'), expected.trim().split('\n'));
});

test('files that are not readable at all are one fault each, and nothing follows from them', async (t) => {
  const directory = await temporaryDirectory(t);
  const broken = {
    ...files,
    'markets.yaml': 'markets: [',
    'panels.yaml': '',
    'derived.yaml': '"derived',
    'instruments.csv': 'ticker,name\nGGAL,Galicia\n',
  };
  for (const [name, text] of Object.entries(broken)) await writeFile(join(directory, name), text);
  const loaded = await loadUniverse(directory);
  const faults = loaded.ok ? [] : loaded.faults;
  const missing = ['kind', 'market', 'currency', 'decimals', 'change_unit', 'panels'];
  assert.deepEqual(formatUniverseFaults(faults).split('\n'), [
    'derived.yaml:1:9: Missing closing "quote',
    ...missing.map((name) => `instruments.csv:1: the column ${name} is missing`),
    'markets.yaml:1:11: Flow sequence in block collection must be sufficiently indented and end with a ]',
    'panels.yaml:1:1: the file is empty',
  ]);
});
