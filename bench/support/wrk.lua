-- If WRK_REQUESTS names a file, sends its requests in turn. A line has a method, a target, and the names and
-- values of headers, separated by tabs. Prints the figures of wrk as one line of JSON, because wrk's own
-- summary is rounded.
local file = os.getenv('WRK_REQUESTS')
if file then
  local requests = {}
  function init()
    for line in io.lines(file) do
      local parts = {}
      for part in line:gmatch('[^\t]+') do parts[#parts + 1] = part end
      local headers = {}
      for at = 3, #parts, 2 do headers[parts[at]] = parts[at + 1] end
      requests[#requests + 1] = wrk.format(parts[1], parts[2], headers)
    end
  end
  local at = 0
  function request()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency, requests)
  local errors = summary.errors
  io.write(string.format(
    '\nJSON {"requests":%d,"microseconds":%d,"bytes":%d,"p50":%d,"p99":%d,"failed":%d,"refused":%d}\n',
    summary.requests, summary.duration, summary.bytes,
    latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
