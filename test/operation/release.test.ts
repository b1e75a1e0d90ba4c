/** The decisions of `npm run release`. `npm run test:install` makes a whole release. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { releaseChanges } from '../../scripts/release/changelog.ts';
import { requireNotOlder } from '../../scripts/release/version.ts';

const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n';

test('a release gives the unreleased changes its heading, and keeps the sections before', () => {
  const released = releaseChanges(changelog, { version: '1.1.0', date: '2026-02-03' });
  assert.equal(
    released.changelog,
    '# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-02-03)\n\n- New.\n\n## 1.0.0 (2026-01-01)\n\n- Old.\n',
  );
  assert.equal(released.notes, '- New.\n');
  const odd = `${changelog}### Unreleased\n\n- Odd.\n`;
  assert.match(releaseChanges(odd, { version: '1.1.0', date: '2026-02-03' }).changelog, /- Odd\./);
});

test('the first release has all changes of the changelog', () => {
  const first = releaseChanges('# Changelog\n\n## Unreleased\n\n### A\n\n- New.\n', {
    version: '0.1.0',
    date: '2026-02-03',
  });
  assert.equal(first.notes, '### A\n\n- New.\n');
});

test('a release without changes, with a known version, or without a section is refused', () => {
  const date = '2026-02-03';
  assert.throws(() => releaseChanges(changelog, { version: '1.0.0', date }), /1\.0\.0 already/);
  const { changelog: empty } = releaseChanges(changelog, { version: '1.1.0', date });
  assert.throws(() => releaseChanges(empty, { version: '1.2.0', date }), /no unreleased changes/);
  assert.throws(() => releaseChanges('# Changelog\n', { version: '1.2.0', date }), /no section/);
  // 1.0.0 is not a part of another version.
  releaseChanges(changelog, { version: '1.0', date });
});

test('versions are ordered as semver.org orders them, and an older one is refused', () => {
  const preReleases = 'alpha alpha.1 alpha.beta beta beta.2 beta.11 rc.1'.split(' ');
  const releases = ['1.0.0', '1.0.9', '1.0.10', '1.9.0', '1.10.0', '2.0.0'];
  const ordered = [...preReleases.map((one) => `1.0.0-${one}`), ...releases];
  for (const [at, version] of ordered.entries()) {
    requireNotOlder(version, version);
    for (const older of ordered.slice(0, at)) {
      requireNotOlder(version, older);
      assert.throws(() => requireNotOlder(older, version), /is older/);
    }
  }
  for (const wrong of ['', 'v1.0.0', '1.0', '1.0.0+build', '1.0.0-', 'latest']) {
    assert.throws(() => requireNotOlder(wrong, '0.1.0'), /is not a version/);
  }
});
