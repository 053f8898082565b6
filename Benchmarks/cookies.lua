-- A script for wrk: GET with a random cookie of the file in the variable COOKIES. The last line of output is JSON.
-- With the variable PAUSE, each connection waits that many milliseconds on average before each request.

local threads = 0
local pause = tonumber(os.getenv("PAUSE") or "")

function setup(thread)
    threads = threads + 1
    thread:set("seed", threads)
end

function init()
    -- Each thread has its own seed, the same in every run, so that both sides of a pair get the same order
    -- (with a pause, a similar one).
    math.randomseed(seed)
    requests = {}
    for cookie in io.lines(os.getenv("COOKIES")) do
        requests[#requests + 1] = wrk.format("GET", nil, {
            ["Host"] = wrk.headers["Host"],
            ["Accept"] = "application/json",
            ["Cookie"] = "__Host-session=" .. cookie,
        })
    end
end

function request()
    return requests[math.random(#requests)]
end

if pause then
    -- Random, so that the connections do not all send at the same time.
    function delay()
        return math.random(0, 2 * pause)
    end
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f, "errors": %d}\n',
        summary.requests,
        summary.duration / 1e6,
        latency:percentile(50) / 1e3,
        latency:percentile(99) / 1e3,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout
    ))
end
