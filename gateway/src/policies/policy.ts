import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../exchange.js';

/** Stands for an exchange while the pipeline is tried out at start: each policy that is reached writes its name into it. */
export interface Probe {
  readonly reached: string[];
}

/** A request as our server hands it to the engine. */
export interface EngineRequest extends IncomingMessage {
  exchange: Exchange | Probe;
}

type Next = (error?: unknown) => void;
type Middleware = (request: EngineRequest, response: unknown, next: Next) => void;

/** A policy as express-gateway's plugins register it. */
export interface Policy {
  readonly name: string;
  readonly schema: object;
  readonly policy: () => Middleware;
}

/**
 * Wraps a function as a policy. It goes on to the next policy unless the function has answered and returns `false`;
 * what the function throws or rejects with becomes the answer.
 */
export function policy(name: string, work: (exchange: Exchange) => Promise<boolean> | boolean): Policy {
  const run = async (exchange: Exchange, working: Promise<boolean>, next: Next): Promise<void> => {
    try {
      if (await working) next();
    } catch (error) {
      exchange.fail(error);
    }
  };
  const middleware: Middleware = ({ exchange }, _response, next) => {
    if ('reached' in exchange) {
      exchange.reached.push(name);
      return next();
    }
    try {
      const goesOn = work(exchange);
      if (goesOn instanceof Promise) void run(exchange, goesOn, next);
      else if (goesOn === true) next();
    } catch (error) {
      exchange.fail(error);
    }
  };
  return { name, schema: { $id: `urn:swim:policy:${name}`, type: 'object' }, policy: () => middleware };
}
