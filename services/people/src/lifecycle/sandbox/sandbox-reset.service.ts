import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type ParsedOf, resetSandbox, type SandboxClock } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { AccountResetsService } from './account-resets.service.js';
import { ResetSaga } from './reset-saga.service.js';
import { SandboxClockService } from './sandbox-clock.service.js';

/** After this time the client gets an answer, and the sweep continues. */
const RESETTING_MS = 8_000;
const ANSWERING_MS = 500;
const POLL_MS = 50;

/** Resets of test accounts as their clients use them. None of it exists for live keys. */
@Injectable()
export class SandboxResetService {
  constructor(
    private readonly resets: AccountResetsService,
    private readonly saga: ResetSaga,
    private readonly clocks: SandboxClockService,
  ) {}

  /** Resets the requesting account; answers its clock, which is `resetting` when it takes longer. */
  @Serve(resetSandbox)
  async reset(_: ParsedOf<typeof resetSandbox>, context: RequestContext): Promise<SandboxClock> {
    const endsAtMs = performance.now() + Math.min(RESETTING_MS, context.deadline.remainingMs() - ANSWERING_MS);
    const begun = await this.resets.begin(context);
    if (context.dryRun) return this.clocks.real();
    const leftMs = endsAtMs - performance.now();
    // A slow service must not cost the client its answer: the run goes on without it.
    if (begun) await Promise.race([this.saga.run(begun, leftMs), pause(leftMs, undefined, { ref: false })]);
    // The sweep completes a run that a crash has interrupted.
    else await this.awaitEnd(context.principal.accountId, endsAtMs);
    return this.clocks.get({}, context);
  }

  private async awaitEnd(accountId: string, endsAtMs: number): Promise<void> {
    while (performance.now() < endsAtMs && (await this.resets.isResetting(accountId))) await pause(POLL_MS);
  }
}
