import type { DailyClose } from '../../domain/daily-close.ts';
import type { Ticker } from '../../domain/ticker.ts';
import type { DayRange } from '../history-store.ts';
import type { KeyChangeOutcome, KeyStore, KeyUse } from '../key-store.ts';
import type { QuoteCommit } from '../quote-store.ts';
import { StoreFault } from '../store-fault.ts';
import type { StoreFaultCode } from '../store-fault.ts';
import type { QuoteColumns } from './quote-columns.ts';

/**
 * What the writing thread is asked to do, and under each name: what goes there and what comes back.
 * A transaction of history stays open between messages; it goes by the id of the call that began it.
 */
export interface WriterCalls {
  open: { args: undefined; gives: void };
  commit: { args: PackedCommit; gives: void };
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
}

/** A call on its way to the writing thread. */
export type WriterRequest = {
  [Name in WriterCallName]: {
    readonly id: number;
    readonly name: Name;
    readonly args: WriterCalls[Name]['args'];
  };
}[WriterCallName];

/** Its answer on the way back. */
export type WriterReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: PackedError };

/**
 * An error as it goes from thread to thread. Copying keeps the message, the stack and the cause of
 * an error, and its class only when it is one of the language's own.
 */
export interface PackedError {
  readonly error: unknown;
  /** Present when it was a {@link StoreFault}. */
  readonly fault?: StoreFaultCode;
}

/** Packs whatever was thrown. */
export function packError(error: unknown): PackedError {
  return error instanceof StoreFault ? { error, fault: error.code } : { error };
}

/** What was thrown in the other thread, as it would have been thrown in this one. */
export function unpackError({ error, fault }: PackedError): unknown {
  if (fault === undefined || !(error instanceof Error)) return error;
  return new StoreFault(fault, error.message, { cause: error.cause });
}
