/**
 * Why a source of prices gives none, in a word that names neither the source nor its address: it may be shown to
 * anybody.
 */
export type FaultReason = keyof typeof faultReasonTexts;

/** Each reason, as the end of a sentence about a source. */
export const faultReasonTexts = {
  name: 'its name is not found',
  connection: 'no connection',
  timeout: 'no response in time',
  certificate: 'its certificate cannot be verified',
  refused: 'it refuses access',
  limited: 'it limits the requests',
  request: 'it does not accept the request',
  server: 'its server has a fault',
  format: 'its response is not in the known format',
  program: 'a defect of the program',
} as const;
