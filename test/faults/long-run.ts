/** Whether this is the long run (`npm run test:faults`), not the quick run of `npm test`. */
export const isLongRun = process.env['FAULTS'] === 'long';
