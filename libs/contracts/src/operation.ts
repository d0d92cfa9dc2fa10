import type { z } from 'zod';
import type { Reason } from './errors.js';
import type { Scope } from './principal.js';

/** The services that own operations. */
export type ServiceName = 'scheduling' | 'people' | 'booking' | 'payment' | 'notification';
/** Every process that speaks on the bus: the services and the gateway. */
export type ProcessName = ServiceName | 'gateway';

/**
 * `read` has no effect and may be retried by anyone; `write` changes something and is retried only under a key;
 * `list` is a read that answers one page.
 */
export type OperationKind = 'read' | 'write' | 'list';

/** The one declaration of something a service does: its handler, the caller's client and the documentation come from it. */
export interface Operation<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly service: ServiceName;
  /** NATS subject: `rpc.<service>.<operation>`. */
  readonly subject: string;
  readonly kind: OperationKind;
  /**
   * The only processes that may request it: the permissions on the bus follow from this. A public operation names the
   * gateway.
   */
  readonly callers: readonly ProcessName[];
  readonly input: I;
  /** Shape of `data`; for a list, of one item. */
  readonly output: O;
  /**
   * Every reason for which its service may reject an input that fits the schema, whatever the status. Not in it: the reasons of
   * the schema itself, and what any operation may answer (`missing_scope`, limits, 5xx).
   */
  readonly errors: readonly Reason[];
  /** A scope without which parts of the answer are withheld. */
  readonly reveals?: Scope | undefined;
  /** Whether it has bulkheads of its own, in the service and at the gateway: a flood of it then crowds out nothing else. */
  readonly isIsolated?: boolean | undefined;
  /** A write that an account may still make while it is closing. */
  readonly whileClosing?: true | undefined;
}

interface Declaration<I extends z.ZodType, O extends z.ZodType> {
  kind: OperationKind;
  /** The processes that request it in code, and no others. */
  callers: readonly [ProcessName, ...ProcessName[]];
  input: I;
  output: O;
  errors?: readonly Reason[];
  reveals?: Scope;
  isIsolated?: boolean;
  whileClosing?: true;
}

/** Declares an operation by `<service>.<operation>`. */
export function rpc<I extends z.ZodType, O extends z.ZodType, K extends OperationKind>(
  name: `${ServiceName}.${string}`,
  declaration: Declaration<I, O> & { kind: K },
): Operation<I, O> & { kind: K } {
  const service = name.slice(0, name.indexOf('.')) as ServiceName;
  return { errors: [], ...declaration, name, service, subject: `rpc.${name}` };
}

/** What a caller may send: before defaults and normalisation. */
export type InputOf<O extends Operation> = z.input<O['input']>;
/** What a handler receives: validated, normalised, defaults filled in. */
export type ParsedOf<O extends Operation> = z.output<O['input']>;
/** What a handler answers: `data`, or one item of it for a list. */
export type OutputOf<O extends Operation> = z.output<O['output']>;

/** One page of a list, as a handler answers it. */
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
