import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { resetBookings, resetEvents, resetPayments, resetTimes } from '@swim/contracts';
import { RpcClient } from '@swim/messaging';
import { Periodic, type Sweep } from '@swim/mongo';
import { LOGGER, type Logger, systemContext } from '@swim/platform';
import { AccountResetsService, type RunningReset } from './account-resets.service.js';
import { DemoDataService } from './demo-data.service.js';
import { PeopleResetService } from './people-reset.service.js';

const SWEEP_MS = 1_000;
const RESUMED_MS = 6_000;
/** More than a service uses before it answers that there is more to do. */
const PART_MS = 8_000;
const POLL_MS = 50;
const AGAIN_MS = 1_000;

/**
 * Runs the steps of resets. Each is an idempotent and bounded request to the owning service, repeated until it is done, and reaches
 * only what was made before the reset: a superseded run, or a late request, changes nothing more.
 */
@Injectable()
export class ResetRun {
  constructor(
    private readonly resets: AccountResetsService,
    private readonly people: PeopleResetService,
    private readonly demo: DemoDataService,
    private readonly rpc: RpcClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Each second resumes resets that a crash or their length has interrupted, and takes the second round of others. */
  @Periodic('sandbox resets', SWEEP_MS)
  async resumeDue(sweep: Sweep): Promise<void> {
    const due = await this.resets.findDue();
    await Promise.all(
      due.map((account) =>
        sweep.attempt(account, async () => {
          const taken = await this.resets.takeOver(account);
          if (taken) await this.run(taken, RESUMED_MS);
        }),
      ),
    );
  }

  /** Continues a reset until it ends or waits, at most for about `limitMs`; the sweep does the rest. Never rejects. */
  async run(reset: RunningReset, limitMs: number): Promise<void> {
    const endsAtMs = performance.now() + limitMs;
    let now: RunningReset | null = reset;
    try {
      while (now) {
        const isDone = await this.take(now);
        if (isDone) now = await this.resets.advance(now);
        else await pause(POLL_MS);
        if (now && performance.now() > endsAtMs) return await this.resets.leave(now, 0);
      }
    } catch (error) {
      this.logger.warn({ err: error, accountId: reset.accountId }, 'reset of a test account interrupted');
      // Otherwise its lease ends.
      if (now) await this.resets.leave(now, AGAIN_MS).catch(() => undefined);
    }
  }

  /** Takes a step as far as it goes now; returns whether it is done. */
  private async take(reset: RunningReset): Promise<boolean> {
    const context = systemContext('test', reset.accountId, PART_MS);
    const part = { accountId: reset.accountId, before: reset.before.toISOString() };
    const end = { ...part, phase: 'end' } as const;
    const empty = { ...part, phase: 'empty' } as const;
    switch (reset.step) {
      case 'events':
        return (await this.rpc.call(resetEvents, empty, context)).done;
      case 'lessons':
        return (await this.rpc.call(resetTimes, end, context)).done;
      case 'money':
        return areDone([this.rpc.call(resetBookings, end, context), this.rpc.call(resetPayments, end, context)]);
      case 'contents':
        return areDone([
          this.rpc.call(resetPayments, empty, context),
          this.rpc.call(resetBookings, empty, context),
          this.rpc.call(resetTimes, empty, context),
          this.people.eraseMembers(reset, context).then((done) => ({ done })),
        ]);
      case 'people':
        return this.people.empty(reset, await this.resets.requestsOf(reset.accountId), context);
      case 'demo':
        await pause(this.resets.quietMsLeft(reset));
        await this.demo.add(reset, context);
        return true;
    }
  }
}

/** Whether all of these parts are done; each service takes its own at the same time. */
const areDone = async (parts: Promise<{ done: boolean }>[]): Promise<boolean> =>
  (await Promise.all(parts)).every(({ done }) => done);
