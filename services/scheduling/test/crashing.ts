import { expect } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { BusEvent, InputOf, Operation } from '@swim/contracts';
import type { Answered } from '@swim/messaging';
import { AppError } from '@swim/platform';
import { type Caller, type Parts, type ServiceProcess, startProcess, until } from '@swim/testing';
import { isSettled, read } from './calendar-checks.js';
import { type KnownPeople, startSurroundings } from './scheduling-parts.js';

const MOST_WRITES = 30;
// What a death leaves is found after some seconds, and may be taken up again some seconds later.
const WAIT_MS = 60_000;
const PASSING = new Set<string>(['idempotency_in_progress', 'change_in_progress']);
const MAIN = new URL('crashing-main.mjs', import.meta.url);

/** What came of a call in which the process was to die. */
export interface Outcome<O extends Operation> {
  /** False when it outlived the call and answered it: there were fewer writes. */
  died: boolean;
  value: Answered<O>;
}

/** Scheduling in a process of its own that can be told to die after any write. */
export class Crashing {
  private constructor(
    readonly parts: Parts,
    readonly people: KnownPeople,
    private readonly env: Record<string, string>,
    private process: ServiceProcess,
  ) {}

  static async start(): Promise<Crashing> {
    const { parts, people } = await startSurroundings();
    const env = { ...parts.env, MONGODB_URI: `${parts.env.MONGODB_URI}&monitorCommands=true` };
    return new Crashing(parts, people, env, await startProcess(MAIN, env));
  }

  async stop(): Promise<void> {
    await this.process.kill('SIGTERM');
    await this.parts.stop();
  }

  get database() {
    return this.parts.database('scheduling_test');
  }

  /** Runs a story for the death after the first write, the second and so on, until one is outlived; how many writes there were. */
  async everywhere(story: (n: number) => Promise<boolean>): Promise<number> {
    for (let n = 1; n <= MOST_WRITES; n++) {
      if (!(await story(n))) return n - 1;
    }
    throw new Error(`It still dies after ${MOST_WRITES} writes.`);
  }

  /** Has the process die after its nth write of this call, starts it again, and finishes the call. */
  async dieAt<O extends Operation>(n: number, operation: O, input: InputOf<O>, caller: Caller): Promise<Outcome<O>> {
    await this.process.crashAfterWrites(n);
    const first = this.parts.call(operation, input, { ...caller, budgetMs: 1_500 }).then(
      () => true,
      () => false,
    );
    const isAnswered = await Promise.race([this.process.exit().then(() => false), first]);
    await until(async () => this.process.ended || isSettled(await read(this.database)), 'it is dead or done', WAIT_MS);
    const hasEnded = this.process.ended || !(await this.isAlive());
    if (hasEnded) this.process = await startProcess(MAIN, this.env);
    // A call that a busy machine let run out says nothing of how many writes there are.
    const died = hasEnded || !isAnswered;
    return { died, value: await this.insist(operation, input, caller) };
  }

  /** Expects the events of an object to be these, each once as its id goes, and numbered without a gap. */
  async toldOnce(id: string, types: string[]): Promise<void> {
    const distinct = await until(
      async () => {
        const told = new Map((await this.eventsOf(id)).map((event) => [event.id, event]));
        return told.size >= types.length ? told : null;
      },
      `${types.length} events are told`,
      WAIT_MS,
    );
    expect([...distinct.values()].map(({ type }) => type)).toEqual(types);
    expect([...distinct.values()].map(({ n }) => n)).toEqual(types.map((_, index) => index + 1));
  }

  private isAlive(): Promise<boolean> {
    return this.process.crashAfterWrites(0).then(
      () => true,
      () => false,
    );
  }

  /** Calls until the service has an answer: as a client does that retries under one key. */
  async insist<O extends Operation>(operation: O, input: InputOf<O>, caller: Caller): Promise<Answered<O>> {
    const answer = async () => {
      try {
        return { value: await this.parts.call(operation, input, caller) };
      } catch (error) {
        if (!(error instanceof AppError) || (error.code !== 'SERVER_ERROR' && !PASSING.has(error.reason))) throw error;
        return null;
      }
    };
    return (await until(answer, `${operation.name} is answered`, WAIT_MS)).value;
  }

  private async eventsOf(id: string): Promise<BusEvent[]> {
    const manager = await jetstreamManager(this.parts.connection);
    const { state } = await manager.streams.info('EVENTS_TEST');
    const consumer = await jetstream(this.parts.connection).consumers.get('EVENTS_TEST', {
      filter_subjects: `event.test.scheduling.*.*.${id}`,
    });
    const events: BusEvent[] = [];
    if (state.messages === 0) return events;
    for await (const message of await consumer.fetch({ max_messages: 20, expires: 1_000 }))
      events.push(message.json<BusEvent>());
    return events;
  }
}
