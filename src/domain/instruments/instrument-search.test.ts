import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { makeUniverse } from '../../../test/support/market/make-universe.ts';
import { InstrumentSearch, foldForSearch } from './instrument-search.ts';

const names: readonly (readonly [ticker: string, name: string])[] = [
  ['GALX', 'Otra cosa'],
  ['GGAL', 'Grupo Financiero Galicia S.A.'],
  ['BYCHO', 'Obligación de Banco de Galicia'],
  ['GAL', 'Gal'],
  ['MEGA', 'Compañía Mega (Galpón)'],
  ['DOLAR MEP', 'Dólar MEP'],
  ['DOLAR/EURO', 'Dólar por euro'],
  ['BRK.B', 'Berkshire Hathaway'],
  ['ÑANDÚ', 'Straße ﬁna'],
];
const { instruments } = makeUniverse(names.map(([ticker, name]) => ({ ticker, name })));
const index = new InstrumentSearch(instruments);

function find(text: string, { among = instruments, max = 50 } = {}): readonly string[] {
  return index.find(foldForSearch(text), { among, max }).map(({ ticker }) => ticker);
}

test('contract 4.7.2: equal ticker, then prefix of the ticker, then prefix of a word, then anywhere', () => {
  assert.deepEqual(find('gal'), ['GAL', 'GALX', 'GGAL', 'BYCHO', 'MEGA']);
  assert.deepEqual(find('al'), ['GALX', 'GGAL', 'BYCHO', 'GAL', 'MEGA']);
  assert.deepEqual(find('galp'), ['MEGA']);
  assert.deepEqual(find('alp'), ['MEGA']);
  assert.deepEqual(find('cosa'), ['GALX']);
  assert.deepEqual(find('zz'), []);
  assert.deepEqual(find('gal', { max: 2 }), ['GAL', 'GALX'], 'the best ones');
});

test('contract 4.7.2: a word that begins later in the text counts, after one that does not begin', () => {
  const two = makeUniverse([
    { ticker: 'A', name: 'xab b' },
    { ticker: 'B', name: 'xab ab' },
    { ticker: 'C', name: '1ab' },
    { ticker: 'D', name: 'é-ab' },
    { ticker: 'E/AB', name: 'e' },
  ]);
  const search = new InstrumentSearch(two.instruments);
  const found = search.find('AB', { among: two.instruments, max: 50 });
  assert.deepEqual(
    found.map(({ ticker }) => ticker),
    ['B', 'D', 'E/AB', 'A', 'C'],
  );
});

test('contract 4.7.2: occurrences of a word may overlap', () => {
  const two = makeUniverse([
    { ticker: 'A', name: 'x--' },
    { ticker: 'B', name: 'x---' },
  ]);
  const search = new InstrumentSearch(two.instruments);
  const found = search.find('--', { among: two.instruments, max: 50 });
  assert.deepEqual(
    found.map(({ ticker }) => ticker),
    ['B', 'A'],
  );
});

test('a text is not found across ticker and name', () => {
  const { instruments: one } = makeUniverse([{ ticker: 'GA', name: 'Lx' }]);
  assert.deepEqual(new InstrumentSearch(one).find('GAL', { among: one, max: 50 }), []);
});

test('an instrument that is not in the index is refused', () => {
  const search = new InstrumentSearch(instruments.slice(0, 1));
  assert.throws(
    () => search.find('GAL', { among: instruments, max: 50 }),
    /GGAL is not in the index/,
  );
});

test('contract 4.7.2: every word of the text must match, in any order, and only whole ranks count', () => {
  assert.deepEqual(find('galicia grupo'), ['GGAL']);
  assert.deepEqual(find('galicia banco'), ['BYCHO']);
  assert.deepEqual(find('galicia otra'), []);
  // All words begin a word of BYCHO; of GGAL, the second one does not.
  assert.deepEqual(find('galicia a'), ['GGAL', 'BYCHO']);
  assert.deepEqual(find('galicia n'), ['GGAL', 'BYCHO']);
  assert.deepEqual(find('galicia b'), ['BYCHO']);
  assert.deepEqual(find('ga cia'), ['GGAL', 'BYCHO']);
});

test('contract 4.7.2: accents, case, width and white space are ignored, in the text and in the names', () => {
  for (const text of ['compania', 'COMPAÑÍA', 'Compañi\u0301a', 'ＣＯＭＰＡＮＩＡ', ' compan ']) {
    assert.deepEqual(find(text), ['MEGA'], text);
  }
  assert.deepEqual(find('nandu'), ['ÑANDÚ']);
  assert.deepEqual(find('strasse fina'), ['ÑANDÚ']);
  assert.equal(foldForSearch('  Dólar \t mep\u00a0'), 'DOLAR MEP');
  assert.equal(foldForSearch(' \u0301 '), '');
});

test('contract 4.7.3: a search among some instruments finds only those, in their order', () => {
  const among = [1, 4, 0, 5].map((position) => instruments[position] ?? assert.fail());
  assert.deepEqual(find('gal', { among }), ['GALX', 'GGAL', 'MEGA']);
  assert.deepEqual(find('al', { among }), ['GGAL', 'MEGA', 'GALX']);
});

test('a search finds every instrument that contains the text, and no other', () => {
  const piece = fc.constantFrom('A', 'B', 'AB', ' ', '-', 'é');
  const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
  const tickers = fc.array(text, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(tickers, text, (listed, sought) => {
      const folded = foldForSearch(sought);
      fc.pre(folded !== '');
      const universe = makeUniverse(listed.map((name, at) => ({ ticker: `X${at}`, name })));
      const found = new InstrumentSearch(universe.instruments).find(folded, {
        among: universe.instruments,
        max: 50,
      });
      const expected = universe.instruments.filter(({ ticker, name }) =>
        folded.split(' ').every((word) => `${ticker} ${foldForSearch(name)}`.includes(word)),
      );
      assert.deepEqual(new Set(found), new Set(expected));
      assert.equal(found.length, expected.length);
    }),
  );
});
