// For processes that call services and serve none: Nest, which they would not use, costs a process some 20 MB.
export * from './answer.js';
export * from './call.js';
export * from './connection.js';
export * from './key-news.js';
export * from './rpc-client.js';
export * from './wire.js';
