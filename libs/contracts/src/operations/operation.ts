import type { z } from 'zod';
import type { Reason } from '../errors/errors.js';
import type { Scope } from './principal.js';

/** The services, each a folder of `services`: NATS users and permissions, tables of the documents and tests follow from it. */
export const SERVICES = ['people', 'scheduling', 'booking', 'payment', 'notification'] as const;
export type ServiceName = (typeof SERVICES)[number];
/** Every process that connects to NATS: the services and the gateway. */
export type ProcessName = ServiceName | 'gateway';

/** The processes with duties of their own on the bus. */
export const BUS_DUTIES = {
  /** Serves clients: it serves no operation, counts their requests, and reads the invalidations of keys and the signals of new events. */
  servesClients: 'gateway',
  /** Publishes the invalidations of keys. */
  invalidatesKeys: 'people',
  /** Stores every event: it signals new ones, and purges the stream of those that all have consumed. */
  storesEvents: 'notification',
} as const satisfies Record<string, ProcessName>;

/**
 * `read` has no effect and may be retried without a key; `write` changes data and is retried only under a key, the client's or the gateway's; `list` is a
 * read that returns one page.
 */
export type OperationKind = 'read' | 'write' | 'list';

/** The declaration of an operation: its handler, client and documentation follow from it. */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly service: ServiceName;
  /** NATS subject: `rpc.<service>.<operation>`. */
  readonly subject: string;
  readonly kind: OperationKind;
  /** What it does, in a few words and in a sentence or two, for those who use the API. A public operation has both. */
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  /** The only processes that may request it: NATS permissions follow from this. A public operation names the gateway. */
  readonly callers: readonly ProcessName[];
  readonly input: I;
  /** Shape of `data`; for a list, of one item. */
  readonly output: O;
  /**
   * Every reason with which its service may reject an input that fits the schema, whatever the status. Without the reasons of
   * the schema itself, and those of any operation (`missing_scope`, limits, 5xx).
   */
  readonly errors: readonly Reason[];
  /** A scope without which parts of the response are omitted. */
  readonly reveals?: Scope | undefined;
  /** For a patch: the operation that answers the object. Fields that are sent as it answers them are no changes. */
  readonly reads?: Operation | undefined;
  /**
   * Whether it has bulkheads of its own, in the service and at the gateway, so that a flood of it does not affect other
   * operations.
   */
  readonly isIsolated?: boolean | undefined;
  /** A write that is permitted while the account is closing. */
  readonly whileClosing?: true | undefined;
}

interface Declaration<I extends z.ZodType, O extends z.ZodType> {
  kind: OperationKind;
  summary?: string;
  description?: string;
  /** The processes that request it in code, and no others; by default the gateway. */
  callers?: readonly [ProcessName, ...ProcessName[]];
  input: I;
  output: O;
  errors?: readonly Reason[];
  reveals?: Scope;
  reads?: Operation;
  isIsolated?: boolean;
  whileClosing?: true;
}

/** Declares an operation by `<service>.<operation>`. */
export function rpc<I extends z.ZodType, O extends z.ZodType, K extends OperationKind>(
  name: `${ServiceName}.${string}`,
  declaration: Declaration<I, O> & { kind: K },
): Operation<I, O> & { kind: K } {
  const service = name.slice(0, name.indexOf('.')) as ServiceName;
  return { errors: [], callers: ['gateway'], ...declaration, name, service, subject: `rpc.${name}` };
}

/** The input of a client, before defaults and normalisation. */
export type InputOf<O extends Operation> = z.input<O['input']>;
/** The input of a handler: validated, normalised, with defaults. */
export type ParsedOf<O extends Operation> = z.output<O['input']>;
/** The result of a handler: `data`, or one item of it for a list. */
export type OutputOf<O extends Operation> = z.output<O['output']>;

/** One page of a list, as a handler returns it. */
export interface Page<T> {
  items: T[];
  pagination: Pagination;
}

/** The block beside `data` of every list (seed, Pagination). `total` is exact; `next_cursor` is null at the end. */
export interface Pagination {
  has_more: boolean;
  next_cursor: string | null;
  total: number;
}
