import { authenticatePolicy } from './policies/authenticate.policy.js';
import type { EngineRequest, Policy } from './policies/policy.js';
import { rateLimitPolicy } from './policies/rate-limit.policy.js';
import { requestIdPolicy } from './policies/request-id.policy.js';
import { routePolicy } from './policies/route.policy.js';

/** The engine's express application: called with what to do when nothing in it has answered. */
export interface EngineApp {
  (request: EngineRequest, response: unknown, fallThrough: (error?: unknown) => void): void;
  _router: { stack: unknown[] };
}

interface PluginContext {
  registerPolicy(policy: Policy): void;
  registerGatewayRoute(declare: (app: EngineApp) => void): void;
}

/** Our policies in the order in which the pipeline must run them. */
export const POLICIES: readonly Policy[] = [requestIdPolicy, authenticatePolicy, rateLimitPolicy, routePolicy];

/** What the engine gave us when it loaded this plugin; null while it has not. */
export const loaded: { app: EngineApp | null } = { app: null };

/** Of the plugin interface, which the engine compares with its own. */
export const version = '1.2.0';
export const schema = { $id: 'urn:swim:plugin', type: 'object' };
export const policies = POLICIES.map(({ name }) => name);

/** Called by express-gateway, which finds this file by `plugins.swim.package` of system.config.yml. */
export function init(context: PluginContext): void {
  for (const policy of POLICIES) context.registerPolicy(policy);
  context.registerGatewayRoute((app) => {
    loaded.app = app;
    // So far only express's own query parser and init layer and an empty passport: all of them cost, and none is used.
    app._router.stack.length = 0;
  });
}
