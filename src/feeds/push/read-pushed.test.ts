import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { mapPushed, type Pushed } from '../shapes/map-update.ts';
import { pushedElementCharsMax, pushedLineCharsMax, pushedOf, readPushed } from './read-pushed.ts';

const encoder = new TextEncoder();

async function read(text: string, cuts: readonly number[] = []): Promise<readonly Pushed[]> {
  const bytes = encoder.encode(text);
  const bounds = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)];
  const chunks = bounds.map((from, index) => bytes.subarray(from, bounds[index + 1]));
  const pushed: Pushed[] = [];
  for await (const some of readPushed(chunks)) pushed.push(...some);
  return pushed;
}

async function refusals(text: string): Promise<readonly string[]> {
  return (await read(text)).map((one) =>
    'refused' in one ? `${one.line} ${one.refused}` : `${one.line} taken`,
  );
}

const at = '2026-11-20T14:00:00-03:00';
const instant = Date.parse(at);
const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
const bodies = fc.array(
  fc.record(
    {
      ticker: fc.constantFrom('GGAL', 'DOLAR MEP', 'CAFÉ 𝒳'),
      at: fc.constant(at),
      last: numbers,
      volume: numbers,
    },
    { requiredKeys: ['ticker', 'at'] },
  ),
);

test('NDJSON and an array give the same updates, however the body is split into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(bodies, fc.array(fc.nat()), async (body, cuts) => {
      const expected = body.map((one, index) => ({
        line: index + 1,
        update: { ...(JSON.parse(JSON.stringify(one)) as object), at: instant },
      }));
      const lines = body.map((one) => JSON.stringify(one)).join('\n');
      assert.deepEqual(await read(lines, cuts), expected);
      assert.deepEqual(await read(JSON.stringify(body, null, 1), cuts), expected);
    }),
  );
});

test('a body that has arrived as a whole gives what its chunks give', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  const text = fc.array(fc.constantFrom(good, '{"ticker":', '[', ']', ',', '\n', '\r\n', ' '));
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('', '\ufeff', '['), async (parts, start) => {
      const body = start + parts.join('');
      assert.deepEqual(pushedOf(encoder.encode(body)), await read(body));
    }),
  );
});

test('between the parts of a long chunk, others have their turn', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  const chunk = encoder.encode(`${good}\n`.repeat(1_000));
  let isDone = false;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  let updates = 0;
  for await (const some of readPushed([chunk])) updates += some.length;
  isDone = true;
  assert.equal(updates, 1_000);
  assert.ok(turns >= chunk.length / 8_192 - 1, `${turns} turns of the event loop`);
});

test('an invalid line of NDJSON is refused with its number, and the rest is read', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  const long = `"${'x'.repeat(pushedLineCharsMax)}"`;
  assert.deepEqual(await refusals([good, '{"ticker":', '', good, long, '[]', good].join('\r\n')), [
    '1 taken',
    '2 not-json',
    '4 taken',
    '5 too-long',
    '6 not-an-object',
    '7 taken',
  ]);
});

test('an array is read up to an invalid element, and the last refusal says so', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  assert.deepEqual(await refusals(`[${good}, 5, ${good}, {"a" 1}, ${good}]`), [
    '1 taken',
    '2 not-an-object',
    '3 taken',
    '4 not-json',
  ]);
  assert.deepEqual(await refusals(`[${good}, ${good}`), ['1 taken', '2 taken', '3 not-json']);
  assert.deepEqual(await refusals(`[${good}] ${good}`), ['1 taken', '2 not-json']);
  assert.deepEqual(await refusals('['), ['1 not-json']);
  assert.deepEqual(await refusals(`[${good},, ${good}]`), ['1 taken', '2 not-json']);
  assert.deepEqual(await refusals(`[${good},]`), ['1 taken', '2 not-json']);
  assert.deepEqual(await refusals(`[${good}}`), ['1 taken', '2 not-json']);
  assert.deepEqual(await refusals(`[${good}] [${good}]`), ['1 taken', '2 not-json']);
  assert.deepEqual(await refusals(`[${good}]\n\n`), ['1 taken']);
});

test('reading an array ends at the same invalid element, however the body is split into chunks', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  const texts = [`[${good}, ${good}, {"a" 1}, ${good}]`, `[${good}, 5,, ${good}]`, `[${good}] ]`];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...texts), fc.array(fc.nat()), async (text, cuts) => {
      assert.deepEqual(await read(text, cuts), await read(text));
    }),
  );
});

test('a complete element is yielded with its chunk, before the comma after it arrives', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  const chunks = [`[${good}`, ` ,${good}`, `\n`, `, ${good}`, ' ]'].map((text) =>
    encoder.encode(text),
  );
  const sizes: number[] = [];
  async function* counted(): AsyncGenerator<Uint8Array> {
    for (const [index, chunk] of chunks.entries()) {
      assert.equal(sizes.length, Math.min(index, 2) + (index > 3 ? 1 : 0));
      yield chunk;
    }
  }
  for await (const some of readPushed(counted())) sizes.push(some.length);
  assert.deepEqual(sizes, [1, 1, 1]);
});

test('reading an array ends at an element over the maximum length, however the body is split', async () => {
  const endless = `[{"ticker":"${'x'.repeat(pushedElementCharsMax * 4)}`;
  const cuts = Array.from({ length: 32 }, (_, index) => index * 8192);
  const [one, ...more] = await read(endless, cuts);
  assert.deepEqual(more, []);
  assert.ok(one !== undefined && 'refused' in one);
  assert.equal(one.refused, 'too-long');
});

test('an empty body, blank lines, an empty array and a byte order mark are valid', async () => {
  const good = JSON.stringify({ ticker: 'GGAL', at, last: 1 });
  assert.deepEqual(await refusals(''), []);
  assert.deepEqual(await refusals('\n \n'), []);
  assert.deepEqual(await refusals(' [ ] \n'), []);
  assert.deepEqual(await refusals(`\u{FEFF}${good}`), ['1 taken']);
  assert.deepEqual(await refusals(`\u{FEFF}[${good}]`), ['1 taken']);
});

test('blank chunks before the first update count as lines', async () => {
  const bytes = [' \n', '\n', JSON.stringify({ ticker: 'GGAL', at })].map((text) =>
    encoder.encode(text),
  );
  const pushed: Pushed[] = [];
  for await (const some of readPushed(bytes)) pushed.push(...some);
  assert.deepEqual(pushed, [{ line: 3, update: { ticker: 'GGAL', at: instant } }]);
});

test('a body of any length is yielded chunk by chunk, and never collected in memory', async () => {
  const line = encoder.encode(`${JSON.stringify({ ticker: 'GGAL', at, last: 1 })}\n`);
  let sent = 0;
  function* body(): Iterable<Uint8Array> {
    for (; sent < 1000; sent += 1) yield line;
  }
  for await (const some of readPushed(body())) {
    assert.equal(some.length, 1);
    assert.equal(some[0]?.line, sent + 1);
  }
  assert.equal(sent, 1000);
});

test('every reason why a value is not an update has its own name', () => {
  const base = { ticker: 'GGAL', at, last: 1 };
  const cases: readonly (readonly [unknown, string, RegExp])[] = [
    [5, 'not-an-object', /JSON object/],
    [null, 'not-an-object', /JSON object/],
    [[base], 'not-an-object', /JSON object/],
    [{ ...base, previousclose: 1 }, 'unknown-field', /"previousclose".*previousClose/],
    [JSON.parse('{"__proto__": 1}'), 'unknown-field', /"__proto__"/],
    [{ at }, 'missing-field', /ticker/],
    [{ ticker: 'GGAL' }, 'missing-field', /at is missing/],
    [{ ...base, ticker: 7 }, 'bad-ticker', /not 7/],
    [{ ...base, ticker: ' ' }, 'bad-ticker', /not " "/],
    [{ ...base, ticker: null }, 'bad-ticker', /not null/],
    [{ ...base, at: '2026-11-20T14:00:00' }, 'bad-instant', /offset/],
    [{ ...base, at: instant }, 'bad-instant', /RFC 3339/],
    [{ ...base, last: '7410' }, 'not-a-number', /last.*"7410"/],
    [{ ...base, volume: {} }, 'not-a-number', /volume.*not an object/],
    [{ ...base, high: [1] }, 'not-a-number', /high.*not an array/],
    [{ ...base, low: true }, 'not-a-number', /low.*not true/],
    [{ ...base, [`a${'b'.repeat(200)}`]: 1 }, 'unknown-field', /^.{1,260}$/],
  ];
  for (const [value, refused, detail] of cases) {
    const mapped = mapPushed(value);
    assert.ok('refused' in mapped, JSON.stringify(value));
    assert.equal(mapped.refused, refused);
    assert.match(mapped.detail, detail);
  }
});

test('for any bytes, each line or element is an update or a refusal', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.json().map((text) => encoder.encode(text)),
    fc.json().map((text) => encoder.encode(`[${text}`)),
    fc
      .string({ unit: fc.constantFrom('[', ']', '{', '}', '"', ',', ':', '1', '\n', '\\u') })
      .map((text) => encoder.encode(text)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      let line = 0;
      for await (const some of readPushed([body])) {
        for (const one of some) {
          assert.ok('update' in one || one.detail.length < 300);
          assert.ok(one.line > line);
          ({ line } = one);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

function deep(depth: number): string {
  return `{"last":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

test('an element nested as deep as the limits allow is refused', async () => {
  assert.deepEqual(await refusals(deep(2000)), ['1 not-a-number']);
  assert.deepEqual(await refusals(`[${deep(30_000)}]`), ['1 not-a-number']);
});

test('a field that is null counts as absent', () => {
  const mapped = mapPushed({ ticker: 'GGAL', at, last: 1, open: null, volume: null });
  assert.deepEqual(mapped, { update: { ticker: 'GGAL', at: instant, last: 1 } });
});
