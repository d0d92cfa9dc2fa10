import 'reflect-metadata';
import { ENVIRONMENTS } from '@swim/contracts';
import { inEnvironment, MasterKeys } from '@swim/platform';
import { config } from './config.js';
import { PrivacyRepository } from './identity/privacy/privacy.repository.js';
import { RewrapService } from './identity/privacy/rewrap.service.js';
import { runCommand } from './run-command.js';

const results = await runCommand('The data keys could not be wrapped anew', (databases) => {
  const masters = new MasterKeys('people', config);
  const service = new RewrapService(new PrivacyRepository(databases), masters);
  return async () => {
    const rewrapped = [];
    for (const env of ENVIRONMENTS) rewrapped.push([env, await inEnvironment(env, () => service.rewrapAll())] as const);
    return Object.fromEntries(rewrapped);
  };
});

if (results && Object.values(results).some(({ unreadable }) => unreadable.length > 0)) {
  console.error('Some data keys are wrapped under a master key that is not in DATA_KEY or DATA_KEYS_ALSO_READ.');
  process.exitCode = 1;
}
