import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { resetBookings, resetEvents, resetPayments, resetTimes } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { onceMore, Saga, type Step, WhenDue } from '@swim/mongo';
import { CONFIG, LOGGER, type Logger, type RequestContext, systemContext } from '@swim/platform';
import type { Config } from '../../config.js';
import type { AccountDocument } from '../../identity/accounts/account.schema.js';
import { AccountResetsService, type RunningReset, runningOf } from './account-resets.service.js';
import { DemoDataService } from './demo-data.service.js';
import { PeopleResetService } from './people-reset.service.js';
import { FILL_STEP, type ResetStep } from './reset.rules.js';

const RESUMED_MS = 6_000;
/** More than a service uses before it answers that there is more to do. */
const PART_MS = 8_000;
const AGAIN_MS = 50;

/** What a step has to do with. */
interface Part {
  reset: RunningReset;
  context: RequestContext;
  end: { accountId: string; before: string; phase: 'end' };
  empty: { accountId: string; before: string; phase: 'empty' };
}

/** The parts of several services, which each takes at the same time. */
const areDone = async (parts: Promise<{ done: boolean }>[]): Promise<boolean> =>
  (await Promise.all(parts)).every(({ done }) => done);

const step = (name: ResetStep, take: (part: Part) => Promise<boolean>): Step<AccountDocument> => ({
  name,
  run: (account) => {
    const reset = runningOf(account);
    const part = { accountId: reset.accountId, before: reset.before.toISOString() };
    const context = systemContext('test', reset.accountId, PART_MS);
    return take({ reset, context, end: { ...part, phase: 'end' }, empty: { ...part, phase: 'empty' } });
  },
});

/**
 * The reset of a test account. What is in progress ends before the account ceases to read it; `events` is the first step, so that no
 * webhook reports what the reset ends; members come late, since all services consume their erasures. Each step reaches only what was
 * made before the reset: a superseded run, or a late request, changes nothing more.
 */
@Injectable()
export class ResetSaga {
  @Inject(LOGGER) private readonly logger!: Logger;
  private readonly reset: Saga<AccountDocument>;
  private readonly filling: Saga<AccountDocument>;

  constructor(
    readonly resets: AccountResetsService,
    people: PeopleResetService,
    demo: DemoDataService,
    rpc: RpcClient,
    @Inject(CONFIG) { ERASURE_DRAIN_MS }: Config,
  ) {
    const addDemo = (name: ResetStep | typeof FILL_STEP): Step<AccountDocument> => ({
      name,
      run: async (account) => {
        const reset = runningOf(account);
        await pause(resets.quietMsLeft(reset));
        await demo.add(reset, () => resets.unfinished.renew(account));
        return true;
      },
    });
    const round = [
      step('events', async ({ empty, context }) => (await rpc.call(resetEvents, empty, context)).done),
      step('lessons', async ({ end, context }) => (await rpc.call(resetTimes, end, context)).done),
      step('money', ({ end, context }) =>
        areDone([rpc.call(resetBookings, end, context), rpc.call(resetPayments, end, context)]),
      ),
      step('contents', ({ reset, empty, context }) =>
        areDone([
          rpc.call(resetPayments, empty, context),
          rpc.call(resetBookings, empty, context),
          rpc.call(resetTimes, empty, context),
          people.eraseMembers(reset, context).then((done) => ({ done })),
        ]),
      ),
      step('people', async ({ reset, context }) =>
        people.empty(reset, await resets.requestsOf(reset.accountId), context),
      ),
    ];
    const options = { log: 'reset', againMs: AGAIN_MS } as const;
    const steps = [...round, addDemo('demo'), ...onceMore(round, ERASURE_DRAIN_MS)];
    this.reset = new Saga(resets.unfinished, steps, options);
    this.filling = new Saga(resets.unfinished, [addDemo(FILL_STEP)], options);
  }

  @WhenDue(({ resets }: ResetSaga) => resets.unfinished)
  goOn(account: AccountDocument, forMs = RESUMED_MS): Promise<void> {
    return (account.reset?.step === FILL_STEP ? this.filling : this.reset).goOn(account, forMs);
  }

  /** Runs a reset that has begun, at most for about `forMs`; the sweep does the rest. Never rejects. */
  async run(begun: AccountDocument, forMs: number): Promise<void> {
    await this.resets.unfinished
      .handle(begun, (account) => this.goOn(account, forMs))
      .catch((err) => this.logger.warn({ err, accountId: begun._id }, 'reset of a test account interrupted'));
  }
}
