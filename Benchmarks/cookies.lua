-- A script for wrk: GET with a random cookie of the file in the variable COOKIES, after the text in the variable PREFIX.
-- The last line of output is JSON.
-- With the variable PAUSE, each connection waits that many milliseconds on average before each request.
-- With the variable BODY, a response with another status than 200 or with another body is an error.

local threads = {}
local pause = tonumber(os.getenv("PAUSE") or "")
local expected = os.getenv("BODY")
wrong = 0

function setup(thread)
    threads[#threads + 1] = thread
    thread:set("seed", #threads)
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
            ["Cookie"] = os.getenv("PREFIX") .. cookie,
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

if expected then
    function response(status, headers, body)
        -- wrk itself counts a status above 399.
        if status < 400 and (status ~= 200 or body ~= expected) then
            wrong = wrong + 1
        end
    end
end

function done(summary, latency)
    local errors = summary.errors
    local others = 0
    for _, thread in ipairs(threads) do
        others = others + thread:get("wrong")
    end
    io.write(string.format(
        '{"requests": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f, '
            .. '"connect": %d, "read": %d, "write": %d, "timeout": %d, "status": %d, "page": %d}\n',
        summary.requests,
        summary.duration / 1e6,
        latency:percentile(50) / 1e3,
        latency:percentile(99) / 1e3,
        errors.connect,
        errors.read,
        errors.write,
        errors.timeout,
        errors.status,
        others
    ))
end
