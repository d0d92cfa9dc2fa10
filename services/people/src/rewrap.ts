import 'reflect-metadata';
import { ENVIRONMENTS } from '@swim/contracts';
import { Databases } from '@swim/mongo';
import { createLogger, HealthServer, MasterKeys } from '@swim/platform';
import { config } from './config.js';
import { PrivacyRepository } from './privacy/privacy.repository.js';
import { RewrapService } from './privacy/rewrap.service.js';

async function main(): Promise<boolean> {
  // Standard output contains the result alone, so the logger is silent; errors go to standard error.
  const databases = new Databases(config, 'people', createLogger('people', 'silent'), new HealthServer());
  const masters = new MasterKeys('people', config.DATA_KEY, config.DATA_KEYS_ALSO_READ);
  const service = new RewrapService(new PrivacyRepository(databases), masters);
  await databases.onModuleInit();
  try {
    const results = [];
    for (const env of ENVIRONMENTS) results.push([env, await service.rewrapAll(env)] as const);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(results))}\n`);
    return results.every(([, { unreadable }]) => unreadable.length === 0);
  } finally {
    await databases.onApplicationShutdown();
  }
}

try {
  if (!(await main())) {
    console.error('Some data keys are wrapped under a master key that is not in DATA_KEY or DATA_KEYS_ALSO_READ.');
    process.exitCode = 1;
  }
} catch (error) {
  console.error('The data keys could not be wrapped anew:', error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
