/** Injection tokens for values without a class. Plain symbols: this library does not import Nest. */
export const LOGGER = Symbol('logger');
export const HEALTH = Symbol('health');
/** Null where no traces are recorded. */
export const TRACER = Symbol('tracer');
export const SERVICE_NAME = Symbol('service name');
/** Provided by the library with the idempotency records; null without one. */
export const SERVE_INTERCEPTOR = Symbol('serve interceptor');
/** The service's configuration, as passed to `startService`. */
export const CONFIG = Symbol('config');
