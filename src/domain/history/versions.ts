import type { Version } from '../changes/version.ts';
import type { IssueTerms } from '../instruments/issue-terms.ts';
import type { CorporateAction } from './corporate-action.ts';
import type { DailyClose } from './daily-close.ts';

/** A version of a daily close. */
export type CloseVersion = Version<DailyClose>;

/** A version of a corporate action. */
export type ActionVersion = Version<CorporateAction>;

/** A version of the terms of an issue. */
export type TermsVersion = Version<IssueTerms>;
