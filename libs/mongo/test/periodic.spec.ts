import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { CONFIG, createLogger, currentEnvironment, LOGGER } from '@swim/platform';
import { until } from '@swim/testing';
import { Periodic, PeriodicPerEnvironment, PeriodicRunner, type Sweep } from '../src/index.js';

interface Config {
  intervalMs: number;
}

@Injectable()
class Counter {
  runs = 0;
  failures = 0;
  inFlight = 0;
  mostInFlight = 0;
  handled: string[] = [];
  environments = new Set<string>();

  @PeriodicPerEnvironment('each', 1)
  async runInEach(): Promise<void> {
    this.environments.add(currentEnvironment());
  }

  @Periodic('count', ({ intervalMs }: Config) => intervalMs)
  async count(sweep: Sweep): Promise<void> {
    this.runs++;
    await sweep.each([{ _id: 'bad' }, { _id: 'good' }], ({ _id }) => this.handle(_id));
  }

  @Periodic('fail', 1)
  async fail(): Promise<void> {
    this.failures++;
    this.mostInFlight = Math.max(this.mostInFlight, ++this.inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    this.inFlight--;
    throw new Error('The work failed.');
  }

  private async handle(id: string): Promise<void> {
    if (id === 'bad') throw new Error('The item failed.');
    this.handled.push(id);
  }
}

@Module({
  imports: [DiscoveryModule],
  providers: [
    Counter,
    PeriodicRunner,
    { provide: CONFIG, useValue: { intervalMs: 1 } },
    { provide: LOGGER, useValue: createLogger('people', 'silent') },
  ],
})
class PeriodicModule {}

let app: INestApplicationContext | undefined;
const start = async () => {
  app = await NestFactory.createApplicationContext(PeriodicModule, { logger: false });
  return app.get(Counter);
};
afterEach(() => app?.close());

describe('a @Periodic method', () => {
  it('runs again after each end, also after a failure, and never concurrently', async () => {
    const counter = await start();
    await until(() => counter.runs > 2 && counter.failures > 2, 'both methods ran three times');
    expect(counter.mostInFlight).toBe(1);
  });

  it('handles the other items of a run when one fails', async () => {
    const counter = await start();
    await until(() => counter.handled.length > 1, 'two items were handled');
    expect(new Set(counter.handled)).toEqual(new Set(['good']));
  });

  it('runs in each environment, where it is work of both', async () => {
    const counter = await start();
    await until(() => counter.environments.size === 2, 'it ran in both environments');
    expect([...counter.environments].sort()).toEqual(['live', 'test']);
  });

  it('does not run after the application has closed', async () => {
    const counter = await start();
    await until(() => counter.failures > 0, 'the method ran');
    await app!.close();
    const { failures } = counter;
    const other = await start();
    await until(() => other.failures > 2, 'the method of another application ran three times');
    expect(counter).toMatchObject({ failures, inFlight: 0 });
  });
});
