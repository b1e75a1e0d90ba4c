-- Prints the figures of wrk as one line of JSON, because wrk's own summary is rounded.
function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\nJSON {"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
