import { expect } from '@jest/globals';
import type { BusEvent, InputOf, Operation } from '@swim/contracts';
import { type Answered } from '@swim/platform';
import {
  CrashableService,
  collectMessages,
  type RequestOptions,
  type TestHarness,
  until,
  updateAll,
} from '@swim/testing';
import type { SessionDocument } from '../../src/sessions/storage/session.schema.js';
import { type Calendar, isConsistent, isQuiet, wholeness } from '../calendar/calendar-checks.js';
import { type KnownPeople, startSurroundings } from '../harness.js';

const PAST = new Date(0);
/** Collections whose documents are the logs of work that is over when they are not due any more. */
const SAGAS = ['closures', 'substitutions'];
const PUBLISHING = ['classes', 'closures', 'sessions', 'lessons', 'holds', 'waitlist'];

/** The outcome of a request in which scheduling was to crash. */
export interface Outcome<O extends Operation> {
  /** False when scheduling outlived the request and answered it: there were fewer writes. */
  died: boolean;
  value: Answered<O>;
}

/** Ends every lease, and makes due whatever recovery is to look after, but for holds, which last as long as they last. */
async function lapse(harness: TestHarness): Promise<void> {
  const collection = (name: string) => harness.database('scheduling_test').collection(name);
  const isDate = { $type: 'date' };
  // But for what fences earlier runs off.
  const overdue = { _id: { $not: /\// }, state: { $ne: 'held' }, dueAt: isDate } as object;
  await updateAll(collection('idempotency'), { state: 'running' }, { leaseUntil: PAST });
  await updateAll(collection('claims'), { state: 'taking' }, { until: PAST });
  await updateAll(collection('claims'), overdue, { dueAt: PAST });
  for (const name of ['sessions', 'lessons', 'holds', 'classes', ...SAGAS])
    await updateAll(collection(name), { dueAt: isDate }, { dueAt: PAST });
  await updateAll(collection('lessons'), { lineDueAt: isDate }, { lineDueAt: PAST });
  await updateAll(collection('classes'), { lineDueAt: isDate }, { lineDueAt: PAST });
  const inLine = { $or: [{ lessonId: { $type: 'string' } }, { classId: { $type: 'string' } }], dueAt: isDate };
  await updateAll(collection('waitlist'), inLine, { dueAt: PAST });
  for (const name of PUBLISHING) await updateAll(collection(name), { relayAt: isDate }, { relayAt: PAST });
}

/** Makes due what recovery looks after seconds later although no instance has crashed: the claims of moves, and events. */
async function elapse(harness: TestHarness): Promise<void> {
  const collection = (name: string) => harness.database('scheduling_test').collection(name);
  const putOff = { $gt: PAST };
  const moves = { 'plan.kind': { $in: ['move', 'lesson-move'] }, state: 'confirmed', dueAt: putOff };
  await updateAll(collection('claims'), moves, { dueAt: PAST });
  for (const name of PUBLISHING) await updateAll(collection(name), { relayAt: putOff }, { relayAt: PAST });
}

/** Scheduling that crashes after any write on demand. */
export class Crashing {
  private constructor(
    readonly harness: TestHarness,
    readonly people: KnownPeople,
    private readonly events: BusEvent[],
    private readonly service: CrashableService,
  ) {}

  static async start(): Promise<Crashing> {
    const { harness, people } = await startSurroundings();
    const events = await collectMessages<BusEvent>(harness.connection, 'event.test.scheduling.>');
    const service = await CrashableService.start(harness, {
      service: 'scheduling',
      load: async () => ({
        module: (await import('../../src/app.module.js')).AppModule,
        config: (await import('../../src/config.js')).config,
      }),
      lapse: () => lapse(harness),
      elapse: () => elapse(harness),
    });
    return new Crashing(harness, people, events, service);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.harness.stop();
  }

  get database() {
    return this.harness.database('scheduling_test');
  }

  /** Runs `scenario` for a crash after each write, until scheduling outlives one. Answers how many writes there were. */
  everywhere(scenario: (n: number) => Promise<boolean>): Promise<number> {
    return this.service.everywhere(scenario);
  }

  /** Has scheduling crash after its nth write of this request, a new instance take over, and retries the request. */
  async dieAt<O extends Operation>(
    n: number,
    operation: O,
    input: InputOf<O>,
    options: RequestOptions,
  ): Promise<Outcome<O>> {
    const died = await this.dieAlone(n, operation, input, options);
    return { died, value: await this.harness.insist(operation, input, options) };
  }

  /** As `dieAt`, but the client does not retry: what is begun is finished without it. */
  async dieAlone<O extends Operation>(
    n: number,
    operation: O,
    input: InputOf<O>,
    options: RequestOptions,
  ): Promise<boolean> {
    const work = () => this.harness.call(operation, input, options);
    const died = await this.service.crashDuring(n, work, () => this.isIdle());
    await this.service.idle(async () => !(await this.isWorking()));
    return died;
  }

  /** Makes a reminder of a session due, has scheduling crash after its nth write, and waits until the reminder is sent. */
  async dieOnReminder(n: number, sessionId: string): Promise<boolean> {
    const sessions = this.database.collection<SessionDocument>('sessions');
    const isSent = async () => (await sessions.findOne({ _id: sessionId }))!.nextDueAt!.getTime() > PAST.getTime();
    const send = async () => {
      await sessions.updateOne({ _id: sessionId }, { $set: { nextDueAt: PAST } });
      await until(isSent, 'the reminder is sent');
    };
    const died = await this.service.crashDuring(n, send, async () => (await isSent()) && (await this.isIdle()));
    await until(isSent, 'the reminder is sent');
    return died;
  }

  /** Waits until recovery has nothing left to do, and expects the calendar to be whole. */
  async wholeness(): Promise<Calendar> {
    await this.service.idle(() => isQuiet(this.database));
    return wholeness(this.database);
  }

  /** Ends the placeholders that keep time for those who wait for it, as if their minute was over. */
  async endPlaceholders(): Promise<void> {
    const placeholders = { _id: /@/, state: 'held' } as object;
    await updateAll(this.database.collection('claims'), placeholders, { until: PAST, dueAt: PAST });
  }

  /** Whether nothing is left to be written: no step of any work, no event. */
  private async isIdle(): Promise<boolean> {
    if (await this.isWorking()) return false;
    const unsent = ['holds', 'waitlist'].map((name) =>
      this.database.collection(name).findOne({ relayAt: { $type: 'date' } }),
    );
    unsent.push(this.database.collection('pools').findOne({ widenedAt: { $type: 'date' } }));
    return (await Promise.all(unsent)).every((each) => each === null) && isConsistent(this.database);
  }

  private async isWorking(): Promise<boolean> {
    const logs = SAGAS.map((name) => this.database.collection(name).findOne({ dueAt: { $type: 'date' } }));
    return (await Promise.all(logs)).some((each) => each !== null);
  }

  /** Expects the events of an object to be these, each once as its id goes, and numbered without a gap. */
  async publishedOnce(id: string, types: string[]): Promise<void> {
    const publishedEvents = () => this.events.filter(({ objectId }) => objectId === id);
    await until(() => publishedEvents().length >= types.length, `${types.length} events are published`);
    expect(publishedEvents().map(({ type }) => type)).toEqual(types);
    expect(publishedEvents().map(({ n }) => n)).toEqual(types.map((_, index) => index + 1));
  }
}
