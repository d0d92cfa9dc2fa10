import { type RunningService, startService } from '@swim/messaging';
import type { Clock } from '@swim/platform';
import { until } from '@swim/testing';

/** Sets how long the service waits for an event's predecessor from now on. */
export async function waitForPredecessors(seconds: number): Promise<void> {
  const { config } = await import('../src/config.js');
  config.EVENT_ORDER_WAIT_SECONDS = seconds;
}

/** Starts the service in the test's process, with the current environment variables; `startHarness` comes first. */
export async function startHere(clock?: Clock): Promise<RunningService> {
  const { AppModule } = await import('../src/app.module.js');
  const { config } = await import('../src/config.js');
  config.HEALTH_PORT = 0;
  return startService('notification', AppModule, config, clock);
}

/** Sets whether webhooks of the sandbox may be sent to private addresses from now on. */
export async function allowPrivateTargets(isAllowed: boolean): Promise<void> {
  const { config } = await import('../src/config.js');
  config.WEBHOOK_ALLOW_PRIVATE = isAllowed;
}

/** Repeats a step of an erasure or a reset, which does as much as its deadline permits, until nothing is left. */
export const untilDone = (step: () => Promise<{ done: boolean }>) =>
  until(async () => (await step()).done, 'nothing is left');
