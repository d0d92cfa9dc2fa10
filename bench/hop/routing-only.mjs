import { registerHooks } from 'node:module';

// Loaded before the gateway (`node --import`): its own engine, pipeline and route, but nobody is authenticated or counted.
const REPLACED = {
  'authenticate.policy.js': `
    const principal = JSON.parse(process.env.BENCH_PRINCIPAL);
    export const authenticatePolicy = policy('authenticate', (exchange) => {
      exchange.principal = principal;
      return true;
    });`,
  'rate-limit.policy.js': `export const rateLimitPolicy = policy('rate-limit', () => true);`,
};

registerHooks({
  load(url, context, nextLoad) {
    const name = url.slice(url.lastIndexOf('/') + 1);
    if (!url.includes('/gateway/dist/policies/') || !Object.hasOwn(REPLACED, name)) return nextLoad(url, context);
    const source = `import { policy } from './policy.js';${REPLACED[name]}`;
    return { format: 'module', source, shortCircuit: true };
  },
});
