import type { Type } from '@nestjs/common';
import type { ServiceName } from '@swim/contracts';
import { type RunConfig, startService } from '@swim/messaging';
import { Databases } from '@swim/mongo';
import { crashOnDemand } from './crash-after-writes.js';

/**
 * A service's main for crash tests: the same module, in a process that kills itself when its parent's message requests that.
 * Use: `await runCrashing('scheduling', (await import('../../dist/app.module.js')).AppModule, config)` in a test's own file.
 */
export async function runCrashing(service: ServiceName, module: Type, config: RunConfig): Promise<void> {
  const { app } = await startService(service, module, config);
  const crashAfter = crashOnDemand(app.get(Databases, { strict: false }));
  process.on('message', ({ crashAfterWrites: n }: { crashAfterWrites: number }) => {
    crashAfter(n);
    process.send!('armed');
  });
}
