import { HEALTH_CHECKS } from '@swim/contracts';
import type { BusConnection, RpcClient } from '@swim/messaging/client';
import { AppError, BUDGET_MS, Deadline, makeRequestContext, newId, sharedClock } from '@swim/platform';
import { GATEWAY_PRINCIPALS } from './gateway-principals.js';

/** Any client may read the health as often as it likes: the services are asked once a second. */
const KEPT_MS = 1_000;

/** The public health page: the state that each service has just reported. */
export class ServiceHealth {
  private failing: Promise<string[]> = Promise.resolve([]);
  private readAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly client: RpcClient,
    private readonly busConnection: BusConnection,
  ) {}

  /** `data` of a health answer; throws `unavailable` when no request can be served. */
  async read(): Promise<Buffer> {
    if (!this.busConnection.isUp || !sharedClock.isSet) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    if (performance.now() - this.readAtMs > KEPT_MS) {
      this.readAtMs = performance.now();
      this.failing = this.findFailing();
    }
    const services = await this.failing;
    if (services.length === HEALTH_CHECKS.length) throw new AppError('unavailable', { retryAfterSeconds: 1 });
    return Buffer.from(JSON.stringify(services.length > 0 ? { status: 'degraded', services } : { status: 'ok' }));
  }

  /** The services that do not answer, or do not reach what they need. */
  private async findFailing(): Promise<string[]> {
    const principal = GATEWAY_PRINCIPALS.live;
    const context = makeRequestContext({ requestId: newId('req'), principal, deadline: new Deadline(BUDGET_MS.read) });
    const found = await Promise.all(
      HEALTH_CHECKS.map(async (check) => {
        const { failing } = await this.client.call(check, {}, context).catch(() => ({ failing: ['an answer'] }));
        return failing.length > 0 ? [check.service] : [];
      }),
    );
    return found.flat();
  }
}
