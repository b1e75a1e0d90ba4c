/** A separate process that returns every message, so a message crosses the boundary twice. */
process.on('message', (message) => process.send?.(message));
