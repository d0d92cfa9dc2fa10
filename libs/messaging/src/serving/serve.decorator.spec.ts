import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner, NestFactory } from '@nestjs/core';
import { type BusEvent, bookingCompleted, bookingCreated, rpc } from '@swim/contracts';
import { z } from 'zod';
import { NatsStrategy } from './nats.strategy.js';
import { findHandlers, On, Serve } from './serve.decorator.js';

const look = rpc('people.look', { kind: 'read', callers: ['gateway'], input: z.strictObject({}), output: z.string() });

@Injectable()
class Lessons {
  private readonly seen = 'seen';

  @Serve(look)
  async look() {
    return this.seen;
  }

  @On(bookingCreated)
  @On(bookingCompleted)
  async consume(_event: BusEvent): Promise<void> {}
}

async function handlersOf(...providers: (typeof Lessons)[]) {
  @Module({ imports: [DiscoveryModule], providers: [...providers, { provide: 'alias', useExisting: providers[0]! }] })
  class Sample {}
  const app = await NestFactory.createApplicationContext(Sample, { logger: false });
  return [...findHandlers(app.get(DiscoveryService), app.get(MetadataScanner))];
}

describe('the handlers of a service', () => {
  it('are the marked methods of its providers, each once for each of its marks', async () => {
    const found = await handlersOf(Lessons);
    expect(found.map(({ handled }) => handled)).toEqual([
      { operation: look },
      { listensTo: bookingCompleted },
      { listensTo: bookingCreated },
    ]);
    expect(await found[0]!.handler({}, {})).toBe('seen');
  });

  it('are unique: two methods that serve one operation or listen to one type are rejected', async () => {
    class Others extends Lessons {}
    const strategy = new NatsStrategy({} as never, {} as never, {} as never);
    const addAll = async (wanted: (handled: object) => boolean) => {
      for (const { handled, handler } of await handlersOf(Lessons, Others))
        if (wanted(handled)) strategy.add(handled, handler);
    };
    await expect(addAll((handled) => 'operation' in handled)).rejects.toThrow('Two methods serve people.look.');
    await expect(addAll((handled) => 'listensTo' in handled)).rejects.toThrow('Two methods listen to booking.c');
  });
});
