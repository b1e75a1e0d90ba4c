export { PizarraClient } from './client.ts';
export type {
  HistoriesParameters,
  HistoryParameters,
  HistoryTableParameters,
  TablePath,
} from './client.ts';
export { historyColumns } from './columns.ts';
export type { HistoryColumns } from './columns.ts';
export type * from './contract.ts';
export {
  PizarraConnectionError,
  PizarraError,
  PizarraHttpError,
  PizarraResponseError,
  PizarraTimeoutError,
} from './errors.ts';
export type { ClientOptions, RequestOptions, RetryOptions } from './options.ts';
export { positionValue } from './position-value.ts';
export type { RateLimit, ResponseNotes, Result } from './result.ts';
export type { StreamEvent, StreamOptions, StreamState } from './stream.ts';
