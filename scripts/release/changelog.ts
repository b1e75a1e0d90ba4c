/** The heading of the changes since the last release. */
const unreleased = '## Unreleased';

/** A changelog whose unreleased changes became those of a version, and the text of these changes. */
export interface Released {
  readonly changelog: string;
  readonly notes: string;
}

/**
 * Gives the unreleased changes the heading of a version, below an empty section for the next ones.
 *
 * @param date the day of the release, `YYYY-MM-DD`.
 * @throws when the changelog has no unreleased changes, or has the version already.
 */
export function releaseChanges(
  changelog: string,
  { version, date }: { readonly version: string; readonly date: string },
): Released {
  if (new RegExp(`^## ${RegExp.escape(version)}(?: |$)`, 'm').test(changelog)) {
    throw new Error(`CHANGELOG.md has a section of ${version} already.`);
  }
  const start = changelog.indexOf(`${unreleased}\n`);
  if (start === -1) throw new Error(`CHANGELOG.md has no section "${unreleased}".`);
  const before = changelog.slice(0, start);
  const after = changelog.slice(start + unreleased.length + 1);
  const end = after.search(/^## /m);
  const notes = (end === -1 ? after : after.slice(0, end)).trim();
  if (notes === '') throw new Error('CHANGELOG.md has no unreleased changes.');
  const heading = `## ${version} (${date})`;
  return { changelog: `${before}${unreleased}\n\n${heading}\n${after}`, notes: `${notes}\n` };
}
