import type { DailyClose } from '../../domain/daily-close.ts';
import type { CloseConflict } from '../../domain/offered-close.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { ActionKey, ActionStore } from '../action-store.ts';
import type { TidyOptions } from '../bar-store.ts';
import type { DayRange } from '../history-store.ts';
import type { KeyChangeOutcome, KeyStore, KeyUse } from '../key-store.ts';
import type { QuoteCommit } from '../quote-store.ts';
import { StoreFault } from '../store-fault.ts';
import type { StoreFaultCode } from '../store-fault.ts';
import type { BarColumns } from './bar-columns.ts';
import type { QuoteColumns } from './quote-columns.ts';

/**
 * The calls of the writing thread, by name, with their arguments and results. A transaction of history
 * stays open between messages. Its id is that of the call `begin`.
 */
export interface WriterCalls {
  open: { args: undefined; gives: void };
  commit: { args: PackedCommit; gives: readonly CloseConflict[] };
  tidyBars: { args: TidyOptions; gives: boolean };
  applyActions: { args: Parameters<ActionStore['apply']>[0]; gives: readonly ActionKey[] };
  insertKey: { args: Parameters<KeyStore['insert']>; gives: void };
  changeKey: { args: Parameters<KeyStore['change']>; gives: KeyChangeOutcome };
  rotateKey: { args: Parameters<KeyStore['rotate']>; gives: KeyChangeOutcome };
  noteKeyUses: { args: readonly KeyUse[]; gives: void };
  begin: { args: undefined; gives: void };
  read: { args: OfTransaction & { readonly range: DayRange }; gives: readonly DailyClose[] };
  put: { args: OfTransaction & { readonly closes: readonly DailyClose[] }; gives: void };
  finish: { args: { readonly transaction: number }; gives: void };
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

/**
 * An error in a message between threads. Structured clone preserves the message, the stack and the cause
 * of an error. It preserves the class only of the language's built-in errors.
 */
export interface PackedError {
  readonly error: unknown;
  /** Present when the error was a {@link StoreFault}. */
  readonly fault?: StoreFaultCode;
}

/** Packs an error. */
export function packError(error: unknown): PackedError {
  return error instanceof StoreFault ? { error, fault: error.code } : { error };
}

/** Restores a packed error, including the class {@link StoreFault}. */
export function unpackError({ error, fault }: PackedError): unknown {
  if (fault === undefined || !(error instanceof Error)) return error;
  return new StoreFault(fault, error.message, { cause: error.cause });
}
