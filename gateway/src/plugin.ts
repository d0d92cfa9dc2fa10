import {
  authenticatePolicy,
  type EngineRequest,
  type Policy,
  rateLimitPolicy,
  requestIdPolicy,
  routePolicy,
} from './policies.js';

/** The engine's express application; it calls `fallThrough` when no handler has answered. */
export interface EngineApp {
  (request: EngineRequest, response: unknown, fallThrough: (error?: unknown) => void): void;
  _router: { stack: unknown[] };
}

interface PluginContext {
  registerPolicy(policy: Policy): void;
  registerGatewayRoute(declare: (app: EngineApp) => void): void;
}

/** The policies in the order in which the pipeline must run them. */
export const POLICIES: readonly Policy[] = [requestIdPolicy, authenticatePolicy, rateLimitPolicy, routePolicy];

/** The application that the engine passed when it loaded this plugin; null before. */
export const loaded: { app: EngineApp | null } = { app: null };

/** Version of the plugin interface, which the engine compares with its own. */
export const version = '1.2.0';
export const schema = { $id: 'urn:swim:plugin', type: 'object' };
export const policies = POLICIES.map(({ name }) => name);

/** Called by express-gateway, which finds this file by `plugins.swim.package` of system.config.yml. */
export function init(context: PluginContext): void {
  for (const policy of POLICIES) context.registerPolicy(policy);
  context.registerGatewayRoute((app) => {
    loaded.app = app;
    // At this point it holds express's query parser and init layer and an empty passport, none of which is used.
    app._router.stack.length = 0;
  });
}
