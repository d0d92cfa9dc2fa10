import { type RunningService, startService } from '@swim/messaging';
import type { Clock } from '@swim/platform';

/** Starts the service inside the test's process, with what the environment says; `startParts` comes first. */
export async function startHere(clock?: Clock): Promise<RunningService> {
  const { AppModule } = await import('../src/app.module.js');
  const { config } = await import('../src/config.js');
  return startService('notification', AppModule, { ...config, HEALTH_PORT: 0 }, clock);
}
