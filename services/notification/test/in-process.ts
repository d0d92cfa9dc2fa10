import { type RunningService, startService } from '@swim/messaging';
import type { Clock } from '@swim/platform';

/** Has the service, from now on, wait for an event's predecessor through so many deliveries of it. */
export async function waitForPredecessors(deliveries: number): Promise<void> {
  const { config } = await import('../src/config.js');
  config.EVENT_ORDER_ATTEMPTS = deliveries;
}

/** Starts the service inside the test's process, with what the environment says; `startParts` comes first. */
export async function startHere(clock?: Clock): Promise<RunningService> {
  const { AppModule } = await import('../src/app.module.js');
  const { config } = await import('../src/config.js');
  return startService('notification', AppModule, { ...config, HEALTH_PORT: 0 }, clock);
}
