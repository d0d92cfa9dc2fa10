import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { MessagePattern } from '@nestjs/microservices';
import type { BusEvent, EventType, Operation, ParsedOf } from '@swim/contracts';
import type { Answered, RequestContext } from '@swim/platform';
import type { z } from 'zod';
import type { Delivery } from './event-handling.js';

type Handler<O extends Operation> = (input: ParsedOf<O>, context: RequestContext) => Promise<Answered<O>>;
type Listener<E extends EventType> = (event: BusEvent<z.output<E['object']>>, delivery: Delivery) => Promise<void>;

// Handlers get both arguments of the transport as they are. With `Payload` and `Ctx`, Nest passes each through its pipes, of which
// there are none, with five promises a call.
const bind = (target: object, key: string | symbol): void =>
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, {}, target.constructor, key);

/** Marks the handler of an operation. A handler whose input or result differs from the contract's does not compile. */
export const Serve =
  <O extends Operation>(operation: O) =>
  <H extends Handler<O>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<H>): void => {
    bind(target, key);
    MessagePattern(operation.subject, { operation })(target, key, descriptor);
  };

/** Marks the listener of one type of event. Delivered at least once, in the order of each object's events. */
export const On =
  <E extends EventType>(type: E) =>
  <H extends Listener<E>>(target: object, key: string | symbol, descriptor: TypedPropertyDescriptor<H>): void => {
    bind(target, key);
    MessagePattern(`event:${type.type}`, { listensTo: type })(target, key, descriptor);
  };

/**
 * Marks the listener of every event of every service. Delivered at least once, many at a time: the listener orders them if
 * needed.
 */
export const OnEveryEvent =
  () =>
  <H extends Listener<EventType>>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    bind(target, key);
    MessagePattern('event:*', { listensTo: '*' })(target, key, descriptor);
  };
