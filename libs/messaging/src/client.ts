// For processes that only send requests: Nest, which they do not use, would cost a process some 20 MB.
export * from './bus-connection.js';
export * from './clock-watch.js';
export * from './connection.js';
export * from './event-signals.js';
export * from './key-invalidations.js';
export * from './permissions.js';
export * from './reply-mux.js';
export * from './rpc-client.js';
export * from './stream-keeper.js';
export * from './streams.js';
export { BUS_SETUP, type BusProcess } from './users.js';
export * from './wire.js';
