/** Sends back whatever it is sent, as its own process: what crosses it has crossed twice. */
process.on('message', (message) => process.send?.(message));
