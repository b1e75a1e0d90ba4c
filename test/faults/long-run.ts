/** Whether this is `npm run test:faults`, which takes its time, and not the quick part in `npm test`. */
export const isLongRun = process.env['FAULTS'] === 'long';
