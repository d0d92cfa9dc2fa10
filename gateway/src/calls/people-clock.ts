import { type Principal, readClock } from '@swim/contracts';
import type { RpcClient } from '@swim/messaging/client';
import { BUDGET_MS, Deadline, makeRequestContext, newId, sharedClock } from '@swim/platform';

const REFRESH_MS = 10_000;
const RETRY_MS = 250;
const READINGS = 3;
const FIRST_WITHIN_MS = 3_000;

/**
 * Sets the shared clock in a process without a database: requests the time from people, three times every 10 s. The clock
 * reads the time from a header of each reply of people, so that busy gateways have many more readings.
 */
export class PeopleClock {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly client: RpcClient,
    private readonly principal: Principal,
  ) {}

  /** Starts reading. Resolves when the clock is set or after FIRST_WITHIN_MS; reading continues. */
  async start(): Promise<void> {
    const patience = new Promise<void>((resolve) => setTimeout(resolve, FIRST_WITHIN_MS).unref());
    await Promise.race([this.refresh(), patience]);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async refresh(): Promise<void> {
    try {
      for (let reading = 0; reading < READINGS; reading++) await this.read();
    } catch {
      // People is unreachable: before the first reading no request is admitted, afterwards the clock continues by itself.
    }
    if (this.isStopped) return;
    this.timer = setTimeout(() => void this.refresh(), sharedClock.isSet ? REFRESH_MS : RETRY_MS).unref();
  }

  private async read(): Promise<void> {
    const deadline = new Deadline(BUDGET_MS.read);
    await this.client.call(
      readClock,
      {},
      makeRequestContext({ requestId: newId('req'), principal: this.principal, deadline }),
    );
  }
}
