/** A structured log. `node/log/` implements it. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A log that discards everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
