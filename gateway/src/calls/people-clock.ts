import { type Principal, readClock } from '@swim/contracts';
import { type RpcClient } from '@swim/messaging/client';
import { BUDGET_MS, Deadline, makeRequestContext, newId, sharedClock } from '@swim/platform';

const REFRESH_MS = 10_000;
const RETRY_MS = 250;
const READINGS = 3;
const FIRST_WITHIN_MS = 3_000;

/**
 * Keeps the shared clock running in a process without a database: reads the time from people, three times every 10 s. The
 * readings themselves come from the header that each reply of people carries, so that busy gateways have many more.
 */
export class PeopleClock {
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    private readonly client: RpcClient,
    private readonly principal: Principal,
  ) {}

  /** Starts reading. Resolves once the clock is set, or when that takes long: reading goes on. */
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
      // People is unreachable: before the first reading nothing is admitted, afterwards the clock runs on by itself.
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
