/** Injection tokens for what is not a class of its own. Plain symbols: this library does not know Nest. */
export const LOGGER = Symbol('logger');
export const HEALTH = Symbol('health');
export const SERVICE_NAME = Symbol('service name');
/** The library that keeps idempotency records provides it; null without one. */
export const SERVE_INTERCEPTOR = Symbol('serve interceptor');
/** What the service read from its environment: the `config` that `startService` was given. */
export const CONFIG = Symbol('config');
