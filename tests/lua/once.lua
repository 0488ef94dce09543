-- Whether this run of the specs, of those under both Luas and with sanitizers, makes the tests that one of them is enough for:
-- what the engine computes in many steps has the same bits in all.
return rawget(_G, "jit") ~= nil and not os.getenv "FLOC_SANITIZED"
