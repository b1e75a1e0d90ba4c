import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolveSettings } from './resolve-settings.ts';
import { environmentName, isSettingName, settingNames, settingOf } from './settings.ts';
import { settingGroups } from './table/setting.ts';

test('every default is a valid value', () => {
  const invalid = settingNames.filter((name) => {
    const { kind, fallback } = settingOf(name);
    return kind.parse(fallback) === undefined;
  });
  assert.deepEqual(invalid, []);
});

test('settings of one group stand together, and the groups in their order', () => {
  const groups = settingNames.map((name) => settingOf(name).group);
  const order = groups.map((group) => settingGroups.indexOf(group));
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  );
  assert.deepEqual([...new Set(groups)], [...settingGroups]);
});

const units = { Ms: 'milliseconds', Minutes: 'minutes', BytesMax: 'bytes', Mib: 'MiB' };

test('a description is made of sentences, and states the unit that the name ends with', () => {
  for (const name of settingNames) {
    const { description } = settingOf(name);
    assert.match(description, /^[A-Z].*\.$/, name);
    for (const [ending, unit] of Object.entries(units)) {
      if (name.endsWith(ending)) assert.match(description, new RegExp(`\\b${unit}\\b`), name);
    }
  }
});

test('a description names no setting that does not exist', () => {
  for (const name of settingNames) {
    const named = settingOf(name).description.match(/\b[a-z]+[A-Z]\w*/g) ?? [];
    assert.deepEqual(
      named.filter((one) => !isSettingName(one)),
      [],
      name,
    );
  }
});

test('the value of a secret setting is in no message, also when it is invalid', () => {
  const secrets = settingNames.filter((name) => settingOf(name).secret === true);
  assert.ok(secrets.length > 0);
  for (const name of secrets) {
    const pasted = '-----BEGIN PRIVATE KEY-----\nMIIEvQ\n';
    assert.throws(
      () => resolveSettings({ flags: {}, environment: { [environmentName(name)]: pasted } }),
      ({ message }: Error) => {
        assert.match(message, new RegExp(`^${environmentName(name)} cannot be this value\\.`));
        return !message.includes('MIIEvQ');
      },
    );
  }
});

test('a name that is no setting does not compile', () => {
  const settings = resolveSettings({ flags: {}, environment: {} });
  // @ts-expect-error: a setting that was renamed must be an error wherever it is read.
  assert.equal(settings.prot, undefined);
  assert.throws(() =>
    // @ts-expect-error: a flag's setting too.
    settingOf('prot').kind.parse(''),
  );
});
