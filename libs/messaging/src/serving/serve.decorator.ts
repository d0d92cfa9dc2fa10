import type { DiscoveryService, MetadataScanner } from '@nestjs/core';
import type { BusEvent, EventType, Operation, ParsedOf } from '@swim/contracts';
import type { Answered, RequestContext } from '@swim/platform';
import type { z } from 'zod';
import type { Delivery } from '../events/event-handling.js';

const HANDLES = Symbol('handles');

export type Handled = { operation: Operation } | { listensTo: EventType | '*' };

/** The method receives input and context of an operation, or an event and its delivery. */
export type HandlerMethod = (data: unknown, context: unknown) => Promise<unknown>;

type Handler<O extends Operation> = (input: ParsedOf<O>, context: RequestContext) => Promise<Answered<O>>;
type Listener<E extends EventType> = (event: BusEvent<z.output<E['object']>>, delivery: Delivery) => Promise<void>;

function mark(handled: Handled, { value }: PropertyDescriptor): void {
  const others: Handled[] = Reflect.getMetadata(HANDLES, value) ?? [];
  Reflect.defineMetadata(HANDLES, [...others, handled], value);
}

/** Marks the handler of an operation: a method of a provider or a controller. A handler whose input or result differs from the contract's does not compile. */
export const Serve =
  <O extends Operation>(operation: O) =>
  <H extends Handler<O>>(_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<H>): void =>
    mark({ operation }, descriptor);

/**
 * Marks the listener of one type of event; a method may listen to several. Delivered at least once, in the order of each
 * object's events.
 */
export const On =
  <E extends EventType>(type: E) =>
  <H extends Listener<E>>(_target: object, _key: string | symbol, descriptor: TypedPropertyDescriptor<H>): void =>
    mark({ listensTo: type }, descriptor);

/**
 * Marks the listener of every event of every service. Delivered at least once, many at a time: the listener orders them if
 * needed.
 */
export const OnEveryEvent =
  () =>
  <H extends Listener<EventType>>(
    _target: object,
    _key: string | symbol,
    descriptor: TypedPropertyDescriptor<H>,
  ): void =>
    mark({ listensTo: '*' }, descriptor);

/** Finds the marked methods of all providers and controllers. */
export function* findHandlers(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
): Generator<{ handled: Handled; handler: HandlerMethod }> {
  const wrappers = [...discovery.getProviders(), ...discovery.getControllers()];
  const instances = new Set(wrappers.map(({ instance }) => instance as unknown));
  for (const instance of instances) {
    if (instance === null || typeof instance !== 'object') continue;
    const methods = instance as Record<string, HandlerMethod>;
    for (const name of scanner.getAllMethodNames(Object.getPrototypeOf(instance))) {
      const marks: Handled[] = Reflect.getMetadata(HANDLES, methods[name]!) ?? [];
      for (const handled of marks) yield { handled, handler: async (data, context) => methods[name]!(data, context) };
    }
  }
}
