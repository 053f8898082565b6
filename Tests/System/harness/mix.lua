-- What a site is asked for, in turn: mostly the check of a session, some pages, a few sign-ins that nobody finishes.
local paths = { "/profile", "/profile", "/profile", "/", "/profile", "/login", "/profile", "/nothing", "/profile", "/oauth?state=a&code=b" }
local turn = 0

function request()
    turn = turn % #paths + 1
    return wrk.format("GET", paths[turn])
end
