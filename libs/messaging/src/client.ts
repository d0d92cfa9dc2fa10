// This entry is for processes that only send requests: Nest, which they do not use, would cost each of them about 20
// MB.
export * from './connection/bus-connection.js';
export * from './connection/clock-watch.js';
export * from './connection/connection.js';
export * from './connection/reply-mux.js';
export { BUS_SETUP, type BusProcess } from './connection/users.js';
export * from './operations/rpc-client.js';
export * from './operations/wire.js';
export * from './streams/event-signals.js';
export * from './streams/key-invalidations.js';
export * from './streams/permissions.js';
export * from './streams/stream-keeper.js';
export * from './streams/streams.js';
