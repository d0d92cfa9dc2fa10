export * from './client.js';
export * from './event-consumer.js';
export * from './event-publisher.js';
export * from './messaging.module.js';
export * from './nats.strategy.js';
export { Periodic, PeriodicRunner } from './periodic.js';
export * from './run-service.js';
export * from './serve.decorator.js';
