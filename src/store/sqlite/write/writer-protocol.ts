import type { DailyClose } from '../../../domain/history/daily-close.ts';
import type { CloseConflict } from '../../../domain/history/offered-close.ts';
import type { Ticker } from '../../../domain/instruments/ticker.ts';
import type { ActionKey, ActionStore } from '../../contract/action-store.ts';
import type { TidyOptions } from '../../contract/bar-store.ts';
import type { ActionVersion, CloseVersion } from '../../../domain/history/versions.ts';
import type { ChangeStamp, DayRange } from '../../contract/history-store.ts';
import type { IndexPut, IndexStore } from '../../contract/index-store.ts';
import type { KeyChangeOutcome, KeyContent, KeyStore, KeyUse } from '../../contract/key-store.ts';
import type { TermsStore } from '../../contract/terms-store.ts';
import type { QuoteCommit } from '../../contract/quote-store.ts';
import type { PackedError } from '../file/packed-error.ts';
import type { BarColumns } from '../rows/bar-columns.ts';
import type { CloseColumns } from '../rows/close-columns.ts';
import type { QuoteColumns } from '../rows/quote-columns.ts';

/**
 * The calls of the writing thread, by name, with their arguments and results. A transaction of history
 * stays open between messages. Its id is that of the call `begin`.
 */
export interface WriterCalls {
  open: { args: undefined; gives: void };
  commit: { args: PackedCommit; gives: readonly CloseConflict[] };
  tidyBars: { args: TidyOptions; gives: boolean };
  applyActions: { args: Parameters<ActionStore['apply']>; gives: readonly ActionKey[] };
  restoreActions: { args: readonly ActionVersion[]; gives: void };
  putIndices: { args: Parameters<IndexStore['put']>; gives: IndexPut };
  restoreIndices: { args: Parameters<IndexStore['restore']>[0]; gives: void };
  recordTerms: { args: Parameters<TermsStore['record']>; gives: void };
  restoreTerms: { args: Parameters<TermsStore['restore']>[0]; gives: void };
  insertKey: { args: Parameters<KeyStore['insert']>; gives: void };
  changeKey: { args: Parameters<KeyStore['change']>; gives: KeyChangeOutcome };
  rotateKey: { args: Parameters<KeyStore['rotate']>; gives: KeyChangeOutcome };
  restoreKeys: { args: KeyContent; gives: void };
  noteKeyUses: { args: readonly KeyUse[]; gives: void };
  begin: { args: Pick<ChangeStamp, 'origin'>; gives: void };
  read: { args: OfTransaction & { readonly range: DayRange }; gives: readonly DailyClose[] };
  put: { args: OfTransaction & { readonly closes: CloseColumns }; gives: void };
  restore: {
    args: OfTransaction & { readonly versions: readonly CloseVersion[] };
    gives: void;
  };
  finish: { args: { readonly transaction: number; readonly at: number }; gives: void };
  undo: { args: { readonly transaction: number }; gives: void };
  close: { args: undefined; gives: void };
}

/** The name of a call. */
export type WriterCallName = keyof WriterCalls;

interface OfTransaction {
  readonly transaction: number;
  readonly ticker: Ticker;
}

interface PackedCommit {
  readonly quotes: QuoteColumns;
  readonly closes: QuoteCommit['closes'];
  readonly storedAt: number | undefined;
  readonly bars: BarColumns;
}

/** The message of a call to the writing thread. */
export type WriterRequest = {
  [Name in WriterCallName]: {
    readonly id: number;
    readonly name: Name;
    readonly args: WriterCalls[Name]['args'];
  };
}[WriterCallName];

/** The response of the writing thread. */
export type WriterReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PackedError };
