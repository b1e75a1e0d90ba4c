/** Where structured log lines go; what the logging library in `app` fulfils. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
